// Package graph has algorithms on the graphs of numbered states that searches find: the reverse,
// components, shortest and longest paths, cycles, and what players can force.
//
//	graph.go       edges, and their reverse
//	components.go  strongly connected components
//	attract.go     the states from which a target can be reached, or forced
//	walk.go        depth-first walks: cycles, longest paths
package graph

import "slices"

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
