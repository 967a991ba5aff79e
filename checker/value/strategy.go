package value

import (
	"context"
	"errors"
	"fmt"

	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/checker/slice"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
)

// Side is a bound on what some states are worth to the first player: at least Bound, or at most
// (Below).
type Side struct {
	Below bool
	Bound int
	From  []rules.State // live
}

// Guarantee is a strategy of one player, by which play from all its states keeps the bound of a
// side.
//
// A move of the strategy leads to a state with a number that is not greater, and so does every move
// of the other player. It is less after a state that endless play must not come back to again and
// again. A finished state has no number; what it is worth is within the bound.
type Guarantee struct {
	States  []rules.State // live ones; what is not among the parts of Guarantees has no meaning in them
	Numbers []int         // by state
}

// NoStrategyError says why strategies cannot be written down.
type NoStrategyError struct {
	Reason string
	Limit  bool // it is a limit
}

func (e *NoStrategyError) Error() string { return e.Reason }

// Limits bound strategies.
type Limits struct {
	Kept     int   // states of all strategies together
	Explored int64 // states that are looked at for a retrograde analysis
}

// Guarantees finds a strategy for each side, with a limit on the total of their states; nil for a
// bound that nobody can guarantee. States are known by the parts that it returns, and the others
// have no influence on the play and its worth. The error is a *NoStrategyError or the context's.
//
// It searches by alpha-beta again, and writes down the moves that keep the bound. Where play can
// come back to a position, or is open somewhere, that does not do, and all states are looked at
// from the ends of play backward.
func Guarantees(ctx context.Context, sys *rules.System, sides []Side, p Payoff, opts Options, most Limits) (rules.Parts, []*Guarantee, error) {
	parts := slice.Keep(ctx, sys, sys.Scores...).Parts
	list, err := provenBySearch(ctx, sys, sides, p, opts, most.Kept)
	if errors.Is(err, errRepeats) || errors.Is(err, errDeep) || errors.As(err, new(*OpenEndError)) {
		list, err = provenBackward(ctx, sys, sides, p, opts, most)
	}
	if errors.Is(err, errLarge) {
		err = &NoStrategyError{fmt.Sprintf("they have more than %d states", most.Kept), true}
	}
	return parts, list, unwritten(ctx, err)
}

// unwritten is the error for strategies that were not found: limits and faults are no failures.
func unwritten(ctx context.Context, err error) error {
	var play *forward.PlayError
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, errNodes):
		return &NoStrategyError{err.Error(), true}
	case errors.As(err, &play):
		err = play.Fault
	}
	if errors.As(err, new(*interp.RuleError)) || errors.As(err, new(*rules.LimitError)) {
		return &NoStrategyError{"in a state that play comes to, " + err.Error(), false}
	}
	return err
}

// errLarge says that strategies have more states than they may have.
var errLarge = errors.New("the strategies are too large")
