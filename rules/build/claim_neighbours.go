package build

import (
	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules"
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

func (*Neighbours) others() []*rules.System { return nil }

func (e *assertion) neighbours(p *ast.Neighbours) Property {
	return &Neighbours{Pre: p.Pre, Of: e.env.Cond(p.Of), List: e.listed(p.List)}
}

// listed resolves the elements of a set in a claim.
func (e *assertion) listed(xs []ast.Expr) []Listed {
	var out []Listed
	for _, x := range xs {
		out = append(out, Listed{Cond: e.env.Cond(x), At: x.Span()})
	}
	return out
}
