package backward

import (
	"context"
	"errors"
	"fmt"
	"slices"

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
// rules met where the goal is evaluated.
func Search(ctx context.Context, in *interp.Interp, goal rules.Expr, opt Options) (*Result, error) {
	kept := slice.Keep(ctx, in.System(), goals(in.System(), goal, opt)...)
	s := &search{
		ctx: ctx, in: in, opt: opt, given: fixed(in.System()), index: map[string]bool{},
		Result: &Result{Kept: kept, codec: codec{in.System(), kept.Kept}},
	}
	err := s.run(goal)
	s.sortStarts()
	if over := new(stopError); errors.As(err, &over) {
		s.Stop, s.Reason = over.stop, over.reason
		return s.Result, nil
	}
	return nil, err
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
	given   map[int]int // seeds that the setup gives, by pit
	inverse *inverse
	index   map[string]bool // keys of the states
}

// stopError ends the search without an answer, or with a start.
type stopError struct {
	stop   Stop
	reason string
}

func (e *stopError) Error() string { return e.reason }

func stop(why Stop, format string, args ...any) error {
	return &stopError{why, fmt.Sprintf(format, args...)}
}

// run finds the targets and goes back level by level. It always ends with an error, usually a
// *stopError.
func (s *search) run(goal rules.Expr) (err error) {
	if s.inverse, err = newInverse(s.ctx, s.in, s.Kept.Kept); err != nil {
		return s.undecided(err)
	}
	defer func() { s.Fault = s.inverse.fault }()
	if s.opt.Exact {
		s.inverse.shape = s.inverse.shape.Exactly()
	}
	err = s.targets(goal)
	s.Targets = len(s.Nodes)
	if err != nil {
		return s.undecided(err)
	}
	for from := 0; ; {
		to := len(s.Nodes)
		if err := s.finishLevel(from, to); err != nil {
			return s.undecided(err)
		}
		if s.opt.MaxDepth != nil && len(s.Levels) > *s.opt.MaxDepth {
			return stop(DepthLimit, "states more than %d moves from the goal were not examined", *s.opt.MaxDepth)
		}
		if err := s.expand(from, to); err != nil {
			return s.undecided(err)
		}
		from = to
	}
}

// undecided turns errors that mean "cannot be decided" into a *stopError.
func (s *search) undecided(err error) error {
	kinds := []any{new(*HardError), new(*space.InfiniteError), new(*interp.HiddenError), new(*interp.UndefinedError), new(*shape.VagueError)}
	switch {
	case errors.As(err, new(*stopError)):
		return err
	case s.ctx.Err() != nil:
		return stop(Interrupted, "%s, with %d states found", limit.Why(s.ctx), len(s.Nodes))
	case slices.ContainsFunc(kinds, func(kind any) bool { return errors.As(err, kind) }):
		return stop(Hard, "%v", err)
	}
	return err
}

func (s *search) targets(goal rules.Expr) error {
	keep := s.Kept.Kept
	if s.opt.MaxSeeds != nil {
		keep.Bounded, keep.MaxSeeds = true, *s.opt.MaxSeeds
	}
	return space.Matching(s.ctx, s.in, goal, keep, func(t rules.State) error {
		if inPlay, err := s.inverse.shape.Allows(t, s.Kept.Kept); err != nil || !inPlay {
			return err
		}
		return s.add(t, Node{Action: Goal, Next: Goal})
	})
}

// add adds a state to the set, if it is new.
func (s *search) add(t rules.State, n Node) error {
	key := s.codec.encode(t)
	if s.index[key] {
		return nil
	}
	if err := s.room(len(key)); err != nil {
		return err
	}
	s.index[key] = true
	s.keys = append(s.keys, key)
	s.Nodes = append(s.Nodes, n)
	return nil
}

// overhead estimates the memory for a state besides its key: a node, the header of its string in
// the list and in the map, and unused capacity of the map and lists.
const overhead = 128

// room makes room for another state, or fails if the limit is reached.
func (s *search) room(key int) error {
	if s.opt.MaxStates > 0 && int64(len(s.Nodes)) >= s.opt.MaxStates {
		return stop(StateLimit, "more than %d states", s.opt.MaxStates)
	}
	bytes := s.Bytes + int64(key) + overhead
	if s.opt.MaxMemory > 0 && bytes > s.opt.MaxMemory {
		return stop(MemoryLimit, "%d states need more than %d bytes", len(s.Nodes)+1, s.opt.MaxMemory)
	}
	s.Bytes = bytes
	return nil
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
		s.observe(to - from)
	}
	switch {
	case len(s.Starts) > 0 && !s.opt.All:
		return stop(StartFound, "a start is %d moves from the goal", s.Nodes[s.Starts[0].Node].Distance)
	case from == to:
		return stop(Closed, "only the %d states found can reach the goal", to)
	}
	return nil
}

func (s *search) observe(states int) {
	if s.opt.Observer != nil {
		s.opt.Observer(Progress{Depth: len(s.Levels) - 1, States: int64(len(s.Nodes)), Frontier: int64(states), Steps: s.Steps})
	}
}

func (s *search) lookForStarts(from, to int) error {
	for i := from; i < to; i++ {
		start, found, err := s.start(s.State(i))
		if err != nil {
			return err
		}
		if found {
			if start.Node = i; !s.opt.All {
				start.Actions = s.Play(i)
			}
			s.Starts = append(s.Starts, start)
		}
	}
	return nil
}

func (s *search) sortStarts() {
	slices.SortStableFunc(s.Starts, func(a, b Start) int {
		if c := slices.Compare(a.Open, b.Open); c != 0 {
			return c
		}
		return a.State.Compare(b.State)
	})
}

// expand adds the predecessors of a level.
func (s *search) expand(from, to int) error {
	for i := from; i < to; i++ {
		if err := s.ctx.Err(); err != nil {
			return err
		}
		preds, err := s.inverse.preimage(s.State(i))
		if err != nil {
			return err
		}
		if err := s.addPreds(i, preds); err != nil {
			return err
		}
	}
	return nil
}

// addPreds adds the predecessors of state i. Those that lead to it by several actions are adjacent.
func (s *search) addPreds(i int, preds []Pred) error {
	for k, p := range preds {
		if s.opt.MaxSeeds != nil && p.State.Total() > *s.opt.MaxSeeds {
			continue
		}
		s.Steps++
		if k > 0 && p.State.Equal(preds[k-1].State) {
			continue
		}
		s.Nodes[i].Preds++
		if err := s.add(p.State, Node{Distance: s.Nodes[i].Distance + 1, Action: p.Action, Next: i}); err != nil {
			return err
		}
	}
	return nil
}
