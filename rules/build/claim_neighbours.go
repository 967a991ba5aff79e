package build

import (
	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/bind"
)

// Listed is one element of a set in a claim: a condition with its place in the text.
type Listed struct {
	Cond rules.Expr
	At   diag.Range
}

// Neighbours asserts which states are one step before (Pre) or after the states that satisfy Of.
type Neighbours struct {
	Pre  bool
	Of   rules.Expr
	List []Listed
}

// Kind implements Property: there are no certificates for such claims.
func (*Neighbours) Kind() string { return "" }

// Asserts implements Property.
func (*Neighbours) Asserts(*rules.System) string { return "" }

// listed resolves the elements of a set in a claim.
func (e *assertion) listed(xs []ast.Expr) []Listed {
	return bind.Map(xs, func(x ast.Expr) Listed { return Listed{Cond: e.env.Cond(x), At: x.Span()} })
}
