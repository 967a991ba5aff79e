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
// What is looked for ends the search after its level, and then phases go back through the levels
// for a shortest play to it. When there is nothing more to find, all is derived once more by the
// reference interpreter, in phases, too: recheck examines the states of all levels, and confirm
// compares each level with what the one before leads to. So the last phase says nothing that was
// not checked block by block: the starts are the first level, each next level is just what the
// moves of the one before lead to and no level before has, and nothing that was looked for is in
// any of them.
//
//	search.go    what is searched for
//	sharded.go   phases and tasks by their names
//	next.go      which phase follows in the search; nextcheck.go and in its check
//	divide.go    how a phase is divided into tasks
//	starts.go, expand.go, merge.go, back.go   the tasks of the search
//	recheck.go, stuck.go   and those that check it; slow.go plays for them
//	state.go     what phases tell each other
//	blocks.go    tables in the depot
//	keep.go      which blocks are still needed
//	outcome.go   what the search came to
package sharded

import (
	"context"
	"fmt"

	"github.com/mancheck/mancheck/checker/phase"
)

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
