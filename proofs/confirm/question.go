package confirm

import (
	"context"

	"github.com/mancheck/mancheck/checker/shape"
	"github.com/mancheck/mancheck/checker/slice"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/proofs/cert"
	"github.com/mancheck/mancheck/proofs/cert/near"
	"github.com/mancheck/mancheck/proofs/internal/enumerate"
	"github.com/mancheck/mancheck/proofs/result"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/rules/interp"
)

// Question asks about a verdict on a property of Sys in a second way, within a budget of states.
type Question struct {
	Ctx    context.Context
	Result *result.Result
	Sys    *rules.System
	budget int
}

// Plays asks by playing all plays.
func (q Question) Plays() *enumerate.Graph { return enumerate.New(q.Ctx, q.Sys, q.budget) }

// ByStrategies is the answer about what only strategies show if none came with the verdict: none,
// unless there is no position.
func (q Question) ByStrategies() (*enumerate.Opinion, error) {
	starts, err := q.Plays().Starts()
	if err != nil || starts == 0 {
		return &enumerate.Opinion{}, err
	}
	if q.Result.None == "" {
		return nil, &enumerate.BudgetError{Budget: q.budget}
	}
	return nil, &enumerate.UnfitError{Reason: q.Result.None}
}

// Near asks about single steps. The engines supply the parts of states to look at, and the right
// shape; the checker verifies both.
func (q Question) Near(goals ...rules.Expr) (*near.Near, rules.Kept, error) {
	keep := slice.Keep(q.Ctx, q.Sys, goals...).Kept
	known := lists.Filter(shape.Of(q.Ctx, interp.New(q.Sys).Within(q.Ctx)).Lemmas, func(l rules.StartOnly) bool { return keep.Vars[l.Var] })
	n, err := near.New(q.Ctx, q.Sys, keep, known, q.budget, q.budget*triesPerState)
	return n, keep, err
}

// maxValues is how many values of quantified parameters are tried.
const maxValues = 1000

// about asks about one property. A verdict on its System that is part of the evidence is the
// answer.
func (c *checking) about(sys *rules.System, p build.Property, budget int) (*enumerate.Opinion, error) {
	for _, r := range c.r.Each {
		if SameSystem(r.System, sys) {
			err := c.certified(c.at(r.System, p), r, budget)
			return &enumerate.Opinion{Holds: r.Status == verdict.Proved, Starts: 1, States: cert.Size(r.Evidence)}, err
		}
	}
	return c.kind.As(sys, p).Again(Question{Ctx: c.ctx, Result: c.r, Sys: sys, budget: budget})
}

// enumerate decides the claim by enumeration, for each value of the parameters that it quantifies
// over.
func (c *checking) enumerate(budget int) (*enumerate.Opinion, error) {
	p, err := PropertyIn(c.inst, c.r.System)
	if err != nil {
		return nil, err
	}
	if len(c.r.System.OpenParams()) == 0 || !c.kind.OfPlays() && c.r.Each == nil {
		return c.about(c.r.System, p, budget)
	}
	some := c.inst.Some != ""
	if some && len(c.inst.Open) > 0 {
		return nil, &enumerate.UnfitError{Reason: "parameters are quantified over in two ways"}
	}
	tried, holds := 0, false
	err = c.eachValue(func(values []int) (bool, error) {
		sys, p, err := c.inst.WithValues(values)
		if err != nil {
			return false, &enumerate.UnfitError{Reason: err.Error()}
		}
		o, err := c.about(sys, p, budget)
		if err != nil {
			return false, err
		}
		budget -= o.States
		if o.Starts == 0 {
			return true, nil // a value without a start is skipped
		}
		tried++
		holds = o.Holds
		return holds != some, nil
	})
	if err == nil && tried == 0 {
		err = &enumerate.UnfitError{Reason: "there is no start"}
	}
	return &enumerate.Opinion{Holds: holds}, err
}

// eachValue calls try for the values of all open parameters, until it returns false.
func (c *checking) eachValue(try func(values []int) (bool, error)) error {
	open := c.inst.System.OpenParams()
	total := 1
	for _, i := range open {
		p := &c.inst.System.Params[i]
		if !p.HasHi {
			return &enumerate.UnfitError{Reason: "`" + p.Name + "` has no greatest value"}
		}
		n := p.Hi - p.Lo + 1
		if n <= 0 || n > maxValues {
			return &enumerate.BudgetError{Budget: c.budget}
		}
		if total *= n; total > maxValues {
			return &enumerate.BudgetError{Budget: c.budget}
		}
	}
	for n := range total {
		var values []int
		for _, i := range open {
			p := &c.inst.System.Params[i]
			width := p.Hi - p.Lo + 1
			values = append(values, p.Lo+n%width)
			n /= width
		}
		if more, err := try(values); err != nil || !more {
			return err
		}
	}
	return nil
}
