package dsl

import (
	"strings"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/dsl/internal/grammar"
	"github.com/mancheck/mancheck/dsl/internal/scan"
)

// maxTerms bounds the prefixes and operators of one expression, so that no walk over the tree that
// they become can run out of stack.
const maxTerms = 2000

// The strengths of operators, from loosest to tightest.
const (
	anyStrength = iota
	strengthQuant
	strengthOr
	strengthAnd
	strengthNot
	strengthCompare
	strengthIn
	strengthRange
	strengthAdd
	strengthMul
	strengthPrefix
)

var strengths = map[string]int{
	":":  strengthQuant,
	"or": strengthOr, "and": strengthAnd,
	"=": strengthCompare, "/=": strengthCompare, "<": strengthCompare, "<=": strengthCompare,
	">": strengthCompare, ">=": strengthCompare, "was": strengthCompare,
	"in": strengthIn, "not in": strengthIn,
	"..": strengthRange,
	"+":  strengthAdd, "-": strengthAdd, "without": strengthAdd,
	"*": strengthMul, "div": strengthMul, "mod": strengthMul,
}

// term is an element of a flat expression: a prefix, an operand or an operator.
type term struct {
	op      string // "" for an operand
	at      diag.Range
	operand *grammar.Primary
}

// climber orders a flat list of terms by precedence climbing.
type climber struct {
	*lowerer
	terms []term
	open  bool // a `..` at the very end may lack its right side
}

func (l *lowerer) exprs(list []*grammar.Expr) []ast.Expr {
	var out []ast.Expr
	for _, e := range list {
		out = append(out, l.expr(e))
	}
	return out
}

// expr lowers an expression; nil stays nil.
func (l *lowerer) expr(e *grammar.Expr) ast.Expr {
	if e == nil {
		return nil
	}
	return l.order(flatten(e), spanOf(e), false)
}

func (l *lowerer) arith(e *grammar.Arith) ast.Expr {
	if e == nil {
		return nil
	}
	return l.order(flattenArith(e), spanOf(e), false)
}

func (l *lowerer) ariths(list []*grammar.Arith) []ast.Expr {
	var out []ast.Expr
	for _, e := range list {
		out = append(out, l.arith(e))
	}
	return out
}

func (l *lowerer) operand(o *grammar.Operand) ast.Expr {
	return l.order(appendOperand(nil, o), spanOf(o), false)
}

func flatten(e *grammar.Expr) []term {
	terms := appendOperand(nil, e.First)
	for _, k := range e.Rest {
		terms = append(terms, linkOperator(k))
		terms = appendOperand(terms, k.Right)
		terms = appendOperand(terms, k.Upper)
	}
	return terms
}

func linkOperator(k *grammar.Link) term {
	switch {
	case k.NotIn:
		return term{op: "not in", at: tokenSpan(k.Tokens[:2])}
	case k.Range != nil:
		return term{op: "..", at: scan.Range(*k.Range)}
	}
	op := k.Op.Value
	if op == "!=" {
		op = "/="
	}
	return term{op: op, at: scan.Range(*k.Op)}
}

func flattenArith(e *grammar.Arith) []term {
	terms := appendOperand(nil, e.First)
	for _, k := range e.Rest {
		terms = append(terms, term{op: k.Op.Value, at: scan.Range(*k.Op)})
		terms = appendOperand(terms, k.Right)
	}
	return terms
}

func appendOperand(terms []term, o *grammar.Operand) []term {
	if o == nil {
		return terms
	}
	for _, p := range o.Prefixes {
		terms = append(terms, term{op: p.Op.Value, at: scan.Range(*p.Op)})
	}
	return append(terms, term{at: spanOf(o.Primary), operand: o.Primary})
}

