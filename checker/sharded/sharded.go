// Package sharded searches the states that are reachable from the starts in phases of tasks
// (package phase), which any number of processes and machines share.
//
// It is the search by levels of package forward, whose states are in tables of keys in order
// (package sorted), as in package disk. A level is divided by ranges of keys, as evenly as it goes,
// and each part is a block. Two phases make a level from the one before:
//
//   - expand: a task examines the states of a range and writes their successors, in order, into one
//     block of candidates;
//   - merge: a task reads the candidates of a range out of all these blocks and writes those that
//     are in no earlier level.
//
// The earlier levels are a few known runs, the smallest of which are folded into one when there are
// too many: as in package disk, a key is rewritten a logarithmic number of times. A small level is
// one part, whatever the number of shards, as a task that is started for few states costs more than
// they do.
//
// What is looked for ends the search after its level, and then phases go back through the levels for
// a shortest play to it. When there is nothing more to find, all is derived once more by the
// reference interpreter, in phases, too: recheck examines the states of all levels, and confirm
// compares each level with what the one before leads to. So the last phase says nothing that was
// not checked block by block: the starts are the first level, each next level is just what the
// moves of the one before lead to and no level before has, and nothing that was looked for is in
// any of them.
//
//	sharded.go   what is searched, and which phase follows which
//	state.go     what phases tell each other
//	blocks.go    tables in the depot
//	starts.go, expand.go, merge.go, stuck.go, back.go   the tasks of the search
//	recheck.go, slow.go   and those that check it
//	keep.go      which blocks are still needed
//	outcome.go   what the search came to
package sharded

import (
	"context"
	"fmt"
	"sync"

	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/checker/game"
	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/checker/phase"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/space"
)

// Search is a search in phases. It implements phase.Work.
type Search struct {
	Options
	sys     *rules.System
	in      *interp.Interp
	rules   game.Rules
	history History

	mu     sync.Mutex
	levels map[int][]phase.Block // by phase: those whose blocks were looked up
}

// Options say what is searched for, and how it is divided.
type Options struct {
	Goal       rules.Expr // stop at a state that satisfies it; nil: explore everything
	StuckSteps bool       // count the steps into stuck states, too
	Shards     int        // into how many parts large levels are divided
	Least      int64      // states of a part, unless there is one part only
}

// DefaultLeast is a number of states that a process finds in a time that is long beside that of its
// start.
const DefaultLeast = 1 << 17

// History returns a phase that was written down.
type History func(ctx context.Context, number int) (*phase.Phase, error)

// New returns a search for the states of a System that its starts lead to. The error is one of
// compiling the System.
func New(ctx context.Context, sys *rules.System, o Options, h History) (*Search, error) {
	r, err := game.Of(ctx, sys)
	if err != nil {
		return nil, err
	}
	o.Shards, o.Least = max(1, o.Shards), max(1, o.Least)
	return &Search{Options: o, sys: sys, in: interp.New(sys).Within(ctx), rules: r, history: h, levels: map[int][]phase.Block{}}, nil
}

// The names of the phases.
const (
	startsPhase  = "starts"
	expandPhase  = "expand"
	mergePhase   = "merge"
	stuckPhase   = "stuck"
	backPhase    = "back"
	recheckPhase = "recheck"
	confirmPhase = "confirm"
	donePhase    = "done"
)

// Next implements phase.Work.
func (s *Search) Next(ctx context.Context, last *phase.Phase, results []phase.Result) (*phase.Phase, error) {
	if last == nil {
		return newPhase(startsPhase, &state{}, []phase.Task{{}}), nil
	}
	n := &next{Search: s, ctx: ctx, last: last, results: results, state: new(state)}
	if err := decode(last.State, n.state); err != nil {
		return nil, err
	}
	switch last.Name {
	case startsPhase:
		return n.afterStarts()
	case expandPhase:
		return n.afterExpand()
	case mergePhase:
		return n.afterMerge()
	case stuckPhase:
		return n.afterStuck()
	case backPhase:
		return n.afterBack()
	case recheckPhase:
		return n.afterRecheck()
	case confirmPhase:
		return n.afterConfirm()
	}
	return nil, fmt.Errorf("no phase comes after %q", last.Name)
}

// next is what is known when a phase is whole.
type next struct {
	*Search
	*state
	ctx     context.Context
	last    *phase.Phase
	results []phase.Result
}

// Do implements phase.Work.
func (s *Search) Do(ctx context.Context, e *phase.Env, p *phase.Phase, task int) (phase.Result, error) {
	w := &work{Search: s, ctx: ctx, env: e, phase: p, task: task, state: new(state)}
	if err := decode(p.State, w.state); err != nil {
		return phase.Result{}, err
	}
	do := map[string]func() (phase.Result, error){
		startsPhase: w.starts, expandPhase: w.expand, mergePhase: w.merge, stuckPhase: w.stuck,
		backPhase: w.back, recheckPhase: w.recheck, confirmPhase: w.confirm,
	}[p.Name]
	if do == nil {
		return phase.Result{}, fmt.Errorf("a phase %q has no tasks", p.Name)
	}
	if p.Name != startsPhase {
		var err error
		if w.codec, err = s.codec(w.Room); err != nil {
			return phase.Result{}, err
		}
	}
	r, err := do()
	return r, damaged(err)
}

// work is a task that is done.
type work struct {
	*Search
	*state
	ctx   context.Context
	env   *phase.Env
	phase *phase.Phase
	task  int
	codec *pack.Codec
}

// codec packs whole states with room for so many seeds in a pit.
func (s *Search) codec(room int) (*pack.Codec, error) {
	return pack.NewCodec(s.sys, room, rules.Parts{})
}

// allStarts streams the starts.
func (s *Search) allStarts() forward.Starts {
	return func(ctx context.Context, yield func(rules.State) error) error {
		return space.Starts(ctx, s.in, yield)
	}
}
