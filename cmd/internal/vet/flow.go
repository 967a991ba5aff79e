package vet

import (
	"slices"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/rules/bind"
)

// declared lists the symbols that the text declares, each with the first place of its declaration.
func (l *look) declared(yield func(*bind.Symbol, diag.Range) bool) {
	for _, s := range l.Unit.Bound.Symbols.All {
		if declaredIn(s, l.text) && !yield(s, s.Decls[0]) {
			return
		}
	}
}

// declaredIn reports whether a symbol is declared in a part of the text.
func declaredIn(s *bind.Symbol, part ast.Node) bool {
	return slices.ContainsFunc(s.Decls, part.Span().Holds)
}

// unusedValue reports state variables and local names that nothing uses.
func unusedValue(l *look) {
	for s, at := range l.declared {
		switch _, let := s.Node.(*ast.Let); {
		case s.Read() || s.Set():
		case s.Kind == bind.VariableName:
			l.nothingUses(at, "state variable", s.Name)
		case let:
			l.nothingUses(at, "local", s.Name)
		}
	}
}

// neverSet reports state variables that are read only.
func neverSet(l *look) {
	for s, at := range l.declared {
		if s.Kind == bind.VariableName && s.Read() && !s.Set() {
			l.warn(diag.NeverSet, at, "the state variable `%s` is read and never set", s.Name).
				WithHelp("what is the same in all states is a parameter or a definition")
		}
	}
}

// neverRead reports state variables that are set only.
func neverRead(l *look) {
	for s, at := range l.declared {
		if s.Kind == bind.VariableName && s.Set() && !s.Read() {
			l.warn(diag.NeverRead, at, "the state variable `%s` is set and never read", s.Name).
				WithHelp("states that differ in it alone are different states all the same")
		}
	}
}

// shadowed reports local names that hide other names. A choice may have the name of a variable on
// purpose.
func shadowed(l *look) {
	variant, known := "", []ast.Node{l.text} // what has names that are known in the text
	if l.variant != nil {
		variant, known = l.variant.Name.Name, append(known, l.variant.Board)
	}
	for _, d := range l.Unit.Defines {
		known = append(known, d)
	}
	for s, at := range l.declared {
		switch s.Node.(type) {
		case *ast.Choice, *ast.Facing:
			continue
		}
		if s.Kind != bind.LocalName {
			continue
		}
		for _, other := range l.Unit.Bound.Symbols.Visible(at.File, at.Start.Offset, variant) {
			here := func(part ast.Node) bool { return declaredIn(other, part) }
			if other.Name == s.Name && other != s && hidden[other.Kind] != "" && slices.ContainsFunc(known, here) {
				l.warn(diag.Shadowed, at, "this `%s` hides %s of that name", s.Name, hidden[other.Kind]).
					WithHelp("give one of them another name")
				break
			}
		}
	}
}

// hidden says what a local name may hide.
var hidden = map[bind.Kind]string{
	bind.LocalName: "another one", bind.ParamName: "the parameter", bind.VariableName: "the state variable",
	bind.DefinitionName: "the definition", bind.ProcedureName: "the procedure", bind.PlayerName: "the player",
	bind.PitsName: "the pits", bind.GroupName: "the group", bind.LapName: "the lap", bind.RelationName: "the relation",
}

// noEnding reports a variant in which no statement or declaration ends the game.
func noEnding(l *look) {
	v := l.variant
	if len(ast.All[*ast.Ending](v.Variant))+len(ast.All[*ast.Offer](v.Variant))+len(bind.CarriedOut[*ast.Finish](v, v.Variant)) == 0 {
		l.warn(diag.NoEnding, v.Name.Range, "nothing ends a game of `%s`", v.Name.Name).
			WithHelp("write `end when …`, or a statement such as `end` or `draw`")
	}
}

// unreached reports conditions that are always true or always false, and statements behind the end
// of the game.
//
// A while loop whose condition is always true is no mistake: it may be left by an ending. Nor is
// `require false` under a condition: it forbids the move there.
func unreached(l *look) {
	ast.Inspect(l.text, func(n ast.Node) bool {
		for _, block := range ast.Blocks(n) {
			if i := slices.IndexFunc(block, finishes); i >= 0 && i+1 < len(block) {
				l.warn(diag.Unreached, block[i+1].Span(), "this is never carried out: the game is over before it").
					WithHelp("write it before the end, or leave it out")
			}
		}
		switch n := n.(type) {
		case *ast.Move:
			l.constant(n.When, "this guard")
			for _, s := range n.Body {
				if s, is := s.(*ast.Require); is && !always(s.Cond, 1) {
					l.constant(s.Cond, "this condition")
				}
			}
		case *ast.Choice:
			l.constant(n.Where, "this condition")
		case *ast.Ending:
			l.constant(n.When, "this condition")
		case *ast.Reaction:
			l.constant(n.When, "this condition")
		case *ast.If:
			l.constant(n.Cond, "this condition")
		case *ast.While:
			if always(n.Cond, 0) {
				l.constant(n.Cond, "this condition")
			}
		case *ast.Require:
			if always(n.Cond, 1) {
				l.constant(n.Cond, "this condition")
			}
		}
		return true
	})
}

// finishes reports whether a statement always ends the game.
func finishes(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.Finish:
		return true
	case *ast.If:
		return s.HasElse && slices.ContainsFunc(s.Then, finishes) && slices.ContainsFunc(s.Else, finishes)
	}
	return false
}

// constant reports a condition whose value is evident from its text. x may be nil.
func (l *look) constant(x ast.Expr, what string) {
	if x == nil {
		return
	}
	if value, known := literal(x); known {
		l.warn(diag.Unreached, x.Span(), "%s is always %t", what, value != 0).
			WithHelp("ask for something that changes in play, or leave the condition out")
	}
}

// always reports whether a condition evidently has a value.
func always(x ast.Expr, value int) bool {
	v, known := literal(x)
	return known && v == value
}

// literal returns the value of an expression made of literals only, with 0 and 1 for truth values.
// Parameters are not evaluated, since a condition on a parameter is meant to be constant in one
// game.
func literal(x ast.Expr) (value int, known bool) {
	switch x := x.(type) {
	case *ast.Int:
		return x.Value, true
	case *ast.Paren:
		return literal(x.X)
	case *ast.Name:
		return num.Truth(x.Name == "true"), x.Name == "true" || x.Name == "false"
	case *ast.Unary:
		v, ok := literal(x.X)
		return num.Truth(v == 0), ok && x.Op == "not"
	case *ast.Binary:
		return binary(x)
	}
	return 0, false
}

// binary is literal for two operands, of which one may be enough to know the value.
func binary(x *ast.Binary) (value int, known bool) {
	l, lok := literal(x.L)
	r, rok := literal(x.R)
	switch x.Op {
	case "and":
		return num.Truth(lok && rok && l*r != 0), lok && rok || lok && l == 0 || rok && r == 0
	case "or":
		return num.Truth(lok && l != 0 || rok && r != 0), lok && rok || lok && l != 0 || rok && r != 0
	}
	if compare := comparisons[x.Op]; compare != nil && lok && rok {
		return num.Truth(compare(l, r)), true
	}
	return 0, false
}

var comparisons = map[string]func(l, r int) bool{
	"=": func(l, r int) bool { return l == r }, "/=": func(l, r int) bool { return l != r },
	"<": func(l, r int) bool { return l < r }, "<=": func(l, r int) bool { return l <= r },
	">": func(l, r int) bool { return l > r }, ">=": func(l, r int) bool { return l >= r },
}
