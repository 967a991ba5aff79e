// Package value finds what positions of two-player games are worth, and what a player can force.
//
// A play is worth a number to the first player, who wants it as great as possible; the second
// player wants it as small as possible (Payoff). The value of a state is what the play from it is
// worth if both play as well as they can. A solitaire has a first player only.
//
//	value.go      what a play is worth
//	find.go       the value of one state
//	game.go       states as a search sees them: positions, what has been won, and whether every
//	              play ends
//	solve.go      a search from one state: bounds until they meet (line.go: best play)
//	search.go     alpha-beta (team.go: by several threads; recall.go: one search after another)
//	effort.go     how much work positions take: what is not worth being looked up, or divided
//	transposition.go  what is known of positions
//	retrograde.go values of all reachable states, from the ends of play backward
//	region.go     the values in a strongly connected component
//	strategy.go   strategies that keep a bound, by search or from the ends of play backward
//	              (guarantor.go)
//	force.go      what a player can force, and in how many moves
//	positions.go  positions by their ranks, which are looked up in tables: swap.go leaves out
//	              images of others
//	analyst.go    what can be said of any position in any time: bounds, and an estimate
//	deepen.go     the search for that, some moves ahead
//	learn.go      what the rest of a play may be worth, learnt from games by least squares
//
// The search is far faster, as it leaves out most plays. The retrograde analysis keeps every
// reachable state with its steps. It is right also where play can go on for ever, or comes to an
// open end.
package value

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
)

// ErrPlayers is returned for a game of more than two players, which has no value.
var ErrPlayers = errors.New("a game of more than two players has no value")

// OpenEndError says that the rules leave open what a play is worth.
//
// A play comes to an open end if a player has no move, if it ends and the rules do not say who has
// won, or if it never ends and nothing says what that is worth. It is worth a number, and nothing
// is known of it. So a value has bounds: it is at least what the first player can get if such a
// play is taken to be worth as little as can be, and at most what the second player concedes if it
// is taken to be worth as much as can be. Where they meet the value does not depend on open ends.
// One place says what is open: the type pay.
type OpenEndError struct {
	Reason string
	Trace  *forward.Trace // the play; nil if no play is known
}

func (e *OpenEndError) Error() string { return e.Reason }

// openEnd returns an error without a play.
func openEnd(format string, args ...any) error {
	return &OpenEndError{Reason: fmt.Sprintf(format, args...)}
}

// First and Second are the players.
const (
	First = iota
	Second
)

// maximizes reports whether the player to move wants the value as great as possible.
func maximizes(mover int) bool { return mover == First }

// Kind says what a finished play is worth.
type Kind int

const (
	// Result counts a win of the first player as 1, one of the second as -1, and all else as 0. A
	// solitaire that is lost counts as -1.
	Result Kind = iota
	// Margin counts the score of the first player less that of the second.
	Margin
)

// Endless is a convention about plays that never end.
type Endless int

const (
	// NoValue says that the rules do not tell what such a play is worth. A state has a value only
	// if that does not depend on it.
	NoValue Endless = iota
	// Even counts such a play as 0: a draw.
	Even
	// AsScored counts it by the score as it stands, which has to be the same in all states that the
	// play comes back to.
	AsScored
)

// Payoff says what a play is worth to the first player.
type Payoff struct {
	Kind    Kind
	Endless Endless
}

// KindOf returns the kind of payoff that the rules of a game suggest: the margin if all its endings
// leave the winner to the score, and otherwise the result.
func KindOf(sys *rules.System) Kind {
	if sys.Scores == nil {
		return Result
	}
	for _, o := range sys.Outcomes {
		if o.Kind != rules.EndOutcome && o.Kind != rules.EndlessOutcome {
			return Result
		}
	}
	return Margin
}

// byMargin returns the payoff by which a search finds out about another one: the margin, if a
// result is its sign.
func byMargin(sys *rules.System, p Payoff) (_ Payoff, signed bool) {
	if signed = p.Kind == Result && KindOf(sys) == Margin && len(sys.Players) == 2; signed {
		p.Kind = Margin
	}
	return p, signed
}

// judge evaluates finished states.
type judge struct {
	Payoff
	sys *rules.System
	in  *interp.Interp
}

// newJudge fails with ErrPlayers, or with an *OpenEndError if the payoff does not suit the game.
func newJudge(ctx context.Context, sys *rules.System, p Payoff) (*judge, error) {
	if len(sys.Players) > 2 {
		return nil, ErrPlayers
	}
	if p.Kind == Margin && sys.Scores == nil {
		return nil, openEnd("%s has no `score`", sys.Name)
	}
	if p.Endless == AsScored && sys.Scores == nil {
		p.Endless = NoValue // there is nothing by which it could count
	}
	return &judge{Payoff: p, sys: sys, in: interp.New(sys).Within(ctx)}, nil
}

// pay is what a play is worth to the first player: a number from lo to hi. They are the same unless
// the play has come to an open end; then the rules leave it open, for this reason.
type pay struct {
	lo, hi int
	open   string
}

func paid(v int) pay { return pay{lo: v, hi: v} }

// value is the number, or an *OpenEndError.
func (p pay) value() (int, error) {
	if p.open != "" {
		return 0, openEnd("%s", p.open)
	}
	return p.lo, nil
}

