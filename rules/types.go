package rules

import (
	"fmt"
	"slices"

	"github.com/mancheck/mancheck/internal/lists"
)

// Type is the type of a value. Every value is an int; the type says what it is the number of, and
// so what becomes of it when parts of the board are exchanged, and how it is written. None is a
// value of PitType, PlayerType and OutcomeType.
type Type int

// The types of values. All types from EnumType(0) up are enumerations.
const (
	NumberType Type = iota
	TruthType
	PitType
	PlayerType
	OutcomeType // only the register outcome has it
	firstEnum
)

// EnumType returns the type of the values of an enumeration, given its index in System.Enums.
func EnumType(enum int) Type { return firstEnum + Type(enum) }

// Enum returns the index in System.Enums of the enumeration whose values have the type; ok is false
// for other types.
func (t Type) Enum() (enum int, ok bool) { return int(t - firstEnum), t >= firstEnum }

// namesNone reports whether None is a value of the type.
func (t Type) namesNone() bool { return t == PitType || t == PlayerType || t == OutcomeType }

// String returns a word for the type; enumerations are numbered.
func (t Type) String() string {
	if e, is := t.Enum(); is {
		return fmt.Sprint("e", e)
	}
	return [...]string{"number", "truth", "pit", "player", "outcome"}[t]
}

// typing finds the types of the expressions of one body or condition.
type typing struct {
	sys    *System
	locals []Type
}

// TypeOf returns the type of an expression, given those of the locals of its body. Its parts may be
// of the wrong types: see WellTyped.
func (s *System) TypeOf(x Expr, locals []Type) Type { return typing{s, locals}.of(x) }

func (t typing) of(x Expr) Type {
	switch x := x.(type) {
	case Const:
		return x.Type
	case OpenParam, Sum:
		return NumberType
	case Question, Not:
		return TruthType
	case Cell:
		return t.cell(x)
	case Lookup:
		return x.Table.entries()
	case Binary:
		return x.Op.result()
	case Cond:
		if c, is := x.Then.(Const); is && c.Value == None {
			return t.of(x.Else)
		}
		return t.of(x.Then)
	case Old:
		return t.of(x.X)
	}
	panic(foreign(x))
}

// cell returns the type of what a cell holds. Where it is chosen among variables of several types,
// it is that of the first.
func (t typing) cell(x Cell) Type {
	switch x.Sort {
	case VarCell:
		for _, v := range x.Slots(0) {
			return t.sys.Vars[v].Type
		}
	case LocalCell:
		if x.Slot < len(t.locals) {
			return t.locals[x.Slot]
		}
	case RegisterCell:
		switch x.Slot {
		case LastReg, OriginReg:
			return PitType
		case MoverReg, NextReg:
			return PlayerType
		case OutcomeReg:
			return OutcomeType
		}
	case PitCell:
	}
	return NumberType
}

// entries returns the type of the entries of a table.
func (t *Table) entries() Type {
	switch t.Kind {
	case IndexOf:
		return NumberType
	case MemberOf:
		return TruthType
	}
	return PitType
}

// WellTyped reports whether each part of the rules has the type that its place demands. A System
// that is not well typed can be played; but what its numbers mean is not known, so that nothing can
// be exchanged in it. The resolver makes well-typed Systems only.
//
// A local that holds a pit or a player is set before it is read: that it holds 0 at first says
// nothing of them.
func (s *System) WellTyped() bool {
	ok := s.HasType(s.Start.Cond, TruthType)
	for _, x := range s.Scores {
		ok = ok && (x == nil || s.HasType(x, NumberType))
	}
	for i := range s.Actions {
		a := &s.Actions[i]
		t := typing{s, a.Locals}
		ok = ok && (a.Guard == nil || t.is(a.Guard, TruthType)) && t.body(a.Body)
		for _, w := range a.Written {
			ok = ok && (w.X == nil || t.is(w.X, t.of(w.X)))
		}
	}
	for _, by := range s.EachReaction() {
		t := typing{s, by.Locals}
		ok = ok && t.is(by.When, TruthType) && t.body(by.Body)
	}
	return ok
}

