// Package forward searches the states that are reachable from the starts of a System.
//
// The search is breadth first, level by level: a level is the states at one distance from the
// starts. Every state found is in an exact set (package store), which suits the rules: a bit for
// every state there could be, if those are few enough; otherwise a hash set that stores a few bits
// of each state; or, if states are too wide to be numbered, one of whole states.
//
// There is no record of which state was found from which. The levels are kept, in 4 or 5 bytes a
// state, and a play is found by going back through them. Where states do not fit in memory, set and
// levels are files.
//
// The states of a level are in blocks. Workers take blocks and expand their states, each with its
// own stepper, and each adds the successors to the set by itself, in batches. So what is first in a
// level is a matter of chance. But results are about whole levels, and so they depend neither on
// the number of threads nor on the kind of set:
//
//   - A goal, a bad step or an error in the rules ends the search at the end of its level, and the
//     one in the state with the least key is reported. Of several states with a step to the next
//     state of a play, too, it is the one with the least key.
//   - When a limit on states or memory is reached nothing more is stored, but the level is examined
//     to its end. The figures are those of the levels examined, and of the states within the limit;
//     with a limit on memory, the states of whole levels. Memory is what all that is stored takes,
//     and buffers as of one thread.
//
// # Symmetries
//
// If the rules have symmetries (package symmetry) that keep the starts and do not change what the
// query asks, only the least state of each orbit is stored. A goal is reached from the starts if
// and only if it is reached by such states. In the figures each counts as many times as there are
// states in its orbit. The symmetries are looked for only when a search has become long; then it
// begins anew.
//
// States in a list or a graph are in the order of levels, and in a level in that of keys.
//
//	forward.go     queries and results
//	gather.go      the starts, and what all searches here have
//	levels.go      the levels, one after the other
//	search.go      a running search: its limits, its figures; event.go what ends it
//	worker.go      expansion of states
//	query.go       goals, bad steps and counts
//	reduce.go      symmetries
//	ondisk.go      searches that go on in a folder
//	stuck.go       the steps into stuck states
//	trace.go       plays that lead to a state
//	graph.go       the explored states with numbers and all their steps
//	terminates.go, winning.go, perft.go   questions about all plays
//	lasso.go       infinite plays where there are too many states
package forward

import (
	"context"

	"github.com/mancheck/mancheck/checker/store"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/rules"
)

// Starts calls yield for every start of a System, settled, always in the same order. It returns an
// error of yield, and may be called more than once.
type Starts func(ctx context.Context, yield func(rules.State) error) error

// From returns these states as starts.
func From(states ...rules.State) Starts {
	return func(_ context.Context, yield func(rules.State) error) error {
		for _, s := range states {
			if err := yield(s); err != nil {
				return err
			}
		}
		return nil
	}
}

// Options bound a search and say how to run it.
type Options struct {
	limit.Bounds
	MaxDepth int                  // moves from a start; 0: no limit
	Disk     string               // folder for the states, from which a search goes on; empty: they are in memory
	Spill    string               // folder of folders, one for each search whose states do not fit in memory; empty: none
	Observer func(limit.Progress) // called a few times a second, and after each level; may be nil
	Whole    bool                 // store every state, also where the rules have symmetries

	walks bool // see walks.go

	// In tests:
	set  store.Kind // of states
	tiny bool       // the smallest blocks, and threads even for the smallest levels
}

// Query is what to look for and to count. The zero Query explores everything.
type Query struct {
	Goal    rules.Expr   // stop at the first state that satisfies it; may be nil
	BadStep *BadStep     // stop at the first step like this; may be nil
	Count   []rules.Expr // how many states satisfy each

	// StuckTransitions requests the number of transitions into stuck states.
	StuckTransitions bool
	States           bool  // list all states in the Result, if all were examined
	MostListed       int64 // but only if there are at most this many; 0: no limit
}

// BadStep is a kind of step: from a state of From, by one of Actions, to a state of Bad.
type BadStep struct {
	From    rules.Expr // nil: any
	Actions []bool     // by action; nil: any
	Bad     rules.Expr // may use Old
}

// Trace is a play: a start, and the indexes of the actions from it.
type Trace struct {
	Start   rules.State
	Actions []int
}

// Result is the result of a search. Its End is Found with a goal, a bad step or a refusal.
type Result struct {
	limit.End
	Stats   Stats
	Trace   *Trace        // the shortest play to the goal, or up to and including the bad step; nil if none was found
	Refusal error         // why the game refuses the state that the Trace leads to, if it does
	Counts  []int64       // by Query.Count: the states examined that satisfy it
	Checked int64         // with Query.BadStep: the steps from its states, by its actions
	Fired   []bool        // by action: it was legal in some state
	Ended   []bool        // by outcome: some state has it
	States  []rules.State // with Query.States: all of them
	Moves   []int         // by States: from a start
}

// Stats counts what was examined. Finished states are states, without transitions.
type Stats struct {
	Starts               int64
	States               int64            // distinct states found
	Live                 int64            // of those examined: the game goes on, and there is a legal move
	Stuck                int64            // the game goes on, and there is none
	Finished             map[string]int64 // by name of the outcome, and Stuck by rules.StuckLabel
	Transitions          int64            // legal actions in all states
	TransitionsByOutcome map[string]int64 // those that lead to a finished state; to stuck ones if requested
	Depth                int              // moves to the farthest state found
	Examined             int              // every state within this number of moves was examined; -1: not even the starts
	Stored               int64            // states stored, after the reduction by kept parts and by symmetries
	Symmetries           int              // by how many symmetries the states stored were reduced, with the identity; 0: by none
	Bytes                int64            // memory taken by the states
	Seconds              float64
}

// PlayError is an error in the rules that the search has met, with the play that leads to it.
type PlayError struct {
	Fault error // a *step.Fault
	Trace Trace // up to the state in which the error arises
}

func (e *PlayError) Error() string { return e.Fault.Error() }

// Unwrap returns the fault.
func (e *PlayError) Unwrap() error { return e.Fault }
