package forward

import (
	"errors"
	"fmt"
	"slices"

	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/rules"
)

// trace is the play by which state i was first reached: it is a shortest one.
func (s *search) trace(i int) (*Trace, error) {
	var path []int
	for ; i >= 0; i = s.births.parent(i) {
		path = append(path, i)
	}
	slices.Reverse(path)
	start, err := s.startOf(path[0])
	if err != nil {
		return nil, err
	}
	actions, err := s.actionsAlong(path)
	return &Trace{Start: start, Actions: actions}, err
}

// startOf is start i with all its pits. If the stored state lacks some, the first start that is stored as i is looked
// for once more.
func (s *search) startOf(i int) (rules.State, error) {
	if s.opts.Keep == nil {
		flat := pack.NewFlat(s.sys)
		s.codec.Unpack(s.set.At(i), flat)
		return flat.State(s.sys), nil
	}
	var start rules.State
	found := errors.New("found")
	flat, key := pack.NewFlat(s.sys), make([]uint64, s.codec.Words())
	err := s.starts(s.ctx, func(st rules.State) error {
		flat.Set(st)
		if err := s.codec.Pack(flat, key); err != nil {
			return err
		}
		if slices.Equal(key, s.set.At(i)) {
			start = st.Clone()
			return found
		}
		return nil
	})
	switch {
	case errors.Is(err, found):
		return start, nil
	case err == nil:
		err = errors.New("the starts changed while they were searched")
	}
	return start, err
}

// actionsAlong finds the first action for each step of a path of states.
func (s *search) actionsAlong(path []int) ([]int, error) {
	actions := []int{}
	for k := 1; k < len(path); k++ {
		a, err := s.actionBetween(path[k-1], path[k])
		if err != nil {
			return nil, err
		}
		actions = append(actions, a)
	}
	return actions, nil
}

// actionBetween is the first action that leads from state i to state j.
func (s *search) actionBetween(i, j int) (int, error) {
	flat, key := pack.NewFlat(s.sys), make([]uint64, s.codec.Words())
	s.codec.Unpack(s.set.At(i), flat)
	found := -1
	err := s.workers[0].machine.Clone().Successors(flat, func(action int, to *pack.Flat) bool {
		if s.codec.Pack(to, key) == nil && slices.Equal(key, s.set.At(j)) {
			found = action
		}
		return found < 0
	})
	if err == nil && found < 0 {
		err = fmt.Errorf("no step from state %d to state %d", i, j)
	}
	return found, err
}
