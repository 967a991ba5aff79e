package vet

import (
	"slices"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
)

// andOr reports conditions such as `A and x = 2 or x = 3` in the declarations of a file. They mean
// `(A and x = 2) or x = 3`, because `and` binds more tightly. That both comparisons are about the
// same thing suggests that `A and (x = 2 or x = 3)` is meant. The other order, `x = 2 or x = 3 and
// B`, is written on purpose too often to be reported.
func andOr(look *look) {
	text := words(look.Root.Source)
	for _, b := range ast.All[*ast.Binary](look.Root) {
		if b.Op != "or" {
			continue
		}
		before := b.L
		if l, is := before.(*ast.Binary); is && l.Op == "or" {
			before = l.R // of a chain, the operand next to this `or`
		}
		terms := conjuncts(before)
		last := len(terms) - 1
		l, r := comparison(terms[last]), comparison(b.R)
		if last == 0 || l == nil || r == nil || text.of(l.L) != text.of(r.L) || number(l.R) != number(r.R) || text.alsoOf(terms[:last], l) {
			continue
		}
		meant := "(" + text.of(l) + " or " + text.of(r) + ")"
		if l.Op == "=" && r.Op == "=" && number(l.R) && number(r.R) {
			meant = text.of(l.L) + " in {" + text.of(l.R) + ", " + text.of(r.R) + "}"
		}
		look.warn(diag.AndOr, l.Range.To(r.Range), "`and` binds more tightly than `or`, so `%s` is not under the `and`", text.of(r)).
			WithHelp("write `… and %s` or, if it is meant as it stands, `(… and %s) or %s`", meant, text.of(l), text.of(r))
	}
}

// alsoOf reports whether one of these terms is another bound on the same number. Then each side of
// the `or` is a case of its own, as in `x > 1 and x < 4 or x = 7`.
func (w words) alsoOf(terms []ast.Expr, x *ast.Binary) bool {
	return slices.ContainsFunc(terms, func(t ast.Expr) bool {
		c := comparison(t)
		return c != nil && w.of(c.L) == w.of(x.L) && (c.Op[0] == '<' || c.Op[0] == '>' || number(c.R))
	})
}

// conjuncts splits an expression at its outermost `and`s, but not inside brackets.
func conjuncts(x ast.Expr) []ast.Expr {
	if b, ok := x.(*ast.Binary); ok && b.Op == "and" {
		return append(conjuncts(b.L), conjuncts(b.R)...)
	}
	return []ast.Expr{x}
}

// comparison returns an expression that compares something, or nil.
func comparison(x ast.Expr) *ast.Binary {
	if b, ok := x.(*ast.Binary); ok {
		switch b.Op {
		case "=", "/=", "!=", "<", "<=", ">", ">=", "in", "not in":
			return b
		}
	}
	return nil
}

func number(x ast.Expr) bool {
	_, is := x.(*ast.Int)
	return is
}
