package step

import (
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/rules"
)

// Answer is yes, no, or not known.
type Answer int8

const (
	Unknown Answer = iota
	Yes
	No
)

// View is what the predicate of a claim may speak of.
type View struct {
	State    *Flat
	Old      *Flat // the state before the step; nil if there is none
	Start    bool  // State is a start
	OldStart bool  // Old is a start
	CanMove  Answer
}

// Predicate is a compiled expression of a claim.
type Predicate struct {
	holds condition
	sys   *rules.System
}

// CompileExpr compiles a condition of a claim over states of the machine's System. Old may be used if the views that it is evaluated
// in have one.
func (m *Machine) CompileExpr(x rules.Expr) (*Predicate, error) {
	c := &compiler{prog: m.prog, claims: true}
	p := &Predicate{holds: c.cond(x), sys: m.prog.sys}
	return p, c.err
}

// Holds evaluates a predicate, which any machine of the same System may have compiled.
func (m *Machine) Holds(p *Predicate, v View) (holds bool, err error) {
	defer recoverFault(&err)
	m.view = v
	m.look(v.State)
	return p.holds(m), nil
}

// look makes s the state that expressions speak of, without a copy.
func (m *Machine) look(s *Flat) {
	m.cells, m.mover, m.outcome = s.Cells, s.Mover, s.Outcome
	m.last, m.lastWas, m.origin = unset, 0, unset
}

func (c *compiler) place(at diag.Range) diag.Range {
	if at.IsZero() {
		return c.at
	}
	return at
}

// num compiles an expression for its value.
func (c *compiler) num(x rules.Expr) number {
	switch x := x.(type) {
	case rules.Const:
		v := x.Value
		return func(*Machine) int { return v }
	case rules.Seeds:
		return c.seeds(x)
	case rules.Sum:
		return sum(x.Pits)
	case rules.VarRef:
		return c.varRef(x)
	case rules.Local:
		slot := x.Slot
		return func(m *Machine) int { return m.locals[slot] }
	case rules.Mover:
		return func(m *Machine) int { return m.mover }
	case rules.Cond:
		yes, then, other := c.cond(x.If), c.num(x.Then), c.num(x.Else)
		return func(m *Machine) int {
			if yes(m) {
				return then(m)
			}
			return other(m)
		}
	case rules.Last, rules.LastWas, rules.Origin:
		return c.sown(x)
	case rules.Neighbour, rules.OppositeOf, rules.IndexOf:
		return c.ofPit(x)
	case rules.Binary:
		if isArithmetic(x.Op) {
			return c.arithmetic(x)
		}
		return asNumber(c.cond(x))
	case rules.Not, rules.In, rules.HasOutcome, rules.IsStuck, rules.IsStart:
		return asNumber(c.cond(x))
	case rules.Old:
		return c.old(x)
	}
	c.fail("expression %T has no value in a state", x)
	return func(*Machine) int { return 0 }
}

// asNumber makes a truth value a number.
func asNumber(yes condition) number {
	return func(m *Machine) int {
		if yes(m) {
			return 1
		}
		return 0
	}
}

func (c *compiler) seeds(x rules.Seeds) number {
	if p, ok := x.Pit.(rules.Const); ok && p.Value != rules.None {
		cell := p.Value
		return func(m *Machine) int { return m.cells[cell] }
	}
	pit := c.pit(x.Pit, x.At)
	return func(m *Machine) int { return m.cells[pit(m)] }
}

// sum adds up pits. Most sets are rows, whose cells lie side by side.
func sum(pits []int) number {
	for i, p := range pits {
		if p != pits[0]+i {
			return func(m *Machine) int {
				n := 0
				for _, p := range pits {
					n += m.cells[p]
				}
				return n
			}
		}
	}
	if len(pits) == 0 {
		return func(*Machine) int { return 0 }
	}
	lo, hi := pits[0], pits[0]+len(pits)
	return func(m *Machine) int {
		n := 0
		for _, k := range m.cells[lo:hi] {
			n += k
		}
		return n
	}
}

// pit compiles an expression that must give a pit.
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

// variable compiles the choice of a variable; its value is the variable's cell.
func (c *compiler) variable(table []int, index rules.Expr, at diag.Range) number {
	first := len(c.prog.sys.Pits)
	if index == nil {
		cell := first + table[0]
		return func(*Machine) int { return cell }
	}
	value, where := c.num(index), c.place(at)
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

func (c *compiler) varRef(x rules.VarRef) number {
	if x.Index == nil {
		cell := len(c.prog.sys.Pits) + x.Table[0]
		return func(m *Machine) int { return m.cells[cell] }
	}
	cell := c.variable(x.Table, x.Index, x.At)
	return func(m *Machine) int { return m.cells[cell(m)] }
}

// sown compiles what has a meaning only after a sowing.
func (c *compiler) sown(x rules.Expr) number {
	switch x := x.(type) {
	case rules.Last:
		at := c.place(x.At)
		return func(m *Machine) int { return m.sown(m.last, m.last, at) }
	case rules.LastWas:
		at := c.place(x.At)
		return func(m *Machine) int { return m.sown(m.last, m.lastWas, at) }
	default:
		at := c.place(x.(rules.Origin).At)
		return func(m *Machine) int { return m.sown(m.origin, m.origin, at) }
	}
}

// sown gives v if a sowing has set pit.
func (m *Machine) sown(pit, v int, at diag.Range) int {
	if pit == unset {
		panic(fault(diag.NoValue, at, "nothing was sown yet"))
	}
	return v
}

// ofPit compiles what the board says about a pit, as a table. The neighbour and the opposite of none are none.
func (c *compiler) ofPit(x rules.Expr) number {
	sys := c.prog.sys
	var table []int
	switch x := x.(type) {
	case rules.IndexOf:
		pit := c.pit(x.Pit, x.At)
		return func(m *Machine) int { return sys.Pits[pit(m)].Index }
	case rules.OppositeOf:
		table = sys.Opposite
	case rules.Neighbour:
		if table = sys.Laps[x.Lap].Next; x.Back {
			table = sys.Laps[x.Lap].Prev
		}
	}
	pit := c.num(rules.Children(x)[0])
	return func(m *Machine) int {
		if p := pit(m); p != rules.None {
			return table[p]
		}
		return rules.None
	}
}

func isArithmetic(op rules.Op) bool { return op >= rules.Add }

// arithmetic compiles operations on numbers.
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

// constant evaluates an expression that needs no state but the pit sown from.
func constant(x rules.Expr, origin int) (int, bool) {
	switch x := x.(type) {
	case rules.Const:
		return x.Value, true
	case rules.Origin:
		return origin, true
	case rules.Not:
		v, ok := constant(x.X, origin)
		return truth(v == 0), ok
	case rules.In:
		v, ok := constant(x.X, origin)
		return truth(ok && v != rules.None && x.Set[v]), ok
	case rules.Binary:
		l, ok := constant(x.L, origin)
		r, ok2 := constant(x.R, origin)
		if !ok || !ok2 {
			return 0, false
		}
		v, err := rules.Apply(x.Op, l, r)
		return v, err == nil
	}
	return 0, false
}

func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}
