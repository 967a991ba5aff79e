package forward

import (
	"context"
	"math"

	"github.com/mancheck/mancheck/rules"
)

// edges lists the steps of the explored states: the numbers of the successors, state after state,
// in the order of the actions.
type edges struct {
	first []uint64 // by state: where its successors begin
	to    []uint32
}

func (e *edges) add(found []int) {
	e.first = append(e.first, uint64(len(e.to)))
	for _, i := range found {
		e.to = append(e.to, uint32(i))
	}
}

// of lists the successors of state i.
func (e *edges) of(i int) []uint32 {
	if i >= len(e.first) {
		return nil
	}
	end := uint64(len(e.to))
	if i+1 < len(e.first) {
		end = e.first[i+1]
	}
	return e.to[e.first[i]:end]
}

// bytes returns the memory taken.
func (e *edges) bytes() int64 { return int64(cap(e.first))*8 + int64(cap(e.to))*4 }

// reversed returns for every state the states that have a step to it.
func (e *edges) reversed(states int) *edges {
	r := &edges{first: make([]uint64, states+1), to: make([]uint32, len(e.to))}
	for _, j := range e.to {
		r.first[j+1]++
	}
	for i := range states {
		r.first[i+1] += r.first[i]
	}
	free := make([]uint64, states)
	copy(free, r.first)
	for i := range e.first {
		for _, j := range e.of(i) {
			r.to[free[j]] = uint32(i)
			free[j]++
		}
	}
	return r
}

// maxNumbered bounds the states of a graph: their numbers, and the moves of plays through them,
// have 32 bits.
const maxNumbered = math.MaxInt32 - 1

// numbered returns a limit on states that keeps them below maxNumbered; 0 is none.
func numbered(limit int64) int64 {
	if limit == 0 || limit > maxNumbered {
		return maxNumbered
	}
	return limit
}

// exploreGraph explores all states and their steps, or ends early. Half of the memory is left for
// the use of the graph.
func exploreGraph(ctx context.Context, sys *rules.System, starts Starts, opts Options) (*search, *Result, error) {
	opts.MaxStates = numbered(opts.MaxStates)
	opts.MaxMemory = opts.Memory() / 2
	s, err := newSearch(ctx, sys, starts, Query{}, opts)
	if err != nil {
		return nil, nil, err
	}
	s.edges, s.prefilter = &edges{}, false
	if err := s.explore(); err != nil {
		return nil, nil, err
	}
	r, err := s.result()
	return s, r, err
}
