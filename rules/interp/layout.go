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

// mostTries bounds the search for one layout.
const mostTries = 200_000

// reactionsMoveSeeds reports whether any reaction moves seeds.
func (in *Interp) reactionsMoveSeeds() bool {
	return slices.ContainsFunc(in.sys.Reactions, func(e rules.Reaction) bool {
		return slices.ContainsFunc(e.By, func(by rules.ReactionFor) bool { return rules.EffectsOf(by.Body).MovesSeeds })
	})
}

// search tries all ways to distribute left seeds.
func (l *layout) search(left int) error {
	var loose []int
	for pit := range l.raw.Seeds {
		n, is := l.in.given(pit)
		if n < 0 || n > left {
			return nil
		}
		if left -= n; is {
			l.raw.Seeds[pit] = n
		} else {
			loose = append(loose, pit)
		}
	}
	return l.lay(loose, left)
}

// lay distributes left seeds over the loose pits, whose last one takes what the others leave.
func (l *layout) lay(loose []int, left int) error {
	if l.tried++; l.tried > mostTries {
		return rules.ManyLayouts(l.in.sys.Start.At)
	}
	if len(loose) == 0 {
		return l.try(left)
	}
	n := 0
	if len(loose) == 1 {
		n = left
	}
	for ; n <= left && !l.found; n++ {
		l.raw.Seeds[loose[0]] = n
		if err := l.lay(loose[1:], left-n); err != nil {
			return err
		}
	}
	return nil
}

func (l *layout) try(left int) error {
	if left > 0 {
		return nil
	}
	if err := l.in.ctx.Err(); err != nil {
		return err
	}
	open, is, err := l.in.startsAs(l.raw, l.goal)
	l.open, l.found = open, is
	return err
}

// given returns the seeds that the setup puts into a pit: none if it is not free, and exactly k by
// a condition `pit = k`. is is false if they may be any number.
func (in *Interp) given(pit int) (n int, is bool) {
	if !in.sys.Start.Free[pit] {
		return 0, true
	}
	for _, c := range rules.Conjuncts(in.sys.Start.Cond) {
		if k, ok := pin(c, pit); ok {
			return k, true
		}
	}
	return 0, false
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
