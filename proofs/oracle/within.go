package oracle

import (
	"strconv"

	"github.com/mancheck/mancheck/dsl/ast"
)

// Within is Decide for what a claim about reachable states says of the first k moves. Of other claims it gives nil.
func (o *Oracle) Within(claim *ast.Claim, k int) []Instance {
	bound := &ast.Int{Text: strconv.Itoa(k), Value: k}
	c := *claim
	switch p := claim.Property.(type) {
	case *ast.Reach:
		q := *p
		q.Within = bound
		c.Property = &q
	case *ast.NeverStuck:
		hole := &ast.Binary{Op: "or", L: &ast.Name{Name: "stuck"}, R: &ast.Name{Name: "endless"}}
		c.Property = &ast.Reach{Kind: "unreachable", Target: hole, Within: bound}
	default:
		return nil
	}
	return o.Decide(&c)
}

// NoValue tells whether a condition of a claim about single steps has no value in some state of the right shape, from which no step
// need lead anywhere.
func (o *Oracle) NoValue(claim *ast.Claim) bool {
	p, ok := claim.Property.(*ast.StepTo)
	if !ok {
		return false
	}
	for _, x := range []ast.Expr{p.From, p.To} {
		c := *claim
		c.Property = &ast.StepTo{From: x, To: &ast.Name{Name: "true"}}
		for _, t := range o.Decide(&c) {
			if t.Faults || t.Truth == Fault {
				return true
			}
		}
	}
	return false
}
