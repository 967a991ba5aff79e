// Package shape finds properties that all states in play have in common, as far as the rules show
// them.
//
// Claims about predecessors, and the backward search, are about all states "of the right shape",
// reachable or not. Many of those are of no interest: in the DOSE game `selected = none` is true
// before the first choice and never again, so a state in which nothing is selected is a start or
// cannot occur. A variable's initial value is called start-only if no move or reaction leads to a
// live state in which the variable has it. This follows from the possible values after each of them
// alone, and so it is an inductive invariant: the starts satisfy it, and every step preserves it.
package shape

import (
	"context"
	"errors"
	"slices"

	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/abstract"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/space"
)

// Shape is what is known of all live states in play.
type Shape struct {
	Lemmas []rules.StartOnly
	ctx    context.Context
	in     *interp.Interp
	exact  bool
}

// Exactly returns s for listing or counting states: see Allows.
func (s *Shape) Exactly() *Shape {
	exact := *s
	exact.exact = true
	return &exact
}

// VagueError says that a state must be a start to be in play, and that it does not determine
// whether it is one: an ignored part of it, or the value of a parameter, decides that.
type VagueError struct{}

func (*VagueError) Error() string {
	return "whether a state is a start depends on more than is known of it"
}

// Of finds the start-only values of the System that in plays. Once the context is done it stops and
// finds none.
func Of(ctx context.Context, in *interp.Interp) *Shape {
	sys := in.System()
	s := &Shape{ctx: ctx, in: in}
	if len(sys.Vars) == 0 {
		return s
	}
	comesBack := make([]bool, len(sys.Vars)) // the variable may have its initial value after some action or reaction
	for i := range sys.Actions {
		if ctx.Err() != nil {
			return s
		}
		a := &sys.Actions[i]
		after := abstract.Before(sys, a).Run(a.Body, unseen)
		if after == nil && a.Guard != nil && rules.CanFail(a.Guard) {
			// The action may only lead to a fault, but a check of the lemma need not know that.
			safe := slices.DeleteFunc(rules.Conjuncts(a.Guard), rules.CanFail)
			after = abstract.Everywhere(sys, len(a.Locals)).Assume(rules.Conjunction(safe...), true).Run(a.Body, unseen)
		}
		for v, x := range sys.Vars {
			comesBack[v] = comesBack[v] || after != nil && after.Var(v).Has(x.Init)
		}
	}
	for _, by := range sys.GoingOn() {
		mark(comesBack, sys, by)
	}
	for v, x := range sys.Vars {
		if !x.Ghost && !comesBack[v] { // a ghost records an earlier step, which is not part of the shape
			s.Lemmas = append(s.Lemmas, rules.StartOnly{Var: v, Value: x.Init})
		}
	}
	return s
}

// mark adds the variables that a reaction may set to their initial values. It leaves the others as
// they were after the action, or in the start.
func mark(comesBack []bool, sys *rules.System, by rules.ReactionFor) {
	after := abstract.Everywhere(sys, len(by.Locals)).Assume(by.When, true).Run(by.Body, unseen)
	rules.WalkStmts(by.Body, func(s rules.Stmt) {
		if set, is := s.(rules.Set); is && set.To.Sort == rules.VarCell {
			for _, v := range set.To.Slots(len(sys.Vars)) {
				comesBack[v] = comesBack[v] || after != nil && after.Var(v).Has(sys.Vars[v].Init)
			}
		}
	})
}

func unseen(rules.Stmt, *abstract.Env) {}

// Allows reports whether st can be a state in play. If parts of it are ignored (keep), it is false
// only if no values of the ignored parts make it one. It is true if that cannot be decided; a Shape
// made by Exactly fails with a *VagueError instead.
func (s *Shape) Allows(st rules.State, keep rules.Kept) (bool, error) {
	if !st.Live() || !s.mustStart(st, keep) {
		return true, nil
	}
	if len(s.in.System().GoingOn()) > 0 {
		if keep.All() {
			return s.isStart(st)
		}
		return true, s.vague()
	}
	if !s.laidOut(st, keep) || s.settled(st, keep) || !MayHold(s.in, keep, st) {
		return false, nil
	}
	if s.setupSpeaksOfMore(keep) {
		return s.completes(st, keep)
	}
	return s.isStart(st)
}

