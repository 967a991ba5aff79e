package backward

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/checker/shape"
	"github.com/mancheck/mancheck/checker/slice/possible"
	"github.com/mancheck/mancheck/checker/step"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/space"
)

// Pred is a predecessor: a state, and the action that leads from it to the target.
type Pred struct {
	State  rules.State
	Action int
}

// Predecessors lists all states of the right shape with a step to target, reachable or not, ordered
// by State.Compare and by action. Only kept parts of target matter; in the predecessors the others
// are empty, or have their initial values. keep must come from package slice. It fails with a
// *HardError if some predecessors cannot be constructed, and with a *shape.VagueError if it cannot
// be decided whether one is of the right shape. The set of a Search includes such states.
func Predecessors(ctx context.Context, in *interp.Interp, keep space.Kept, target rules.State) ([]Pred, error) {
	v, err := newInverse(ctx, in, keep)
	if err != nil {
		return nil, err
	}
	v.shape = v.shape.Exactly()
	return v.preimage(target)
}

// inverse constructs predecessors.
type inverse struct {
	ctx       context.Context
	in        *interp.Interp
	sys       *rules.System
	keep      space.Kept
	shape     *shape.Shape
	actions   []action
	reactions []reaction
	machine   *step.Machine
	fault     error // one that an action has met; nil if none has
}

// action is an action with the ways its body may go, and everything that does not depend on the
// target.
type action struct {
	index  int
	mover  int
	name   string
	ways   []way
	plans  [][]*plan     // by sowing
	before *possible.Env // in which the body starts; nil: the guard never holds
}

// reaction lists the ways of a Reaction, for some player to move.
type reaction []way

// newInverse prepares the construction.
func newInverse(ctx context.Context, in *interp.Interp, keep space.Kept) (*inverse, error) {
	m, err := step.Compile(in.System())
	if err != nil {
		return nil, err
	}
	v := &inverse{ctx: ctx, in: in, sys: in.System(), keep: keep, shape: shape.Of(ctx, in), machine: m}
	for i := range v.sys.Actions {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		v.actions = append(v.actions, v.action(i))
	}
	for _, e := range v.sys.Reactions {
		for _, by := range e.By {
			t := tracer{sys: v.sys}
			v.reactions = append(v.reactions, t.trace(by.Body, possible.Everywhere(v.sys, by.Locals)))
		}
	}
	return v, ctx.Err()
}

func (v *inverse) action(i int) action {
	a := &v.sys.Actions[i]
	out := action{index: i, mover: a.Mover, name: v.sys.Moves[a.Move].Label, before: possible.Before(v.sys, a)}
	t := tracer{sys: v.sys}
	out.ways = t.trace(a.Body, out.before)
	for n, s := range t.sowings {
		plans, reason := plansOf(v.sys, a.Mover, s)
		out.plans = append(out.plans, plans)
		for w := range out.ways {
			if reason != "" && out.ways[w].sowing == n {
				out.ways[w] = out.ways[w].block(reason)
			}
		}
	}
	return out
}

// do executes an action. A fault of the rules is no step; the reference interpreter words the first
// one.
func (v *inverse) do(a *action, s *pack.Flat) (to *pack.Flat, legal bool, err error) {
	to, legal, err = v.machine.Do(s, a.index)
	if !errors.As(err, new(*step.Fault)) {
		return to, legal, err
	}
	if v.fault == nil {
		_, _, fault := v.in.Do(s.State(v.sys), a.index)
		v.fault = cmp.Or(fault, err)
	}
	return nil, false, nil
}

// settle returns the settled start of a layout. The reference interpreter words a fault.
func (v *inverse) settle(raw rules.State) (rules.State, error) {
	f := pack.NewFlat(v.sys)
	f.Set(raw)
	err := v.machine.Settle(f)
	if errors.As(err, new(*step.Fault)) {
		return v.in.Start(raw)
	}
	return f.State(v.sys), err
}

// preimage constructs the predecessors of target, unless the context ends.
func (v *inverse) preimage(target rules.State) ([]Pred, error) {
	if err := v.ctx.Err(); err != nil {
		return nil, err
	}
	set, err := v.reactionsTo(target)
	if err != nil {
		return nil, err
	}
	target = v.keep.Project(v.sys, target)
	work := pack.NewFlat(v.sys)
	var preds []Pred
	for i := range v.actions {
		if err := v.ctx.Err(); err != nil {
			return nil, err
		}
		c := candidates{inverse: v, action: &v.actions[i], target: target, work: work, set: set}
		if err := c.construct(); err != nil {
			return nil, err
		}
		preds = append(preds, c.distinct()...)
	}
	slices.SortStableFunc(preds, func(p, q Pred) int { return p.State.Compare(q.State) })
	return preds, nil
}

// reactionsTo marks the variables of a target whose values say nothing about those before the
// reactions: what a reaction on the way may set, and what does not matter once the game is over.
// Such a reaction must not move seeds.
func (v *inverse) reactionsTo(target rules.State) ([]bool, error) {
	set := make([]bool, len(v.sys.Vars))
	for x := range set {
		set[x] = !v.keep.PartsOf(target).HasVar(x)
	}
	for _, e := range v.reactions {
		for _, w := range e {
			if w.over && w.result != target.Outcome {
				continue
			}
			if w.sowing != noSowing || w.hard != "" {
				if w.over {
					return nil, hard("the ending `%s` moves seeds: its predecessors cannot be constructed", v.sys.OutcomeName(w.result))
				}
				return nil, hard("a reaction moves seeds: predecessors cannot be constructed")
			}
			set = either(set, w.assigned)
		}
	}
	return set, nil
}

// leadsTo reports whether a run that goes by w may end with this outcome.
func (v *inverse) leadsTo(w way, outcome int) bool {
	if w.over {
		return w.result == outcome
	}
	return outcome == rules.Live || slices.ContainsFunc(v.reactions, func(e reaction) bool {
		return slices.ContainsFunc(e, func(by way) bool { return by.over && by.result == outcome })
	})
}

// agree reports whether s and t agree on the kept parts.
func agree(keep space.Kept, s, t rules.State) bool {
	return s.Mover == t.Mover && s.Outcome == t.Outcome &&
		agreeOn(keep.Pits, s.Seeds, t.Seeds) && agreeOn(keep.VarsOf(s), s.Vars, t.Vars)
}

func agreeOn(keep []bool, a, b []int) bool {
	for i := range a {
		if (keep == nil || keep[i]) && a[i] != b[i] {
			return false
		}
	}
	return true
}

func (a *action) hard(reason string) error {
	return hard("move `%s` %s: its predecessors cannot be constructed", a.name, reason)
}
