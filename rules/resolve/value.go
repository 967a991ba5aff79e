package resolve

import (
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules"
)

// kind is the kind of a value during resolution. It is finer than the types of the kernel, which
// have no sets, ranges or lists.
type kind int

const (
	kBad kind = iota // a mistake that was reported; fits everywhere
	kInt
	kBool
	kPit
	kPlayer
	kEnum
	kEnumName // a value name whose enumeration depends on the context
	kLap
	kSet
	kRange
	kList // values in braces that are not all pits
)

var kindNames = [...]string{
	"anything", "a number", "a truth value", "a pit", "a player", "an enumeration value",
	"an enumeration value", "a lap", "a set of pits", "a range", "a list",
}

// typ is the type of a value. enum is the variable that declares an enumeration; nobody means that
// a player may be `none` while the game goes on.
type typ struct {
	kind   kind
	enum   string
	nobody bool
}

func (t typ) String() string { return kindNames[t.kind] }

// somebody is the type of a player, or `none`.
var somebody = typ{kind: kPlayer, nobody: true}

// value is a resolved expression with its type. The comments name the kinds that use a field.
type value struct {
	typ     typ
	x       rules.Expr // kInt, kBool, kPit, kPlayer, kEnum
	set     setValue   // kSet
	lap     int        // kLap if x is nil; otherwise x is the index of its name in lapNames
	cases   []lapCase  // kLap: the laps that it may be; nil: all of that name
	use     *letUse    // of a local that names a pit
	settled *[]lapCase // kLap: its cases, once play has decided between them; nil before
	name    string     // kEnumName
	either  *branches  // kEnumName of a conditional expression; nil: see name
	list    []value    // kList
	lo      rules.Expr // kRange
	hi      rules.Expr
	owner   rules.Expr // kSet after `my` or `of`: the player that decides
	held    rules.Expr // kPit after `old`: the seeds that it had before the step
	spelled bool       // a pit or set that is written out, and not computed in play
}

// bad is the value of an expression with a mistake.
var bad = value{typ: typ{kind: kBad}, x: rules.Number(0)}

func number(x rules.Expr) value { return value{typ: typ{kind: kInt}, x: x} }
func truth(x rules.Expr) value  { return value{typ: typ{kind: kBool}, x: x} }
func pitValue(x rules.Expr) value {
	return value{typ: typ{kind: kPit}, x: x}
}

// constOf returns the value of a constant expression.
func constOf(x rules.Expr) (int, bool) {
	c, ok := x.(rules.Const)
	return c.Value, ok
}

// seedsAt returns the number of seeds in a pit as an expression, with the place in the text that
// asks for it.
func seedsAt(pit rules.Expr, at diag.Range) rules.Cell {
	c := rules.Seeds(pit)
	c.At = at
	return c
}

// isPitLike reports whether v may stand for one pit.
func isPitLike(v value) bool { return v.typ.kind == kPit || v.typ.kind == kSet }

// simple returns x with its constant parts evaluated.
func simple(x rules.Expr) rules.Expr { return rules.Simplify(x, nil) }

// spelled returns a pit that is written out, as opposed to computed in play.
func spelled(x rules.Expr) value {
	v := pitValue(x)
	v.spelled = true
	return v
}

// letUse counts how the name of a pit is used in the rules. Its methods accept nil, for names that
// are not counted.
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

// setValue is a set of pits in order. A member with a condition belongs to it only where the
// condition holds.
type setValue struct {
	elems []elem
	once  bool // no two members can be the same pit, and none can be `none`
}

type elem struct {
	pit  rules.Expr
	cond rules.Expr // nil: always
}

// single returns the member of a set that has exactly one, without a condition.
func (s setValue) single() (rules.Expr, bool) {
	if len(s.elems) == 1 && s.elems[0].cond == nil {
		return s.elems[0].pit, true
	}
	return nil, false
}

// has is static for one pit, or none.
func (s setValue) has(pit int) (is, ok bool) {
	for _, e := range s.elems {
		p, known := constOf(e.pit)
		if !known || e.cond != nil {
			return false, false
		}
		is = is || p == pit && pit != rules.None
	}
	return is, true
}

// static returns whether each pit is a member, if that does not depend on the state. pits is the
// number of pits on the board.
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

func fixedSet(pits []int) setValue {
	var s setValue
	for _, p := range pits {
		s.elems = append(s.elems, elem{pit: rules.FixedPit(p)})
	}
	return s
}

// andCond joins conditions of members, where nil stands for true.
func andCond(a, b rules.Expr) rules.Expr {
	c := rules.Join(rules.And, orTrue(a), b)
	if c == rules.True {
		return nil
	}
	return c
}

// orTrue returns the condition that nil stands for.
func orTrue(cond rules.Expr) rules.Expr {
	if cond == nil {
		return rules.True
	}
	return cond
}

// named returns a value bound to a name. Using the name does not write out a pit.
func named(v value) value {
	v.spelled = false
	return v
}

// register returns the register that a word of the language reads.
func register(name string, at diag.Range) rules.Expr {
	reg := map[string]rules.Cell{"last": rules.Last, "origin": rules.Origin, "last was": rules.LastWas}[name]
	reg.At = at
	return reg
}

// isNone reports whether v is `none`, which is a pit and also stands for no player.
func isNone(v value) bool {
	n, known := constOf(v.x)
	return v.typ.kind == kPit && known && n == rules.None
}

// branches are the condition of a conditional expression and its two values.
type branches struct {
	cond rules.Expr
	l, r operand
}

// choose returns the one expression where the condition holds, and the other elsewhere.
func (b branches) choose(x, y rules.Expr) rules.Expr {
	return simple(rules.Cond{If: b.cond, Then: x, Else: y})
}