// vague is the error of a state of which too little is known to decide.
func (s *Shape) vague() error {
	if s.exact {
		return &VagueError{}
	}
	return nil
}

// isStart reports whether a state whose kept parts decide it is a start.
func (s *Shape) isStart(st rules.State) (bool, error) {
	is, err := s.in.IsStart(st)
	if errors.As(err, new(*interp.RuleError)) || errors.As(err, new(*interp.UndefinedError)) {
		return true, s.vague() // the rules do not determine whether it is a start
	}
	return is, err
}

// laidOut reports whether the kept parts except seeds are as in all starts.
func (s *Shape) laidOut(st rules.State, keep rules.Kept) bool {
	empty := s.in.System().EmptyStart()
	for v, x := range empty.Vars {
		if keep.HasVar(v) && st.Vars[v] != x {
			return false
		}
	}
	return st.Mover == empty.Mover
}

// settled reports whether a reaction certainly finishes what would be a live start.
func (s *Shape) settled(st rules.State, keep rules.Kept) bool {
	for _, e := range s.in.System().Reactions {
		by := &e.By[st.Mover]
		if e.AtTurnEnd {
			continue
		}
		if rules.AsksFor(by.When, rules.NoMove) {
			return false
		}
		is, err := s.in.HoldsOn(by.When, st, keep.PartsOf(st))
		if err != nil || is {
			return err == nil && !by.GoesOn()
		}
	}
	return false
}

// completes reports whether some start agrees with st on the kept pits.
func (s *Shape) completes(st rules.State, keep rules.Kept) (bool, error) {
	if !s.exact {
		return true, nil
	}
	like := *s.in.System()
	for p, free := range like.Start.Free {
		kept := keep.HasPit(p)
		if free && kept {
			has := rules.Binary{Op: rules.Eq, L: rules.Sum{Pits: []int{p}}, R: rules.Const{Value: st.Seeds[p]}}
			like.Start.Cond = rules.Conjunction(has, like.Start.Cond)
		} else if kept && st.Seeds[p] != 0 {
			return false, nil
		}
	}
	e, err := space.AnyStart(s.ctx, interp.New(&like).Within(s.ctx), mostLooks, nil, rules.State.Live)
	switch {
	case s.ctx.Err() != nil:
		return false, s.ctx.Err()
	case err != nil || e == space.Unsure:
		return false, &VagueError{}
	}
	return e == space.Some, nil
}

// mostLooks bounds the search for a start: it is how often that checks whether its time is over,
// about once in a thousand boards.
const mostLooks = 32

func (s *Shape) mustStart(st rules.State, keep rules.Kept) bool {
	return slices.ContainsFunc(s.Lemmas, func(l rules.StartOnly) bool { return keep.HasVar(l.Var) && st.Vars[l.Var] == l.Value })
}

// setupSpeaksOfMore reports whether the setup mentions an ignored pit.
func (s *Shape) setupSpeaksOfMore(keep rules.Kept) bool {
	return slices.ContainsFunc(lists.Set(s.in.System().Start.Free), func(p int) bool { return !keep.HasPit(p) })
}

// MayHold reports whether the part of the setup that mentions only kept pits holds in st.
func MayHold(in *interp.Interp, keep rules.Kept, st rules.State) bool {
	for _, c := range rules.Conjuncts(in.System().Start.Cond) {
		if speaksOfKeptOnly(c, keep) {
			if holds, err := in.Holds(c, st, nil); err == nil && !holds {
				return false
			}
		}
	}
	return true
}

func speaksOfKeptOnly(x rules.Expr, keep rules.Kept) bool {
	return rules.Parts{Pits: keep.Pits}.Decide(x) && !rules.HasA[rules.OpenParam](x)
}

// Conditions returns the lemmas as conditions on a state.
func (s *Shape) Conditions() []rules.Expr {
	var list []rules.Expr
	for _, l := range s.Lemmas {
		differs := rules.Binary{Op: rules.Ne, L: rules.VarAt(l.Var), R: rules.Const{Value: l.Value}}
		over := rules.Not{X: rules.HasOutcome(rules.Live)}
		list = append(list, rules.Binary{Op: rules.Or, L: differs, R: rules.Binary{Op: rules.Or, L: over, R: rules.IsStart}})
	}
	return list
}