// order turns terms into a tree. open allows an upper end to be missing at the very end.
func (l *lowerer) order(terms []term, whole diag.Range, open bool) ast.Expr {
	if len(terms) > maxTerms {
		l.errorf(whole, "this expression is too long")
		return &ast.Int{At: ast.At{Range: whole}, Text: "0"}
	}
	c := &climber{lowerer: l, terms: terms, open: open}
	x := c.climb(anyStrength)
	if len(c.terms) > 0 {
		l.errorf(c.terms[0].at, "unexpected `%s` here", c.terms[0].op)
	}
	return x
}

func (c *climber) peek() string {
	if len(c.terms) == 0 {
		return ""
	}
	return c.terms[0].op
}

func (c *climber) take() term {
	t := c.terms[0]
	c.terms = c.terms[1:]
	return t
}

// climb reads an expression whose operators are all at least as strong as min.
func (c *climber) climb(min int) ast.Expr {
	left := c.prefixed(min)
	for {
		strength, ok := strengths[c.peek()]
		if !ok || strength < min || strength == strengthQuant {
			return left
		}
		left = c.binary(left, strength)
	}
}

func (c *climber) binary(left ast.Expr, strength int) ast.Expr {
	op := c.take()
	if op.op == ".." && (len(c.terms) == 0 || c.terms[0].op != "" && strengths[c.terms[0].op] > 0 && c.terms[0].op != "-") {
		if !c.open || len(c.terms) > 0 {
			c.errorf(op.at, "expected a number after `..`")
		}
		return &ast.Binary{At: ast.At{Range: left.Span().To(op.at)}, Op: "..", L: left}
	}
	right := c.climb(strength + 1)
	span := ast.At{Range: left.Span().To(right.Span())}
	if strength == strengthCompare && strengths[c.peek()] == strengthCompare {
		c.chained(c.terms[0])
	}
	if op.op == "was" {
		return c.was(left, right, span, op)
	}
	return &ast.Binary{At: span, Op: op.op, L: left, R: right}
}

func (c *climber) chained(op term) {
	c.errorf(op.at, "comparisons cannot be chained").WithHelp("join two comparisons with `and`")
	c.terms = nil
}

func (c *climber) was(left, right ast.Expr, span ast.At, op term) ast.Expr {
	if n, ok := left.(*ast.Name); !ok || n.Name != "last" {
		c.errorf(op.at, "`was` can only follow `last`")
	}
	return &ast.Was{At: span, Value: right}
}

// prefixed reads an operand with its prefixes.
func (c *climber) prefixed(min int) ast.Expr {
	t := c.take()
	switch t.op {
	case "":
		return c.primary(t.operand)
	case "-", "old":
		return c.unary(t, strengthPrefix)
	case "not":
		if min > strengthNot {
			c.errorf(t.at, "`not` cannot stand here").WithHelp("put `not …` in parentheses")
		}
		return c.unary(t, strengthNot)
	}
	return c.quantified(t)
}

func (c *climber) unary(t term, strength int) ast.Expr {
	x := c.climb(strength)
	return &ast.Unary{At: ast.At{Range: t.at.To(x.Span())}, Op: t.op, X: x}
}

// quantified reads what follows each, some or number: a comparison of a set's seeds, or a
// variable, its set and a colon.
func (c *climber) quantified(t term) ast.Expr {
	head := c.climb(strengthIn)
	if c.peek() == ":" {
		return c.quant(t, head)
	}
	if v, ok := head.(*ast.Binary); ok && v.Op == "in" || t.op == "number" {
		c.errorf(behind(head.Span()), "expected `:` and a condition after `%s …`", t.op).
			WithHelp("write `%s x in SET : CONDITION`", t.op)
		c.terms = nil
		return head
	}
	return c.eachCmp(t, head)
}

func (c *climber) quant(t term, head ast.Expr) ast.Expr {
	colon := c.take()
	v, set, ok := member(head)
	if !ok {
		c.errorf(head.Span().To(colon.at), "expected `NAME in SET` between `%s` and `:`", t.op)
	}
	body := c.climb(anyStrength)
	return &ast.Quant{At: ast.At{Range: t.at.To(body.Span())}, Kind: t.op, Var: v, Set: set, Body: body}
}

