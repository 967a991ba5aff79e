package graph

import "math"

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
