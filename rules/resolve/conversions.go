package resolve

import (
	"fmt"

	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/bind"
)

// A pit is a place, and stands for its seeds only where the other operand is a number. Two pits are
// compared as places if at least one of them is computed in play. If both are written out, the
// comparison is ambiguous, and it is reported.

// anyMover says that the mover is not known at resolution: `my` depends on the state.
const anyMover = -2

// conversions turns values into what is needed in their place: a pit into its seeds, a set with one
// member into that pit, two operands into numbers or a condition.
type conversions struct {
	sets
	mover int // a player, or anyMover
}

// operand is a side of an operator or an argument of a function.
type operand struct {
	value
	at diag.Range
}

// asInt converts v to a number. A pit becomes its number of seeds, and so does a set that stands
// for one pit.
func (e conversions) asInt(v value, at diag.Range) rules.Expr {
	switch v.typ.kind {
	case kInt, kBad:
		return v.x
	case kPit:
		v.use.number()
		if v.held != nil {
			return v.held
		}
		return e.seedsOf(v.x, at)
	case kSet:
		if p, ok := v.set.single(); ok {
			return e.seedsOf(p, at)
		}
		if p, ok := e.byOwner(v.set, e.ownerOf(v)); ok {
			return e.seedsOf(p, at)
		}
		d := e.diags.Errorf(diag.Type, at, "a number is wanted here, this is a set of %d pits", len(v.set.elems))
		if text := unbracketed(e.source(at)); e.place == inSetup {
			d.WithHelp("write `each %s = n` for n seeds in each of these pits", text)
		} else {
			d.WithHelp("`total(%s)` is the number of seeds in all of them, `each %[1]s = n` says that each has n", text)
		}
		return rules.Number(0)
	}
	e.mismatch(at, "a number", v)
	return rules.Number(0)
}

// asBool accepts only conditions: numbers are not truth values.
func (e conversions) asBool(v value, at diag.Range) rules.Expr {
	if v.typ.kind == kBool || v.typ.kind == kBad {
		return v.x
	}
	e.mismatch(at, "a condition", v)
	return rules.False
}

// asPit converts v to a pit. A set is accepted if it has exactly one member whoever is to move.
func (e conversions) asPit(v value, at diag.Range) rules.Expr {
	switch v.typ.kind {
	case kPit:
		v.use.place()
		return v.x
	case kBad:
		return rules.FixedPit(rules.None)
	case kSet:
		if p, ok := v.set.single(); ok {
			return p
		}
		if p, ok := e.byOwner(v.set, e.ownerOf(v)); ok {
			return p
		}
		d := e.diags.Errorf(diag.NotOnePit, at, "one pit is wanted here, this set has %d", len(v.set.elems))
		if len(v.set.elems) == 0 {
			d.WithHelp("who owns which pits follows from their names, or from `owner` lines; `mancheck show FILE` prints it")
		} else {
			d.WithHelp("`total(SET)` counts the seeds of several pits, and `for p in SET { … }` goes through them")
		}
		return rules.FixedPit(rules.None)
	}
	e.mismatch(at, "a pit", v)
	return rules.FixedPit(rules.None)
}

// ownerOf returns the player that the members of a set depend on: the one named with the set, or
// else the mover.
func (e conversions) ownerOf(v value) rules.Expr {
	switch {
	case v.owner != nil:
		return v.owner
	case e.mover != anyMover:
		return rules.FixedPlayer(e.mover)
	}
	return rules.Mover
}

// asType converts v to the type of a variable or parameter.
func (e conversions) asType(t typ, v value, at diag.Range) rules.Expr {
	switch t.kind {
	case kBad:
		return rules.Number(0) // the mistake was where the variable or local got its type
	case kInt:
		return e.asInt(v, at)
	case kBool:
		return e.asBool(v, at)
	case kPit:
		return e.asPit(v, at)
	case kEnum:
		return e.asEnum(t, v, at)
	case kLap:
		if v.typ.kind == kLap {
			return e.lapName(v)
		}
	case kPlayer:
		if isNone(v) && t.nobody {
			return rules.FixedPlayer(rules.None)
		}
	}
	if v.typ.kind != t.kind {
		e.mismatch(at, t.String(), v)
		return rules.Number(0)
	}
	return v.x
}

