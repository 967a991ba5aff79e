package judge

import (
	"strconv"

	"github.com/mancheck/mancheck/dsl/ast"
)

// Within decides a claim about reachable states for the first k moves only, which is what a bounded
// verdict says. It returns nil for other claims.
func (o *Judge) Within(claim *ast.Claim, k int) []Instance {
	bound := &ast.Int{Text: strconv.Itoa(k), Value: k}
	c := *claim
	switch p := any(claim.Property).(type) { // others have no bounded verdicts
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

// NoValue reports whether a condition of a claim about states of the right shape has no value in
// some of them, finished ones included, from which no step need lead anywhere. Only states with few
// seeds are looked at.
func (o *Judge) NoValue(claim *ast.Claim) bool {
	for _, x := range conditions(claim.Property) {
		c := *claim
		c.Property = everywhere{&ast.StepTo{From: x}}
		for _, t := range o.Decide(&c) {
			if t.Faults {
				return true
			}
		}
	}
	return false
}

// conditions returns the conditions of a claim that are evaluated in all states of the right shape.
func conditions(p ast.Property) []ast.Expr {
	switch p := any(p).(type) { // most have none
	case *ast.StepTo:
		return []ast.Expr{p.From, p.To}
	case *ast.EveryStep:
		if p.All {
			return []ast.Expr{p.From}
		}
	case *ast.Neighbours:
		return []ast.Expr{p.Of}
	case *ast.Count:
		if p.Set == "ancestors" {
			return []ast.Expr{p.Of}
		}
	}
	return nil
}

// everywhere is the property that its From has a value in all states of the right shape.
type everywhere struct{ *ast.StepTo }

// everywhere evaluates a condition in all states of the right shape, for its faults alone.
func (c *oneCase) everywhere(x ast.Expr) verdict {
	holds := c.tester(x)
	c.shapes().each(nil, nil, func(st *state) {
		c.guarded(func() { holds(st) })
		for i := range c.outcomes {
			over := st.clone()
			over.outcome, over.mover = i+1, none
			c.guarded(func() { holds(over) })
		}
	})
	return found(Open, "not all states were tried")
}
