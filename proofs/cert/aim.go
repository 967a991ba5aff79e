package cert

import (
	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/proofs/cert/internal/partial"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/rules/exec"
)

// best says what best play leads to from some positions.
type best struct {
	place *build.Place
	// contest returns what strategies of the evidence have to show, in the System of m. proves says
	// whether they have to show that the claim is true, or that it is false.
	contest func(m *partial.Machine, proves bool) contest
}

// contest is a claim about best play, with what is needed to check strategies.
type contest interface {
	// aim returns what a strategy has to bring about.
	aim(s *Strategy) (aim, error)
	// position returns what the strategies show about a position.
	position(s partial.State, in lister) (Position, error)
	// judge reports whether the claim is known to be true of a position, or known to be false.
	judge(p *Position) (is, isNot bool)
}

// lister returns the strategies that list a state, with its numbers in them.
type lister func(s partial.State) ([]entry, error)

// entry is a strategy's aim, with the number of a state in that strategy.
type entry struct {
	aim    aim
	number int
}

// Position is a position that a claim is about, with what the strategies show about it.
type Position struct {
	State rules.State
	Worth num.Interval // for values: bounds on what it is worth to the first player
	Best  []string     // for best moves: their notations; nil if they are not known
	Moves int          // for what can be forced: the number within which the goal is reached, or for which it is prevented; or Never
}

// Never stands for more moves than any claim can name.
const Never = num.Inf

// decision is what a state decides by itself, without regard to further play.
type decision int

const (
	open decision = iota // nothing is decided
	good                 // for those who follow the strategy
	bad                  // against them
)

// aim is what those who follow a strategy bring about. It has the local conditions on states and
// their numbers by which strategySet checks a strategy.
type aim interface {
	// follows reports whether a player follows the strategy. The others may make any move.
	follows(player int) bool
	// decides returns what a state decides. A state without a legal move is stuck, and still live.
	decides(s partial.State) (decision, error)
	// stuck reports whether having no move is good.
	stuck() bool
	// stays reports whether it is good if play comes back to this state for ever.
	stays(s partial.State) (bool, error)
	// enough reports whether, after a state with this number, every state that is not bad is
	// acceptable.
	enough(number int) bool
	// arrives reports whether a move from a state with this number may lead to a good one.
	// Otherwise the number allows no move.
	arrives(number int) bool
	// leads reports whether a move from a state numbered from to one numbered to keeps what the
	// strategy shows. stays is the result of the method stays for the first state.
	leads(from int, stays bool, to int) bool
}

// bestOf returns what a claim says about best play, if it says something of that.
func bestOf(p build.Property) (best, bool) {
	switch p := any(p).(type) { // most do not
	case *build.ValueOf:
		return best{&p.Of, func(m *partial.Machine, _ bool) contest {
			return &valueContest{newPayoff(m, false, p.Endless), p.Player, p.Op, p.Value}
		}}, true
	case *build.WinnerOf:
		op, value := rules.Eq, 0
		if p.Not {
			op = rules.Ne
		}
		if p.Player != rules.None {
			value = 1 - 2*p.Player
		}
		return best{&p.Of, func(m *partial.Machine, _ bool) contest {
			return &valueContest{newPayoff(m, true, p.Endless), 0, op, value}
		}}, true
	case *build.BestMoves:
		return best{&p.Of, func(m *partial.Machine, _ bool) contest {
			return &bestContest{p, valueContest{payoff: newPayoff(m, false, p.Endless)}, m}
		}}, true
	case *build.Force:
		return best{&p.From, func(m *partial.Machine, proves bool) contest {
			return &forcing{Force: p, goal: exec.ReadExpr(p.Goal), reader: m.Reader(), prevents: !proves}
		}}, true
	}
	return best{}, false
}
