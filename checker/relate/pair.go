package relate

import (
	"slices"

	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/rules"
)

// pairs searches from all pairs of starts that look alike.
func (s *search) pairs() error {
	for _, side := range s.sides {
		if err := side.layOut(s.ctx, s.opt.MaxStates); err != nil {
			return err
		}
	}
	s.newSet(s.sides[0].codec.Words() + s.sides[1].codec.Words())
	if err := s.pairStarts(); err != nil {
		return err
	}
	return s.levels(s.expandPair)
}

func (s *search) pairStarts() error {
	left, err := s.sides[0].byLook()
	if err != nil {
		return err
	}
	right, err := s.sides[1].byLook()
	if err != nil {
		return err
	}
	for i, st := range s.sides[0].starts {
		j, paired := right[s.sides[0].looks[i]]
		if !paired {
			return s.lonely(0, i)
		}
		if !st.Live() {
			continue
		}
		s.sides[0].from.Set(st)
		s.sides[1].from.Set(s.sides[1].starts[j])
		if err := s.insert(parent{noParent, [2]int32{int32(i), int32(j)}}, s.sides[0].from, s.sides[1].from); err != nil {
			return err
		}
	}
	for j, look := range s.sides[1].looks {
		if _, paired := left[look]; !paired && s.kind == Equivalent {
			return s.lonely(1, j)
		}
	}
	return nil
}

// byLook numbers the starts by their looks.
func (s *side) byLook() (map[string]int, error) {
	by := map[string]int{}
	for i, look := range s.looks {
		if _, twice := by[look]; twice {
			return nil, undecided("two starts of %s look alike: they differ in what is not compared", s.name)
		}
		by[look] = i
	}
	return by, nil
}

// lonely ends the search with a start of one side that the other does not have.
func (s *search) lonely(side, start int) error {
	s.Difference = &Difference{Kind: LonelyStart, Side: side}
	s.Difference.Starts[side] = &s.sides[side].starts[start]
	return &stopped{stop: Differs}
}

// expandPair compares the moves of a pair.
func (s *search) expandPair(i int) error {
	s.load(i)
	for _, side := range s.sides {
		if err := side.moves(); err != nil {
			return s.fault(i, side, err)
		}
		if err := side.unlike(); err != nil {
			return err
		}
	}
	l, r := s.sides[0], s.sides[1]
	for k := range l.legal[:l.count] {
		if err := s.compare(i, &l.legal[k]); err != nil {
			return err
		}
	}
	if s.kind != Equivalent && l.count > 0 {
		return nil // the right may have more moves, but a player is stuck in both or in none
	}
	for _, m := range r.legal[:r.count] {
		if l.find(m.name, l.count) == nil {
			return s.differ(i, [2]int{rules.None, m.action}, Difference{Kind: LonelyMove, Side: 1, Move: r.written(m.action)})
		}
	}
	return nil
}

// compare looks for the counterpart of a left move, and compares the looks after both.
func (s *search) compare(i int, m *move) error {
	s.Steps++
	n := s.sides[1].find(m.name, s.sides[1].count)
	if n == nil {
		return s.differ(i, [2]int{m.action, rules.None}, Difference{Kind: LonelyMove, Move: s.sides[0].written(m.action)})
	}
	d, err := s.contrast(m.to, n.to)
	if err != nil {
		return err
	}
	if d != nil {
		d.Move = s.sides[0].written(m.action)
		return s.differ(i, [2]int{m.action, n.action}, *d)
	}
	if m.to.Outcome != rules.Live {
		return nil
	}
	return s.insert(parent{i, [2]int32{int32(m.action), int32(n.action)}}, m.to, n.to)
}

// contrast returns a visible difference, or nil.
func (s *search) contrast(l, r *pack.Flat) (*Difference, error) {
	left, right := s.sides[0], s.sides[1]
	for k, p := range left.shown {
		if l.Cells[p] != r.Cells[right.shown[k]] {
			return &Difference{Kind: BoardsDiffer}, nil
		}
	}
	if l.Outcome == rules.Live && r.Outcome == rules.Live {
		if l.Mover != r.Mover {
			return &Difference{Kind: LooksDiffer, Looks: [2]Look{{ToMove, l.Mover}, {ToMove, r.Mover}}}, nil
		}
		return nil, nil
	}
	a, err := left.ended(l)
	if err != nil {
		return nil, err
	}
	b, err := right.ended(r)
	if err != nil || slices.Equal(a, b) {
		return nil, err
	}
	return &Difference{Kind: LooksDiffer, Looks: [2]Look{look(a), look(b)}}, nil
}

// ended returns how the game ended for each player by the current move, or nil if it goes on.
func (s *side) ended(f *pack.Flat) ([]standing, error) {
	if f.Outcome == rules.Live {
		return nil, nil
	}
	return s.standing(f.State(s.sys))
}