// open is what a play is worth that comes to an open end: anything. Who wins it may be any player,
// or nobody. What a player can do about it decides how much a value depends on it.
func (j *judge) open(reason string) pay {
	if j.Kind == Result {
		return pay{-1, 1, reason}
	}
	return pay{lowest, highest, reason}
}

// unbounded returns bounds of what a play is worth of which nothing is known. They leave room for
// sums.
func (j *judge) unbounded() (lo, hi int) {
	if j.Kind == Result {
		return -1, 1
	}
	return lowest / 2, highest / 2
}

// orNone returns bounds, without those that come from nothing but unbounded.
func orNone(lo, hi int) (int, int) {
	if lo < lowest/4 {
		lo = NoLower
	}
	if hi > highest/4 {
		hi = NoUpper
	}
	return lo, hi
}

// of is what a play is worth that has ended in this finished state.
func (j *judge) of(s rules.State) (pay, error) {
	switch {
	case s.Outcome == j.sys.Endless() && j.Endless == NoValue:
		return j.open("a move never ends, and the rules do not say what that is worth"), nil
	case s.Outcome == j.sys.Endless():
		return j.endless(s)
	case j.Kind == Margin:
		return j.margin(s)
	}
	return j.result(s)
}

// stuckReason says why a play is open whose last state has no move.
const stuckReason = "a player has no move, and the rules do not say what that is worth"

// stuck is what a play is worth that comes to a state without a move.
func (j *judge) stuck() pay { return j.open(stuckReason) }

// endless is what a play is worth that comes back to this state for ever, and to no state with
// another score if that counts.
func (j *judge) endless(s rules.State) (pay, error) {
	switch j.Endless {
	case NoValue:
		return j.open("play can go on for ever, and the rules do not say what that is worth"), nil
	case Even:
		return paid(0), nil
	}
	p, err := j.margin(s)
	if j.Kind == Result {
		p = paid(sign(p.lo))
	}
	return p, err
}

// variesReason says why a play is open that never ends, if it counts by the score.
const variesReason = "play can go on for ever while the score changes"

// circle is what a play is worth that goes round in these states for ever. Where the score counts
// and changes, that is from the least score to the greatest.
func (j *judge) circle(states []rules.State) (pay, error) {
	all, err := j.endless(states[0])
	for _, s := range states[1:] {
		p, failed := j.endless(s)
		if err = cmp.Or(err, failed); err == nil && p != all {
			all = pay{min(p.lo, all.lo), max(p.hi, all.hi), variesReason}
		}
	}
	return all, err
}

// result is 1, 0 or -1.
func (j *judge) result(s rules.State) (pay, error) {
	switch o := &j.sys.Outcomes[s.Outcome]; {
	case o.Kind == rules.LoseOutcome || o.Kind == rules.WinOutcome && o.Winner == Second:
		return paid(-1), nil
	case o.Kind == rules.WinOutcome:
		return paid(1), nil
	case o.Kind == rules.DrawOutcome:
		return paid(0), nil
	case len(j.sys.Players) < 2 || j.sys.Scores == nil:
		return j.open("the rules do not say who has won where the game ends as " + j.sys.OutcomeName(s.Outcome)), nil
	}
	p, err := j.margin(s)
	return paid(sign(p.lo)), err
}

// margin is the score of the first player less that of the second.
func (j *judge) margin(s rules.State) (pay, error) {
	m, err := j.in.Eval(j.sys.Scores[First], s, nil)
	if err != nil {
		return pay{}, err
	}
	if len(j.sys.Scores) > 1 {
		n, err := j.in.Eval(j.sys.Scores[Second], s, nil)
		if err != nil {
			return pay{}, err
		}
		m -= n
	}
	if m <= lowest/2 || m >= highest/2 {
		return pay{}, rules.BeyondRange(j.sys.Start.At, "the margin of a game")
	}
	return paid(m), nil
}

func sign(n int) int {
	switch {
	case n > 0:
		return 1
	case n < 0:
		return -1
	}
	return 0
}

// linear is a number that depends on the seeds: a constant, and for each pit a weight for each of
// its seeds.
type linear struct {
	constant int
	weights  []int
}

// maxWeight bounds weights, and its square constants, so that no worth of a board overflows.
const maxWeight = 1 << 20

// linearMargin returns the score of the first player less that of the second, if it is linear.
func linearMargin(sys *rules.System) (linear, bool) {
	var sum rules.Linear
	for p, x := range sys.Scores {
		factor := 1
		if p != First {
			factor = -1
		}
		if !sum.Add(x, factor) {
			return linear{}, false
		}
	}
	l := linear{constant: sum.Constant, weights: make([]int, len(sys.Pits))}
	for _, t := range sum.Terms {
		p, fixed := rules.SeedsOf(t.X)
		if !fixed || t.Factor > maxWeight || t.Factor < -maxWeight {
			return l, false
		}
		if l.weights[p] += t.Factor; l.weights[p] > maxWeight || l.weights[p] < -maxWeight {
			return l, false
		}
	}
	return l, l.constant < maxWeight*maxWeight && l.constant > -maxWeight*maxWeight
}