// HasType reports whether a condition, or another expression outside of bodies, has a type, and its
// parts have those that their places demand.
func (s *System) HasType(x Expr, want Type) bool { return typing{s, nil}.is(x, want) }

// is reports whether an expression has a type, and its parts have those that their places demand.
func (t typing) is(x Expr, want Type) bool {
	if c, fixed := x.(Const); fixed {
		return t.fits(c, want)
	}
	if t.of(x) != want {
		return false
	}
	switch x := x.(type) {
	case Const, OpenParam, Sum, Question:
		return true
	case Cell:
		return t.place(x)
	case Lookup:
		return t.is(x.X, PitType)
	case Not:
		return t.is(x.X, TruthType)
	case Binary:
		sides := t.sides(x)
		return t.is(x.L, sides) && t.is(x.R, sides)
	case Cond:
		return t.is(x.If, TruthType) && t.is(x.Then, want) && t.is(x.Else, want)
	case Old:
		return t.is(x.X, want)
	}
	panic(foreign(x))
}

// fits reports whether a constant is a value of a type.
func (t typing) fits(c Const, want Type) bool {
	if c.Value == None && want.namesNone() {
		return c.Type.namesNone()
	}
	return c.Type == want && (want == NumberType || t.sys.isNamed(want, c.Value))
}

// isNamed reports whether a value of a type has a name of its own. Numbers have none.
func (s *System) isNamed(t Type, v int) bool {
	n := 0
	switch t {
	case TruthType:
		n = 2
	case PitType:
		n = len(s.Pits)
	case PlayerType:
		n = len(s.Players)
	case OutcomeType:
		n = len(s.Outcomes)
	default:
		if e, is := t.Enum(); is && e < len(s.Enums) {
			n = len(s.Enums[e])
		}
	}
	return v >= 0 && v < n
}

// sides returns the type that an operator demands of both sides.
func (t typing) sides(x Binary) Type {
	switch x.Op {
	case Or, And:
		return TruthType
	case Eq, Ne:
		if c, is := x.L.(Const); is && c.Value == None {
			return t.of(x.R)
		}
		return t.of(x.L)
	}
	return NumberType
}

// place reports whether a cell exists, and its index has a type that can choose it.
func (t typing) place(x Cell) bool {
	switch {
	case x.Index == nil:
		return true
	case x.Sort == PitCell:
		return x.Table == nil && t.is(x.Index, x.indexType())
	case x.Sort != VarCell || x.Table == nil:
		return false
	}
	for i, v := range x.Table {
		if v >= 0 && (t.sys.Vars[v].Type != t.cell(x) || !t.fits(Const{i, x.Key}, x.Key)) {
			return false
		}
	}
	return t.is(x.Index, x.indexType())
}

// body reports whether the statements of a whole body have the right types, and set the locals
// that hold pits or players before they read them.
func (t typing) body(body []Stmt) bool {
	ok := true
	WalkStmts(body, func(s Stmt) {
		for _, o := range operands(s, t.cell) {
			ok = ok && (o.x == nil || t.is(o.x, o.want))
		}
		if set, is := s.(Set); is {
			ok = ok && t.place(set.To)
		}
	})
	return ok && setsFirst(body, lists.Map(t.locals, func(local Type) bool { return !local.namesNone() }))
}

// setsFirst reports whether statements read only locals that are set, and notes which they set in
// all cases.
func setsFirst(body []Stmt, set []bool) bool {
	unset := func(x Expr) bool {
		c, is := x.(Cell)
		return is && c.Sort == LocalCell && !(c.Slot < len(set) && set[c.Slot])
	}
	for _, s := range body {
		for _, x := range Exprs(s) {
			if Mentions(x, unset) {
				return false
			}
		}
		var after [][]bool
		for _, b := range Blocks(s) {
			inner := slices.Clone(set)
			if !setsFirst(b, inner) {
				return false
			}
			after = append(after, inner)
		}
		if s, is := s.(Set); is && s.To.Sort == LocalCell && s.To.Slot < len(set) {
			set[s.To.Slot] = true
		}
		if _, is := s.(If); is {
			for i := range set {
				set[i] = after[0][i] && after[1][i]
			}
		}
	}
	return true
}
