package forward

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/checker/step"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/rules"
)

// chunksPerRound is how many chunks there are for each worker between two merges.
const chunksPerRound = 4

// search is a running search.
type search struct {
	ctx    context.Context
	sys    *rules.System
	starts Starts
	opts   Options
	preds  *predicates
	bound  int // the most seeds that the codec has room for
	codec  *pack.Codec
	set    *pack.Set
	births births
	levels []int  // by number of moves: the first state at that distance
	edges  *edges // nil if they are not wanted
	tally

	workers   []*worker
	chunks    []*chunk
	stretch   int // states in a chunk
	prefilter bool

	stop     *stopped
	began    time.Time
	reported time.Time
}

// stopped is the reason why a search ended before everything was examined. It is passed as an
// error.
type stopped struct {
	stop   Stop
	reason string
	at     int // with GoalFound: the state
	action int // the bad step from it, or -1
}

func (s *stopped) Error() string { return s.reason }

// Search explores the states that are reachable from the starts. Reaching a limit or the goal is a
// result. An error is a *PlayError if the rules are at fault, or the error of starts.
func Search(ctx context.Context, sys *rules.System, starts Starts, q Query, opts Options) (*Result, error) {
	s, err := newSearch(ctx, sys, starts, q, opts)
	if err != nil {
		return nil, err
	}
	if err := s.explore(); err != nil {
		return nil, err
	}
	r, err := s.result()
	if err != nil {
		return nil, err
	}
	if q.StuckTransitions && (s.stop == nil || s.stop.stop == DepthLimit) {
		if err := s.stuckTransitions(r); err != nil {
			return nil, err
		}
	}
	if q.States && s.stop == nil && (q.MostListed == 0 || int64(s.set.Len()) <= q.MostListed) {
		r.States = s.allStates()
	}
	return r, nil
}

// allStates unpacks the set; what Options.Keep ignores is empty or has its initial value.
func (s *search) allStates() []rules.State {
	list := make([]rules.State, s.set.Len())
	flat := pack.NewFlat(s.sys)
	for i := range list {
		s.codec.Unpack(s.set.At(i), flat)
		list[i] = flat.State(s.sys)
	}
	return list
}

func newSearch(ctx context.Context, sys *rules.System, starts Starts, q Query, opts Options) (*search, error) {
	m, err := step.Compile(sys)
	if err != nil {
		return nil, err
	}
	s := &search{ctx: ctx, sys: sys, starts: starts, opts: opts, began: time.Now(), stretch: chunkSize, tally: newTally(sys, len(q.Count))}
	s.opts.MaxMemory = opts.Memory()
	if s.preds, err = compileQuery(m, &q); err != nil {
		return nil, err
	}
	if err := s.widen(0); err != nil {
		return nil, err
	}
	threads := opts.threads()
	s.prefilter = threads > 1
	for range threads {
		s.workers = append(s.workers, newWorker(s, m.Clone()))
	}
	for range threads * chunksPerRound {
		s.chunks = append(s.chunks, &chunk{tally: newTally(sys, len(q.Count))})
	}
	return s, nil
}

// explore runs the search. Its outcome is s.stop, or an error.
func (s *search) explore() error {
	err := s.addStarts()
	for depth := 0; err == nil && s.levels[depth] < s.set.Len(); depth++ {
		s.levels = append(s.levels, s.set.Len())
		err = s.level(depth)
	}
	if stop := (*stopped)(nil); errors.As(err, &stop) {
		s.stop = stop
		return nil
	}
	return err
}

// widen makes room in the packed states for boards with the given number of seeds, and repacks the
// stored ones.
func (s *search) widen(seeds int) error {
	old, codec := s.set, s.codec
	var err error
	s.bound = seeds
	if s.codec, err = pack.NewCodec(s.sys, seeds, s.opts.Keep); err != nil {
		return err
	}
	s.set = pack.NewSet(s.codec.Words(), pack.Limits{Bytes: s.opts.MaxMemory, Keys: s.opts.MaxStates})
	for _, w := range s.workers {
		w.repack()
	}
	if old == nil {
		return nil
	}
	flat := pack.NewFlat(s.sys)
	for i := range old.Len() {
		codec.Unpack(old.At(i), flat)
		if _, err := s.store(flat); err != nil {
			return err
		}
	}
	return nil
}

// store packs and stores a state, and returns its number.
func (s *search) store(flat *pack.Flat) (int, error) {
	key := s.workers[0].key
	if err := s.codec.Pack(flat, key); err != nil {
		return 0, err
	}
	i, _, err := s.set.Insert(key)
	return i, s.limit(err)
}

