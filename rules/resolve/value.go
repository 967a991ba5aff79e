package resolve

import (
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
	settled *[]lapCase // kLap: the laps of which play has decided for one; nil: it has not
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

func constOf(x rules.Expr) (int, bool) {
	c, ok := x.(rules.Const)
	return c.Value, ok
}

// seedsAt is the number of seeds in a pit, with the place that asks for it.
func seedsAt(pit rules.Expr, at diag.Range) rules.Cell {
	c := rules.Seeds(pit)
	c.At = at
	return c
}

// isPitLike says whether v can stand for one pit.
func isPitLike(v value) bool { return v.typ.kind == kPit || v.typ.kind == kSet }

// simple folds constants.
func simple(x rules.Expr) rules.Expr { return rules.Simplify(x, nil) }

// spelled is a pit that is written out, and not found in play.
func spelled(x rules.Expr) value {
	v := pitValue(x)
	v.spelled = true
	return v
}

// letUse counts what the name of a pit is used for in the rules.
type letUse struct{ numbers, places int }

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

func upTo(lo, hi int) []int {
	var list []int
	for i := lo; i <= hi; i++ {
		list = append(list, i)
	}
	return list
}

func fixedSet(pits []int) setValue {
	var s setValue
	for _, p := range pits {
		s.elems = append(s.elems, elem{pit: rules.FixedPit(p)})
	}
	return s
}

// andCond conjoins member conditions, where nil is true.
func andCond(a, b rules.Expr) rules.Expr {
	c := rules.Join(rules.And, orTrue(a), b)
	if c == rules.True {
		return nil
	}
	return c
}

func orTrue(cond rules.Expr) rules.Expr {
	if cond == nil {
		return rules.True
	}
	return cond
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// named is a value under a name that is bound to it: whoever writes the name writes out no pit.
func named(v value) value {
	v.spelled = false
	return v
}

// register is a register that a word of the language stands for.
func register(name string, at diag.Range) rules.Expr {
	reg := map[string]rules.Cell{"last": rules.Last, "origin": rules.Origin, "last was": rules.LastWas}[name]
	reg.At = at
	return reg
}
