// Package interp is the reference interpreter: it plays a System seed by seed, in the obvious way.
// It defines what rules mean, and every faster engine is tested against it.
//
//	interp.go  legal moves; player.go those of many states; tries.go one action of a state
//	numbers.go the domain of numbers, for package exec
//	loop.go    loops that never end
//	start.go   what a start is; layout.go starts that are over before the first move
//	replay.go  moves in their notation, and seed by seed; what comes back in a play
//	errors.go  faults of the rules in play
package interp

import (
	"context"

	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/exec"
)

// Interp plays one System. It may be used by several goroutines.
type Interp struct {
	sys     *rules.System
	program *exec.Program
	ctx     context.Context
}

// New makes an interpreter for sys.
func New(sys *rules.System) *Interp { return &Interp{sys, exec.Read(sys), context.Background()} }

// Within returns an interpreter for the same System that plays until ctx ends. A move may take very
// long, as a sowing of many seeds does. If it ends after ctx, the error is that of ctx.
func (in *Interp) Within(ctx context.Context) *Interp { return &Interp{in.sys, in.program, ctx} }

// System returns the System that is played.
func (in *Interp) System() *rules.System { return in.sys }

// Step is one legal move: the index of its Action, and the settled state it leads to.
type Step struct {
	Action int
	To     rules.State
}

// Steps is Legal with faults of the rules as errors: the first one is returned as a *RuleError.
func (in *Interp) Steps(s rules.State) ([]Step, error) { return in.Player().Steps(s) }

// Legal lists the legal moves of s in the order of the System's Actions; a finished state has none.
// Different Actions are different Steps even if they lead to the same state. An action with a fault
// of the rules has no step, and counts as illegal for the other actions; fault is one of these
// faults, or nil.
func (in *Interp) Legal(s rules.State) (steps []Step, fault *RuleError, err error) {
	seen := noFaults()
	steps, err = in.Player().legal(s, &seen)
	return steps, seen.first, err
}

// FaultAfter returns the action of s after which the fault of Legal occurs: in what follows the
// move, as where an ending tries the moves of the new state. It is -1 if an action of s itself has
// the fault, or there is none.
func (in *Interp) FaultAfter(s rules.State) int {
	seen := noFaults()
	if _, err := in.Player().legal(s, &seen); err != nil {
		return none
	}
	return seen.after
}

// Do executes one action in s. It is legal if and only if Legal lists it; the error is a fault of
// this action.
func (in *Interp) Do(s rules.State, action int) (to rules.State, legal bool, err error) {
	return in.Player().among(s, action)
}

// settle evaluates the Reactions in a live state that is not the end of a turn.
func (in *Interp) settle(s rules.State, seen *faults) (rules.State, error) {
	d := in.begin(s, &in.sys.Start.At)
	d.seen = seen
	err := d.run.Settle(s.Mover, false)
	return rules.State(d.run.S), err
}

// CanMove reports whether s has a legal move. `prefer` only chooses among legal moves, so it does
// not matter. An action whose guard or body meets a fault of the rules is not legal. Reactions
// after an action do not matter either: they may depend on moves themselves.
func (in *Interp) CanMove(s rules.State) (bool, error) { return in.canMove(&numbers{}, s, true, nil) }