// addStart stores a start. The greatest number of seeds of a start is known only after the last
// start, and there may be too many to list twice: if a start has more than all before, the others
// are repacked.
func (s *search) addStart(st rules.State) (int, error) {
	if total := st.Total(); total > s.bound {
		if err := s.widen(roundUp(total)); err != nil {
			return 0, err
		}
	}
	flat := s.workers[0].state
	flat.Set(st)
	return s.store(flat)
}

// addStarts stores the starts.
func (s *search) addStarts() error {
	seen := 0
	err := s.starts(s.ctx, func(st rules.State) error {
		if seen++; seen%chunkSize == 0 {
			if err := s.pause(0); err != nil {
				return err
			}
		}
		_, err := s.addStart(st)
		return err
	})
	s.births.starts = s.set.Len()
	s.levels = append(s.levels, 0)
	if err != nil && s.ctx.Err() != nil && errors.Is(err, s.ctx.Err()) {
		return s.cancelled()
	}
	return err
}

// roundUp returns the greatest number of seeds for which a pit needs no more bits than for n.
func roundUp(n int) int {
	for n&(n+1) != 0 {
		n |= n >> 1
	}
	return n
}

// level examines all states at this distance, and stores the next level unless this is the last.
func (s *search) level(depth int) error {
	lo, hi := s.levels[depth], s.levels[depth+1]
	last, before := s.opts.MaxDepth > 0 && depth == s.opts.MaxDepth, s.live
	for lo < hi {
		if err := s.pause(depth); err != nil {
			return err
		}
		next := min(hi, lo+s.stretch*len(s.chunks))
		var err error
		if lo, err = s.round(lo, next, last); err != nil {
			return err
		}
	}
	s.report(depth)
	if last && s.live > before {
		return &stopped{stop: DepthLimit, reason: fmt.Sprintf("plays of more than %d moves were not examined", depth)}
	}
	return nil
}

// round expands the states from lo to hi in parallel and merges the results. It returns the first
// remaining state: a chunk with more successors than there is room for ends before its last state.
func (s *search) round(lo, hi int, last bool) (left int, err error) {
	n := 0
	for ; lo < hi; lo += s.stretch {
		c := s.chunks[n]
		c.lo, c.hi = lo, min(lo+s.stretch, hi)
		n++
	}
	s.expandAll(s.chunks[:n], last)
	for _, c := range s.chunks[:n] {
		if err := s.merge(c, last); err != nil {
			return c.done, err
		}
		if c.done < c.hi {
			s.stretch = c.done - c.lo // the results of the other chunks are lost, so this must be rare
			return c.done, nil
		}
	}
	return hi, nil
}

// room is how many words of successors a chunk may have: all chunks together have a small part of
// the memory. It does not depend on the number of chunks, so that a search ends at the same place
// with any number of threads.
func (s *search) room() int { return int(s.opts.MaxMemory / 512 / 8) }

// expandAll distributes the chunks among the workers.
func (s *search) expandAll(chunks []*chunk, last bool) {
	if len(chunks) == 1 || len(s.workers) == 1 {
		for _, c := range chunks {
			s.workers[0].expand(c, last)
		}
		return
	}
	todo := make(chan *chunk, len(chunks))
	for _, c := range chunks {
		todo <- c
	}
	close(todo)
	var done sync.WaitGroup
	for _, w := range s.workers {
		done.Go(func() {
			for c := range todo {
				w.expand(c, last)
			}
		})
	}
	done.Wait()
}

// merge stores the successors found in a chunk.
func (s *search) merge(c *chunk, last bool) error {
	first := s.set.Len()
	c.found = resized(c.found, len(c.keys)/s.codec.Words())
	n, err := s.set.InsertAll(c.keys, c.found)
	s.tally.add(&c.tally)
	if err != nil {
		return s.limit(err)
	}
	if !last {
		s.record(c, first, c.found[:n])
	}
	if s.bytes() > s.opts.MaxMemory {
		return s.limit(pack.ErrFull)
	}
	return s.halted(c)
}

// record records the first predecessors of the new states among found, and the edges.
func (s *search) record(c *chunk, next int, found []int) {
	for _, n := range c.children {
		children := 0
		for _, i := range found[:n] {
			if i == next {
				children++
				next++
			}
		}
		s.births.add(children)
		if s.edges != nil {
			s.edges.add(found[:n])
		}
		found = found[n:]
	}
}

