package interp

import (
	"slices"

	"github.com/mancheck/mancheck/rules"
)

// layout searches for a start that settles to a goal whose seeds a reaction has moved.
type layout struct {
	in    *Interp
	goal  rules.State
	raw   rules.State
	open  []int
	found bool
	tried int
}

// mostTries bounds the search for one layout, which cannot be interrupted.
const mostTries = 200_000

// reactionsMoveSeeds reports whether any reaction moves seeds.
func (in *Interp) reactionsMoveSeeds() bool {
	return slices.ContainsFunc(in.sys.Reactions, func(e rules.Reaction) bool {
		return slices.ContainsFunc(e.By, func(by rules.ReactionFor) bool { return rules.EffectsOf(by.Body).MovesSeeds })
	})
}

// lay tries all ways to distribute left seeds over the pits from pit on.
func (l *layout) lay(pit, left int) error {
	if l.found {
		return nil
	}
	if l.tried++; l.tried > mostTries {
		return rules.ManyLayouts(l.in.sys.Start.At)
	}
	if pit == len(l.raw.Seeds) {
		return l.try(left)
	}
	lo, hi := l.in.pinned(pit, left)
	for n := lo; n <= hi && !l.found; n++ {
		l.raw.Seeds[pit] = n
		if err := l.lay(pit+1, left-n); err != nil {
			return err
		}
	}
	return nil
}

func (l *layout) try(left int) error {
	if left > 0 {
		return nil
	}
	open, is, err := l.in.startsAs(l.raw, l.goal)
	l.open, l.found = open, is
	return err
}

// pinned bounds the seeds of one pit by the setup: 0 if it is not free, and exactly k by a
// condition `pit = k`.
func (in *Interp) pinned(pit, left int) (lo, hi int) {
	if !in.sys.Start.Free[pit] {
		return 0, 0
	}
	for _, c := range rules.Conjuncts(in.sys.Start.Cond) {
		if k, ok := pin(c, pit); ok {
			return k, min(k, left)
		}
	}
	return 0, left
}

// pin reads a condition `pit = k`.
func pin(cond rules.Expr, pit int) (int, bool) {
	b, ok := cond.(rules.Binary)
	if !ok || b.Op != rules.Eq {
		return 0, false
	}
	k, isConst := b.R.(rules.Const)
	p, single := rules.SeedsOf(b.L)
	return k.Value, isConst && single && p == pit
}
