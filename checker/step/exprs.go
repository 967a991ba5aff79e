package step

import (
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/rules"
)

// Answer is yes, no or unknown.
type Answer int8

const (
	Unknown Answer = iota
	Yes
	No
)

// View has what a claim's condition may refer to.
type View struct {
	State    *Flat
	Old      *Flat // the state before the step; nil: none
	Start    bool  // State is a start
	OldStart bool  // Old is a start
	CanMove  Answer
}

// Predicate is a compiled condition of a claim.
type Predicate struct {
	holds condition
	sys   *rules.System
}

// CompileExpr compiles a condition of a claim over states of the machine's System. It may use Old
// only if the views that it is evaluated in have one.
func (m *Machine) CompileExpr(x rules.Expr) (*Predicate, error) {
	c := &compiler{prog: m.prog, claims: true}
	p := &Predicate{holds: c.cond(x), sys: m.prog.sys}
	return p, c.err
}

// Holds evaluates a predicate, which may have been compiled by any machine of the same System.
func (m *Machine) Holds(p *Predicate, v View) (holds bool, err error) {
	defer recoverFault(&err)
	m.view = v
	m.look(v.State)
	return p.holds(m), nil
}

// look makes expressions refer to s, without copying it.
func (m *Machine) look(s *Flat) {
	m.cells, m.mover, m.outcome = s.Cells, s.Mover, s.Outcome
	m.last, m.lastWas, m.origin = unset, 0, unset
}

// place returns the place for a fault: at or, if that is missing, the place of the current
// statement.
func (c *compiler) place(at diag.Range) diag.Range {
	if at.IsZero() {
		return c.current
	}
	return at
}

// num compiles an expression to its value as a number.
func (c *compiler) num(x rules.Expr) number {
	switch x := x.(type) {
	case rules.Const:
		v := x.Value
		return func(*Machine) int { return v }
	case rules.Cell:
		return c.read(x)
	case rules.Sum:
		return sum(x.Pits)
	case rules.Lookup:
		if x.Table.Kind == rules.MemberOf {
			return asNumber(c.member(x))
		}
		return c.lookup(x)
	case rules.Cond:
		yes, then, other := c.cond(x.If), c.num(x.Then), c.num(x.Else)
		return func(m *Machine) int {
			if yes(m) {
				return then(m)
			}
			return other(m)
		}
	case rules.Binary:
		if isArithmetic(x.Op) {
			return c.arithmetic(x)
		}
		return asNumber(c.cond(x))
	case rules.Not, rules.Question:
		return asNumber(c.cond(x))
	case rules.Old:
		return c.old(x)
	case rules.OpenParam: // only in setups and claims about starts
	}
	c.fail("expression %T has no value in a state", x)
	return func(*Machine) int { return 0 }
}

// asNumber converts a truth value to a number.
func asNumber(yes condition) number {
	return func(m *Machine) int {
		if yes(m) {
			return 1
		}
		return 0
	}
}

// read compiles the value of a cell.
func (c *compiler) read(x rules.Cell) number {
	switch {
	case x.Index != nil:
		i := c.chosen(x)
		return func(m *Machine) int { return m.cells[i(m)] }
	case x.Sort == rules.RegisterCell:
		return c.register(x)
	case x.Sort == rules.LocalCell:
		slot := x.Slot
		return func(m *Machine) int { return m.locals[slot] }
	}
	i := c.fixed(x)
	return func(m *Machine) int { return m.cells[i] }
}

// fixed returns the index among the cells of a state for a fixed pit or variable.
func (c *compiler) fixed(x rules.Cell) int {
	if x.Sort == rules.VarCell {
		return len(c.prog.sys.Pits) + x.Slot
	}
	return x.Slot
}

// chosen compiles the choice of a pit or variable by an index. Its value is the index among the
// cells of a state.
func (c *compiler) chosen(x rules.Cell) number {
	switch {
	case x.Index == nil:
		i := c.fixed(x)
		return func(*Machine) int { return i }
	case x.Sort == rules.PitCell && x.Table == nil:
		return c.pit(x.Index, x.At)
	case x.Sort != rules.VarCell:
		c.fail("cells of sort %d cannot be chosen so", x.Sort)
		return nil
	}
	value, table, first, where := c.num(x.Index), x.Table, len(c.prog.sys.Pits), c.place(x.At)
	return func(m *Machine) int {
		i := value(m)
		if i == rules.None {
			panic(fault(diag.NonePit, where, "`none` chooses no variable"))
		}
		if i >= len(table) || table[i] < 0 {
			panic(fault(diag.NoValue, where, "there is no such variable"))
		}
		return first + table[i]
	}
}

// register compiles the value of a register. Reading some of them before a sowing is a fault.
func (c *compiler) register(x rules.Cell) number {
	at := c.place(x.At)
	switch x.Slot {
	case rules.LastReg:
		return func(m *Machine) int { return m.sown(m.last, m.last, at) }
	case rules.LastWasReg:
		return func(m *Machine) int { return m.sown(m.last, m.lastWas, at) }
	case rules.OriginReg:
		return func(m *Machine) int { return m.sown(m.origin, m.origin, at) }
	case rules.MoverReg:
		return func(m *Machine) int { return m.mover }
	case rules.OutcomeReg:
		return func(m *Machine) int { return m.outcome }
	}
	c.fail("register %d cannot be read", x.Slot)
	return nil
}

// sum compiles a sum of seeds.
func sum(pits []int) number {
	return func(m *Machine) int {
		n := 0
		for _, p := range pits {
			n += m.cells[p]
		}
		return n
	}
}

// pit compiles an expression that must be a pit. The value none is a fault.
func (c *compiler) pit(x rules.Expr, at diag.Range) number {
	value, where := c.num(x), c.place(at)
	if p, ok := x.(rules.Const); ok && p.Value != rules.None {
		return value
	}
	return func(m *Machine) int {
		p := value(m)
		if p == rules.None {
			panic(fault(diag.NonePit, where, "`none` is used as a pit"))
		}
		return p
	}
}

// sown returns v, unless pit is unset because nothing was sown, which is a fault.
func (m *Machine) sown(pit, v int, at diag.Range) int {
	if pit == unset {
		panic(fault(diag.NoValue, at, "nothing was sown yet"))
	}
	return v
}

// lookup compiles a lookup in a table of the board. A table may have an entry for none.
func (c *compiler) lookup(x rules.Lookup) number {
	table := x.Table.Of
	none, ok := x.Table.OfNone()
	if !ok {
		pit := c.pit(x.X, x.At)
		return func(m *Machine) int { return table[pit(m)] }
	}
	pit := c.num(x.X)
	return func(m *Machine) int {
		if p := pit(m); p != rules.None {
			return table[p]
		}
		return none
	}
}

func isArithmetic(op rules.Op) bool { return op >= rules.Add }

// arithmetic compiles an operation on numbers. A result out of range is a fault.
func (c *compiler) arithmetic(x rules.Binary) number {
	l, r := c.num(x.L), c.num(x.R)
	op, at := x.Op, c.place(x.At)
	return func(m *Machine) int {
		a := l(m)
		v, err := rules.Apply(op, a, r(m))
		switch err {
		case nil:
			return v
		case num.ErrZero:
			panic(fault(diag.DivZero, at, "division by zero"))
		}
		panic(rules.BeyondRange(at, ""))
	}
}
