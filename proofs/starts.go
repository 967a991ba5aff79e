package proofs

import (
	"errors"

	"github.com/mancheck/mancheck/checker/shape"
	"github.com/mancheck/mancheck/checker/slice"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/proofs/say"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/space"
)

// anyStart looks for a start of a System without open parameters.
func (d *decision) anyStart() (space.Existence, error) {
	return space.AnyStart(d.ctx, d.in, 0, nil, nil)
}

// startsFor looks for a start if the claim is about plays; otherwise it assumes one.
func (d *decision) startsFor() (space.Existence, error) {
	if !d.kind.ofPlays() {
		return space.Some, nil
	}
	return d.anyStart()
}

// Limits of the search for a value of the open parameters that has a start.
const (
	mostLooks = 256 // checks of the clock in one search: one in about a thousand boards
	mostSeeds = 64
)

// startsOfAny determines whether the setup has a start for any values of the open parameters: on
// all boards if these are few, then on those with few seeds, then for single values.
func (d *decision) startsOfAny() (space.Existence, error) {
	e, err := d.fewLooks(nil)
	for seeds := 1; e == space.Unsure && err == nil && seeds <= mostSeeds; seeds *= 2 {
		if e, err = d.fewLooks(&seeds); e == space.None {
			e = space.Unsure
		}
	}
	if open := d.sys.OpenParams(); e == space.Unsure && err == nil && len(open) == 1 {
		return d.startsOfValues(d.sys.Params[open[0]])
	}
	return e, err
}

// startsOfValues tries the least values.
func (d *decision) startsOfValues(p rules.Param) (space.Existence, error) {
	all := p.HasHi && p.Hi-p.Lo < patience
	for n := p.Lo; n < p.Lo+patience && (!p.HasHi || n <= p.Hi); n++ {
		c, err := d.with([]int{n})
		if err != nil {
			return space.Unsure, err
		}
		e, err := c.fewLooks(nil)
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
func (d *decision) fewLooks(seeds *int) (space.Existence, error) {
	e, err := space.AnyStart(d.ctx, d.in, mostLooks, seeds, nil)
	if errors.As(err, new(*interp.RuleError)) || errors.As(err, new(*interp.UndefinedError)) {
		return space.Unsure, nil
	}
	return e, err
}

// anyState determines, within a limit, whether a state satisfies a condition: on all boards if
// these are few, otherwise on those with few seeds. With a shape the state must have it, too.
func (d *decision) anyState(cond rules.Expr, sh *shape.Shape) space.Existence {
	e := d.fewStates(cond, sh)
	for seeds := 1; e == space.Unsure && seeds <= mostSeeds && d.ctx.Err() == nil; seeds *= 2 {
		all := make([]int, len(d.sys.Pits))
		for p := range all {
			all[p] = p
		}
		few := rules.Binary{Op: rules.Le, L: rules.Sum{Pits: all}, R: rules.Const{Value: seeds}}
		if d.fewStates(rules.Conjunction(few, cond), sh) == space.Some {
			e = space.Some
		}
	}
	return e
}

func (d *decision) fewStates(cond rules.Expr, sh *shape.Shape) space.Existence {
	keep := slice.Keep(d.ctx, d.sys, cond).Kept
	e, _ := space.Found(d.ctx, space.Matching(limit.WithLooks(d.ctx, mostLooks), d.in, cond, keep, func(s rules.State) error {
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

// subject marks a verdict as vacuous if no state satisfies one of the conditions. If that is
// unknown, a note says so.
func (d *decision) subject(r *Result, sh *shape.Shape, conds ...rules.Expr) {
	for _, c := range conds {
		switch d.anyState(c, sh) {
		case space.None:
			r.Vacuous = true
			return
		case space.Unsure:
			r.Notes = append(r.Notes, verdict.SubjectUnknown{Of: verdict.StateMatching})
			return
		}
	}
}

// shapeless reports whether no state at all satisfies the target: the claim is true because nothing
// matches it.
func (d *decision) shapeless(target rules.Expr) bool { return d.anyState(target, nil) == space.None }

// maxShapes bounds how many states of the right shape are examined for one claim.
const maxShapes = 1 << 20

// manyShapes is what a verdict says of errManyShapes.
var manyShapes = verdict.TooMany{Of: verdict.ShapedStates, Most: maxShapes}

var errManyShapes = errors.New(say.Reason(manyShapes))

// matching lists the states of the right shape that satisfy cond, on the kept parts.
func (d *decision) matching(cond rules.Expr, keep space.Kept) ([]rules.State, error) {
	var list []rules.State
	sh := shape.Of(d.ctx, d.in).Exactly()
	err := space.Matching(d.ctx, d.in, rules.OrValueless(cond), keep, func(s rules.State) error {
		if ok, err := sh.Allows(s, keep); err != nil || !ok {
			return err
		}
		if _, err := d.in.HoldsOn(cond, s, keep.PartsOf(s)); err != nil {
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
