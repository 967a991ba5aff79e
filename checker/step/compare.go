package step

import (
	"cmp"
	"math"

	"github.com/mancheck/mancheck/rules"
)

// cond compiles an expression to its truth value.
func (c *compiler) cond(x rules.Expr) condition {
	switch x := x.(type) {
	case rules.Const:
		v := x.Value != 0
		return func(*Machine) bool { return v }
	case rules.Not:
		f := c.cond(x.X)
		return func(m *Machine) bool { return !f(m) }
	case rules.Binary:
		if !isArithmetic(x.Op) {
			return c.binary(x)
		}
	case rules.Lookup:
		if x.Table.Kind == rules.MemberOf {
			return c.member(x)
		}
	case rules.Question:
		return c.ask(x)
	case rules.OpenParam, rules.Cell, rules.Sum, rules.Cond, rules.Old:
	}
	v := c.num(x)
	return func(m *Machine) bool { return v(m) != 0 }
}

func (c *compiler) binary(x rules.Binary) condition {
	switch x.Op {
	case rules.And:
		l, r := c.cond(x.L), c.cond(x.R)
		return func(m *Machine) bool { return l(m) && r(m) }
	case rules.Or:
		l, r := c.cond(x.L), c.cond(x.R)
		return func(m *Machine) bool { return l(m) || r(m) }
	}
	if k, ok := x.R.(rules.Const); ok {
		return c.between(x.L, rangeOf(x.Op, k.Value))
	}
	if k, ok := x.L.(rules.Const); ok {
		return c.between(x.R, rangeOf(x.Op.Mirror(), k.Value))
	}
	return c.compare(x.Op, c.num(x.L), c.num(x.R))
}

// compare compiles the comparison of two values that depend on the state.
func (c *compiler) compare(op rules.Op, l, r number) condition {
	switch op {
	case rules.Eq:
		return func(m *Machine) bool { return l(m) == r(m) }
	case rules.Ne:
		return func(m *Machine) bool { return l(m) != r(m) }
	case rules.Lt:
		return func(m *Machine) bool { return l(m) < r(m) }
	case rules.Le:
		return func(m *Machine) bool { return l(m) <= r(m) }
	case rules.Gt:
		return func(m *Machine) bool { return l(m) > r(m) }
	}
	return func(m *Machine) bool { return l(m) >= r(m) }
}

// span is the set of values from lo to hi or, with not, of all others. A comparison with a constant
// tests whether a value is in a span. So one closure for each kind of value serves all six
// comparisons.
type span struct {
	lo, hi int
	not    bool
}

func (s span) has(v int) bool { return (s.lo <= v && v <= s.hi) != s.not }

// rangeOf returns the span of the values v for which v op k holds.
func rangeOf(op rules.Op, k int) span {
	switch op {
	case rules.Eq:
		return span{lo: k, hi: k}
	case rules.Ne:
		return span{lo: k, hi: k, not: true}
	case rules.Le:
		return span{lo: math.MinInt, hi: k}
	case rules.Gt:
		return span{lo: math.MinInt, hi: k, not: true}
	case rules.Ge:
		return span{lo: k, hi: math.MaxInt}
	}
	return span{lo: k, hi: math.MaxInt, not: true}
}

// between compiles a test whether a value is in a span. The common cases have closures of their
// own.
func (c *compiler) between(x rules.Expr, s span) condition {
	if y, is := x.(rules.Cell); is && y.Index == nil {
		at := c.place(y.At)
		switch {
		case y.Sort == rules.PitCell || y.Sort == rules.VarCell:
			i := c.fixed(y)
			return func(m *Machine) bool { return s.has(m.cells[i]) }
		case y.Sort == rules.RegisterCell && y.Slot == rules.LastReg:
			return func(m *Machine) bool { return s.has(m.sown(m.last, m.last, at)) }
		case y.Sort == rules.RegisterCell && y.Slot == rules.LastWasReg:
			return func(m *Machine) bool { return s.has(m.sown(m.last, m.lastWas, at)) }
		}
	}
	v := c.num(x)
	return func(m *Machine) bool { return s.has(v(m)) }
}

// member compiles the test whether a pit is in a fixed set.
func (c *compiler) member(x rules.Lookup) condition {
	set := x.Table.Of
	if l, ok := x.X.(rules.Cell); ok && rules.IsFixed(l, rules.RegisterCell, rules.LastReg) {
		at := c.place(l.At)
		return func(m *Machine) bool { return set[m.sown(m.last, m.last, at)] != 0 }
	}
	pit := c.num(x.X)
	return func(m *Machine) bool {
		p := pit(m)
		return p != rules.None && set[p] != 0
	}
}

// ask compiles a question. Rules may ask only NoMove, in reactions and in the guards of fallbacks.
func (c *compiler) ask(q rules.Question) condition {
	switch {
	case q == rules.NoMove && c.claims:
		return func(m *Machine) bool { none, _ := m.noMove(); return none }
	case q == rules.NoMove:
		return func(m *Machine) bool {
			none, fault := m.noMove()
			m.aside = cmp.Or(m.aside, fault)
			return none
		}
	case !c.claims:
		c.fail("the question %d in a rule", q)
	case q == rules.IsStuck:
		return (*Machine).stuck
	case q == rules.IsStart:
		return func(m *Machine) bool { return m.view.Start }
	}
	c.fail("unknown question %d", q)
	return nil
}

// noMove reports whether the current state is live and has no legal move other than fallbacks. The
// error is a fault of one of these moves.
func (m *Machine) noMove() (none bool, fault error) {
	if m.outcome != rules.Live {
		return false, nil
	}
	m.here = Flat{Cells: m.cells, Mover: m.mover, Outcome: m.outcome}
	can, fault := m.prober().canMove(&m.here, m.prog.others)
	return !can, fault
}

// prober returns a machine for questions about the current state, since m itself is in use.
func (m *Machine) prober() *Machine {
	if m.probe == nil {
		m.probe = m.Clone()
	}
	return m.probe
}

// stuck reports whether the current state is live and has no legal move.
func (m *Machine) stuck() bool {
	if m.outcome != rules.Live {
		return false
	}
	if m.view.CanMove != Unknown {
		return m.view.CanMove == No
	}
	can, _ := m.prober().canMove(m.view.State, m.prog.byMover)
	return !can
}

// old compiles the value of an expression in the state before the step.
func (c *compiler) old(x rules.Old) number {
	if !c.claims {
		c.fail("expression %T in a rule", x)
	}
	f := c.num(x.X)
	return func(m *Machine) int {
		now := m.view
		m.enterOld()
		v := f(m)
		m.view = now
		m.look(now.State)
		return v
	}
}

// enterOld makes the state before the step the current one. It has a legal move, the step itself.
func (m *Machine) enterOld() {
	m.view = View{State: m.view.Old, Start: m.view.OldStart, CanMove: Yes}
	m.look(m.view.State)
}
