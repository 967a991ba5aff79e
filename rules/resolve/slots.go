package resolve

import (
	"slices"

	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules"
)

// storage keeps values in locals of a body.
type storage struct {
	env
	slots *[]rules.Type // the types of the local slots in use
}

// newSlot adds a local for values of type t and returns its number.
func (e *storage) newSlot(t typ) int {
	*e.slots = append(*e.slots, e.kernelType(t))
	return len(*e.slots) - 1
}

// settle keeps the present value of x in a new local, so that later statements do not change it.
// The statement that sets it is appended to out.
func (e *storage) settle(t typ, x rules.Expr, out *[]rules.Stmt) rules.Expr {
	slot := e.newSlot(t)
	*out = append(*out, rules.SetLocal(slot, x))
	return rules.LocalAt(slot)
}

// forget returns statements that reset the locals from slot from on. It ends each turn of a loop,
// because a loop is endless if a state comes back, locals included, and these are not read in the
// next turn.
func (e *storage) forget(from int) []rules.Stmt {
	var out []rules.Stmt
	for slot := from; slot < len(*e.slots); slot++ {
		zero := rules.Const{Type: (*e.slots)[slot]}
		if zero.Type == rules.PitType || zero.Type == rules.PlayerType {
			zero.Value = rules.None
		}
		out = append(out, rules.SetLocal(slot, zero))
	}
	return out
}

// gather moves all seeds of some pits into one. Pits that depend on numbers of seeds are evaluated
// before the first seed is moved.
func (e *storage) gather(from []rules.Expr, into rules.Expr, at diag.Range) []rules.Stmt {
	var out []rules.Stmt
	if countsSeeds(into) && len(from) > 1 {
		into = e.settle(typ{kind: kPit}, into, &out)
	}
	for i, x := range from {
		if countsSeeds(x) && i > 0 {
			from[i] = e.settle(typ{kind: kPit}, x, &out)
		}
	}
	for _, x := range from {
		out = append(out, rules.Transfer{From: x, Into: into, At: at})
	}
	return out
}

// countsSeeds reports whether the value of x may change when seeds move.
func countsSeeds(x rules.Expr) bool {
	return rules.Mentions(x, func(x rules.Expr) bool {
		c, ok := x.(rules.Cell)
		_, sums := x.(rules.Sum)
		return sums || ok && c.Sort == rules.PitCell
	})
}

// single returns a list with one statement.
func single(s rules.Stmt) []rules.Stmt { return []rules.Stmt{s} }

// settleSet keeps which pits belong to a set now.
func (e *storage) settleSet(s setValue, out *[]rules.Stmt) setValue {
	s = e.distinct(s)
	s.elems = slices.Clone(s.elems)
	for i, m := range s.elems {
		if _, ok := constOf(m.pit); !ok {
			s.elems[i].pit = e.settle(typ{kind: kPit}, m.pit, out)
		}
		if m.cond != nil {
			s.elems[i].cond = e.settle(typ{kind: kBool}, m.cond, out)
		}
	}
	return s
}

// settleList keeps what the values of a list are now.
func (e *storage) settleList(list []value, at diag.Range, out *[]rules.Stmt) []value {
	list = slices.Clone(list)
	for i, v := range list {
		if v.typ.kind == kEnumName {
			v = e.lonelyName(v, at)
		}
		if _, known := constOf(v.x); v.typ.kind == kLap {
			v = e.settleLap(v, at, out)
		} else if v.x != nil && !known {
			v.x = e.settle(v.typ, v.x, out)
		}
		list[i] = v
	}
	return list
}

// settleLap keeps which lap a value is now.
func (e *storage) settleLap(v value, at diag.Range, out *[]rules.Stmt) value {
	if v.x == nil || v.settled != nil {
		return v
	}
	which := rules.Number(-1)
	for i, c := range slices.Backward(e.casesOf(v, at)) {
		which = simple(rules.Cond{If: c.cond, Then: rules.Number(i), Else: which})
	}
	cases := slices.Clone(e.casesOf(v, at))
	now := e.settle(typ{kind: kInt}, which, out)
	for i := range cases {
		cases[i].cond = rules.Binary{Op: rules.Eq, L: now, R: rules.Number(i)}
	}
	name := v.x
	if _, fixed := constOf(name); !fixed {
		name = e.settle(v.typ, name, out)
	}
	return value{typ: v.typ, x: name, cases: cases, settled: &cases}
}
