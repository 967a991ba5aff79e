package resolve

import (
	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules"
)

// Listed is one element of a set in a claim, with its text.
type Listed struct {
	Cond rules.Expr
	At   diag.Range
}

// Neighbours asserts which states are one step before (Pre) or after the states of Of.
type Neighbours struct {
	Pre  bool
	Of   rules.Expr
	List []Listed
}

func (*Neighbours) others() []*rules.System { return nil }

func (e *assertion) neighbours(p *ast.Neighbours) Property {
	return &Neighbours{Pre: p.Pre, Of: e.cond(p.Of), List: e.listed(p.List)}
}

func (e *assertion) listed(xs []ast.Expr) []Listed {
	var out []Listed
	for _, x := range xs {
		out = append(out, Listed{Cond: e.cond(x), At: x.Span()})
	}
	return out
}
