// Package forward searches the states that can be reached from the starts of a System.
//
// The search is breadth first, level by level: a level is the states at one distance from the
// starts. States are stored once, packed, in an exact set that numbers them in the order in which
// they are met. The states of a level are cut into chunks of fixed size. Workers expand chunks into
// buffers of packed successors, each with its own machine; then the buffers are merged into the set
// in the order of the chunks. So numbers, counts and traces do not depend on the number of threads.
// Before the merge the workers look their successors up in the set, which does not change
// meanwhile, and drop those that are in it; what is left for the one merging thread is little more
// than the new states.
//
// Because states are numbered in the order of their first predecessors, the predecessors of states
// 0, 1, 2, … never decrease, and two bits a state are enough to find them again (births.go).
//
//	forward.go   queries and results
//	search.go    the levels, the merge, the limits
//	worker.go    expansion of a chunk
//	births.go    who was first to reach a state
//	trace.go     plays that lead to a state
//	graph.go     the explored states with all their steps
//	terminates.go, winning.go, perft.go   questions about all plays
package forward

import (
	"context"
	"runtime"
	"time"

	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/rules"
)

// Starts calls yield for every start of a System, settled, always in the same order. It passes on
// an error of yield, and may be called more than once.
type Starts func(ctx context.Context, yield func(rules.State) error) error

// From gives these states as starts.
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

// Options bound a search and say how it is to be done.
type Options struct {
	MaxStates int64          // states stored; 0: no limit
	MaxMemory int64          // bytes; 0: most of the machine's memory
	MaxDepth  int            // moves from a start; 0: no limit
	Threads   int            // 0: as many as there are processors
	Keep      rules.Parts    // what of a state is stored. Nothing else may bear on the play or the query
	Observer  func(Progress) // told of the progress a few times a second, and after each level; may be nil
}

// Progress says how far a search is.
type Progress struct {
	Depth       int // moves to the level under way
	States      int64
	Open        int64 // states not examined yet
	Transitions int64
	Bytes       int64
	Elapsed     time.Duration
}

// Query is what to look for and to count. The zero Query explores all.
type Query struct {
	Goal    rules.Expr   // stop at the first state that satisfies it; may be nil
	BadStep *BadStep     // stop at the first step like this; may be nil
	Count   []rules.Expr // how many states satisfy each

	// StuckTransitions asks for the number of transitions into stuck states. If there are stuck
	// states that takes a second pass.
	StuckTransitions bool
	States           bool  // list all states in the Result, if all were examined
	MostListed       int64 // but not if there are more than so many; 0: no limit
}

// BadStep is a kind of step: from a state of From, by one of Actions, to a state of Bad.
type BadStep struct {
	From    rules.Expr // nil: any
	Actions []bool     // by action; nil: any
	Bad     rules.Expr // may use Old
}

// Stop says why a search ended.
type Stop int

const (
	Exhausted   Stop = iota // all reachable states were examined
	GoalFound               // or a bad step
	DepthLimit              // all states within MaxDepth moves were examined, and there are more moves
	StateLimit              // MaxStates
	MemoryLimit             // MaxMemory
	Cancelled               // by the context
)

var stopNames = [...]string{"exhausted", "goal found", "depth limit", "state limit", "memory limit", "cancelled"}

func (s Stop) String() string { return stopNames[s] }

// Trace is a play: a start, and the indexes of the actions from there.
type Trace struct {
	Start   rules.State
	Actions []int
}

// Result is what a search has found.
type Result struct {
	Stop    Stop
	Reason  string // Stop in plain words, with its figures
	Stats   Stats
	Trace   *Trace        // the shortest play to the goal, or up to and with the bad step; nil if none was found
	Counts  []int64       // by Query.Count: the states examined that satisfy it
	Checked int64         // with Query.BadStep: the steps from its states, by its actions
	Fired   []bool        // by action: it was legal in some state
	Ended   []bool        // by outcome: some state has it
	States  []rules.State // with Query.States: all of them, in the order in which they were met
}

// Stats counts what was examined. Finished states are states, without transitions.
type Stats struct {
	Starts               int64
	States               int64            // distinct states met
	Live                 int64            // of those examined: the game goes on, and there is a legal move
	Stuck                int64            // the game goes on, and there is none
	Finished             map[string]int64 // by label of the outcome, and Stuck by rules.StuckLabel
	Transitions          int64            // legal actions in all states
	TransitionsByOutcome map[string]int64 // those that lead to a finished state; to stuck ones if they were asked for
	Depth                int              // moves to the farthest state met
	Examined             int              // every state within this number of moves was examined; -1: not even the starts
	Stored               int64            // states stored, after what Options.Keep leaves out
	Bytes                int64            // memory taken by the states
	Seconds              float64
}

// PlayError is an error in the rules that the search has met, with the play that leads to it.
type PlayError struct {
	Fault error // a *step.Fault
	Trace Trace // up to the state in which the error arises
}

func (e *PlayError) Error() string { return e.Fault.Error() }

// Unwrap gives the fault.
func (e *PlayError) Unwrap() error { return e.Fault }

func (o Options) threads() int {
	if o.Threads > 0 {
		return o.Threads
	}
	return runtime.GOMAXPROCS(0)
}

// Memory is the limit on bytes: MaxMemory, or else most of what the machine has.
func (o Options) Memory() int64 {
	if o.MaxMemory > 0 {
		return o.MaxMemory
	}
	return limit.DefaultMemory()
}