// asEnum converts v to a value of an enumeration. A bare name is looked up in that enumeration.
func (e conversions) asEnum(t typ, v value, at diag.Range) rules.Expr {
	switch {
	case v.typ.kind == kEnum && v.typ.enum == t.enum, v.typ.kind == kBad:
		return v.x
	case v.either != nil:
		b := v.either
		return b.choose(e.asEnum(t, b.l.value, b.l.at), e.asEnum(t, b.r.value, b.r.at))
	case v.typ.kind == kEnumName:
		for i, name := range e.enums[t.enum] {
			if name == v.name {
				return rules.Const{Value: i, Type: e.kernelType(t)}
			}
		}
		bind.Suggest(e.diags.Errorf(diag.Type, at, "`%s` is not a value of `%s`", v.name, t.enum), v.name,
			append([]string{}, e.enums[t.enum]...))
	default:
		e.mismatch(at, fmt.Sprintf("a value of `%s`", t.enum), v)
	}
	return rules.Number(0)
}

// arithmetic folds an operation on constants. A result beyond the range of numbers is reported.
func (e conversions) arithmetic(x rules.Binary) value {
	l, lok := constOf(x.L)
	r, rok := constOf(x.R)
	if lok && rok {
		if _, err := rules.Apply(x.Op, l, r); err == num.ErrRange {
			e.diags.Errorf(diag.NumberRange, x.At, "%d %s %d is beyond the range of numbers", l, x.Op, r).WithHelp("%s", rules.RangeHelp)
			return bad
		}
	}
	return number(simple(x))
}

// compare resolves a comparison. Pits are compared with pits as places; beside a number, a pit
// stands for its seeds.
func (e conversions) compare(op rules.Op, l, r operand) rules.Expr {
	order := op != rules.Eq && op != rules.Ne
	mk := func(a, b rules.Expr) rules.Expr { return simple(rules.Binary{Op: op, L: a, R: b}) }
	switch {
	case l.typ.kind == kBad || r.typ.kind == kBad:
		return rules.False
	case !order && isPitLike(l.value) && isPitLike(r.value):
		return e.samePlace(op, l, r)
	case l.typ.kind == kInt || r.typ.kind == kInt || order:
		return mk(e.numbers(l, r, "%s "+op.String()+" %s"))
	case isNone(l.value) && r.typ.kind == kPlayer, isNone(r.value) && l.typ.kind == kPlayer:
		return mk(e.asType(somebody, l.value, l.at), e.asType(somebody, r.value, r.at))
	case l.typ.kind == kEnumName && r.typ.kind == kEnum:
		return mk(e.asEnum(r.typ, l.value, l.at), r.x)
	case l.typ.kind == kLap && r.typ.kind == kLap:
		if l.x == nil && r.x == nil {
			return rules.Truth((l.lap == r.lap) == (op == rules.Eq))
		}
		is := e.sameName(e.lapName(l.value), e.lapName(r.value))
		if op == rules.Ne {
			is = simple(rules.Not{X: is})
		}
		return is
	case l.typ.kind == kLap:
		e.mismatch(r.at, "a lap", r.value)
		return rules.False
	case l.typ.kind == kSet || l.typ.kind == kRange || l.typ.kind == kList || l.typ.kind == kEnumName:
		e.mismatch(l.at, "a value", l.value)
		return rules.False
	}
	return mk(l.x, e.asType(l.typ, r.value, r.at))
}

