package resolve

import (
	"fmt"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules"
)

type kind int

const (
	kBad kind = iota // already reported; fits everywhere
	kInt
	kBool
	kPit
	kPlayer
	kEnum
	kEnumName // a value name whose enumeration the context decides
	kLap
	kSet
	kRange
	kList // braces around things that are no pits
)

var kindNames = [...]string{
	"anything", "a number", "a truth value", "a pit", "a player", "an enumeration value",
	"an enumeration value", "a lap", "a set of pits", "a range", "a list",
}

// typ is the type of a value; enum names the variable that declares an enumeration.
type typ struct {
	kind kind
	enum string
}

func (t typ) String() string { return kindNames[t.kind] }

// value is a resolved expression with its type.
type value struct {
	typ     typ
	x       rules.Expr // kInt, kBool, kPit, kPlayer, kEnum
	set     setValue   // kSet
	lap     int        // kLap, where x is nil; else x is the number of its name
	cases   []lapCase  // kLap: the laps that it may be; nil: those of that name
	use     *letUse    // of a local that is a pit
	settled int        // kLap: which of the decided laps it is; 0: none
	name    string     // kEnumName
	list    []value    // kList
	lo      rules.Expr // kRange
	hi      rules.Expr
	owner   rules.Expr // kSet behind `my` or `of`: the player that decides
	held    rules.Expr // of a pit behind `old`: what it held, which is not what that pit holds now
	spelled bool       // a pit or set that is written out
}

var bad = value{typ: typ{kind: kBad}, x: rules.Number(0)}

func number(x rules.Expr) value { return value{typ: typ{kind: kInt}, x: x} }
func truth(x rules.Expr) value  { return value{typ: typ{kind: kBool}, x: x} }
func pitValue(x rules.Expr) value {
	return value{typ: typ{kind: kPit}, x: x}
}

func (b *builder) mismatch(at diag.Range, want string, v value) {
	if v.typ.kind != kBad {
		b.diags.Errorf(diag.Type, at, "%s is wanted here, this is %s", want, v.typ)
	}
}

func constOf(x rules.Expr) (int, bool) {
	c, ok := x.(rules.Const)
	return c.Value, ok
}

// seedsOf is the number of seeds in a pit. A setup that asks for it speaks of the pit, whatever
// comes of the condition.
func (e env) seedsOf(pit rules.Expr, at diag.Range) rules.Expr {
	if p, ok := constOf(pit); ok && p != rules.None && e.place == inSetup {
		e.sys.Start.Free[p] = true
	}
	return simple(seedsAt(pit, at))
}

// seedsAt is the number of seeds in a pit, with the place that asks for it.
func seedsAt(pit rules.Expr, at diag.Range) rules.Cell {
	c := rules.Seeds(pit)
	c.At = at
	return c
}

// asInt turns a pit into its seeds.
func (e env) asInt(v value, at diag.Range) rules.Expr {
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
		if text := e.unit.text(at); e.place == inSetup {
			d.WithHelp("write `each %s = n` for n seeds in each of these pits", text)
		} else {
			d.WithHelp("`total(%s)` is the number of seeds in all of them, `each %[1]s = n` says that each has n", text)
		}
		return rules.Number(0)
	}
	e.mismatch(at, "a number", v)
	return rules.Number(0)
}

func (e env) asBool(v value, at diag.Range) rules.Expr {
	if v.typ.kind == kBool || v.typ.kind == kBad {
		return v.x
	}
	e.mismatch(at, "a condition", v)
	return rules.False
}

// asPit accepts a set of exactly one pit.
func (e env) asPit(v value, at diag.Range) rules.Expr {
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
		e.diags.Errorf(diag.NotOnePit, at, "one pit is wanted here, this set has %d", len(v.set.elems))
		return rules.FixedPit(rules.None)
	}
	e.mismatch(at, "a pit", v)
	return rules.FixedPit(rules.None)
}

// ownerOf is the player that decides which pits a set has.
func (e env) ownerOf(v value) rules.Expr {
	switch {
	case v.owner != nil:
		return v.owner
	case e.mover != anyMover:
		return rules.FixedPlayer(e.mover)
	}
	return rules.Mover
}

// isPitLike says whether v can stand for one pit.
func isPitLike(v value) bool { return v.typ.kind == kPit || v.typ.kind == kSet }

// asType converts v to the type of a variable.
func (e env) asType(t typ, v value, at diag.Range) rules.Expr {
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
	}
	if v.typ.kind != t.kind {
		e.mismatch(at, t.String(), v)
		return rules.Number(0)
	}
	return v.x
}

func (e env) asEnum(t typ, v value, at diag.Range) rules.Expr {
	switch {
	case v.typ.kind == kEnum && v.typ.enum == t.enum, v.typ.kind == kBad:
		return v.x
	case v.typ.kind == kEnumName:
		for i, name := range e.enums[t.enum] {
			if name == v.name {
				return rules.Const{Value: i, Type: e.kernelType(t)}
			}
		}
		suggest(e.diags.Errorf(diag.Type, at, "`%s` is not a value of `%s`", v.name, t.enum), v.name,
			append([]string{}, e.enums[t.enum]...))
	default:
		e.mismatch(at, fmt.Sprintf("a value of `%s`", t.enum), v)
	}
	return rules.Number(0)
}

// constInt resolves x to a number that is known before play.
func (e env) constInt(x ast.Expr) int {
	n := len(*e.diags)
	number := e.asInt(e.expr(x), x.Span())
	v, ok := constOf(number)
	if !ok && len(*e.diags) == n {
		e.diags.Errorf(diag.NotConstant, x.Span(), "this must be known before play, but %s", unknownFor(number))
	}
	return v
}

// unknownFor says why x is no constant.
func unknownFor(x rules.Expr) string {
	why := "depends on the state"
	rules.Walk(x, func(x rules.Expr) bool {
		b, ok := x.(rules.Binary)
		if ok && (b.Op == rules.Div || b.Op == rules.Mod) && b.R == rules.Expr(rules.Number(0)) {
			why = "divides by zero"
		}
		return true
	})
	return why
}

func (b *builder) constInt(x ast.Expr) int { return b.env(inDeclaration).constInt(x) }

func (b *builder) set(x ast.Expr) setValue {
	e := b.env(inDeclaration)
	return e.asSet(e.expr(x), x.Span())
}

// simple folds constants.
func simple(x rules.Expr) rules.Expr { return rules.Simplify(x, nil) }