// halted turns the event that ended a chunk into the end of the search.
func (s *search) halted(c *chunk) error {
	switch c.halt {
	case haltGoal:
		return &stopped{stop: GoalFound, reason: "a state that satisfies the goal was found", at: c.done, action: -1}
	case haltStep:
		return &stopped{stop: GoalFound, reason: "a step that breaks the claim was found", at: c.done, action: c.action}
	case haltFull:
		if s.ctx.Err() != nil {
			return s.cancelled()
		}
		return s.limit(pack.ErrFull)
	case haltError:
		t, err := s.trace(c.done)
		if err != nil {
			return err
		}
		return &PlayError{Fault: c.err, Trace: *t}
	}
	return nil
}

// limit turns the error of a full set into the end of the search.
func (s *search) limit(err error) error {
	switch {
	case errors.Is(err, pack.ErrMany):
		return &stopped{stop: StateLimit, reason: fmt.Sprintf("the limit of %d states is reached", s.opts.MaxStates)}
	case errors.Is(err, pack.ErrFull):
		return &stopped{stop: MemoryLimit, reason: fmt.Sprintf("%d states fill the limit of %d MB of memory", s.set.Len(), s.opts.MaxMemory>>20)}
	}
	return err
}

func (s *search) cancelled() error {
	return &stopped{stop: Cancelled, reason: fmt.Sprintf("%s, with %d states", limit.Why(s.ctx), s.set.Len())}
}

// bytes returns the memory that the search uses for states and the data about them.
func (s *search) bytes() int64 {
	n := s.set.Bytes() + s.births.bytes() + int64(cap(s.stuck))*8
	if s.edges != nil {
		n += s.edges.bytes()
	}
	return n
}

// pause checks whether the search is to be stopped, and reports progress from time to time.
func (s *search) pause(depth int) error {
	if s.ctx.Err() != nil {
		return s.cancelled()
	}
	if s.opts.Observer != nil && time.Since(s.reported) > 200*time.Millisecond {
		s.report(depth)
	}
	return nil
}

func (s *search) report(depth int) {
	if s.opts.Observer == nil {
		return
	}
	s.reported = time.Now()
	s.opts.Observer(Progress{
		Depth: depth, States: int64(s.set.Len()), Open: int64(s.set.Len()) - s.examined(),
		Transitions: s.transitions, Bytes: s.bytes(), Elapsed: time.Since(s.began),
	})
}

// examined returns the number of states examined.
func (s *search) examined() int64 {
	n := s.live + int64(len(s.stuck))
	for _, f := range s.finished {
		n += f
	}
	return n
}

// result makes the Result.
func (s *search) result() (*Result, error) {
	r := &Result{Reason: "all reachable states were examined", Stats: s.stats(), Counts: s.counts, Checked: s.checked, Fired: s.fired}
	for _, n := range s.finished {
		r.Ended = append(r.Ended, n > 0)
	}
	for o, n := range s.into {
		r.Ended[o] = r.Ended[o] || n > 0
	}
	if s.stop == nil {
		return r, nil
	}
	r.Stop, r.Reason = s.stop.stop, s.stop.reason
	if r.Stop != GoalFound {
		return r, nil
	}
	t, err := s.trace(s.stop.at)
	if err == nil && s.stop.action >= 0 {
		t.Actions = append(t.Actions, s.stop.action)
	}
	r.Trace = t
	return r, err
}

func (s *search) stats() Stats {
	st := Stats{
		Starts: int64(s.births.starts), States: int64(s.set.Len()), Live: s.live, Stuck: int64(len(s.stuck)),
		Transitions: s.transitions, Stored: int64(s.set.Len()), Bytes: s.bytes(), Seconds: time.Since(s.began).Seconds(),
		Finished: s.byOutcome(s.finished), TransitionsByOutcome: s.byOutcome(s.into),
	}
	if st.Stuck > 0 {
		st.Finished[rules.StuckLabel] = st.Stuck
	}
	st.Depth, st.Examined = s.depths()
	return st
}

// byOutcome returns figures by the name of the outcome, without zeros.
func (s *search) byOutcome(n []int64) map[string]int64 {
	named := map[string]int64{}
	for o, k := range n {
		if k > 0 {
			named[s.sys.OutcomeName(o)] += k
		}
	}
	return named
}

// depths returns the distance of the farthest state, and the distance up to which all were
// examined.
func (s *search) depths() (depth, examined int) {
	depth, examined = -1, -1
	done := s.examined()
	for d, first := range s.levels {
		if first < s.set.Len() {
			depth = d
		}
		if d > 0 && done >= int64(first) {
			examined = d - 1
		}
	}
	return max(depth, 0), min(examined, depth)
}
