// Package graph has algorithms on the graphs of numbered states that searches find: the reverse,
// components, shortest and longest paths, cycles, and what players can force.
package graph

import (
	"errors"
	"math"
	"slices"
)

// Successors lists the states that the steps of state i lead to, once for each step, in the order
// of the steps.
type Successors func(i int) []uint32

// Edges lists the steps between states with numbers: the numbers of the successors, state after
// state.
type Edges struct {
	first []uint64 // by state: where its successors begin
	to    []uint32
}

// NewEdges returns edges to these states; first is where those of each state begin.
func NewEdges(first []uint64, to []uint32) Edges { return Edges{first, to} }

// Bytes returns the memory taken.
func (e *Edges) Bytes() int64 { return int64(len(e.first))*8 + int64(len(e.to))*4 }

// Of lists the successors of state i.
func (e *Edges) Of(i int) []uint32 {
	if i >= len(e.first) {
		return nil
	}
	end := uint64(len(e.to))
	if i+1 < len(e.first) {
		end = e.first[i+1]
	}
	return e.to[e.first[i]:end]
}

// Reverse returns for each of the states those with a step to it, once for each step, in ascending
// order.
func Reverse(states int, of Successors) *Edges {
	r := &Edges{first: make([]uint64, states+1)}
	for i := range states {
		for _, j := range of(i) {
			r.first[j+1]++
		}
	}
	for i := range states {
		r.first[i+1] += r.first[i]
	}
	r.to = make([]uint32, r.first[states])
	free := slices.Clone(r.first)
	for i := range states {
		for _, j := range of(i) {
			r.to[free[j]] = uint32(i)
			free[j]++
		}
	}
	return r
}

// Components calls f for each strongly connected component, in an order in which no step leads to a
// later one, until f fails. The list of its states is valid until f returns. It is Tarjan's
// algorithm (SIAM Journal on Computing 1, 1972) without recursion.
func Components(states int, of Successors, f func(list []uint32) error) error {
	c := &components{of: of, index: make([]uint32, states)}
	for i := range c.index {
		if c.index[i] != 0 {
			continue
		}
		c.enter(uint32(i))
		for len(c.path) > 0 {
			if c.advance() {
				continue
			}
			if err := c.leave(f); err != nil {
				return err
			}
		}
	}
	return nil
}

// components is a search for components.
type components struct {
	of      Successors
	index   []uint32 // by state: 0 not visited, done, or the order in which it was visited, from 1 on
	entered uint32
	stack   []uint32 // states that are in no component yet
	path    []entered
}

// entered is a state on the path with the number of its steps taken.
type entered struct {
	state uint32
	taken uint32
	low   uint32 // the least index on the stack that a step from here or from behind here leads to
}

const done = 1<<32 - 1

func (c *components) enter(i uint32) {
	c.entered++
	c.index[i] = c.entered
	c.stack = append(c.stack, i)
	c.path = append(c.path, entered{state: i, low: c.entered})
}

// advance takes the next step of the last state on the path; false says that there is none left.
func (c *components) advance() bool {
	v := &c.path[len(c.path)-1]
	to := c.of(int(v.state))
	for int(v.taken) < len(to) {
		j := to[v.taken]
		v.taken++
		if c.index[j] == 0 {
			c.enter(j)
			return true
		}
		if c.index[j] != done {
			v.low = min(v.low, c.index[j])
		}
	}
	return false
}

// leave takes the last state off the path. If no step leads from it and those behind it to an
// earlier state, they are a component.
func (c *components) leave(f func([]uint32) error) error {
	v := c.path[len(c.path)-1]
	c.path = c.path[:len(c.path)-1]
	if n := len(c.path); n > 0 {
		c.path[n-1].low = min(c.path[n-1].low, v.low)
	}
	if v.low != c.index[v.state] {
		return nil
	}
	at := len(c.stack) - 1
	for c.stack[at] != v.state {
		at--
	}
	list := c.stack[at:]
	for _, i := range list {
		c.index[i] = done
	}
	c.stack = c.stack[:at]
	return f(list)
}

// Attractor finds the states from which a player can force play into a set: one step into it from a
// state of the player is enough, and all steps from a state of another.
type Attractor struct {
	Before func(i uint32) []uint32 // the states with a step to i, once for each step
	Mine   func(i uint32) bool     // whether a state is one of the player
	In     []bool                  // by state: it is in the set
	Left   []int32                 // by state of another player: the number of steps that do not lead into the set
}

// Step notes that a step of state i leads into the set, and reports whether that brings it into the
// set.
func (a *Attractor) Step(i uint32) bool {
	if a.In[i] {
		return false
	}
	if !a.Mine(i) {
		if a.Left[i]--; a.Left[i] > 0 {
			return false
		}
	}
	a.In[i] = true
	return true
}

// Grow calls add with the states that come into the set because of some states in it, breadth
// first. Each comes by a step to a state from, which has come before.
func (a *Attractor) Grow(queue []uint32, add func(i, from uint32)) {
	for ; len(queue) > 0; queue = queue[1:] {
		for _, i := range a.Before(queue[0]) {
			if a.Step(i) {
				add(i, queue[0])
				queue = append(queue, i)
			}
		}
	}
}

// Never is the distance of a state from which the targets are not reached.
const Never = math.MaxInt32

// Attract returns for every state the fewest steps in which a player can force play to reach one of
// the targets, if the others delay it as long as they can. With mine nil all states are the
// player's, and it is the length of a shortest path.
func Attract(states int, of Successors, mine []bool, targets []uint32) []int32 {
	distance, back := make([]int32, states), Reverse(states, of)
	a := &Attractor{
		Before: func(i uint32) []uint32 { return back.Of(int(i)) },
		Mine:   func(i uint32) bool { return mine == nil || mine[i] },
		In:     make([]bool, states),
	}
	if mine != nil {
		a.Left = make([]int32, states)
	}
	for i := range distance {
		distance[i] = Never
		if mine != nil {
			a.Left[i] = int32(len(of(i)))
		}
	}
	for _, i := range targets {
		distance[i], a.In[i] = 0, true
	}
	a.Grow(targets, func(i, from uint32) { distance[i] = distance[from] + 1 })
	return distance
}

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
