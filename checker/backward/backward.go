// Package backward searches against the direction of play: from the states that satisfy a predicate
// to their predecessors, until nothing is added. The number of seeds is not bounded, and no start
// is needed: if a set closed under predecessors contains no start, then no play, with any number of
// seeds, reaches the predicate.
//
// Parts of a state that do not matter are ignored (package slice). A set of such reduced states
// stands for all states that agree with one of its members on the kept parts; a step of one is a
// step of all.
//
// # Predecessors by construction
//
// The predecessors of a state t are found by making candidates and playing each with the compiled
// stepper. None is missed, for this reason. Let action a lead from s to t. Its body goes one of
// finitely many ways, which are found by following all its branches (way.go). Branches that end the
// game with another outcome than t's are dropped, and so are those at whose end some variable
// cannot have its value in t. Each remaining way must be one of these:
//
//   - No seed is moved. Then s has the seeds of t.
//   - One sowing of all seeds of a pit, with nothing done between the drops. Where it starts, which
//     pit is tried first and which pits are skipped may depend on variables; all their values are
//     tried (plan.go). With these fixed, the number of seeds determines into which pits they fall.
//     1, 2, 3, … seeds are tried in turn and the drops undone: the pit sown from must be empty
//     then, and s has these seeds in it. All drops but the last fall into the same pits for any
//     number of seeds, so when one of them finds no seed to undo, no greater number is possible.
//     Ignored pits take any number of seeds; they are empty in s.
//
// Any other way makes the search fail with a HardError instead of giving an answer that may be
// incomplete. After the body an Ending may finish the game; it must not move seeds either. A
// variable that neither sets has the same value in s as in t; for others all values that the guard
// allows are tried. The mover of s is that of a. So s, or a state that agrees with it on the kept
// parts, is among the candidates (candidate.go). Since the stepper confirms each candidate, the
// other parts of a rule (guards, requirements, preferences, endings) need no inversion.
//
// An action that meets a fault of the rules has no step, and does not affect other actions.
//
// The reference interpreter only evaluates goals and setups, and words the first fault: the code
// that plays the moves of a search shares nothing with the code that checks its results
// (rules/exec).
//
// # Starts
//
// A state of the set stands for several full states, but when all starts are wanted (Options.All)
// it stands for at most one start: pits whose number the setup does not give are kept, and the
// setup gives the others. If the starts have at most n seeds, no state with more is on a play from
// one of them (Options.MaxSeeds), as seeds are neither made nor lost. The set without such states
// is closed as far as starts are concerned, and the starts in it are all starts from which the goal
// can be reached.
package backward

import (
	"github.com/mancheck/mancheck/checker/slice"
	"github.com/mancheck/mancheck/rules"
)

// Options limits a search. The zero value searches until a start is found or the set is closed.
type Options struct {
	MaxStates int64          // 0: no limit
	MaxMemory int64          // bytes, as estimated; 0: no limit
	MaxDepth  *int           // moves to the goal; nil: no limit
	MaxSeeds  *int           // states with more seeds are in no play and are skipped; nil: no limit
	All       bool           // continue after a start is found, to get the whole set and all starts in it
	Blind     bool           // look for no start: only the set is wanted
	Exact     bool           // only states certainly of the right shape, so that they can be counted
	Also      []rules.Expr   // what these read is kept, too
	Observer  func(Progress) // called after each level; may be nil
}

// Progress says how far a search has got.
type Progress struct {
	Depth    int // moves to the goal from the level just finished
	States   int64
	Frontier int64 // states of that level
	Steps    int64 // steps found
}

// Stop says why a search ended.
type Stop int

const (
	Closed      Stop = iota // every predecessor of every state is in the set, which may hold starts with Options.All or Blind
	StartFound              // a start is in the set, and the rest of it was not requested
	StateLimit              // Options.MaxStates
	MemoryLimit             // Options.MaxMemory
	DepthLimit              // Options.MaxDepth
	Hard                    // predecessors, targets or starts cannot be constructed
	Interrupted             // the context was done
)

var stopNames = [...]string{"closed", "start found", "state limit", "memory limit", "depth limit", "hard", "interrupted"}

func (s Stop) String() string { return stopNames[s] }

// Goal stands for the successor of a target.
const Goal = -1

// Node is what is known of one state: a shortest way to the goal, and how many states lead to it.
type Node struct {
	Distance int // moves to the goal
	Action   int // the next of them; Goal in a target
	Next     int // the state that it leads to; Goal in a target
	Preds    int // distinct predecessors, as far as they were searched
}

// Start is a start from which the goal can be reached.
type Start struct {
	Node    int         // the state of the set that it agrees with
	State   rules.State // complete and settled
	Open    []int       // values of the open parameters, in the order of System.OpenParams
	Actions []int       // a shortest play to the goal; left to Result.Play with Options.All
}

// Result is the set that a search has found, in the order in which it was found: targets first,
// then level by level.
type Result struct {
	Stop    Stop
	Reason  string      // in words
	Kept    slice.Slice // what is kept, and why the rest is not
	Nodes   []Node
	Targets int     // how many of the first nodes satisfy the goal; if none does, the question was vacuous
	Levels  []int   // number of states by distance
	Steps   int64   // steps found between states of the set
	Bytes   int64   // memory for the set, as estimated
	Starts  []Start // those at the least distance that has one, with Options.All at any; the least parameters first
	Fault   error   // a fault of the rules that an action met in some examined state; nil if none did
	keys    []string
	codec   codec
}

// State returns state i of the set, with ignored parts empty or at their initial values.
func (r *Result) State(i int) rules.State { return r.codec.decode(r.keys[i]) }

// Vacuous reports whether no state at all satisfies the goal.
func (r *Result) Vacuous() bool { return r.Stop == Closed && r.Targets == 0 }

// Others returns the number of states of the set that do not satisfy the goal themselves.
func (r *Result) Others() int { return len(r.Nodes) - r.Targets }

// Play returns the actions of a shortest way from state i to the goal.
func (r *Result) Play(i int) []int {
	var actions []int
	for ; r.Nodes[i].Next != Goal; i = r.Nodes[i].Next {
		actions = append(actions, r.Nodes[i].Action)
	}
	return actions
}
