// Package value finds what positions of two-player games are worth, and what a player can force.
//
// A play is worth a number to the first player, who wants it as great as possible; the second
// player wants it as small as possible (Payoff). The value of a state is what the play from it is
// worth if both play as well as they can. A solitaire has a first player only.
//
//	payoff.go     what a play is worth
//	find.go       the value of one state
//	game.go       states as a search sees them: positions, and what has been won
//	ends.go       whether every play ends
//	stuck.go      whether every player can always move
//	solve.go      a search from one state: bounds until they meet (line.go: best play)
//	search.go     alpha-beta (team.go: by several threads; recall.go: one search after another)
//	effort.go     how much work positions take: what is not worth being looked up, or divided
//	transposition.go  what is known of positions
//	retrograde.go values of all reachable states, from the ends of play backward
//	region.go     the values in a strongly connected component
//	strategy.go   strategies that keep a bound, by search (prover.go) or from the ends of play
//	              backward (guarantor.go)
//	force.go      what a player can force, and in how many moves
//	positions.go  positions by their ranks, for tables: swap.go leaves out images of others,
//	              tables.go looks positions up
//	analyst.go    what can be said of any position in any time: bounds, and an estimate
//	deepen.go     the search for that, some moves ahead (guesses.go: what it remembers)
//	estimate.go   what the rest of a play may be worth
//	learn.go      how that is learnt from games (squares.go: by least squares)
//	effort.go     how much work positions take
//
// The search is far faster, as it leaves out most plays. The retrograde analysis keeps every
// reachable state with its steps. It is right also where play can go on for ever, or comes to an
// open end.
package value

import (
	"errors"
	"fmt"

	"github.com/mancheck/mancheck/checker/forward"
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
// One place says what is open: the type pay, in payoff.go.
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
