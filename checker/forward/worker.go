package forward

import (
	"errors"
	"slices"

	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/checker/residual"
	"github.com/mancheck/mancheck/checker/step"
	"github.com/mancheck/mancheck/rules"
)

// chunkSize is the number of states that a worker takes at a time.
const chunkSize = 1024

// predicates is a compiled Query. Predicates that were not requested are nil.
type predicates struct {
	goal      *step.Predicate
	goalStuck bool // goal depends on stuck
	counts    []*step.Predicate
	from, bad *step.Predicate
	badStart  bool   // bad depends on whether the new state is a start
	fromStart bool   // from or bad depend on whether the state before is one
	ghosts    bool   // states are looked up without ghosts
	actions   []bool // those that may be bad; nil: all
}

func compileQuery(m *step.Machine, q *Query) (*predicates, error) {
	p := &predicates{goalStuck: rules.AsksFor(q.Goal, rules.IsStuck)}
	var err error
	compile := func(x rules.Expr) *step.Predicate {
		if x == nil || err != nil {
			return nil
		}
		var c *step.Predicate
		c, err = m.CompileExpr(x)
		return c
	}
	p.goal = compile(q.Goal)
	for _, x := range q.Count {
		p.counts = append(p.counts, compile(x))
	}
	if b := q.BadStep; b != nil {
		p.from, p.bad, p.actions = compile(b.From), compile(b.Bad), b.Actions
		p.badStart = rules.AsksFor(b.Bad, rules.IsStart)
		p.fromStart = p.badStart || rules.AsksFor(b.From, rules.IsStart)
		p.ghosts = slices.ContainsFunc(m.System().Vars, func(x rules.Var) bool { return x.Ghost })
	}
	return p, err
}

// chunk is a range of states, and the result of their expansion.
type chunk struct {
	lo, hi   int      // states
	done     int      // states before this one were examined
	keys     []uint64 // packed successors of all of them in order, without those known to be stored already
	children []int32  // by state: how many of keys are its successors
	found    []int    // scratch: numbers of keys

	halt   halt
	action int   // of the bad step
	err    error // with haltError

	tally
}

// halt says why the expansion of a chunk ended early.
type halt int

const (
	haltNot   halt = iota
	haltGoal       // state done satisfies the goal
	haltStep       // state done has a bad step
	haltFull       // state done has more successors than fit in memory
	haltError      // state done has an error in the rules
)

// tally counts states and transitions.
type tally struct {
	live        int64
	stuck       []int   // states
	finished    []int64 // by outcome
	transitions int64
	into        []int64 // transitions by outcome
	fired       []bool  // by action
	counts      []int64 // by counted predicate
	checked     int64   // transitions that could have been the bad step
}

func newTally(sys *rules.System, counts int) tally {
	return tally{
		finished: make([]int64, len(sys.Outcomes)), into: make([]int64, len(sys.Outcomes)),
		fired: make([]bool, len(sys.Actions)), counts: make([]int64, counts),
	}
}

func (t *tally) reset() {
	t.live, t.transitions, t.checked, t.stuck = 0, 0, 0, t.stuck[:0]
	clear(t.finished)
	clear(t.into)
	clear(t.fired)
	clear(t.counts)
}

func (t *tally) add(u *tally) {
	t.live += u.live
	t.transitions += u.transitions
	t.checked += u.checked
	t.stuck = append(t.stuck, u.stuck...)
	for i := range t.finished {
		t.finished[i] += u.finished[i]
		t.into[i] += u.into[i]
	}
	for i, f := range u.fired {
		t.fired[i] = t.fired[i] || f
	}
	for i, n := range u.counts {
		t.counts[i] += n
	}
}

// worker expands chunks with its own machine.
type worker struct {
	*search
	machine *step.Machine
	state   *pack.Flat
	key     []uint64
	next    *pack.Flat
	steps   pack.Batch
	stepper *residual.Stepper

	// of the current state
	chunk   *chunk
	index   int
	watched step.Answer // whether the state is in BadStep.From
	err     error
}

func newWorker(s *search, m *step.Machine) *worker {
	w := &worker{search: s, machine: m, state: pack.NewFlat(s.sys), next: pack.NewFlat(s.sys)}
	w.steps.Check = w.check
	w.repack()
	return w
}

// repack makes w use the codec of the search, which has changed.
func (w *worker) repack() {
	w.key = make([]uint64, w.codec.Words())
	w.stepper = residual.New(w.machine.Clone(), w.codec)
}

// errWide says that a state has more successors than there is room for.
var errWide = errors.New("too many successors")

// check fails if the steps of one state take too much memory, or the search was cancelled.
func (w *worker) check() error {
	if int64(len(w.chunk.keys)+len(w.steps.Keys))*8 > w.opts.MaxMemory/4 || w.ctx.Err() != nil {
		return errWide
	}
	return nil
}

// expand examines the states of a chunk and packs their successors. With last set it only examines
// the states.
func (w *worker) expand(c *chunk, last bool) {
	c.keys, c.children, c.halt, c.err = c.keys[:0], c.children[:0], haltNot, nil
	c.tally.reset()
	w.chunk = c
	room := w.room()
	for c.done = c.lo; c.done < c.hi; c.done++ {
		if c.done > c.lo && (len(c.keys) > room || w.ctx.Err() != nil) {
			break
		}
		w.index = c.done
		w.codec.Unpack(w.set.At(c.done), w.state)
		before := len(c.keys)
		if err := w.examine(last); err != nil {
			c.halt, c.err = haltError, err
		}
		if c.halt != haltNot {
			c.keys = c.keys[:before]
			return
		}
		c.children = append(c.children, int32((len(c.keys)-before)/len(w.key)))
	}
	w.dropKnown(c)
}

