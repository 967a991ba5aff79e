// Package sharded searches the states reachable from the starts, in phases (package phase) that any
// number of processes and machines share.
//
// It is the breadth-first search of package forward, with the states in sorted tables of keys
// (package sorted), as in package disk. A level is divided into ranges of keys of about equal size,
// and each part is a block. Two phases make a level from the one before:
//
//   - expand: a task examines the states of a range and writes their successors, sorted, to one
//     block of candidates;
//   - merge: a task reads the candidates of a range from all these blocks and writes those that are
//     in no earlier level.
//
// The earlier levels are a few known runs. When there are too many, the smallest are folded into
// one, so that a key is rewritten a logarithmic number of times, as in package disk. A small level
// is one part, whatever the number of shards, since starting a task for few states costs more than
// the states do.
//
// If a level has a state that the search looks for, the search ends with that level, and back
// phases go back through the levels to find a shortest play to the state. Otherwise, when no level
// follows, further phases derive the levels again with the reference interpreter: recheck examines
// the states of all levels, and confirm compares each level with the successors of the level
// before. This shows that the first level has exactly the starts, that each further level has
// exactly those successors of the level before that are in no earlier level, and that no level has
// a state that the search looks for.
//
//	search.go    the search: its options, the state that is passed from phase to phase, the result
//	sharded.go   phases and tasks, by name
//	next.go      the next phase in the search, and in its check
//	tasks.go     tasks of the search, and of the check
//	blocks.go    tables in the depot: how tasks share them, and which are still needed
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
	st := phase.Decode[state](last.State)
	n := &next{Search: s, ctx: ctx, last: last, results: results, state: &st}
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
	st := phase.Decode[state](p.State)
	w := &work{Search: s, ctx: ctx, env: e, phase: p, task: task, state: &st}
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
