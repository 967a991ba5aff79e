package cert

import (
	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/proofs/cert/internal/partial"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
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
