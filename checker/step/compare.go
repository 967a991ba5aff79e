package step

import (
	"cmp"

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

// member compiles the test whether a pit is in a fixed set.
func (c *compiler) member(x rules.Lookup) condition {
	set := x.Table.Of
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
