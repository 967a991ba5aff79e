package forward

import (
	"errors"
	"fmt"
	"slices"

	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/rules"
)

// trace returns the play by which state i was first reached, which is a shortest one.
func (s *search) trace(i int) (*Trace, error) {
	var path []int
	for ; i >= 0; i = s.births.parent(i) {
		path = append(path, i)
	}
	slices.Reverse(path)
	return s.play(path)
}

// play returns the play along a path of states from a start.
func (s *search) play(path []int) (*Trace, error) {
	start, err := s.startOf(path[0])
	if err != nil {
		return nil, err
	}
	actions, err := s.actionsAlong(path)
	return &Trace{Start: start, Actions: actions}, err
}

// startOf returns start i with all its pits. If the stored state lacks some, it lists the starts
// again to find the first one stored as i.
func (s *search) startOf(i int) (start rules.State, err error) {
	if s.opts.Keep.All() {
		flat := pack.NewFlat(s.sys)
		s.codec.Unpack(s.set.At(i), flat)
		return flat.State(s.sys), nil
	}
	err = s.eachStart(func(st rules.State, j int) error {
		if j != i {
			return nil
		}
		start = st.Clone()
		return errFound
	})
	switch {
	case errors.Is(err, errFound):
		return start, nil
	case err == nil:
		err = errors.New("the starts changed while they were searched")
	}
	return start, err
}

// eachStart calls f for every start with the number of the state that it is stored as, until f
// fails.
func (s *search) eachStart(f func(st rules.State, i int) error) error {
	flat, key := pack.NewFlat(s.sys), make([]uint64, s.codec.Words())
	return s.starts(s.ctx, func(st rules.State) error {
		flat.Set(st)
		if err := s.codec.Pack(flat, key); err != nil {
			return err
		}
		if i, ok := s.set.Find(key); ok {
			return f(st, i)
		}
		return nil
	})
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

// actionBetween returns the first action that leads from state i to state j.
func (s *search) actionBetween(i, j int) (int, error) {
	w := s.workers[0]
	s.codec.Unpack(s.set.At(i), w.state)
	found := -1
	err := w.machine.Successors(w.state, func(action int, to *pack.Flat) bool {
		if s.codec.Pack(to, w.key) == nil && slices.Equal(w.key, s.set.At(j)) {
			found = action
		}
		return found < 0
	})
	if err == nil && found < 0 {
		err = fmt.Errorf("no step from state %d to state %d", i, j)
	}
	return found, err
}
