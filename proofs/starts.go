package proofs

import (
	"errors"

	"github.com/mancheck/mancheck/checker/shape"
	"github.com/mancheck/mancheck/checker/slice"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/resolve"
	"github.com/mancheck/mancheck/rules/space"
)

// existence is whether there is a start.
type existence int

const (
	unsure existence = iota
	none
	some
)

// anyStart looks for a start of a System without open parameters. Only a search that came to its end finds that there is none: all
// else that goes wrong is an error, apart from starts that are not seen to be finitely many.
func (d *decision) anyStart(in *interp.Interp) (existence, error) {
	return found(space.Starts(d.ctx, in, first))
}

func first(rules.State) error { return errStop }

// found reads the error of a search that ends with the first start.
func found(err error) (existence, error) {
	switch {
	case err == nil:
		return none, nil
	case errors.Is(err, errStop):
		return some, nil
	case errors.As(err, new(*space.InfiniteError)):
		return unsure, nil
	}
	return unsure, err
}

// ofPlays reports whether a property is one of plays, and so of starts, and not of all states of the right shape.
func ofPlays(p resolve.Property) bool {
	switch p := p.(type) {
	case *resolve.Neighbours, *resolve.StepTo:
		return false
	case *resolve.EveryStep:
		return !p.All
	case *resolve.Count:
		return p.Set != resolve.CountAncestors
	}
	return true
}

// Limits of the search for a value of the open parameters that has a start.
const (
	mostLooks = 256 // at the clock of one search: each is about a thousand boards
	mostSeeds = 64
)

// startsOfAny looks whether the setup has a start for any values of the open parameters: on all boards if these are few, then on those with few
// seeds, then for single values.
func (d *decision) startsOfAny() (existence, error) {
	e, err := d.fewLooks(d.in, nil)
	for seeds := 1; e == unsure && err == nil && seeds <= mostSeeds; seeds *= 2 {
		if e, err = d.fewLooks(d.in, &seeds); e == none {
			e = unsure
		}
	}
	if open := d.sys.OpenParams(); e == unsure && err == nil && len(open) == 1 {
		return d.startsOfValues(d.sys.Params[open[0]])
	}
	return e, err
}

// startsOfValues tries the least values.
func (d *decision) startsOfValues(p rules.Param) (existence, error) {
	all := p.HasHi && p.Hi-p.Lo < patience
	for n := p.Lo; n < p.Lo+patience && (!p.HasHi || n <= p.Hi); n++ {
		c, _, err := d.close([]int{n})
		if err != nil {
			return unsure, err
		}
		e, err := c.fewLooks(c.in, nil)
		if err != nil || e == some {
			return e, err
		}
		all = all && e == none
	}
	if all {
		return none, nil
	}
	return unsure, nil
}

// fewLooks looks for a start within reason, on boards of at most so many seeds if these are bounded. Faults of the rules are left to be
// met by those who decide the claim.
func (d *decision) fewLooks(in *interp.Interp, seeds *int) (existence, error) {
	e, err := found(space.StartsUpTo(limit.WithLooks(d.ctx, mostLooks), in, seeds, first))
	switch {
	case d.ctx.Err() != nil:
		return unsure, d.ctx.Err()
	case errors.Is(err, limit.ErrLooks), errors.As(err, new(*interp.RuleError)), errors.As(err, new(*interp.UndefinedError)):
		return unsure, nil
	}
	return e, err
}

// anyState looks, within reason, whether a state satisfies a condition: on all boards if these are few, else on those with few seeds. With a
// shape it must be of that, too.
func (d *decision) anyState(cond rules.Expr, sh *shape.Shape) existence {
	e := d.fewStates(cond, sh)
	for seeds := 1; e == unsure && seeds <= mostSeeds && d.ctx.Err() == nil; seeds *= 2 {
		all := make([]int, len(d.sys.Pits))
		for p := range all {
			all[p] = p
		}
		few := rules.Binary{Op: rules.Le, L: rules.Sum{Pits: all}, R: rules.Const{Value: seeds}}
		if d.fewStates(rules.Conjunction(few, cond), sh) == some {
			e = some
		}
	}
	return e
}

func (d *decision) fewStates(cond rules.Expr, sh *shape.Shape) existence {
	keep := slice.Keep(d.ctx, d.sys, cond).Kept
	err := space.Matching(limit.WithLooks(d.ctx, mostLooks), d.in, cond, keep, func(s rules.State) error {
		if sh == nil {
			return errStop
		}
		if ok, err := sh.Exactly().Allows(s, keep); err != nil || !ok {
			return err
		}
		return errStop
	})
	if e, err := found(err); err == nil {
		return e
	}
	return unsure
}

// subject marks a verdict as vacuous if no state satisfies one of the conditions. If that is not known, a note says so.
func (d *decision) subject(r *Result, sh *shape.Shape, conds ...rules.Expr) {
	for _, c := range conds {
		switch d.anyState(c, sh) {
		case none:
			r.Vacuous = true
			return
		case unsure:
			r.Notes = append(r.Notes, noteStates)
			return
		}
	}
}
