package graph

import (
	"errors"
	"slices"
)

// ErrCycle is the error of a Walk that has found a cycle.
var ErrCycle = errors.New("a cycle was found")

// Walk is a depth-first walk that ends at the first cycle. A step back to a state on the walk's own
// path closes a cycle; if there is none, the longest path from each state is known when the walk
// leaves it. It needs no recursion: the path is a list of states, each with the number of its steps
// taken.
type Walk struct {
	of     Successors
	enters func(i int) error
	path   []visit
	length []int32 // by state: 0 not found, onPath, or one more than the steps of the longest path from it
	closed int
}

type visit struct {
	state int
	taken int
}

const onPath = -1

// NewWalk returns a walk over some states. It calls enters with each state that it comes to, before
// it asks for its successors.
func NewWalk(states int, of Successors, enters func(i int) error) *Walk {
	return &Walk{of: of, enters: enters, length: make([]int32, states), closed: -1}
}

// From walks all states that can be reached from i, and that no walk has come to before. It fails
// with ErrCycle, or as enters does.
func (w *Walk) From(i int) error {
	if w.length[i] != 0 {
		return nil
	}
	err := w.enter(i)
	for len(w.path) > 0 && err == nil {
		v := &w.path[len(w.path)-1]
		to := w.of(v.state)
		if v.taken == len(to) {
			w.leave(v.state, to)
			continue
		}
		j := int(to[v.taken])
		v.taken++
		switch {
		case w.length[j] == onPath:
			w.closed = j
			return ErrCycle
		case w.length[j] == 0:
			err = w.enter(j)
		}
	}
	return err
}

func (w *Walk) enter(i int) error {
	err := w.enters(i)
	w.length[i] = onPath
	w.path = append(w.path, visit{state: i})
	return err
}

// leave finds the longest path from i, all of whose successors were left before.
func (w *Walk) leave(i int, to []uint32) {
	longest := int32(0)
	for _, j := range to {
		longest = max(longest, w.length[j])
	}
	w.length[i] = longest + 1
	w.path = w.path[:len(w.path)-1]
}

// Closed returns the state that a cycle was found through, or -1.
func (w *Walk) Closed() int { return w.closed }

// Length returns the number of steps of the longest path from a state that was left.
func (w *Walk) Length(i int) int { return int(w.length[i]) - 1 }

// Longest returns the first of the longest paths from i.
func (w *Walk) Longest(i int) []int {
	path := []int{i}
	for w.length[i] > 1 {
		for _, j := range w.of(i) {
			if w.length[j] == w.length[i]-1 {
				i = int(j)
				break
			}
		}
		path = append(path, i)
	}
	return path
}

// ShortestCycle returns a shortest cycle through i. It begins and ends at its state with the least
// number.
func ShortestCycle(states int, of Successors, i int) []int {
	from := make([]uint32, states) // one more than the predecessor on the path; 0: not found
	queue := []int{i}
	for from[i] == 0 {
		k := queue[0]
		queue = queue[1:]
		for _, j := range of(k) {
			if from[j] == 0 {
				from[j] = uint32(k) + 1
				queue = append(queue, int(j))
			}
		}
	}
	cycle := []int{i}
	for k := int(from[i]) - 1; k != i; k = int(from[k]) - 1 {
		cycle = append(cycle, k)
	}
	slices.Reverse(cycle)
	n := slices.Index(cycle, slices.Min(cycle))
	return append(append(cycle[n:len(cycle):len(cycle)], cycle[:n]...), cycle[n])
}
