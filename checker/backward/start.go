package backward

import (
	"errors"

	"github.com/mancheck/mancheck/checker/shape"
	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
)

// start reports whether some start agrees with t on the kept parts, and returns one. It was just
// asked whether there may be one, so the setup has that as it is before reactions: those that lead
// to t do not move seeds, or the search would have failed before. It fails with a *HardError if the
// setup mentions ignored pits without saying what is in them.
func (s *search) start(t rules.State) (Start, bool, error) {
	raw := s.setup.raw.State(s.in.System())
	settled, err := s.inverse.in.Start(raw)
	if err != nil {
		return Start{}, false, err
	}
	if !agrees(s.Kept.Kept, settled, t) {
		return Start{}, false, nil
	}
	open, is, err := s.openValues(settled)
	if err != nil || is {
		return Start{State: settled, Open: open}, is, err
	}
	vague := lists.Filter(vaguePits(s.in.System()), func(p int) bool { return !s.Kept.HasPit(p) })
	if len(vague) == 0 || !shape.MayHold(s.in, s.Kept.Kept, raw) {
		return Start{}, false, nil
	}
	return Start{}, false, hard("whether a state is a start depends on `%s`, which was left out", s.in.System().Pits[vague[len(vague)-1]].Name)
}

// agrees reports whether s and t agree on the kept parts.
func agrees(keep rules.Kept, s, t rules.State) bool {
	return s.Mover == t.Mover && s.Outcome == t.Outcome &&
		agreeOn(keep.Pits, s.Seeds, t.Seeds) && agreeOn(keep.VarsOf(s.Outcome), s.Vars, t.Vars)
}

func agreeOn(keep []bool, a, b []int) bool {
	for i := range a {
		if (keep == nil || keep[i]) && a[i] != b[i] {
			return false
		}
	}
	return true
}

// bytes is the memory that a start takes: its own words and those of its lists.
func (s *Start) bytes() int64 {
	const own, word = 15, 8
	return int64(own+len(s.State.Seeds)+len(s.State.Vars)+len(s.Open)+len(s.Actions)) * word
}

// openValues returns the parameters for which a settled state is a start. A setup that does not
// determine them is hard.
func (s *search) openValues(settled rules.State) ([]int, bool, error) {
	open, is, err := s.in.OpenValues(settled)
	if fault := new(interp.RuleError); err != nil && !errors.As(err, &fault) {
		err = hard("%v", err)
	}
	return open, is, err
}

// vaguePits lists the pits that the setup mentions without saying what is in them.
func vaguePits(sys *rules.System) []int {
	given := fixed(sys)
	return lists.Filter(num.Run(0, len(sys.Start.Free)), func(p int) bool {
		_, is := given[p]
		return sys.Start.Free[p] && !is
	})
}

// fixed returns the seeds in the pits that are not always empty and for which the setup gives a
// number. The first number given counts.
func fixed(sys *rules.System) map[int]int {
	given := map[int]int{}
	for _, c := range rules.Conjuncts(sys.Start.Cond) {
		b, ok := c.(rules.Binary)
		if !ok || b.Op != rules.Eq {
			continue
		}
		for _, side := range [][2]rules.Expr{{b.L, b.R}, {b.R, b.L}} {
			n, isNumber := side[1].(rules.Const)
			p, isPit := rules.SeedsOf(side[0])
			if _, known := given[p]; isNumber && isPit && !known && sys.Start.Free[p] {
				given[p] = n.Value
			}
		}
	}
	return given
}
