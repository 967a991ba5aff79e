package relate

import (
	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/checker/slice"
	"github.com/mancheck/mancheck/rules"
)

// reverse looks, for every reachable step of the left from s to t, for a move of the right from the
// board of t to that of s. The right starts with its variables at their initial values and its only
// player to move; pits that are not compared are empty.
func (s *search) reverse() error {
	left := s.sides[0]
	if err := s.blank(); err != nil {
		return err
	}
	if err := left.layOut(s.ctx, s.opt.MaxStates); err != nil {
		return err
	}
	s.newSet(left.codec.Words())
	for i, st := range left.starts {
		if !st.Live() {
			continue
		}
		left.from.Set(st)
		if err := s.insert(parent{noParent, [2]int32{int32(i)}}, left.from); err != nil {
			return err
		}
	}
	return s.levels(s.expandLeft)
}

// blank rejects a right side whose moves depend on more than the board shows.
func (s *search) blank() error {
	right := s.sides[1]
	if len(right.sys.Players) > 1 {
		return undecided("%s has several players: the board does not show who takes the step back", right.name)
	}
	kept := slice.Keep(s.ctx, right.sys, rules.Sum{Pits: right.shown})
	for v, matters := range kept.Vars {
		if matters && len(right.sys.Vars[v].Domain) > 1 {
			return undecided("`%s` of %s matters, and the board does not show its value", right.sys.Vars[v].Name, right.name)
		}
	}
	on := make([]bool, len(right.sys.Pits))
	for _, p := range right.shown {
		on[p] = true
	}
	for p, matters := range kept.Pits {
		if matters && !on[p] {
			return undecided("`%s` of %s matters, and is not compared", right.sys.Pits[p].Name, right.name)
		}
	}
	return nil
}

// expandLeft checks that all steps of a state are taken back.
func (s *search) expandLeft(i int) error {
	left := s.sides[0]
	s.load(i)
	if err := left.moves(); err != nil {
		return s.fault(i, left, err)
	}
	for _, m := range left.legal[:left.count] {
		s.Steps++
		back, err := s.takenBack(m.to)
		if err != nil {
			return err
		}
		if !back {
			return s.differ(i, [2]int{m.action, rules.None}, Difference{Kind: NotTakenBack, Move: left.written(m.action)})
		}
		if m.to.Outcome != rules.Live {
			continue
		}
		if err := s.insert(parent{i, [2]int32{int32(m.action)}}, m.to); err != nil {
			return err
		}
	}
	return nil
}

// takenBack reports whether the right has a move from the board of t to that of the current left
// state.
func (s *search) takenBack(t *pack.Flat) (bool, error) {
	left, right := s.sides[0], s.sides[1]
	right.from.Set(right.sys.EmptyStart())
	for k, p := range right.shown {
		right.from.Cells[p] = t.Cells[left.shown[k]]
	}
	back := false
	err := right.machine.Successors(right.from, func(_ int, to *pack.Flat) bool {
		back = true
		for k, p := range right.shown {
			back = back && to.Cells[p] == left.from.Cells[left.shown[k]]
		}
		return !back
	})
	return back, err
}
