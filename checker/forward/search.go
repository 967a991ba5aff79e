package forward

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mancheck/mancheck/checker/game"
	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/checker/sorted"
	"github.com/mancheck/mancheck/checker/store"
	"github.com/mancheck/mancheck/checker/symmetry"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/rules"
)

// search is a running search. Workers read it, and change only what is atomic.
type search struct {
	base
	*player
	asked   asked
	codec   *pack.Codec
	firsts  *pack.Set // the starts
	states  store.Store
	keeper  keeper  // nil unless the states are on disk
	folder  string  // for the case that they do not fit in memory
	blocks  int     // number of blocks of the current level
	begin   int     // its first block that has not been expanded
	resumed bool    // the current level was begun by an earlier search
	sizes   []int64 // by number of moves: how many states have that distance
	workers []*worker
	depth   int  // of the level under examination
	shared  bool // several workers are running

	closed int64 // number of states of earlier levels
	taken  int64 // memory at the beginning of the level, in bytes

	// Updated by workers while they run.
	total     atomic.Int64 // number of states found
	sofar     sofar
	full      full        // a limit on states or memory is reached
	quit      atomic.Bool // the search was cancelled
	wideState atomic.Bool // some state has more steps than fit

	looked    bool               // symmetries were looked for
	quotient  *symmetry.Quotient // played instead of the rules; nil if there are no symmetries
	listed    int64              // number of starts
	maxSeeds  int                // of a state
	tryRows   int64              // after so many states
	reducible bool               // the least states of orbits can answer the query

	stuckSteps stuckSteps
	earlier    [2]int64 // transitions up to the previous level, and up to the one before it
	done       int      // number of levels examined
	end        limit.End
	found      *Find // what ended the search
}

// full is the kind of limit that was reached, or limit.None. After that no states are stored, but
// the level is examined to its end, so that its figures and what ends the search do not depend on
// the order of states.
type full struct{ kind atomic.Int32 }

func (f *full) reach(k limit.Kind) { f.kind.CompareAndSwap(int32(limit.None), int32(k)) }

func (f *full) reached() limit.Kind { return limit.Kind(f.kind.Load()) }

// sofar is the progress of all workers.
type sofar struct{ examined, transitions atomic.Int64 }

// free releases the memory of the states.
func (s *search) free() {
	if s.states != nil {
		s.states.Free()
	}
}

// close ends the use of the states. An error goes to err if there is none.
func (s *search) close(err *error) {
	s.free()
	if s.keeper != nil {
		*err = cmp.Or(*err, s.keeper.Close())
	}
}

// allStates returns all states, level by level in the order of their keys, and the number of moves
// from a start to each. Parts that the rules do not keep are empty or have their initial values.
func (s *search) allStates() (list []rules.State, moves []int) {
	flat := pack.NewFlat(s.sys)
	words := s.codec.Words()
	for d := range s.sizes {
		for keys := s.sorted(d); len(keys) > 0; keys = keys[words:] {
			s.codec.Unpack(keys, flat)
			list, moves = append(list, flat.State(s.sys)), append(moves, d)
		}
	}
	return list, moves
}

// sorted returns the keys of a level, including all states of the orbits, in ascending order.
func (s *search) sorted(depth int) []uint64 {
	var keys, buffer []uint64
	for _, p := range s.states.Pieces(depth) {
		buffer = s.states.Read(0, p, buffer)
		keys = s.appendImages(keys, buffer)
	}
	if words := s.codec.Words(); words > 1 {
		sorted.Sort(keys, make([]uint64, len(keys)), words)
	} else {
		slices.Sort(keys)
	}
	return keys
}

func newSearch(ctx context.Context, r game.Rules, starts Starts, q Query, opts Options) *search {
	s := &search{base: newBase(ctx, r, starts, opts), tryRows: never}
	s.stuckSteps = stuckSteps{search: s, wanted: q.StuckTransitions}
	s.asked = newAsked(s.sys, &q)
	return s
}

// endedEarly reports whether the search ended for another reason than that all states within the
// limit on moves were examined.
func (s *search) endedEarly() bool {
	return s.end.Stop != limit.Complete && s.end.Stop != limit.DepthLimit
}

// settle determines the number of states after the last one was added to the next level.
func (s *search) settle() error {
	total, err := s.states.Settle(s.total.Load())
	if err != nil {
		if s.ctx.Err() != nil {
			return s.cancelled(s.total.Load())
		}
		return err
	}
	s.total.Store(total)
	if s.opts.MaxStates > 0 && total > s.opts.MaxStates {
		s.full.reach(limit.States)
	}
	return nil
}

// size returns the number of states of the current level.
func (s *search) size() int64 {
	if len(s.sizes) == 0 {
		return 0
	}
	return s.sizes[len(s.sizes)-1]
}

// run calls do for 0, 1, …, n-1. With many states, it distributes the calls among the workers.
func (s *search) run(n int, states int64, do func(w *worker, i int)) {
	threads := min(len(s.workers), n)
	if states < store.BlockStates && !s.opts.tiny {
		threads = min(threads, 1)
	}
	s.shared = threads > 1
	var next atomic.Int64
	work := func(w *worker) {
		for i := int(next.Add(1)) - 1; i < n && !s.quit.Load(); i = int(next.Add(1)) - 1 {
			do(w, i)
			if s.ctx.Err() != nil || s.failure() != nil {
				s.quit.Store(true)
			}
			if w.number == 0 {
				s.reportSometimes()
			}
		}
	}
	var done sync.WaitGroup
	for _, w := range s.workers[1:max(threads, 1)] {
		done.Go(func() { work(w) })
	}
	work(s.workers[0])
	done.Wait()
	s.shared = false
}

