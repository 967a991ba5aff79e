package proofs

import (
	"context"
	"errors"
	"fmt"

	"github.com/mancheck/mancheck/proofs/cert"
	"github.com/mancheck/mancheck/proofs/claim"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
)

// Closed is the set closed under predecessors that a verdict relies on, with the steps between its
// states: first those that satisfy the goal, and then level by level those that lead to them.
type Closed struct {
	Kept    rules.Kept // of the states; ignored parts are empty, or have their initial values
	Goal    rules.Expr
	Where   rules.Expr // which of the states other than targets count; nil: the question is whether one is a start
	Nodes   []ClosedNode
	Targets int
	index   map[string]int
}

// ClosedNode is a state of the set. Next is the state that it leads to, by Action, on a shortest
// way to a target; in a target both are -1.
type ClosedNode struct {
	State    rules.State
	Distance int // moves to a target
	Action   int
	Next     int
	Preds    []ClosedStep // by predecessor and action
}

// ClosedStep is a step from a state of the set to another.
type ClosedStep struct{ From, Action int }

// Others returns the number of states that do not satisfy the goal themselves.
func (c *Closed) Others() int { return len(c.Nodes) - c.Targets }

// Find returns the number of a state in the set, or -1.
func (c *Closed) Find(sys *rules.System, s rules.State) int {
	if i, ok := c.index[closedKey(c.Kept.Project(sys, s))]; ok {
		return i
	}
	return -1
}

// IsTarget reports whether a state of the set satisfies the goal itself.
func (c *Closed) IsTarget(sys *rules.System, s rules.State) bool {
	i := c.Find(sys, s)
	return i >= 0 && i < c.Targets
}

func closedKey(s rules.State) string { return fmt.Sprint(s) }

var errNoTree = errors.New("some state of the set leads to no target")

// ClosedOf lays out the set that the verdict relies on; nil if it relies on none closed by the
// backward search. Nothing is searched: the states are the evidence, and each is played once. The
// error says why the set is not available.
func ClosedOf(ctx context.Context, r *Result) (*Closed, error) {
	goal, where := claim.KindOf(r.System, r.Instance.Property).Closes()
	if goal == nil || r.Instance.Size != "" || r.Engine != Backward || r.Trace != nil || r.Inconclusive() {
		return nil, nil
	}
	evidence, is := r.Evidence.(*cert.Backward)
	if !is {
		return nil, claim.ErrNotKept
	}
	parts, states, err := evidence.Closed(r.System)
	if err != nil {
		return nil, err
	}
	c := &Closed{Kept: parts, Goal: goal, Where: where, index: map[string]int{}}
	return c, c.layOut(ctx, interp.New(r.System).Within(ctx), states)
}

// layOut orders states, which come in the order of State.Compare.
func (c *Closed) layOut(ctx context.Context, in *interp.Interp, states []rules.State) error {
	number := map[string]int{}
	for i, s := range states {
		number[closedKey(s)] = i
	}
	into := make([][]ClosedStep, len(states))
	for i, s := range states {
		if err := ctx.Err(); err != nil {
			return err
		}
		if !s.Live() {
			continue
		}
		steps, _, err := in.Legal(s)
		if err != nil {
			return err
		}
		for _, st := range steps {
			if to, in := number[closedKey(c.Kept.Project(in.System(), st.To))]; in {
				into[to] = append(into[to], ClosedStep{i, st.Action})
			}
		}
	}
	place := make([]int, len(states)) // in Nodes
	add := func(i, distance, action, next int) {
		c.index[closedKey(states[i])], place[i] = len(c.Nodes), len(c.Nodes)
		c.Nodes = append(c.Nodes, ClosedNode{State: states[i], Distance: distance, Action: action, Next: next, Preds: into[i]})
	}
	for i, s := range states {
		is, err := in.HoldsOn(rules.OrValueless(c.Goal), s, c.Kept.PartsOf(s))
		if err != nil {
			return err
		}
		if place[i] = -1; is {
			add(i, 0, -1, -1)
		}
	}
	c.Targets = len(c.Nodes)
	for n := 0; n < len(c.Nodes); n++ {
		for k, p := range c.Nodes[n].Preds {
			if place[p.From] < 0 {
				add(p.From, c.Nodes[n].Distance+1, p.Action, n)
			}
			c.Nodes[n].Preds[k].From = place[p.From]
		}
	}
	if len(c.Nodes) < len(states) {
		return errNoTree
	}
	return nil
}