// examine examines one state: the goal first, unless that depends on whether the state has a move.
func (w *worker) examine(last bool) error {
	view := step.View{State: w.state, Start: w.index < w.births.starts}
	if w.preds.goal != nil && !w.preds.goalStuck {
		if err := w.checkGoal(view); err != nil || w.chunk.halt != haltNot {
			return err
		}
	}
	can, err := w.moves(last)
	if err != nil || w.chunk.halt != haltNot {
		return err
	}
	if view.CanMove = step.No; can {
		view.CanMove = step.Yes
	}
	if w.preds.goal != nil && w.preds.goalStuck {
		if err := w.checkGoal(view); err != nil || w.chunk.halt != haltNot {
			return err
		}
	}
	w.classify(can)
	return w.count(view)
}

func (w *worker) checkGoal(view step.View) error {
	yes, err := w.machine.Holds(w.preds.goal, view)
	if yes {
		w.chunk.halt = haltGoal
	}
	return err
}

// moves generates the successors of the state and reports whether there are any.
func (w *worker) moves(last bool) (bool, error) {
	if last {
		return w.machine.CanMove(w.state)
	}
	w.watched = step.Unknown
	w.steps.Reset()
	if err := w.stepper.Expand(w.set.At(w.index), &w.steps); err != nil {
		if errors.Is(err, errWide) {
			w.chunk.halt, err = haltFull, nil
		}
		return false, err
	}
	words := len(w.key)
	for i, action := range w.steps.Actions {
		if !w.successor(int(action), w.steps.Keys[i*words:(i+1)*words]) {
			break
		}
	}
	err := w.err
	w.err = nil
	return len(w.steps.Actions) > 0, err
}

// watches reports whether the steps of the state may be bad. It is called only for states that have
// a step.
func (w *worker) watches() bool {
	if w.watched == step.Unknown {
		w.watched = step.Yes
		if w.preds.from != nil {
			var yes bool
			view := step.View{State: w.state, Start: w.preds.fromStart && w.isStart(w.state, w.index), CanMove: step.Yes}
			if w.err != nil {
				return false
			}
			if yes, w.err = w.machine.Holds(w.preds.from, view); !yes {
				w.watched = step.No
			}
		}
	}
	return w.watched == step.Yes
}

// successor processes one step of the state.
func (w *worker) successor(action int, key []uint64) bool {
	c := w.chunk
	c.transitions++
	c.fired[action] = true
	status := w.codec.Status()
	if o := int(key[status.Word]>>status.Shift&status.Mask) - len(w.sys.Players); o >= 0 {
		c.into[o]++
	}
	c.keys = append(c.keys, key...)
	if w.preds.bad != nil && (w.preds.actions == nil || w.preds.actions[action]) && w.watches() {
		w.codec.Unpack(key, w.next)
		return w.stepIsFine(action, w.next, key)
	}
	return w.err == nil
}

// stepIsFine reports whether a step is not bad.
func (w *worker) stepIsFine(action int, to *pack.Flat, key []uint64) bool {
	w.chunk.checked++
	view := step.View{State: to, Old: w.state, OldStart: w.preds.fromStart && w.isStart(w.state, w.index)}
	if w.preds.badStart {
		i, stored := w.set.Find(key)
		if !stored {
			i = w.set.Len()
		}
		view.Start = w.isStart(to, i)
	}
	if w.err != nil {
		return false
	}
	var bad bool
	if bad, w.err = w.machine.Holds(w.preds.bad, view); bad {
		w.chunk.halt, w.chunk.action = haltStep, action
	}
	return !bad && w.err == nil
}

// isStart reports whether the state with this number is a start, whatever an earlier step left in
// its ghosts. The starts have the lowest numbers.
func (w *worker) isStart(f *pack.Flat, number int) bool {
	if !w.preds.ghosts || number < w.births.starts {
		return number < w.births.starts
	}
	pits := len(w.sys.Pits)
	seen := *f
	seen.Cells = slices.Concat(f.Cells[:pits], rules.WithoutGhosts(w.sys, f.Cells[pits:], func(n int) int { return n }))
	key := make([]uint64, w.codec.Words())
	if w.err = w.codec.Pack(&seen, key); w.err != nil {
		return false
	}
	i, stored := w.set.Find(key)
	return stored && i < w.births.starts
}

// classify counts the state as live, stuck or finished.
func (w *worker) classify(can bool) {
	switch {
	case w.state.Outcome >= 0:
		w.chunk.finished[w.state.Outcome]++
	case can:
		w.chunk.live++
	default:
		w.chunk.stuck = append(w.chunk.stuck, w.index)
	}
}

func (w *worker) count(view step.View) error {
	for i, p := range w.preds.counts {
		yes, err := w.machine.Holds(p, view)
		if err != nil {
			return err
		}
		if yes {
			w.chunk.counts[i]++
		}
	}
	return nil
}

// dropKnown drops the successors that are stored already, if there are other threads to share the
// work.
func (w *worker) dropKnown(c *chunk) {
	if !w.prefilter {
		return
	}
	words := len(w.key)
	c.found = resized(c.found, len(c.keys)/words)
	w.set.FindAll(c.keys, c.found)
	from, to := 0, 0
	for s, n := range c.children {
		kept := int32(0)
		for range n {
			if c.found[from] < 0 {
				copy(c.keys[to*words:(to+1)*words], c.keys[from*words:(from+1)*words])
				to++
				kept++
			}
			from++
		}
		c.children[s] = kept
	}
	c.keys = c.keys[:to*words]
}

func resized(s []int, n int) []int {
	if cap(s) < n {
		return make([]int, n)
	}
	return s[:n]
}
