package backward

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/checker/shape"
	"github.com/mancheck/mancheck/checker/slice"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/space"
)

// Search goes back from all states that satisfy goal, level by level, until the set is closed or a
// start is found. States of a level are expanded in the order in which they were found, and
// predecessors have a fixed order, so results are deterministic.
//
// Result.Stop says why there is no answer; the error is a failure of the tool, or a fault of the
// rules in the evaluation of the goal.
func Search(ctx context.Context, in *interp.Interp, goal rules.Expr, opt Options) (*Result, error) {
	kept := slice.Keep(ctx, in.System(), goals(in.System(), goal, opt)...)
	opt.MaxMemory = opt.Memory()
	limits := pack.Limits{Bytes: opt.MaxMemory, Keys: opt.MaxStates}
	s := &search{
		ctx: ctx, in: in, opt: opt,
		Result: &Result{Kept: kept, states: newStore(in.System(), kept.Kept, limits)},
	}
	err := s.run(goal)
	slices.SortStableFunc(s.Starts, func(a, b Start) int { return cmp.Or(slices.Compare(a.Open, b.Open), a.State.Compare(b.State)) })
	if err = s.Take(err); err != nil {
		return nil, err
	}
	return s.Result, nil
}

// goals lists the expressions that determine which pits and variables are kept.
func goals(sys *rules.System, goal rules.Expr, opt Options) []rules.Expr {
	list := append([]rules.Expr{goal}, opt.Also...)
	if opt.All && !opt.Blind {
		list = append(list, rules.Sum{Pits: vaguePits(sys)})
	}
	return list
}

// search is a running search.
type search struct {
	*Result
	ctx     context.Context
	in      *interp.Interp
	opt     Options
	setup   *setup
	guess   *guess
	classes map[string]*class // by what a key says of status and variables
	control []byte            // of the present target
	jobs    int               // of all classes
	extra   int64             // bytes for starts
	preds   preds
	batch   batch
}

// stop ends the search, which is not at a limit.
func stop(why limit.Stop, format string, args ...any) error {
	return &limit.Early{End: limit.End{Stop: why, Reason: fmt.Sprintf(format, args...)}}
}

// reach ends the search at a limit.
func reach(h limit.Hit) error { return &limit.Early{End: limit.Reach(h)} }

// run finds the targets and goes back level by level. It always ends with an error, usually a
// *limit.Early.
func (s *search) run(goal rules.Expr) (err error) {
	s.inverse = newInverse(s.ctx, s.in, s.Kept.Kept)
	defer func() { s.Fault = s.inverse.fault }()
	s.inverse.maxSeeds = s.opt.MaxSeeds
	s.setup = newSetup(s.ctx, s.inverse.sys, s.Kept.Parts, fixed(s.inverse.sys))
	s.guess = newGuess(s.inverse, s.found)
	s.classes = map[string]*class{}
	s.states.beforeWidening = s.flush
	if s.opt.Exact {
		s.inverse.exactly()
	}
	err = s.targets(goal)
	if s.Targets = s.Len(); err == nil {
		err = s.inverse.trace()
	}
	if err != nil {
		return s.undecided(err)
	}
	for from := 0; ; {
		to := s.Len()
		if err := s.finishLevel(from, to); err != nil {
			return s.undecided(err)
		}
		if s.opt.MaxDepth != nil && len(s.Levels) > *s.opt.MaxDepth {
			return stop(limit.DepthLimit, "states more than %d moves from the goal were not examined", *s.opt.MaxDepth)
		}
		if err := s.expand(from, to); err != nil {
			return s.undecided(err)
		}
		from = to
	}
}

// undecided turns errors that mean "cannot be decided" into a *limit.Early.
func (s *search) undecided(err error) error {
	kinds := []any{new(*HardError), new(*space.InfiniteError), new(*interp.HiddenError), new(*interp.UndefinedError), new(*shape.VagueError)}
	switch {
	case errors.As(err, new(*limit.Early)):
		return err
	case s.ctx.Err() != nil:
		return reach(limit.Ending(s.ctx).With(int64(s.Len())))
	case slices.ContainsFunc(kinds, func(kind any) bool { return errors.As(err, kind) }):
		return stop(limit.Undecided, "%v", err)
	}
	return err
}

// tries is how often per state of the limit the search for targets may look whether it is over: at
// every state that might be one, and once in a thousand boards. Nothing narrows a condition such as
// start, so all boards are tried.
const tries = 2

func (s *search) targets(goal rules.Expr) error {
	ctx := s.ctx
	if s.opt.MaxStates > 0 && s.opt.MaxStates < math.MaxInt/tries {
		ctx = limit.WithLooks(ctx, int(s.opt.MaxStates)*tries)
	}
	f := pack.NewFlat(s.in.System())
	err := space.MatchingUpTo(ctx, s.in.Within(ctx), goal, s.Kept.Kept, s.opt.MaxSeeds, func(t rules.State) error {
		if inPlay, err := s.inverse.shape.Allows(t, s.Kept.Kept); err != nil || !inPlay {
			return err
		}
		f.Set(t)
		var err error
		if s.preds.keys, err = s.states.pack(f, s.preds.keys[:0]); err != nil {
			return s.full(err)
		}
		if _, _, err := s.states.set.Insert(s.preds.keys); err != nil {
			return s.full(err)
		}
		return s.room()
	})
	if errors.Is(err, limit.ErrLooks) {
		err = s.full(pack.ErrMany)
	}
	return err
}

// room fails if states and starts together take more memory than allowed.
func (s *search) room() error {
	s.Bytes = s.states.bytes() + s.extra
	if s.Bytes > s.opt.MaxMemory {
		return s.full(pack.ErrFull)
	}
	return nil
}

