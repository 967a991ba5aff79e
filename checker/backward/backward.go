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
//     The drops are undone: the pit sown from must be empty then, and s has these seeds in it
//     (unsow.go). All drops but the last fall into the same pits for any number of seeds, so when
//     one of them finds no seed to undo, no greater number is possible. If each round drops a seed
//     into the pit sown from, the seeds now in it determine the number of rounds. The pits of the
//     last seed are followed to the end of the body, and those after which t cannot result are not
//     tried. Ignored pits take any number of seeds; they are empty in s.
//
// Any other way makes the search fail with a HardError instead of giving an answer that may be
// incomplete. After the body an Ending may finish the game; it must not move seeds either. A
// variable that neither sets has the same value in s as in t; for others all values that the guard
// allows are tried. The mover of s is that of a. So s, or a state that agrees with it on the kept
// parts, is among the candidates. What does not depend on the seeds of t is found once for all
// states with the same status and variables (class.go). Since the stepper confirms each candidate,
// the other parts of a rule (guards, requirements, preferences, endings) need no inversion.
//
// An action that meets a fault of the rules has no step, and does not affect other actions.
//
// The reference interpreter only evaluates goals and setups, and words the first fault: the code
// that plays the moves of a search shares nothing with the code that checks its results
// (rules/exec). Of a setup it is asked only about states that satisfy the compiled conditions of
// starts (setup.go).
//
// # Memory
//
// The states are packed into words and kept in an exact set (package pack). The number of seeds has
// no bound, so the keys have room for some, and when a state has more, all are packed anew, with
// wider fields (store.go). Nothing else is recorded for a state. A play from it is found again by
// going from level to level (Result.Play).
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
	"fmt"

	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/checker/slice"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/rules"
)

// Options limits a search. The zero value searches until a start is found or the set is closed.
type Options struct {
	limit.Bounds
	MaxDepth *int                 // moves to the goal; nil: no limit
	MaxSeeds *int                 // states with more seeds are in no play and are skipped; nil: no limit
	All      bool                 // continue after a start is found, to get the whole set and all starts in it
	Blind    bool                 // look for no start: only the set is wanted
	Exact    bool                 // only states certainly of the right shape, so that they can be counted
	Also     []rules.Expr         // what these read is kept, too
	Observer func(limit.Progress) // called after each level; may be nil
}

// Start is a start from which the goal can be reached.
type Start struct {
	Index   int         // the state of the set that it agrees with
	State   rules.State // complete and settled
	Open    []int       // values of the open parameters, in the order of System.OpenParams
	Actions []int       // a shortest play to the goal; left to Result.Play with Options.All
}

// Result is the set that a search has found. Its End is Complete if the set is closed: it holds
// every predecessor of each of its states, and may hold starts with Options.All or Blind. It is
// Found with a start where the rest was not requested, and Undecided if predecessors, targets or
// starts cannot be constructed. States have numbers, in the order in which they were
// found: targets first, then level by level.
type Result struct {
	limit.End
	Kept    slice.Slice // what is kept, and why the rest is not
	Targets int         // how many of the first states satisfy the goal; if none does, the question was vacuous
	Levels  []int       // number of states by distance, in moves to the goal
	Steps   int64       // steps found between states of the set
	Bytes   int64       // memory allocated for the set
	Starts  []Start     // those at the least distance that has one, with Options.All at any; the least parameters first
	Fault   error       // a fault of the rules in an action from some examined state; nil if there was none
	states  *store
	inverse *inverse
}

// Len returns the number of states of the set.
func (r *Result) Len() int { return r.states.len() }

// State returns state i of the set, with ignored parts empty or at their initial values.
func (r *Result) State(i int) rules.State {
	sys := r.states.sys
	f := pack.NewFlat(sys)
	r.states.read(i, f)
	return f.View(sys)
}

// Vacuous reports whether no state satisfies the goal, reachable or not.
func (r *Result) Vacuous() bool { return r.Stop == limit.Complete && r.Targets == 0 }

// Others returns the number of states of the set that do not satisfy the goal themselves.
func (r *Result) Others() int { return r.Len() - r.Targets }

// HardError says that predecessors cannot be constructed completely.
type HardError struct{ Reason string }

func (e *HardError) Error() string { return e.Reason }

func hard(format string, args ...any) error { return &HardError{fmt.Sprintf(format, args...)} }

// Play returns the actions of a shortest way from state i to the goal. No way is recorded in the
// search: each step is to the first of the states one move nearer to the goal, and its action the
// first that leads there. The error is a failure of the tool.
func (r *Result) Play(i int) ([]int, error) {
	var actions []int
	for i >= r.Targets {
		action, next, err := r.step(i)
		if err != nil {
			return nil, err
		}
		actions = append(actions, action)
		i = next
	}
	return actions, nil
}

// distance returns the moves from state i to the goal.
func (r *Result) distance(i int) int {
	d := 0
	for d < len(r.Levels) && i >= r.Levels[d] {
		i -= r.Levels[d]
		d++
	}
	return d
}

// level returns the numbers from which and up to which states have this distance.
func (r *Result) level(distance int) (from, to int) {
	for _, n := range r.Levels[:distance] {
		from += n
	}
	return from, from + r.Levels[distance]
}

// step returns the first step of a shortest way from state i to the goal.
func (r *Result) step(i int) (action, next int, err error) {
	v := r.inverse
	from, to := r.level(r.distance(i) - 1)
	s, next := pack.NewFlat(v.sys), to
	r.states.read(i, s)
	for a := range v.actions {
		after, legal, err := v.player.Do(s, a)
		if limit.Ended(err) {
			return 0, 0, err
		}
		if err != nil || !legal {
			continue
		}
		if j, known := r.states.find(after); known && from <= j && j < next {
			action, next = a, j
		}
	}
	if next == to {
		return 0, 0, hard("state %d of the set has no step towards the goal", i)
	}
	return action, next, nil
}
