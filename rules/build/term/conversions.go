package term

import (
	"fmt"
	"slices"

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

// operand is a side of an operator or an argument of a function.
type operand struct {
	Value
	at diag.Range
}

// asInt converts v to a number. A pit becomes its number of seeds, and so does a set that stands
// for one pit.
func asInt(e Env, v Value, at diag.Range) rules.Expr {
	switch v.Type.Kind {
	case IntKind, BadKind:
		return v.X
	case PitKind:
		v.use.number()
		if v.held != nil {
			return v.held
		}
		return seedsOf(e, v.X, at)
	case SetKind:
		if p, ok := onePit(e, v); ok {
			return seedsOf(e, p, at)
		}
		d := e.Game.Run.Diags.Errorf(diag.Type, at, "a number is wanted here, this is a set of %d pits", len(v.Set.Elems))
		if text := unbracketed(e.Game.Source(at)); e.Place == InSetup {
			d.WithHelp("write `each %s = n` for n seeds in each of these pits", text)
		} else {
			d.WithHelp("`total(%s)` is the number of seeds in all of them, `each %[1]s = n` says that each has n", text)
		}
		return rules.Number(0)
	}
	e.Game.Run.Mismatch(at, "a number", v)
	return rules.Number(0)
}

// asBool accepts only conditions: numbers are not truth values.
func asBool(e Env, v Value, at diag.Range) rules.Expr {
	if v.Type.Kind == BoolKind || v.Type.Kind == BadKind {
		return v.X
	}
	e.Game.Run.Mismatch(at, "a condition", v)
	return rules.False
}

// AsPit converts v to a pit. A set is accepted if it has exactly one member whoever is to move.
func AsPit(e Env, v Value, at diag.Range) rules.Expr {
	switch v.Type.Kind {
	case PitKind:
		v.use.Place()
		return v.X
	case BadKind:
		return rules.FixedPit(rules.None)
	case SetKind:
		if p, ok := onePit(e, v); ok {
			return p
		}
		d := e.Game.Run.Diags.Errorf(diag.NotOnePit, at, "one pit is wanted here, this set has %d", len(v.Set.Elems))
		switch n := len(v.Set.Elems); {
		case n == 0:
			d.WithHelp("who owns which pits follows from their names, or from `owner` lines; `mancheck show FILE` prints it")
		case n <= len(e.Game.Sys.Players):
			d.WithHelp("say whose it is, as `my store` or `store of South`")
		default:
			d.WithHelp("`each SET = n` asks it of each pit, `total(SET)` counts the seeds of all, `for p in SET { … }` goes through them, and `first p in SET where E` is one of them")
		}
		return rules.FixedPit(rules.None)
	}
	e.Game.Run.Mismatch(at, "a pit", v)
	return rules.FixedPit(rules.None)
}

// onePit returns the pit that v is, or the one that a set stands for whoever is to move: the player
// named with the set decides, or else the mover.
func onePit(e Env, v Value) (rules.Expr, bool) {
	if v.Type.Kind != SetKind {
		return v.X, v.Type.Kind == PitKind
	}
	if list := v.Set.Elems; len(list) == 1 && list[0].Cond == rules.True {
		return list[0].Pit, true
	}
	switch {
	case v.owner != nil:
	case e.Mover != anyMover:
		v.owner = rules.FixedPlayer(e.Mover)
	default:
		v.owner = rules.Mover
	}
	return byOwner(e, v.Set, v.owner)
}

// OnePit reports whether v is a pit, or a set that stands for one.
func OnePit(e Env, v Value) bool {
	_, ok := onePit(e, v)
	return ok
}

// AsType converts v to the type of a variable or parameter.
func AsType(e Env, t Type, v Value, at diag.Range) rules.Expr {
	switch t.Kind {
	case BadKind:
		return rules.Number(0) // the mistake was where the variable or local got its type
	case IntKind:
		return asInt(e, v, at)
	case BoolKind:
		return asBool(e, v, at)
	case PitKind:
		return AsPit(e, v, at)
	case EnumKind:
		return asEnum(e, t, v, at)
	case LapKind:
		if v.Type.Kind == LapKind {
			return lapName(e, v)
		}
	case PlayerKind:
		if IsNone(v) && t.Nobody {
			return rules.FixedPlayer(rules.None)
		}
	}
	if v.Type.Kind != t.Kind {
		e.Game.Run.Mismatch(at, t.String(), v)
		return rules.Number(0)
	}
	return v.X
}

// asEnum converts v to a value of an enumeration. A bare name is looked up in that enumeration.
func asEnum(e Env, t Type, v Value, at diag.Range) rules.Expr {
	switch {
	case v.Type.Kind == EnumKind && v.Type.Enum == t.Enum, v.Type.Kind == BadKind:
		return v.X
	case v.Either != nil:
		b := v.Either
		return b.choose(asEnum(e, t, b.l.Value, b.l.at), asEnum(e, t, b.r.Value, b.r.at))
	case v.Type.Kind == EnumNameKind:
		if i := slices.Index(e.Game.Enums[t.Enum], v.name); i >= 0 {
			return rules.Const{Value: i, Type: e.Game.KernelType(t)}
		}
		bind.Suggest(e.Game.Run.Diags.Errorf(diag.Type, at, "`%s` is not a value of `%s`", v.name, t.Enum), v.name,
			append([]string{}, e.Game.Enums[t.Enum]...))
	default:
		e.Game.Run.Mismatch(at, fmt.Sprintf("a value of `%s`", t.Enum), v)
	}
	return rules.Number(0)
}

// arithmetic folds an operation on constants. A result beyond the range of numbers is reported.
func arithmetic(e Env, x rules.Binary) Value {
	l, lok := ConstOf(x.L)
	r, rok := ConstOf(x.R)
	if lok && rok {
		if _, err := rules.Apply(x.Op, l, r); err == num.ErrRange {
			e.Game.Run.Diags.Errorf(diag.NumberRange, x.At, "%d %s %d is beyond the range of numbers", l, x.Op, r).WithHelp("%s", rules.RangeHelp)
			return Bad
		}
	}
	return Number(Simple(x))
}

// compare resolves a comparison. Pits are compared with pits as places; beside a number, a pit
// stands for its seeds.
func compare(e Env, op rules.Op, l, r operand) rules.Expr {
	order := op != rules.Eq && op != rules.Ne
	mk := func(a, b rules.Expr) rules.Expr { return Simple(rules.Binary{Op: op, L: a, R: b}) }
	switch {
	case l.Type.Kind == BadKind || r.Type.Kind == BadKind:
		return rules.False
	case !order && isPitLike(l.Value) && isPitLike(r.Value):
		return samePlace(e, op, l, r)
	case l.Type.Kind == IntKind || r.Type.Kind == IntKind || order:
		return mk(numbers(e, l, r, "%s "+op.String()+" %s"))
	case IsNone(l.Value) && r.Type.Kind == PlayerKind, IsNone(r.Value) && l.Type.Kind == PlayerKind:
		return mk(AsType(e, somebody, l.Value, l.at), AsType(e, somebody, r.Value, r.at))
	case l.Type.Kind == EnumNameKind && r.Type.Kind == EnumKind:
		return mk(asEnum(e, r.Type, l.Value, l.at), r.X)
	case l.Type.Kind == LapKind && r.Type.Kind == LapKind:
		if l.X == nil && r.X == nil {
			return rules.Truth((l.Lap == r.Lap) == (op == rules.Eq))
		}
		is := e.Game.sameName(lapName(e, l.Value), lapName(e, r.Value))
		if op == rules.Ne {
			is = Simple(rules.Not{X: is})
		}
		return is
	case l.Type.Kind == LapKind:
		e.Game.Run.Mismatch(r.at, "a lap", r.Value)
		return rules.False
	case l.Type.Kind == SetKind || l.Type.Kind == RangeKind || l.Type.Kind == ListKind || l.Type.Kind == EnumNameKind:
		e.Game.Run.Mismatch(l.at, "a value", l.Value)
		return rules.False
	}
	return mk(l.X, AsType(e, l.Type, r.Value, r.at))
}

// AsRank converts v to a number. In a rank of moves a condition counts as 0 or 1.
func AsRank(e Env, v Value, at diag.Range) rules.Expr {
	if v.Type.Kind == BoolKind {
		return Simple(rules.Cond{If: v.X, Then: rules.Number(1), Else: rules.Number(0)})
	}
	return asInt(e, v, at)
}

// AsSet converts v to a set of pits. A pit is the set with that member, and empty braces are the
// empty set.
func AsSet(e Env, v Value, at diag.Range) PitSet {
	switch v.Type.Kind {
	case SetKind:
		return v.Set
	case PitKind:
		v.use.Place()
		return PitSet{Elems: []elem{{v.X, rules.True}}}
	case ListKind:
		if len(v.List) == 0 {
			return PitSet{}
		}
	}
	if e.Game.Run.Mismatch(at, "a set of pits", v); v.Type.Kind == PlayerKind {
		(*e.Game.Run.Diags)[len(*e.Game.Run.Diags)-1].WithHelp("what a player owns is `house of P` and `store of P`, and `my house` for the mover")
	}
	return PitSet{}
}

// lapName returns the value that a variable holds for a lap: see fixedName.
func lapName(e Env, v Value) rules.Expr {
	if v.X != nil {
		return v.X
	}
	return e.Game.fixedName(e.Game.known()[v.Lap].Name)
}

// LonelyName resolves a value name without context, which works only if one enumeration has it.
func LonelyName(e Env, v Value, at diag.Range) Value {
	if b := v.Either; b != nil {
		l := LonelyName(e, b.l.Value, b.l.at)
		return Value{Type: l.Type, X: b.choose(l.X, AsType(e, l.Type, b.r.Value, b.r.at))}
	}
	found := Bad
	for enum, names := range e.Game.Enums {
		for i, n := range names {
			if n != v.name {
				continue
			}
			if found.Type.Kind != BadKind {
				return e.mistake(diag.Type, at, "`%s` is a value of more than one variable", v.name)
			}
			found = Value{Type: Type{Kind: EnumKind, Enum: enum}, X: rules.Const{Value: i, Type: e.Game.EnumType(names)}}
		}
	}
	return found
}

// numbers converts both operands to numbers. If both are pits it reports that; pattern is a format
// with two %s that shows how to write the operation on their seeds.
func numbers(e Env, l, r operand, pattern string) (rules.Expr, rules.Expr) {
	if OnePit(e, l.Value) && OnePit(e, r.Value) {
		twoPits(e, l, r, pattern)
		return rules.Number(0), rules.Number(0)
	}
	return asInt(e, l.Value, l.at), asInt(e, r.Value, r.at)
}

// twoPits reports two pits that are used as if they were numbers.
func twoPits(e Env, l, r operand, pattern string) {
	seeds := func(o operand) string { return "seeds(" + e.Game.Source(o.at) + ")" }
	e.Game.Run.Diags.Errorf(diag.TwoPits, l.at.To(r.at), "these are two pits, and a pit is a place").
		WithHelp("write `%s`", fmt.Sprintf(pattern, seeds(l), seeds(r)))
}

// samePlace resolves the comparison of two pits as places.
func samePlace(e Env, op rules.Op, l, r operand) rules.Expr {
	if l.spelled && r.spelled {
		twoPits(e, l, r, "%s "+op.String()+" %s")
		return rules.False
	}
	return Simple(rules.Binary{Op: op, L: AsPit(e, l.Value, l.at), R: AsPit(e, r.Value, r.at)})
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
