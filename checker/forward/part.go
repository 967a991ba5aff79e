package forward

import (
	"context"

	"github.com/mancheck/mancheck/checker/game"
	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/checker/store"
)

// Part examines some states of a level, for a search whose levels are divided among processes
// (package sharded). Its figures do not depend on the order of the states.
type Part struct {
	search *search
	worker *worker
	stuck  []uint64
	sink   *sink
}

// sink is a store that passes on the keys that are added to it.
type sink struct {
	store.Store // nil: no other methods are called
	give        func(keys []uint64) error
	err         error
}

func (s *sink) Add(_ int, keys []uint64, _ bool) ([]uint64, int) {
	if s.err == nil {
		s.err = s.give(keys)
	}
	return nil, 0
}

func (s *sink) Err() error               { return s.err }
func (s *sink) Bytes(int64, int64) int64 { return 0 }
func (s *sink) Free()                    {}

// NewPart returns a Part for states that are the given number of moves from a start. give gets the
// keys of their successors, some of them more than once. A Query with a bad step that asks whether
// states are starts cannot be answered in parts.
func NewPart(ctx context.Context, r game.Rules, codec *pack.Codec, moves int, q Query, give func(keys []uint64) error) (*Part, error) {
	s := newSearch(ctx, r, nil, q, Options{})
	to := &sink{give: give}
	s.codec, s.states, s.depth = codec, to, moves
	s.stuckSteps.wanted = true
	w, err := newWorker(s, 0, codec)
	s.workers = []*worker{w}
	return &Part{search: s, worker: w, sink: to}, err
}

// Examine examines states and passes on their successors. The error is one of give or of the
// context. A fault of the rules is no error; it is in the Figures.
func (p *Part) Examine(keys []uint64) error {
	if a := p.search.asked; a.Goal != nil && !a.goalStuck {
		p.worker.checkGoal(keys)
	}
	p.worker.expand(keys, false)
	p.stuck = append(p.stuck, p.worker.stuckKeys...)
	p.worker.stuckKeys = p.worker.stuckKeys[:0]
	switch {
	case p.sink.err != nil:
		return p.sink.err
	case p.search.ctx.Err() != nil:
		return context.Cause(p.search.ctx)
	case p.search.wideState.Load():
		return pack.ErrWide
	}
	return nil
}

// Figures returns the figures of all states that were examined.
func (p *Part) Figures() *Figures {
	return p.search.figures()
}

// Stuck returns the keys of the stuck states, in the order in which they were examined.
func (p *Part) Stuck() []uint64 { return p.stuck }

// Before returns the first of some states, in the order of keys, with a step to the state to, or
// nil if there is none.
func (p *Part) Before(keys, to []uint64) ([]uint64, error) {
	p.worker.stepTo(keys, to)
	switch fault, hit := p.search.ends(); {
	case fault != nil:
		return nil, fault.fault
	case hit != nil:
		return hit.Key, nil
	}
	return nil, nil
}

// Play returns the play along a path of keys, which begins with a start.
func Play(ctx context.Context, r game.Rules, starts Starts, codec *pack.Codec, path [][]uint64) (*Trace, error) {
	b := newBase(ctx, r, starts, Options{})
	p, err := newPlayer(&b, r, codec)
	if err != nil {
		return nil, err
	}
	return p.play(path)
}
