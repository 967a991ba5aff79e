package cert

import (
	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/proofs/cert/internal/partial"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/resolve"
)

// bestPlay is a claim about what positions are worth, or about what a player can force from there.
type bestPlay interface {
	place() *resolve.Place
	// begin returns what the strategies of the evidence are about, in the System of m.
	begin(m *partial.Machine, proves bool) (contest, error)
}

// contest is a claim about best play with all that is needed to check it.
type contest interface {
	// aim is what a strategy is to bring about.
	aim(s *Strategy) (aim, error)
	// position tells what is known of a position.
	position(s partial.State, in lister) (Position, error)
	// judge reports whether the claim is true of a position, or false.
	judge(p *Position) (is, isNot bool)
}

// lister tells which strategies list a state, and with which numbers.
type lister func(s partial.State) ([]listed, error)

// listed is the number of a state in a strategy.
type listed struct {
	aim    aim
	number int
}

// Position is a position that a claim is about, with what the strategies show.
type Position struct {
	State rules.State
	Worth num.Interval // of a value: what it may be to the first player
	Best  []string     // of best moves: these, in their notation; nil if it is not known which
	Moves int          // of what can be forced: in at most so many, or prevented for so many; or Never
}

// Never is more moves than any claim can name.
const Never = num.Inf

// decision says what a state decides by itself, whatever is played from there.
type decision int

const (
	open decision = iota // nothing
	good
	bad
)

// aim is what those who follow a strategy bring about.
type aim interface {
	// follows reports whether the player follows the strategy. The others play as they like.
	follows(player int) bool
	// decides says what a state decides. A state without a move is stuck, and live.
	decides(s partial.State) (decision, error)
	// stuck says whether it is good to have no move.
	stuck() bool
	// stays reports whether it is good to come back to this state again and again.
	stays(s partial.State) (bool, error)
	// enough reports whether after a state with this number any state will do that is not bad.
	enough(number int) bool
	// arrives reports whether a move from a state with this number may lead to a good one.
	// Otherwise the number is too small for a move.
	arrives(number int) bool
	// leads reports whether a move keeps what the strategy shows: from a state with one number,
	// where play may stay or not, to one with the other.
	leads(from int, stays bool, to int) bool
}

// bestPlayOf returns the claim if it is one about best play, or nil.
func bestPlayOf(p resolve.Property) bestPlay {
	switch p := p.(type) {
	case *resolve.ValueOf:
		return &valueClaim{of: &p.Of, player: p.Player, op: p.Op, value: p.Value, endless: p.Endless}
	case *resolve.WinnerOf:
		c := &valueClaim{of: &p.Of, winner: true, op: rules.Eq, endless: p.Endless}
		if p.Not {
			c.op = rules.Ne
		}
		if p.Player != rules.None {
			c.value = 1 - 2*p.Player
		}
		return c
	case *resolve.BestMoves:
		return &bestClaim{p}
	case *resolve.Force:
		return &forceClaim{p}
	}
	return nil
}