// member takes `x in SET` apart.
func member(e ast.Expr) (ast.Ident, ast.Expr, bool) {
	b, ok := e.(*ast.Binary)
	if !ok || b.Op != "in" {
		return ast.Ident{}, e, false
	}
	n, ok := b.L.(*ast.Name)
	if !ok || scan.IsKeyword(n.Name) {
		return ast.Ident{}, e, false
	}
	return ast.Ident{At: n.At, Name: n.Name}, b.R, true
}

func (c *climber) eachCmp(t term, set ast.Expr) ast.Expr {
	if strengths[c.peek()] != strengthCompare || c.peek() == "was" {
		c.errorf(behind(set.Span()), "expected a comparison after `%s …`", t.op).
			WithHelp("write `%s SET > 0` or `%s x in SET : CONDITION`", t.op, t.op)
		c.terms = nil
		return set
	}
	op := c.take()
	right := c.climb(strengthCompare + 1)
	if strengths[c.peek()] == strengthCompare {
		c.chained(c.terms[0])
	}
	return &ast.EachCmp{At: ast.At{Range: t.at.To(right.Span())}, Kind: t.op, Set: set, Op: op.op, R: right}
}

// behind is the empty place at the end of a range.
func behind(r diag.Range) diag.Range {
	return diag.Range{File: r.File, Start: r.End, End: r.End}
}

func (l *lowerer) primary(p *grammar.Primary) ast.Expr {
	switch {
	case p.Int != nil:
		return &ast.Int{At: at(p), Text: p.Int.Value, Value: l.number(*p.Int)}
	case p.Text != nil:
		return &ast.Text{At: at(p), Value: unquote(p.Text.Value)}
	case p.Word != nil:
		return &ast.Name{At: at(p), Name: p.Word.Value}
	case p.Of != nil:
		return &ast.Of{At: at(p), Their: p.Of.Whose == "their", Group: ident(p.Of.Group)}
	case p.Paren != nil:
		return &ast.Paren{At: at(p), X: l.expr(p.Paren)}
	case p.Set != nil:
		return l.set(p)
	}
	return l.named(p)
}

func (l *lowerer) named(p *grammar.Primary) ast.Expr {
	n := p.Name
	switch {
	case n.Index != nil:
		return &ast.IndexExpr{At: at(p), Group: ident(n.Name), Index: l.expr(n.Index)}
	case n.Args != nil:
		return l.call(at(p), n)
	}
	return &ast.Name{At: at(p), Name: n.Name.Text}
}

func (l *lowerer) call(span ast.At, n *grammar.Named) ast.Expr {
	c := &ast.Call{At: span, Func: ident(n.Name), Along: l.expr(n.Args.Along)}
	if n.Args.First != nil {
		c.Args = append(c.Args, l.expr(n.Args.First))
	}
	c.Args = append(c.Args, l.exprs(n.Args.Rest)...)
	return c
}

func (l *lowerer) set(p *grammar.Primary) ast.Expr {
	s := &ast.SetLit{At: at(p)}
	for _, e := range p.Set.Elems() {
		if e.Notation != nil || e.Label != nil {
			l.errorf(spanOf(e), "only the options of `choose` have notations and labels")
		}
		s.Elems = append(s.Elems, l.expr(e.Value))
	}
	if p.Set.Where == nil {
		return s
	}
	v, set, ok := member(s.Elems[0])
	if !ok {
		l.errorf(s.Elems[0].Span(), "expected `NAME in SET` before `where`")
	}
	return &ast.Filter{At: at(p), Var: v, Set: set, Where: l.expr(p.Set.Where)}
}

// width is the number of digits of a zero-padded number, else 0.
func width(e ast.Expr) int {
	if n, ok := e.(*ast.Int); ok && len(n.Text) > 1 && strings.HasPrefix(n.Text, "0") {
		return len(n.Text)
	}
	return 0
}
