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

// forcing is the aim of the player of a claim to reach the goal, or of the others to prevent it.
//
// Numbers are moves. If the goal is to be reached, numbers fall with every move, so play cannot go
// on for ever, and it ends nowhere else. If the goal is to be prevented for a number of moves,
// numbers fall by at most one with each move. If it is to be prevented for ever, they do not
// matter.
type forcing struct {
	*build.Force
	goal     *exec.Expr // of the claim
	reader   *partial.Reader
	prevents bool
}

func (f *forcing) aim(s *Strategy) (aim, error) {
	want := Forces
	if f.prevents {
		want = Prevents
	}
	if s.Shows != want || s.Bound != nil {
		return nil, reject("a strategy that shows `%s` does not show what is claimed", s.Shows)
	}
	return f, nil
}

// position returns in how many moves the goal is reached from s, or for how many it is prevented.
func (f *forcing) position(s partial.State, in lister) (Position, error) {
	d, err := f.decides(s)
	if err != nil {
		return Position{}, err
	}
	list, err := in(s)
	if f.prevents {
		return Position{Moves: f.prevented(d, list)}, err
	}
	p := Position{Moves: Never}
	if d == good {
		p.Moves = 0
	}
	for _, l := range list {
		p.Moves = min(p.Moves, l.number)
	}
	return p, err
}

// prevented returns for how many moves the goal is prevented, or -1 if nothing shows that even s is
// not in the goal.
func (f *forcing) prevented(d decision, in []entry) int {
	switch {
	// Prevented for ever: the state decides it, or it is listed in a strategy without a limit.
	case d == good, d == open && f.Within < 0 && len(in) > 0:
		return Never
	case d == bad || f.Within < 0:
		return -1
	}
	most := 0
	for _, l := range in {
		most = max(most, l.number)
	}
	return most
}

func (f *forcing) judge(p *Position) (is, isNot bool) {
	if f.prevents {
		return false, p.Moves == Never || f.Within >= 0 && p.Moves >= f.Within
	}
	return p.Moves < Never && (f.Within < 0 || p.Moves <= f.Within), false
}

func (f *forcing) follows(player int) bool { return player == f.Player != f.prevents }

// decides evaluates the goal. A finished state outside the goal is good for those who prevent it.
func (f *forcing) decides(s partial.State) (decision, error) {
	switch is, err := f.reader.Decide(f.goal, s, nil); {
	case err != nil:
		return bad, err
	case !is && s.Live():
		return open, nil
	case is == f.prevents:
		return bad, nil
	}
	return good, nil
}

func (f *forcing) stuck() bool { return f.prevents }

func (f *forcing) stays(partial.State) (bool, error) { return f.prevents, nil }

func (f *forcing) enough(number int) bool { return f.prevents && f.Within >= 0 && number <= 1 }

func (f *forcing) arrives(number int) bool { return f.prevents || number >= 1 }

func (f *forcing) leads(from int, _ bool, to int) bool {
	if !f.prevents {
		return to < from
	}
	return f.Within < 0 || to >= from-1
}
