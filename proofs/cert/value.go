package cert

import (
	"slices"

	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/proofs/cert/internal/partial"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/rules/exec"
)

// valueContest compares what positions are worth to a player with a number, by bounds that
// strategies show. For a claim about the winner the worth is 1, 0 or -1.
type valueContest struct {
	*payoff
	player int // or build.ToMove
	op     rules.Op
	value  int
}

func (c *valueContest) aim(s *Strategy) (aim, error) {
	if s.Bound == nil || s.Shows != AtLeast && s.Shows != AtMost {
		return nil, reject("a strategy that shows `%s` says nothing of a value", s.Shows)
	}
	if *s.Bound < -num.Most || *s.Bound > num.Most {
		return nil, reject("%d is beyond the range of numbers", *s.Bound)
	}
	return &bounding{payoff: c.payoff, below: s.Shows == AtMost, bound: *s.Bound}, nil
}

// position returns the tightest bounds that strategies show for a state. A finished state needs
// none.
func (c *valueContest) position(s partial.State, in lister) (p Position, err error) {
	if !s.Live() {
		p.Worth, err = c.payoff.of(s)
		return p, err
	}
	p.Worth = c.any()
	list, err := in(s)
	for _, l := range list {
		switch b := l.aim.(*bounding); {
		case b.below:
			p.Worth.Hi = min(p.Worth.Hi, b.bound)
		default:
			p.Worth.Lo = max(p.Worth.Lo, b.bound)
		}
	}
	return p, err
}

// judge compares the bounds, as they are for the player of the claim, with its number.
func (c *valueContest) judge(p *Position) (is, isNot bool) {
	worth, player := p.Worth, c.player
	if player == build.ToMove {
		player = max(p.State.Mover, 0)
	}
	if player > 0 {
		worth = worth.Negated()
	}
	v, _ := partial.Apply(c.op, partial.Value{Interval: worth}, partial.Known(c.value))
	is, decided := v.Holds()
	return is, decided && !is
}

// bounding is the aim that a play is worth at least bound to the first player, or with below at
// most bound.
//
// No move leads to a state with a greater number, and a move to a state with the same number must
// begin in a state to which it is good to come back. So a play by the strategy that never ends
// comes to a part in which the numbers are all the same, and all states there are good to come back
// to. A play that ends does so in a good state.
type bounding struct {
	*payoff
	below bool
	bound int
}

func (b *bounding) follows(player int) bool { return player == 0 != b.below }

// keeps reports whether the bound holds for everything that a play may be worth.
func (b *bounding) keeps(worth num.Interval) bool {
	if b.below {
		return worth.Hi <= b.bound
	}
	return worth.Lo >= b.bound
}

func (b *bounding) decides(s partial.State) (decision, error) {
	switch {
	case b.keeps(b.any()):
		return good, nil // every play keeps the bound
	case s.Live():
		return open, nil
	}
	worth, err := b.of(s)
	if err == nil && b.keeps(worth) {
		return good, nil
	}
	return bad, err
}

func (b *bounding) stuck() bool { return false } // a stuck play may be worth anything

func (b *bounding) stays(s partial.State) (bool, error) {
	worth, err := b.forEver(s)
	return b.keeps(worth), err
}

func (b *bounding) enough(int) bool { return false }

func (b *bounding) arrives(int) bool { return true }

func (b *bounding) leads(from int, stays bool, to int) bool { return to < from || to == from && stays }

// payoff says what plays are worth to the first player. A worth is an interval, because unknown
// parts of a state may decide it, and because a play that comes to an open end may be worth
// anything. An open end is a state without a move, an end for which the rules do not say who has
// won, or a play that never ends if nothing says what that is worth.
type payoff struct {
	sys     *rules.System
	margin  bool // the difference of the scores counts; otherwise who wins
	endless build.EndlessPlay
	lead    *exec.Expr // the score of the first player less that of the second; nil without scores
	reader  *partial.Reader
}

// result has all values of a claim about who wins.
var result = num.Interval{Lo: -1, Hi: 1}

func newPayoff(m *partial.Machine, winner bool, endless build.EndlessPlay) *payoff {
	sys := m.System()
	p := &payoff{sys: sys, margin: !winner && scoresDecide(sys), endless: endless, reader: m.Reader()}
	switch len(sys.Scores) {
	case 0:
		if endless == build.EndlessScored {
			p.endless = build.EndlessOpen // there is nothing by which it could count
		}
	case 1:
		p.lead = exec.ReadExpr(sys.Scores[0])
	default:
		p.lead = exec.ReadExpr(rules.Binary{Op: rules.Sub, L: sys.Scores[0], R: sys.Scores[1]})
	}
	return p
}

// scoresDecide reports whether the scores alone decide who wins, whichever way a game ends.
func scoresDecide(sys *rules.System) bool {
	return len(sys.Scores) > 0 && !slices.ContainsFunc(sys.Outcomes, func(o rules.Outcome) bool { return o.Kind != rules.EndOutcome && o.Kind != rules.EndlessOutcome })
}

// any returns what is known about every play. It is also the worth of a play that comes to an open
// end.
func (p *payoff) any() num.Interval {
	if p.margin {
		return num.Anything
	}
	return result
}

// of returns what a play that ended in s is worth.
func (p *payoff) of(s partial.State) (num.Interval, error) {
	if s.Outcome == p.sys.Endless() {
		return p.forEver(s)
	}
	if p.margin {
		return p.score(s)
	}
	switch o := &p.sys.Outcomes[s.Outcome]; {
	case o.Kind == rules.DrawOutcome:
		return num.Point(0), nil
	case o.Kind == rules.LoseOutcome:
		return num.Point(-1), nil
	case o.Kind == rules.WinOutcome:
		return num.Point(1 - 2*o.Winner), nil
	case len(p.sys.Players) < 2 || p.lead == nil:
		return p.any(), nil
	}
	return p.score(s)
}

// forEver returns what a play is worth that goes on for ever in states with the score of s. If the
// score varies, the worth lies between the least and the greatest of them.
func (p *payoff) forEver(s partial.State) (num.Interval, error) {
	switch p.endless {
	case build.EndlessDraw:
		return num.Point(0), nil
	case build.EndlessScored:
		return p.score(s)
	case build.EndlessOpen:
	}
	return p.any(), nil
}

// score returns the difference of the scores, or its sign if only the winner counts.
func (p *payoff) score(s partial.State) (num.Interval, error) {
	v, err := p.reader.Eval(p.lead, s, nil)
	if err != nil {
		return num.Interval{}, err
	}
	if p.margin {
		return v.Interval, nil
	}
	return num.Interval{Lo: sign(v.Lo), Hi: sign(v.Hi)}, nil
}

func sign(n int) int { return max(-1, min(n, 1)) }