// full words the error of a set that has reached a limit.
func (s *search) full(err error) error {
	switch {
	case errors.Is(err, pack.ErrMany):
		return reach(limit.Hit{Kind: limit.States, Most: s.opt.MaxStates, Found: int64(s.Len())})
	case errors.Is(err, pack.ErrFull):
		return reach(limit.Hit{Kind: limit.Memory, Most: s.opt.MaxMemory, Found: int64(s.Len()) + 1})
	}
	return err
}

// finishLevel looks for starts among the new states, and decides whether to continue.
func (s *search) finishLevel(from, to int) error {
	if !s.opt.Blind && (len(s.Starts) == 0 || s.opt.All) {
		if err := s.lookForStarts(from, to); err != nil {
			return err
		}
	}
	if from < to {
		s.Levels = append(s.Levels, to-from)
		if s.opt.Observer != nil {
			s.opt.Observer(limit.Progress{Depth: len(s.Levels) - 1, States: int64(s.Len()), Open: int64(to - from), Steps: s.Steps, Bytes: s.Bytes})
		}
	}
	switch {
	case len(s.Starts) > 0 && !s.opt.All:
		return stop(limit.Found, "a start is %d moves from the goal", s.distance(s.Starts[0].Index))
	case from == to:
		return stop(limit.Complete, "only the %d states found can reach the goal", to)
	}
	return nil
}

func (s *search) lookForStarts(from, to int) error {
	f := pack.NewFlat(s.in.System())
	for i := from; i < to; i++ {
		if s.states.read(i, f); !s.setup.mayBeStart(f) {
			continue
		}
		start, found, err := s.start(f.State(s.in.System()))
		if err != nil {
			return err
		}
		if found {
			if start.Index = i; !s.opt.All {
				if start.Actions, err = s.Play(i); err != nil {
					return err
				}
			}
			s.Starts = append(s.Starts, start)
			s.extra += start.bytes()
			if err := s.room(); err != nil {
				return err
			}
		}
	}
	return nil
}

// expand adds the predecessors of a level.
func (s *search) expand(from, to int) error {
	err := s.expandAll(from, to)
	if full := s.flush(); full != nil {
		return full // which came first
	}
	return err
}

func (s *search) expandAll(from, to int) error {
	for i := from; i < to; i++ {
		if err := s.ctx.Err(); err != nil {
			return err
		}
		s.preds.keys, s.preds.actions = s.preds.keys[:0], s.preds.actions[:0]
		key := s.states.set.At(i)
		s.states.codec.Unpack(key, s.guess.target)
		if err := s.guess.preimage(s.class(key)); err != nil {
			return err
		}
		s.collect()
		if len(s.batch.steps) >= batchSize {
			if err := s.flush(); err != nil {
				return err
			}
		}
	}
	return nil
}

// mostJobs bounds the jobs of the classes that are kept.
const mostJobs = 1 << 16

// class returns the class of the target of s.guess.
func (s *search) class(key []uint64) *class {
	s.control = s.states.codec.Control(s.control[:0], key)
	if c := s.classes[string(s.control)]; c != nil {
		return c
	}
	c := s.inverse.class(s.guess.target.View(s.in.System()))
	if s.jobs += len(c.jobs) + 1; s.jobs > mostJobs {
		clear(s.classes)
		s.jobs = len(c.jobs) + 1
	}
	s.classes[string(s.control)] = c
	return c
}

// found takes a predecessor.
func (s *search) found(f *pack.Flat, action int) (err error) {
	s.preds.actions = append(s.preds.actions, action)
	s.preds.keys, err = s.states.pack(f, s.preds.keys)
	return s.full(err)
}

// preds are the predecessors of one target, in the order found. One that leads to it by several
// actions occurs several times.
type preds struct {
	keys    []uint64
	actions []int
	order   []int
}

// sort puts the numbers of the predecessors into the order of states and then of actions.
func (p *preds) sort(words int) {
	p.order = p.order[:0]
	for i := range p.actions {
		p.order = append(p.order, i)
	}
	slices.SortFunc(p.order, func(i, j int) int {
		if c := slices.Compare(p.key(i, words), p.key(j, words)); c != 0 {
			return c
		}
		return p.actions[i] - p.actions[j]
	})
}

func (p *preds) key(i, words int) []uint64 { return p.keys[i*words : (i+1)*words] }

// batch are predecessors on the way into the set. Memory is slow: the set looks for many at once.
type batch struct {
	keys  []uint64
	steps []int64 // by key: from this state to the target
	found []int
}

// batchSize is how many predecessors make a batch full.
const batchSize = 256

// collect adds the predecessors found to the batch.
func (s *search) collect() {
	words := s.states.codec.Words()
	s.preds.sort(words)
	var last []uint64
	action := -1
	for _, i := range s.preds.order {
		key := s.preds.key(i, words)
		known := last != nil && slices.Equal(key, last)
		if known && action == s.preds.actions[i] {
			continue // by another way
		}
		last, action = key, s.preds.actions[i]
		if known {
			s.batch.steps[len(s.batch.steps)-1]++
			continue
		}
		s.batch.keys = append(s.batch.keys, key...)
		s.batch.steps = append(s.batch.steps, 1)
	}
}

// flush adds the batch to the set. If the set is full, the first step from the state for which
// there is no room is the last one counted.
func (s *search) flush() error {
	b := &s.batch
	b.found = slices.Grow(b.found[:0], len(b.steps))[:len(b.steps)]
	n, err := s.states.set.InsertAll(b.keys, b.found)
	for _, steps := range b.steps[:n] {
		s.Steps += steps
	}
	b.keys, b.steps = b.keys[:0], b.steps[:0]
	if err != nil {
		s.Steps++
		return s.full(err)
	}
	return s.room()
}
