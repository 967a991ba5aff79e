package flow

import (
	"slices"

	"github.com/mancheck/mancheck/rules"
)

// Place is what is known of states in which a player is to move, or of finished ones.
type Place struct {
	Mover   int // None if finished
	sys     *rules.System
	of      *env // what else is known of the state
	outcome int
	noMove  bool
	empty   []bool // pits known to be empty
	is, not []rules.Expr
	now     []*env // what follows from all this; none if it is not known yet
}

// Live returns the Place of the states in which a player is to move, of which nothing else is
// known.
func Live(sys *rules.System, mover int) *Place {
	return &Place{sys: sys, of: before(sys, mover, 0), Mover: mover, outcome: rules.Live, empty: make([]bool, len(sys.Pits))}
}

// Over returns the Place of the states that are finished with an outcome.
func Over(sys *rules.System, outcome int) *Place {
	return &Place{sys: sys, of: before(sys, rules.None, 0), Mover: rules.None, outcome: outcome, empty: make([]bool, len(sys.Pits))}
}

// Suppose adds that a condition is true, or that it is false.
func (p *Place) Suppose(x rules.Expr, truth bool) {
	if truth {
		p.is = append(p.is, x)
	} else {
		p.not = append(p.not, x)
	}
	before := slices.Clone(p.empty)
	if p.findEmpty(x, truth); !slices.Equal(before, p.empty) {
		p.now = nil // conditions before say more now
	}
	if p.now != nil {
		p.now[0] = p.now[0].assume(p.says(x), truth)
	}
}

// SupposeNoMove adds that the player has no move but fallbacks.
func (p *Place) SupposeNoMove() { p.noMove, p.now = true, nil }

// findEmpty finds pits that are empty where a condition is true, or false.
func (p *Place) findEmpty(x rules.Expr, truth bool) {
	switch x := any(x).(type) { // most say nothing
	case rules.Not:
		p.findEmpty(x.X, !truth)
	case rules.Binary:
		if x.Op == rules.And && truth || x.Op == rules.Or && !truth {
			p.findEmpty(x.L, truth)
			p.findEmpty(x.R, truth)
			return
		}
		n, is := x.R.(rules.Const)
		if !is {
			return
		}
		none := x.Op == rules.Eq && n.Value == 0 || x.Op == rules.Le && n.Value == 0 || x.Op == rules.Lt && n.Value == 1
		some := x.Op == rules.Ne && n.Value == 0 || x.Op == rules.Gt && n.Value == 0 || x.Op == rules.Ge && n.Value == 1
		if truth && none || !truth && some {
			for _, pit := range pitsOf(x.L) {
				p.empty[pit] = true
			}
		}
	}
}

// pitsOf lists the pits whose seeds an expression adds up. There are none if it does something
// else.
func pitsOf(x rules.Expr) []int {
	switch x := any(x).(type) { // most add up nothing
	case rules.Sum:
		return x.Pits
	case rules.Cell:
		if x.Sort == rules.PitCell && x.Index == nil {
			return []int{x.Slot}
		}
	case rules.Binary:
		l, r := pitsOf(x.L), pitsOf(x.R)
		if x.Op == rules.Add && l != nil && r != nil {
			return slices.Concat(l, r)
		}
	}
	return nil
}

// says returns a condition with what is known put in: the answers to questions, and the seeds of
// empty pits.
func (p *Place) says(x rules.Expr) rules.Expr {
	switch x := any(x).(type) { // of others nothing is known
	case rules.Question:
		if p.noMove && x == rules.NoMove {
			return rules.True
		}
	case rules.Cell:
		switch {
		case x.IsRegister(rules.OutcomeReg):
			return rules.Const{Value: p.outcome, Type: rules.OutcomeType}
		case x.Sort == rules.PitCell && x.Index == nil && p.empty[x.Slot]:
			return rules.Number(0)
		}
	case rules.Sum:
		left := slices.DeleteFunc(slices.Clone(x.Pits), func(pit int) bool { return p.empty[pit] })
		if len(left) == 0 {
			return rules.Number(0)
		}
		return rules.Sum{Pits: left}
	}
	return rules.WithChildren(x, p.says)
}

// at returns the env in which a body begins at the place.
func (p *Place) at(locals int) *env {
	if p.now == nil {
		p.now = []*env{p.follows()}
	}
	if p.now[0] == nil {
		return nil
	}
	return p.now[0].begin(p.Mover, locals)
}

// follows returns what follows from all that is supposed.
func (p *Place) follows() *env {
	e := p.of
	for _, x := range p.of.facts {
		e = e.assume(p.says(x), true)
	}
	for _, x := range p.is {
		e = e.assume(p.says(x), true)
	}
	for _, x := range p.not {
		e = e.assume(p.says(x), false)
	}
	return e
}

// Impossible reports whether there is no such state.
func (p *Place) Impossible() bool { return p.at(0) == nil }
