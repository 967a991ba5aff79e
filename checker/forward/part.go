package forward

import (
	"context"
	"slices"

	"github.com/mancheck/mancheck/checker/game"
	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/checker/store"
	"github.com/mancheck/mancheck/rules"
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

func (s *sink) Err() error                   { return s.err }
func (s *sink) NameBits() int                { return 1 }
func (s *sink) Bytes(int64, int64) int64     { return 0 }
func (s *sink) Names(int, []uint64) []uint64 { return nil }
func (s *sink) Free()                        {}

// Figures are the counts of the examined states. The sum of the figures of all parts is that of the
// whole.
type Figures struct {
	Live        int64
	Stuck       int64
	Finished    []int64 // by outcome
	Transitions int64
	Into        []int64 // transitions, by the status field of the state that they lead to
	Fired       []bool  // by action: it was legal in some state
	Counts      []int64 // by Query.Count
	Hit         *Find   `json:",omitempty"` // the first state, in the order of keys, that the query looks for
	Fault       *Find   `json:",omitempty"` // the first state with a fault of the rules
}

// Find is a state that ends a search.
type Find struct {
	Key []uint64
	Why string `json:",omitempty"` // the text of a fault
}

// before reports whether f comes before g.
func (f *Find) before(g *Find) bool {
	return f != nil && (g == nil || slices.Compare(f.Key, g.Key) < 0)
}

// Add adds the figures of another part.
func (f *Figures) Add(g *Figures) {
	f.Live += g.Live
	f.Stuck += g.Stuck
	f.Transitions += g.Transitions
	f.Finished = sum(f.Finished, g.Finished)
	f.Into = sum(f.Into, g.Into)
	f.Counts = sum(f.Counts, g.Counts)
	for len(f.Fired) < len(g.Fired) {
		f.Fired = append(f.Fired, false)
	}
	for i, yes := range g.Fired {
		f.Fired[i] = f.Fired[i] || yes
	}
	if g.Hit.before(f.Hit) {
		f.Hit = g.Hit
	}
	if g.Fault.before(f.Fault) {
		f.Fault = g.Fault
	}
}

func sum(a, b []int64) []int64 {
	for len(a) < len(b) {
		a = append(a, 0)
	}
	for i, n := range b {
		a[i] += n
	}
	return a
}

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
	p.worker.expand(keys)
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
	t, a := p.search.figures()
	f := figuresOf(&t, &a)
	if e := p.worker.hit; e != nil {
		f.Hit = &Find{Key: e.key}
	}
	if e := p.worker.fault; e != nil {
		f.Fault = &Find{Key: e.key, Why: e.err.Error()}
	}
	return &f
}

// figuresOf returns the figures that workers have counted.
func figuresOf(t *tally, a *answers) Figures {
	return Figures{
		Live: t.live, Stuck: t.stuck, Finished: t.finished, Transitions: t.transitions, Into: t.into,
		Fired: t.fired, Counts: a.counts,
	}
}

// Stuck returns the keys of the stuck states, in the order in which they were examined.
func (p *Part) Stuck() []uint64 { return p.stuck }

// Before returns the first of some states, in the order of keys, with a step to the state to, or
// nil if there is none.
func (p *Part) Before(keys, to []uint64) ([]uint64, error) {
	p.worker.hit, p.worker.fault = nil, nil
	p.worker.stepTo(keys, to)
	if e := p.worker.fault; e != nil {
		return nil, e.err
	}
	if p.worker.hit == nil {
		return nil, nil
	}
	return p.worker.hit.key, nil
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

// Stats returns the statistics of a whole search with levels of the given sizes.
func (f *Figures) Stats(sys *rules.System, sizes []int64) Stats {
	s := &search{base: base{sys: sys}}
	players := len(sys.Players)
	st := Stats{
		Live: f.Live, Stuck: f.Stuck, Transitions: f.Transitions, Depth: max(0, len(sizes)-1), Examined: max(0, len(sizes)-1),
		Finished: s.byOutcome(f.Finished), TransitionsByOutcome: s.byOutcome(f.Into[players : players+len(sys.Outcomes)]),
	}
	for i, n := range sizes {
		if i == 0 {
			st.Starts = n
		}
		st.States += n
	}
	st.Stored = st.States
	if st.Stuck > 0 {
		st.Finished[rules.StuckLabel] = st.Stuck
	}
	return st
}
