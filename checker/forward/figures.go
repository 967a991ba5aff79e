package forward

import (
	"slices"

	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/rules"
)

// Figures are the counts of the examined states. The sum of the figures of all workers, or of all
// parts of a search, is that of the whole.
type Figures struct {
	Live        int64
	Stuck       int64
	Finished    []int64 // by outcome
	Transitions int64
	Into        []int64 // transitions, by the status field of the state that they lead to
	Fired       []bool  // by action: it was legal in some state
	Counts      []int64 // by Query.Count
	Checked     int64   `json:"-"`          // with Query.BadStep: the number of steps that were checked
	Seen        int64   `json:"-"`          // stored states; the other counts are of all states that they stand for
	Hit         *Find   `json:",omitempty"` // the first state, in the order of keys, that the query looks for
	Fault       *Find   `json:",omitempty"` // the first state with a fault of the rules
}

// Find is a state that ends a search: one that satisfies the goal, one with a bad step, one that
// the game refuses, or one with a fault of the rules.
type Find struct {
	Key     []uint64
	Why     string `json:",omitempty"` // the text of a fault
	action  int    // the bad step, or noAction
	refusal error
	fault   error
}

const noAction = rules.None

// before reports whether f comes before g, by the keys of the states. Workers meet them in any
// order, so the first one must not depend on time.
func (f *Find) before(g *Find) bool {
	return f != nil && (g == nil || slices.Compare(f.Key, g.Key) < 0)
}

// note records a state, unless the worker has an earlier one of its kind in this level.
func (w *worker) note(f Find) {
	first := &w.Hit
	if f.fault != nil {
		first = &w.Fault
	}
	if !f.before(*first) {
		return
	}
	if f.Key = slices.Clone(f.Key); f.fault != nil {
		f.Why = f.fault.Error()
	}
	*first = &f
}

// figures returns the sums of what the workers have counted.
func (s *search) figures() *Figures {
	f := newFigures(s.sys, s.codec.Status(), len(s.asked.Count))
	for _, w := range s.workers {
		f.Add(&w.Figures)
	}
	return &f
}

// ends returns the first fault and the first hit of all workers, and clears them.
func (s *search) ends() (fault, hit *Find) {
	all := s.figures()
	for _, w := range s.workers {
		w.Hit, w.Fault = nil, nil
	}
	return all.Fault, all.Hit
}

// Add adds the figures of another part.
func (f *Figures) Add(g *Figures) {
	f.Live += g.Live
	f.Stuck += g.Stuck
	f.Transitions += g.Transitions
	f.Checked += g.Checked
	f.Seen += g.Seen
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

// newFigures returns figures of no states, for a query with so many counts.
func newFigures(sys *rules.System, status pack.Field, counts int) Figures {
	return Figures{
		Finished: make([]int64, len(sys.Outcomes)), Into: make([]int64, status.Mask+1),
		Fired: make([]bool, len(sys.Actions)), Counts: make([]int64, counts),
	}
}

// examined returns the number of states examined, counting whole orbits.
func (f *Figures) examined() int64 {
	n := f.Live + f.Stuck
	for _, k := range f.Finished {
		n += k
	}
	return n
}

// into returns by outcome the number of transitions.
func (f *Figures) into(sys *rules.System) []int64 {
	players := len(sys.Players)
	return f.Into[players : players+len(sys.Outcomes)]
}

// ended says by outcome whether some state has it.
func (f *Figures) ended(sys *rules.System) (list []bool) {
	for o, n := range f.into(sys) {
		list = append(list, n > 0 || f.Finished[o] > 0)
	}
	return list
}

// stats returns the figures as statistics.
func (f *Figures) stats(sys *rules.System) Stats {
	st := Stats{
		Live: f.Live, Stuck: f.Stuck, Finished: byOutcome(sys, f.Finished),
		Transitions: f.Transitions, TransitionsByOutcome: byOutcome(sys, f.into(sys)),
	}
	if st.Stuck > 0 {
		st.Finished[rules.StuckLabel] = st.Stuck
	}
	return st
}

// byOutcome returns counts by the name of the outcome, without zeros.
func byOutcome(sys *rules.System, n []int64) map[string]int64 {
	named := map[string]int64{}
	for o, k := range n {
		if k > 0 {
			named[sys.OutcomeName(o)] += k
		}
	}
	return named
}

// Stats returns the statistics of a whole search with levels of the given sizes.
func (f *Figures) Stats(sys *rules.System, sizes []int64) Stats {
	st := f.stats(sys)
	st.Depth = max(0, len(sizes)-1)
	st.Examined = st.Depth
	for i, n := range sizes {
		if i == 0 {
			st.Starts = n
		}
		st.States += n
	}
	st.Stored = st.States
	return st
}