// asRank converts v to a number. In a rank of moves a condition counts as 0 or 1.
func (e conversions) asRank(v value, at diag.Range) rules.Expr {
	if v.typ.kind == kBool {
		return simple(rules.Cond{If: v.x, Then: rules.Number(1), Else: rules.Number(0)})
	}
	return e.asInt(v, at)
}

// asSet converts v to a set of pits. A pit is the set with that member, and empty braces are the
// empty set.
func (e conversions) asSet(v value, at diag.Range) setValue {
	switch v.typ.kind {
	case kSet:
		return v.set
	case kPit:
		v.use.place()
		return setValue{elems: []elem{{pit: v.x}}}
	case kList:
		if len(v.list) == 0 {
			return setValue{}
		}
	}
	if e.mismatch(at, "a set of pits", v); v.typ.kind == kPlayer {
		e.lastHelp("what a player owns is `house of P` and `store of P`, and `my house` for the mover")
	}
	return setValue{}
}

// lapName returns the value that a variable holds for a lap: see fixedName.
func (e conversions) lapName(v value) rules.Expr {
	if v.x != nil {
		return v.x
	}
	return e.fixedName(e.known()[v.lap].Name)
}

// lonelyName resolves a value name without context, which works only if one enumeration has it.
func (e conversions) lonelyName(v value, at diag.Range) value {
	if b := v.either; b != nil {
		l := e.lonelyName(b.l.value, b.l.at)
		return value{typ: l.typ, x: b.choose(l.x, e.asType(l.typ, b.r.value, b.r.at))}
	}
	found := bad
	for enum, names := range e.enums {
		for i, n := range names {
			if n != v.name {
				continue
			}
			if found.typ.kind != kBad {
				e.diags.Errorf(diag.Type, at, "`%s` is a value of more than one variable", v.name)
				return bad
			}
			found = value{typ: typ{kind: kEnum, enum: enum}, x: rules.Const{Value: i, Type: e.enumType(names)}}
		}
	}
	return found
}

// onePit reports whether v is a pit, or a set that stands for one.
func (e conversions) onePit(v value) bool {
	if v.typ.kind != kSet {
		return v.typ.kind == kPit
	}
	_, single := v.set.single()
	_, owned := e.byOwner(v.set, e.ownerOf(v))
	return single || owned
}

// numbers converts both operands to numbers. If both are pits it reports that; pattern is a format
// with two %s that shows how to write the operation on their seeds.
func (e conversions) numbers(l, r operand, pattern string) (rules.Expr, rules.Expr) {
	if e.onePit(l.value) && e.onePit(r.value) {
		e.twoPits(l, r, pattern)
		return rules.Number(0), rules.Number(0)
	}
	return e.asInt(l.value, l.at), e.asInt(r.value, r.at)
}

// twoPits reports two pits that are used as if they were numbers.
func (e conversions) twoPits(l, r operand, pattern string) {
	seeds := func(o operand) string { return "seeds(" + e.source(o.at) + ")" }
	e.diags.Errorf(diag.TwoPits, l.at.To(r.at), "these are two pits, and a pit is a place").
		WithHelp("write `%s`", fmt.Sprintf(pattern, seeds(l), seeds(r)))
}

// samePlace resolves the comparison of two pits as places.
func (e conversions) samePlace(op rules.Op, l, r operand) rules.Expr {
	if l.spelled && r.spelled {
		e.twoPits(l, r, "%s "+op.String()+" %s")
		return rules.False
	}
	return simple(rules.Binary{Op: op, L: e.asPit(l.value, l.at), R: e.asPit(r.value, r.at)})
}

// unbracketed returns a text without the brackets around all of it, if there are any.
func unbracketed(text string) string {
	if len(text) < 2 || text[0] != '(' || text[len(text)-1] != ')' {
		return text
	}
	depth := 0
	for i, c := range text {
		switch c {
		case '(':
			depth++
		case ')':
			depth--
		}
		if depth == 0 && i < len(text)-1 {
			return text
		}
	}
	return text[1 : len(text)-1]
}
