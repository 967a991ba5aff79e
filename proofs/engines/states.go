package engines

import (
	"errors"
	"slices"

	"github.com/mancheck/mancheck/checker/residual"
	"github.com/mancheck/mancheck/checker/shape"
	"github.com/mancheck/mancheck/checker/slice"
	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/proofs/internal/trial"
	"github.com/mancheck/mancheck/proofs/result"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/space"
)

// AnyStart looks for a start of a System without open parameters.
func AnyStart(run *Run) (space.Existence, error) {
	return space.AnyStart(run.Ctx, run.In, 0, nil, nil)
}

// Limits of the search for a value of the open parameters that has a start.
const (
	mostLooks = 256 // checks of the clock in one search: one in about a thousand boards
	mostSeeds = 64
)

// StartsOfAny determines whether the setup has a start for any values of the open parameters: on
// all boards if these are few, then on those with few seeds, then for single values.
func StartsOfAny(run *Run) (space.Existence, error) {
	e, err := fewLooks(run, nil)
	for seeds := 1; e == space.Unsure && err == nil && seeds <= mostSeeds; seeds *= 2 {
		if e, err = fewLooks(run, &seeds); e == space.None {
			e = space.Unsure
		}
	}
	if open := run.Sys.OpenParams(); e == space.Unsure && err == nil && len(open) == 1 {
		return startsOfValues(run, run.Sys.Params[open[0]])
	}
	return e, err
}

// Patience is how many values of an open parameter are tried in search of one with a start, or of a
// counterexample.
const Patience = 16

// startsOfValues tries the least values.
func startsOfValues(run *Run, p rules.Param) (space.Existence, error) {
	all := p.HasHi && p.Hi-p.Lo < Patience
	for n := p.Lo; n < p.Lo+Patience && (!p.HasHi || n <= p.Hi); n++ {
		c, err := run.With([]int{n})
		if err != nil {
			return space.Unsure, err
		}
		e, err := fewLooks(c, nil)
		if err != nil || e == space.Some {
			return e, err
		}
		all = all && e == space.None
	}
	if all {
		return space.None, nil
	}
	return space.Unsure, nil
}

// fewLooks looks for a start within a limit, on boards with at most the given seeds if these are
// bounded. Faults of the rules are left to those who decide the claim.
func fewLooks(run *Run, seeds *int) (space.Existence, error) {
	e, err := space.AnyStart(run.Ctx, run.In, mostLooks, seeds, nil)
	if errors.As(err, new(*interp.RuleError)) || errors.As(err, new(*interp.UndefinedError)) {
		return space.Unsure, nil
	}
	return e, err
}

// anyState determines, within a limit, whether a state satisfies a condition: on all boards if
// these are few, otherwise on those with few seeds. With a shape the state must have it, too.
func anyState(run *Run, cond rules.Expr, sh *shape.Shape) space.Existence {
	e := fewStates(run, cond, sh)
	for seeds := 1; e == space.Unsure && seeds <= mostSeeds && run.Ctx.Err() == nil; seeds *= 2 {
		few := rules.Binary{Op: rules.Le, L: rules.Sum{Pits: num.Run(0, len(run.Sys.Pits))}, R: rules.Const{Value: seeds}}
		if fewStates(run, rules.Conjunction(few, cond), sh) == space.Some {
			e = space.Some
		}
	}
	return e
}

func fewStates(run *Run, cond rules.Expr, sh *shape.Shape) space.Existence {
	keep := slice.Keep(run.Ctx, run.Sys, cond).Kept
	e, _ := space.Found(run.Ctx, space.Matching(limit.WithLooks(run.Ctx, mostLooks), run.In, cond, keep, func(s rules.State) error {
		if sh == nil {
			return space.ErrFound
		}
		if ok, err := sh.Exactly().Allows(s, keep); err != nil || !ok {
			return err
		}
		return space.ErrFound
	}))
	return e // after any error it is unknown
}

// Subject marks a verdict as vacuous if no state satisfies one of the conditions. If that is
// unknown, a note says so.
func Subject(run *Run, r *result.Result, sh *shape.Shape, conds ...rules.Expr) {
	for _, c := range conds {
		switch anyState(run, c, sh) {
		case space.None:
			r.Vacuous = true
			return
		case space.Unsure:
			r.Notes = append(r.Notes, verdict.MatchUnknown)
			return
		}
	}
}

// Shapeless reports whether no state, reachable or not, satisfies the target: the claim is true
// because nothing matches it.
func Shapeless(run *Run, target rules.Expr) bool { return anyState(run, target, nil) == space.None }

// maxShapes bounds how many states of the right shape are examined for one claim.
const maxShapes = 1 << 20

// mostCandidates bounds how many states are looked at for them. A condition that says where play
// may begin can have them all looked at, and take long for each.
const mostCandidates = 2 * maxShapes

var errManyShapes = errors.New("too many states of the right shape")

// Matching lists the states of the right shape that satisfy cond, on the kept parts.
func Matching(run *Run, cond rules.Expr, keep rules.Kept) ([]rules.State, error) {
	var list []rules.State
	sh := shape.Of(run.Ctx, run.In).Exactly()
	ctx := limit.WithLooks(run.Ctx, mostCandidates)
	err := space.Matching(ctx, run.In.Within(ctx), rules.OrValueless(cond), keep, func(s rules.State) error {
		if ok, err := sh.Allows(s, keep); err != nil || !ok {
			return err
		}
		if _, err := run.In.HoldsOn(cond, s, keep.PartsOf(s)); err != nil {
			return err // it has no value
		}
		if len(list) == maxShapes {
			return errManyShapes
		}
		list = append(list, s.Clone())
		return nil
	})
	return list, err
}

// Legal lists the steps of a state that need not be in play, by these actions; nil: all. The
// interpreter and the stepper have to agree on them. An action that meets a fault of the rules has
// no step; the verdict notes it.
func (run *Run) Legal(s rules.State, actions []bool) ([]interp.Step, error) {
	steps, fault, err := run.In.Legal(s)
	if fault != nil {
		run.noteFault(fault)
	}
	if err != nil {
		return nil, err
	}
	if run.player == nil {
		run.player = residual.NewPlayer(run.Ctx, run.Sys, rules.Parts{}, nil)
	}
	if err := trial.Steps(run.player, s, steps); err != nil {
		return nil, err
	}
	return slices.DeleteFunc(steps, func(st interp.Step) bool { return !rules.Counts(actions, st.Action) }), nil
}
