package hunt

import (
	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/rules"
)

// newNear returns how far a state is from a goal: 0 in a state that satisfies it, and about the
// number of seeds that would have to lie elsewhere in others. It is a guess that guides the hunt;
// nil if nothing in the aim can be counted.
func newNear(sys *rules.System, a Aim) func(*pack.Flat) int {
	d := &measure{sys: sys}
	x := a.Goal
	if x == nil {
		x = a.BadStep.From
	}
	if x == nil {
		return nil
	}
	of := d.distance(x, false)
	if !d.counts {
		return nil
	}
	return of
}

// measure makes distances of conditions.
type measure struct {
	sys    *rules.System
	counts bool // some distance is of numbers
}

// far is the distance from a condition that is false and has no numbers to compare.
const far = 4

// distance returns the distance to states in which x is true, or with negated, false.
func (m *measure) distance(x rules.Expr, negated bool) func(*pack.Flat) int {
	switch x := x.(type) {
	case rules.Not:
		return m.distance(x.X, !negated)
	case rules.Binary:
		switch x.Op {
		case rules.And, rules.Or:
			l, r := m.distance(x.L, negated), m.distance(x.R, negated)
			if (x.Op == rules.And) != negated {
				return func(f *pack.Flat) int { return l(f) + r(f) }
			}
			return func(f *pack.Flat) int { return min(l(f), r(f)) }
		case rules.Eq, rules.Ne, rules.Lt, rules.Le, rules.Gt, rules.Ge:
			if d := m.compared(x, negated); d != nil {
				return d
			}
		}
	case rules.Cell, rules.Cond, rules.Const, rules.Lookup, rules.Old, rules.OpenParam, rules.Question, rules.Sum:
	}
	if v := m.number(x); v != nil {
		return func(f *pack.Flat) int {
			if (v(f) != 0) != negated {
				return 0
			}
			return far
		}
	}
	return func(*pack.Flat) int { return 0 } // nothing is known of it
}

// compared returns the distance to states in which two numbers compare as they should; nil if these
// are not known.
func (m *measure) compared(x rules.Binary, negated bool) func(*pack.Flat) int {
	l, r := m.number(x.L), m.number(x.R)
	if l == nil || r == nil {
		return nil
	}
	op := x.Op
	if negated {
		op = contrary[op]
	}
	number := m.sys.TypeOf(x.L, nil) == rules.NumberType
	m.counts = m.counts || number
	return func(f *pack.Flat) int {
		d := l(f) - r(f)
		switch op {
		case rules.Eq:
			if d != 0 && !number {
				return far
			}
			return max(d, -d)
		case rules.Ne:
			if d == 0 {
				return 1
			}
			return 0
		case rules.Gt, rules.Ge:
			d = -d
		}
		if op == rules.Lt || op == rules.Gt {
			d++
		}
		return max(0, d)
	}
}

// contrary has the comparison that is true where one is false.
var contrary = map[rules.Op]rules.Op{
	rules.Eq: rules.Ne, rules.Ne: rules.Eq, rules.Lt: rules.Ge, rules.Ge: rules.Lt, rules.Gt: rules.Le, rules.Le: rules.Gt,
}

// number returns the value of an expression of cells at fixed places; nil if it is another one.
func (m *measure) number(x rules.Expr) func(*pack.Flat) int {
	switch x := x.(type) {
	case rules.Const:
		return func(*pack.Flat) int { return x.Value }
	case rules.Sum:
		return func(f *pack.Flat) (n int) {
			for _, p := range x.Pits {
				n += f.Cells[p]
			}
			return n
		}
	case rules.Cell:
		return m.cell(x)
	case rules.Binary:
		l, r := m.number(x.L), m.number(x.R)
		if l == nil || r == nil {
			return nil
		}
		switch x.Op {
		case rules.Add:
			return func(f *pack.Flat) int { return l(f) + r(f) }
		case rules.Sub:
			return func(f *pack.Flat) int { return l(f) - r(f) }
		case rules.Mul:
			return func(f *pack.Flat) int { return l(f) * r(f) }
		}
	case rules.Cond, rules.Lookup, rules.Not, rules.Old, rules.OpenParam, rules.Question:
	}
	return nil
}

func (m *measure) cell(x rules.Cell) func(*pack.Flat) int {
	at := x.Slot
	switch {
	case x.Index != nil || x.Table != nil:
		return nil
	case x.IsRegister(rules.MoverReg):
		return func(f *pack.Flat) int { return f.Mover }
	case x.IsRegister(rules.OutcomeReg):
		return func(f *pack.Flat) int { return f.Outcome }
	case x.Sort == rules.VarCell:
		at += len(m.sys.Pits)
	case x.Sort != rules.PitCell:
		return nil
	}
	return func(f *pack.Flat) int { return f.Cells[at] }
}
