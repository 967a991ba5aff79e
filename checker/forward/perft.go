package forward

import (
	"context"
	"errors"
	"fmt"

	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/checker/step"
	"github.com/mancheck/mancheck/rules"
)

// Perft counts the sequences of 1, 2, … depth moves from a start. A finished state ends its
// sequence. It stores no states, so it tests the generation of moves itself. An error is the
// context's or a *PlayError.
func Perft(ctx context.Context, sys *rules.System, start rules.State, depth int) ([]uint64, error) {
	p, err := newPerft(ctx, sys, depth)
	if err != nil {
		return nil, err
	}
	p.from(start)
	for len(p.counts) < depth && p.err == nil {
		p.counts = append(p.counts, 0)
	}
	return p.counts, p.err
}

// ErrPlays is the error of Plays if a count exceeds its limit.
var ErrPlays = errors.New("the limit on plays is reached")

// MaxPlies bounds the length of the plays that are counted. Each ply needs its own machine.
const MaxPlies = 10_000

// ErrPlies is the error of Perft and Plays if longer plays than MaxPlies exist and are requested.
var ErrPlies = fmt.Errorf("plays go on after %d moves, and longer ones are not counted", MaxPlies)

// Plays is Perft summed over all starts. It fails with ErrPlays if the total of all counts exceeds
// limit, unless that is 0. The result ends at the length of the longest play.
func Plays(ctx context.Context, sys *rules.System, starts Starts, depth int, limit uint64) ([]uint64, error) {
	p, err := newPerft(ctx, sys, depth)
	if err != nil {
		return nil, err
	}
	p.limit = limit
	err = starts(ctx, func(s rules.State) error {
		p.from(s)
		return p.err
	})
	return p.counts, err
}

// perft is a running count.
type perft struct {
	ctx    context.Context
	first  *step.Machine
	depth  int
	start  rules.State
	counts []uint64 // by ply
	plies  []*ply   // as many as the longest play so far has moves
	work   int      // pits of the states visited since the context was checked
	plays  uint64   // of any number of moves
	limit  uint64   // 0: none
	err    error
}

func newPerft(ctx context.Context, sys *rules.System, depth int) (*perft, error) {
	m, err := step.Compile(sys)
	if err != nil {
		return nil, err
	}
	m.Within(ctx)
	return &perft{ctx: ctx, first: m, depth: depth}, nil
}

// from counts the plays from one start.
func (p *perft) from(start rules.State) {
	if p.start = start; p.depth > 0 && p.deeper(0) {
		p.plies[0].from.Set(start)
		p.play(0)
	}
}

// deeper makes sure that there is a ply for this depth.
func (p *perft) deeper(depth int) bool {
	switch {
	case depth < len(p.plies):
	case depth == MaxPlies:
		p.err = ErrPlies
	default:
		p.plies = append(p.plies, newPly(p, p.first.Clone(), depth))
		p.counts = append(p.counts, 0)
	}
	return p.err == nil
}

// ply is one depth of the count, with its own machine, because machines cannot be used recursively.
type ply struct {
	machine *step.Machine
	from    *pack.Flat
	action  int
	visit   func(int, *pack.Flat) bool
}

func newPly(p *perft, m *step.Machine, depth int) *ply {
	l := &ply{machine: m, from: pack.NewFlat(m.System())}
	l.visit = func(action int, to *pack.Flat) bool {
		if !p.goesOn() {
			return false
		}
		p.counts[depth]++
		if p.plays++; p.limit > 0 && p.plays > p.limit {
			p.err = ErrPlays
			return false
		}
		if l.action = action; depth+1 < p.depth && to.Outcome == rules.Live && p.deeper(depth+1) {
			p.plies[depth+1].from.Copy(to)
			p.play(depth + 1)
		}
		return p.err == nil
	}
	return l
}

// often is how many pits may be visited between two checks of the context, which takes well under a
// millisecond.
const often = 1 << 16

// goesOn checks the context from time to time. It reports whether the count continues.
func (p *perft) goesOn() bool {
	if p.work += len(p.first.System().Pits) + 1; p.work >= often {
		p.work = 0
		p.err = p.ctx.Err()
	}
	return p.err == nil
}

// play counts the plays from the state at a depth.
func (p *perft) play(depth int) {
	l := p.plies[depth]
	err := l.machine.Successors(l.from, l.visit)
	switch {
	case err == nil || p.err != nil:
	case p.ctx.Err() != nil:
		p.err = p.ctx.Err()
	default:
		t := Trace{Start: p.start.Clone()}
		for _, before := range p.plies[:depth] {
			t.Actions = append(t.Actions, before.action)
		}
		p.err = &PlayError{Fault: err, Trace: t}
	}
}
