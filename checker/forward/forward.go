// Package forward searches the states that are reachable from the starts of a System.
//
// The search is breadth first, level by level, where a level is the states at one distance from the
// starts. Every state found is in an exact set (package store). Its kind depends on the rules: a
// bit for every possible state, if there are few enough; a hash set that stores a few bits of each
// state; or, if states are too wide to be numbered, a set of whole states.
//
// The search does not record from which state another was found. It keeps the levels, in 4 or 5
// bytes a state, and finds a play by going back through them. If states do not fit in memory, the
// set and the levels are files.
//
// The states of a level are in blocks. Workers take blocks and expand their states, each with its
// own stepper, and add the successors to the set in batches. So the order within a level is random.
// But results are about whole levels, so they depend neither on the number of threads nor on the
// kind of set:
//
//   - A goal, a bad step or a fault of the rules ends the search at the end of its level. The one
//     in the state with the least key is reported. Of several states with a step to the next state
//     of a play, too, the one with the least key is taken.
//   - When a limit on states or memory is reached, nothing more is stored, but the level is
//     examined to its end. The figures are those of the levels examined, and of the states within
//     the limit; with a limit on memory, of whole levels. Memory is that of everything stored, and
//     of the buffers of a single thread.
//
// # Symmetries
//
// If the rules have symmetries (package symmetry) that keep the starts and what the query asks,
// only the least state of each orbit is stored. A goal is reachable if and only if it is reachable
// through such states. In the figures each of them counts as many times as its orbit has states.
// Symmetries are looked for only when a search has become long; it then begins anew.
//
// States in a list or a graph are ordered by level, and within a level by key.
//
//	forward.go     queries and results
//	gather.go      the starts, and what all searches here have in common
//	levels.go      the levels, one after the other
//	search.go      a running search and its limits
//	figures.go   what is counted, and what ends the search
//	worker.go      expansion of states
//	query.go       goals, bad steps and counts
//	reduce.go      symmetries
//	byrows.go      searches that rows take over
//	ondisk.go      searches that can continue in a folder
//	stuck.go       the steps into stuck states
//	part.go        parts of a search that is divided among processes
//	trace.go       plays that lead to a state
//	graph.go       the explored states with numbers, and all their steps
//	terminates.go, plays.go   questions about all plays
package forward

import (
	"context"

	"github.com/mancheck/mancheck/checker/store"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/rules"
)

// Starts calls yield for every start of a System, settled, always in the same order. It returns an
// error of yield. It may be called more than once.
type Starts func(ctx context.Context, yield func(rules.State) error) error

// From returns a Starts that yields these states.
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

// Options limit a search and say how to run it.
type Options struct {
	limit.Bounds
	MaxDepth int                  // number of moves from a start; 0: no limit
	Disk     string               // folder for the states, in which a later search can continue; empty: they are in memory
	Spill    string               // folder for such folders, one for each search that does not fit in memory; empty: none
	Observer func(limit.Progress) // called a few times a second, and after each level; may be nil
	Whole    bool                 // store every state, even if the rules have symmetries

	walks bool // levels have all states that plays reach, even those of earlier levels; see terminates.go

	// Set by tests only:
	set  store.Kind // of states
	tiny bool       // the smallest blocks, and several threads even for small levels
	rows bool       // explore by rows from the beginning
}

// Query says what to look for and what to count. The zero Query explores everything.
type Query struct {
	Goal    rules.Expr   // stop at a state that satisfies it; may be nil
	BadStep *BadStep     // stop at such a step; may be nil
	Count   []rules.Expr // count the states that satisfy each

	// StuckTransitions requests the number of steps into stuck states, which takes extra work.
	StuckTransitions bool
	Depth            bool  // find Stats.Depth, which costs more if there are many states
	States           bool  // list all states in the Result, if all were examined
	MostListed       int64 // but only if there are at most this many; 0: no limit
}

// BadStep is a kind of step: from a state of From, by one of Actions, to a state of Bad.
type BadStep struct {
	From    rules.Expr // nil: any
	Actions []bool     // by action; nil: any
	Bad     rules.Expr // may use Old
}

// Trace is a play: a start and the indexes of the actions from there.
type Trace struct {
	Start   rules.State
	Actions []int
}

// Result is the result of a search. Its End is Found if there is a goal, a bad step or a refusal.
type Result struct {
	limit.End
	Stats   Stats
	Trace   *Trace        // a shortest play to the goal, or up to and including the bad step; nil if none was found
	Refusal error         // why the game refuses the state at the end of Trace; nil if it does not
	Counts  []int64       // by Query.Count: the number of states examined that satisfy it
	Checked int64         // with Query.BadStep: the number of steps that were checked
	Fired   []bool        // by action: it was legal in some state
	Ended   []bool        // by outcome: some state has it
	States  []rules.State // with Query.States: all of them
	Moves   []int         // by States: the number of moves from a start
}

// Stats counts what was examined. Finished states count as states, without transitions.
type Stats struct {
	Starts               int64
	States               int64            // number of distinct states found
	Live                 int64            // number of those examined in which the game goes on and there is a legal move
	Stuck                int64            // in which the game goes on and there is none
	Finished             map[string]int64 // by name of the outcome; stuck states under rules.StuckLabel
	Transitions          int64            // number of legal actions in all states
	TransitionsByOutcome map[string]int64 // number of those that lead to finished states; to stuck ones if requested
	Depth                int              // number of moves to the farthest state found; -1: not known
	Examined             int              // every state within this number of moves was examined; -1: not even all starts
	Stored               int64            // number of states stored, after the reduction by kept parts and symmetries
	Symmetries           int              // order of the group of symmetries that the states were reduced by; 0: none
	Bytes                int64            // memory of the states
	Seconds              float64
}

// PlayError is a fault of the rules that the search has run into, with the play that leads to it.
type PlayError struct {
	Fault error // an *interp.RuleError
	Trace Trace // up to the state in which the fault occurs
}

func (e *PlayError) Error() string { return e.Fault.Error() }

// Unwrap returns the fault.
func (e *PlayError) Unwrap() error { return e.Fault }
