package proofs

import (
	"math/big"

	"github.com/mancheck/mancheck/checker/shape"
	"github.com/mancheck/mancheck/checker/slice"
	"github.com/mancheck/mancheck/proofs/cert"
	"github.com/mancheck/mancheck/proofs/enumerate"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/resolve"
	"github.com/mancheck/mancheck/rules/space"
)

// near finds the verdict on a claim about single steps, or about ancestors, again. The parts of states to look at, and what is of the right
// shape, come from the engines; the checker does not take their word for either.
func (c *checking) near(p resolve.Property, budget int) (*enumerate.Opinion, error) {
	goals := goalsOf(p)
	if goals == nil {
		return nil, nil
	}
	sys := c.r.System
	keep := slice.Keep(c.ctx, sys, goals...).Kept
	var lemmas []cert.Lemma
	for _, l := range shape.Of(c.ctx, interp.New(sys)).Lemmas {
		if keep.Vars[l.Var] {
			lemmas = append(lemmas, cert.Lemma{Var: l.Var, Value: l.Value})
		}
	}
	parts := cert.Parts{Pits: keep.Pits, Vars: keep.Vars, Over: keep.Over}
	n, err := cert.NewNear(c.ctx, sys, parts, lemmas, budget, budget*triesPerState)
	if err != nil {
		return nil, err
	}
	return c.askNear(n, p, keep)
}

func (c *checking) askNear(n *cert.Near, p resolve.Property, keep space.Kept) (*enumerate.Opinion, error) {
	o := &enumerate.Opinion{}
	var err error
	switch p := p.(type) {
	case *resolve.StepTo:
		o.Holds, err = n.StepTo(p)
	case *resolve.EveryStep:
		o.Holds, err = n.EveryStep(p)
	case *resolve.Neighbours:
		var found []rules.State
		found, o.Holds, err = n.Neighbours(p)
		if err == nil && c.r.Sets != nil && !sameStates(found, projected(c.r, keep)) {
			err = refuse("by playing these steps there are %s, and not those found", count(len(found), "state"))
		}
	case *resolve.Count:
		var number int
		number, err = n.Ancestors(p)
		o.Number = big.NewInt(int64(number))
		holds := rules.Binary{Op: p.Op, L: rules.Const{Value: number}, R: rules.Const{Value: p.Value}}
		o.Holds = rules.Simplify(holds, nil) == rules.True
	}
	return o, err
}

// goalsOf are the conditions of a claim about states that need not be reachable; nil if it is none.
func goalsOf(p resolve.Property) []rules.Expr {
	switch p := p.(type) {
	case *resolve.StepTo:
		return []rules.Expr{p.From, p.To}
	case *resolve.EveryStep:
		if p.All {
			return []rules.Expr{p.From, p.Gives}
		}
	case *resolve.Neighbours:
		goals := []rules.Expr{p.Of}
		for _, l := range p.List {
			goals = append(goals, l.Cond)
		}
		return goals
	case *resolve.Count:
		if p.Set == resolve.CountAncestors {
			return []rules.Expr{rules.OrValueless(p.Of), p.Where}
		}
	}
	return nil
}

func projected(r *Result, keep space.Kept) []rules.State {
	var list []rules.State
	for _, s := range r.Sets.Found {
		list = append(list, keep.Project(r.System, s))
	}
	return list
}
