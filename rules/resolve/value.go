package resolve

import (
	"fmt"
	"reflect"
	"slices"

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

// simple folds constants.
func simple(x rules.Expr) rules.Expr { return rules.Simplify(x, nil) }

// spelled is a pit that is written out, and not found in play.
func spelled(x rules.Expr) value {
	v := pitValue(x)
	v.spelled = true
	return v
}

func (u *letUse) number() {
	if u != nil {
		u.numbers++
	}
}

func (u *letUse) place() {
	if u != nil {
		u.places++
	}
}

// setValue is a set of pits in order. A member with a condition belongs to it only where that
// holds.
type setValue struct {
	elems []elem
	once  bool // no two members are the same pit, and none is `none`
}

type elem struct {
	pit  rules.Expr
	cond rules.Expr // nil: always
}

func (s setValue) single() (rules.Expr, bool) {
	if len(s.elems) == 1 && s.elems[0].cond == nil {
		return s.elems[0].pit, true
	}
	return nil, false
}

// static returns membership by pit, if it does not depend on the state.
func (s setValue) static(pits int) ([]bool, bool) {
	in := make([]bool, pits)
	for _, e := range s.elems {
		p, ok := constOf(e.pit)
		if !ok || e.cond != nil {
			return nil, false
		}
		if p != rules.None {
			in[p] = true
		}
	}
	return in, true
}

// byOwner makes a set with one pit for each player into that pit. owner is the player that decides.
func (e env) byOwner(s setValue, owner rules.Expr) (rules.Expr, bool) {
	if _, known := constOf(owner); known || len(s.elems) == 0 || e.place == inDeclaration {
		return nil, false
	}
	pit := rules.Expr(rules.FixedPit(rules.None))
	for player := range e.sys.Players {
		var mine []rules.Expr
		for _, m := range s.elems {
			at := func(x rules.Expr) (rules.Const, bool) { return rules.FixedPlayer(player), reflect.DeepEqual(x, owner) }
			if m.cond == nil || rules.Simplify(m.cond, at) == rules.True {
				mine = append(mine, m.pit)
			}
		}
		if len(mine) != 1 {
			return nil, false
		}
		is := rules.Binary{Op: rules.Eq, L: owner, R: rules.FixedPlayer(player)}
		pit = rules.Cond{If: is, Then: mine[0], Else: pit}
	}
	return pit, true
}

// asSet accepts a pit as the set of itself.
func (e env) asSet(v value, at diag.Range) setValue {
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
	e.mismatch(at, "a set of pits", v)
	return setValue{}
}

// lapName is the number of a lap's name in lapNames, as a variable holds it.
func (e env) lapName(v value) rules.Expr {
	if v.x != nil {
		return v.x
	}
	return e.fixedName(slices.Index(e.lapNames(), e.sys.Laps[v.lap].Name))
}

// fixedName is one of lapNames as a constant.
func (b *builder) fixedName(i int) rules.Expr {
	return rules.Const{Value: i, Type: b.kernelType(typ{kind: kLap})}
}

// lonelyName finds the one enumeration that has this name.
func (e env) lonelyName(v value, at diag.Range) value {
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