// failure returns the error of the store, if there is one.
func (s *search) failure() error {
	if s.states == nil {
		return nil
	}
	return s.states.Err()
}

// ended returns the reason to end the search after a level, if there is one. A hit comes before a
// fault of the rules, and a fault before a limit.
func (s *search) ended() error {
	if err := s.failure(); err != nil {
		return err
	}
	fault, hit := s.ends()
	switch {
	case s.quit.Load() || s.ctx.Err() != nil:
		return s.cancelled(s.total.Load())
	case hit != nil:
		s.found = hit
		reason := "a state that satisfies the goal was found"
		switch {
		case hit.refusal != nil:
			reason = "the game refuses a state"
		case hit.action != noAction:
			reason = "a step that breaks the claim was found"
		}
		return &limit.Early{End: limit.End{Stop: limit.Found, Reason: reason}}
	case fault != nil:
		t, err := s.traceTo(fault.Key, s.depth)
		if err != nil {
			return err
		}
		return &PlayError{Fault: fault.fault, Trace: *t}
	}
	switch s.full.reached() {
	case limit.States:
		return s.stateLimit()
	case limit.Memory:
		return s.memoryLimit(s.reached())
	}
	return nil
}

func (s *search) reportSometimes() {
	if s.due() {
		s.report()
	}
}

func (s *search) report() {
	total := s.total.Load()
	s.base.report(limit.Progress{
		Depth: s.depth, States: total, Open: total - s.sofar.examined.Load(),
		Steps: s.sofar.transitions.Load(), Bytes: s.bytes(),
	})
}

// bytes returns the memory that the search uses. It depends on the states found, and not on their
// order.
func (s *search) bytes() int64 {
	n := int64(bufferBytes)
	if s.firsts != nil {
		n += s.firsts.Bytes()
	}
	if s.states == nil {
		return n
	}
	total := s.total.Load()
	n += s.states.Bytes(total, total-s.closed)
	if k := &s.stuckSteps; k.recording {
		list := pack.NewList(k.names.NameBits())
		n += k.set.Bytes() + int64(list.Width())*(s.sofar.transitions.Load()-s.earlier[1])
	}
	return n
}

// bufferBytes is about the size of a worker's buffers. It is counted once, because results must not
// depend on the number of threads.
const bufferBytes = 64 << 10

// reached returns the number of states found; at a limit on memory, those of whole levels.
func (s *search) reached() int64 {
	switch {
	case s.full.reached() == limit.States:
		return s.opts.MaxStates
	case s.full.reached() == limit.Memory && len(s.sizes) > 0:
		return s.closed + s.size()
	}
	return s.total.Load()
}

// result returns the Result, with the play to what was found.
func (s *search) result() (*Result, error) {
	f := s.figures()
	r := &Result{
		End: s.end, Stats: s.stats(f), Counts: f.Counts, Checked: f.Checked, Fired: f.Fired, Ended: f.ended(s.sys),
	}
	if s.quotient != nil {
		s.quotient.Close(r.Fired)
	}
	switch r.Stop {
	case limit.Found:
	case limit.Complete:
		r.End = allExamined
		return r, nil
	default:
		return r, nil
	}
	play, err := s.traceTo(s.found.Key, s.depth)
	if err = r.Take(err); err != nil || r.Stop != limit.Found {
		return r, err
	}
	if s.found.action != noAction {
		play.Actions = append(play.Actions, s.found.action)
	}
	r.Trace, r.Refusal = play, s.found.refusal
	return r, nil
}

// allExamined is the end of a search that has found nothing to look for.
var allExamined = limit.End{Stop: limit.Complete, Reason: "all reachable states were examined"}

func (s *search) stats(f *Figures) Stats {
	st := f.stats(s.sys)
	st.States, st.Stored, st.Bytes, st.Seconds = s.reached(), s.reached(), s.bytes(), time.Since(s.began).Seconds()
	if st.Starts = st.States; len(s.sizes) > 0 {
		st.Starts = s.listed
	}
	if s.quotient != nil { // each examined state counts as many times as its orbit has states
		st.States += f.examined() - f.Seen
		st.Symmetries = s.quotient.Order()
	}
	if n := s.stuckSteps.steps; n > 0 && !s.endedEarly() {
		st.TransitionsByOutcome[rules.StuckLabel] = n
	}
	if s.full.reached() != limit.None && len(s.sizes) > 0 {
		st.Bytes = s.taken
	}
	st.Depth, st.Examined = s.depths(s.reached())
	return st
}

// depths returns the distance of the farthest of the first states, and the distance up to
// which all states were examined.
func (s *search) depths(states int64) (depth, examined int) {
	depth = s.depth
	if s.size() == 0 {
		depth--
	} else if states > s.closed+s.size() {
		depth++
	}
	return max(depth, 0), s.done - 1
}
