// Package space lists the states that satisfy a condition: starts, targets, all states of the right
// shape.
//
// The search fixes mover, outcome and variables first, simplifying the condition as it goes, and
// then the pits one after another. The rest of the condition is compiled into constraints on the
// pits (narrow.go); each narrows a box of bounds (box.go) or shows it to be empty, so that few
// boards are tried in vain. Every result is checked with the reference interpreter. So constraints
// only have to be necessary, not sufficient: a constraint that is too weak costs time, but one that
// is too strong would lose states.
package space

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
)

// ErrStop returned by a yield function ends the listing without an error.
var ErrStop = errors.New("stop")

// InfiniteError says that a set of states seems to be infinite, because some pits have no bound.
type InfiniteError struct{ Pits []string }

func (e *InfiniteError) Error() string {
	return fmt.Sprintf("infinitely many states: nothing bounds the seeds of %s", strings.Join(e.Pits, ", "))
}

// Starts yields all starts, settled, each once, in increasing order of the distributions they come
// from. The error is the context's, that of yield, an *InfiniteError, a fault of the rules or a
// *rules.LimitError.
func Starts(ctx context.Context, in *interp.Interp, yield func(rules.State) error) error {
	return StartsUpTo(ctx, in, nil, yield)
}

// StartsUpTo is Starts for those with at most the given number of seeds; nil is no bound.
func StartsUpTo(ctx context.Context, in *interp.Interp, seeds *int, yield func(rules.State) error) error {
	sys := in.System()
	s := &search{ctx: ctx, in: in, kept: rules.Parts{Pits: sys.Start.Free}, most: seeds, state: sys.EmptyStart()}
	seen := moved{in: in, keys: map[string]bool{}}
	s.emit = func(raw rules.State) error {
		ok, err := in.SetupHolds(raw)
		if err != nil || !ok {
			return err
		}
		settled, err := in.Start(raw)
		if err != nil || seen.again(raw, settled) {
			return err
		}
		return yield(settled)
	}
	return stopped(s.pits([]rules.Expr{sys.Start.Cond}))
}

// moved are starts in which an ending or a reaction has moved seeds. Several distributions may
// settle to one of these, and it may be a distribution that settles to itself.
type moved struct {
	in   *interp.Interp
	keys map[string]bool
}

// again reports whether the start that raw settles to is also found from another distribution,
// which yields it: from the one that has the seeds of the start itself, or else from the first one
// seen.
func (m moved) again(raw, settled rules.State) bool {
	if slices.Equal(raw.Seeds, settled.Seeds) {
		return false
	}
	own := raw.Clone()
	copy(own.Seeds, settled.Seeds)
	if ok, err := m.in.SetupHolds(own); ok && err == nil {
		if same, err := m.in.Start(own); err == nil && same.Equal(settled) {
			return true
		}
	}
	key := fmt.Sprint(settled)
	known := m.keys[key]
	m.keys[key] = true
	return known
}

// Matching yields all states of the right shape that satisfy cond, reachable or not, in the order
// of State.Compare: live ones with every mover and every combination of values of variables, then
// those finished with each outcome that the rules can produce. A state finished only by endings
// without a body satisfies the condition of one of these, for some values of the ignored parts.
// Ignored pits are empty in listed states, ignored variables have their initial values. Errors are
// as for Starts, or an *interp.HiddenError if cond reads an ignored part.
func Matching(ctx context.Context, in *interp.Interp, cond rules.Expr, keep rules.Kept, yield func(rules.State) error) error {
	return MatchingUpTo(ctx, in, cond, keep, nil, yield)
}

// MatchingUpTo is Matching for states with at most the given number of seeds in the kept pits; nil
// is no bound.
func MatchingUpTo(ctx context.Context, in *interp.Interp, cond rules.Expr, keep rules.Kept, seeds *int, yield func(rules.State) error) error {
	sys := in.System()
	for outcome := rules.Live; outcome < len(sys.Outcomes); outcome++ {
		more := rules.True
		movers := len(sys.Players)
		if outcome != rules.Live {
			more, movers = implied(sys, outcome), 1
		}
		for mover := range movers {
			m := &matching{cond: in.Reader(cond), yield: yield}
			m.search = search{ctx: ctx, in: in, most: seeds, state: sys.EmptyStart(), emit: m.check}
			m.state.Outcome, m.state.Mover = outcome, mover
			if outcome != rules.Live {
				m.state.Mover = rules.None
			}
			m.kept = keep.PartsOf(m.state)
			weak := rules.Weaken(more, m.kept)
			m.more = in.Reader(weak)
			if err := m.vars(0, rules.Conjuncts(rules.Conjunction(weak, cond))); err != nil {
				return stopped(err)
			}
		}
	}
	return nil
}

// stopped turns the end that a yield function asked for into success.
func stopped(err error) error {
	if errors.Is(err, ErrStop) {
		return nil
	}
	return err
}

// implied returns a condition that all states finished with the outcome satisfy: False if nothing
// produces it, and True if nothing is known.
func implied(sys *rules.System, outcome int) rules.Expr {
	if inBodies(sys, outcome) {
		return rules.True
	}
	any := rules.False
	for mover, by := range sys.EachReaction() {
		if o, plain := by.Plain(); !plain || o != outcome {
			continue
		}
		if rules.AsksFor(by.When, rules.NoMove) { // asked of the live state, before the game was over
			return rules.True
		}
		when := rules.Simplify(by.When, func(x rules.Expr) (rules.Const, bool) {
			return rules.Const{Value: mover, Type: rules.PlayerType}, rules.IsFixed(x, rules.RegisterCell, rules.MoverReg)
		})
		any = rules.Simplify(rules.Binary{Op: rules.Or, L: any, R: when}, nil)
	}
	return any
}

// inBodies reports whether a body that does more than end the game may end it with the outcome.
func inBodies(sys *rules.System, outcome int) bool {
	ends := func(body []rules.Stmt) bool { return rules.EffectsOf(body).MayEnd(sys, outcome) }
	for _, by := range sys.EachReaction() {
		if _, plain := by.Plain(); !plain && ends(by.Body) {
			return true
		}
	}
	return slices.ContainsFunc(sys.Actions, func(a rules.Action) bool { return ends(a.Body) })
}
