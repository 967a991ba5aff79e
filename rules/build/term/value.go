// Package term builds expressions of the kernel from those of the text: values with their types,
// sets of pits, laps, and what the names of a variant are in its System.
//
//	value.go         values on the way to rules.Expr, with their types
//	names.go         Scope: what the symbols of a variant are in its System; outcomes.go, spare.go
//	layout.go        pits by group and number; picture.go: as drawn
//	budget.go        Run: mistakes, and the work that may still be done
//	sets.go          sets of pits, and seeds
//	conversions.go   what is wanted in the place of values; conditional.go: one of two
//	laps.go          laps, fixed or decided by play
//	words.go         words of the language, local names
//	exprs.go         Env: expressions at one place of the text, a function for each kind in
//	                 exprs.go, calls.go, defines.go and claimnames.go
//	ghosts.go        what claims about steps ask of the latest move
//	domain.go        what a name goes through; bounds of numbers
//
// Mistakes are collected in diagnostics rather than returned one at a time. After a mistake there
// is a value that fits everywhere, so that the mistake is told once.
package term

import (
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
)

// kind is the kind of a value during resolution. It is finer than the types of the kernel, which
// have no sets, ranges or lists.
type kind int

const (
	BadKind kind = iota // a mistake that was reported; fits everywhere
	IntKind
	BoolKind
	PitKind
	PlayerKind
	EnumKind
	EnumNameKind // a value name whose enumeration depends on the context
	LapKind
	SetKind
	RangeKind
	ListKind // values in braces that are not all pits
)

var kindNames = [...]string{
	"anything", "a number", "a truth value", "a pit", "a player", "an enumeration value",
	"an enumeration value", "a lap", "a set of pits", "a range", "a list",
}

// Type is the type of a value. enum is the variable that declares an enumeration; nobody means that
// a player may be `none` while the game goes on.
type Type struct {
	Kind   kind
	Enum   string
	Nobody bool
}

func (t Type) String() string { return kindNames[t.Kind] }

// somebody is the type of a player, or `none`.
var somebody = Type{Kind: PlayerKind, Nobody: true}

// Value is a resolved expression with its type. The comments name the kinds that use a field.
type Value struct {
	Type    Type
	X       rules.Expr // kInt, kBool, kPit, kPlayer, kEnum
	Set     PitSet     // kSet
	Lap     int        // kLap if x is nil; otherwise x is the index of its name in lapNames
	Cases   []LapCase  // kLap: the laps that it may be; nil: all of that name
	use     *LetUse    // of a local that names a pit
	Settled *[]LapCase // kLap: its cases, once play has decided between them; nil before
	name    string     // kEnumName
	Either  *branches  // kEnumName of a conditional expression; nil: see name
	List    []Value    // kList
	Lo      rules.Expr // kRange
	Hi      rules.Expr
	owner   rules.Expr // kSet after `my` or `of`: the player that decides
	held    rules.Expr // kPit after `old`: the seeds that it had before the step
	spelled bool       // a pit or set that is written out, and not computed in play
}

// Bad is the value of an expression with a mistake.
var Bad = Value{Type: Type{Kind: BadKind}, X: rules.Number(0)}

// mistake reports what is wrong with an expression.
func (e Env) mistake(code diag.Code, at diag.Range, format string, args ...any) Value {
	e.Game.Run.Diags.Errorf(code, at, format, args...)
	return Bad
}

func Number(x rules.Expr) Value { return Value{Type: Type{Kind: IntKind}, X: x} }
func truth(x rules.Expr) Value  { return Value{Type: Type{Kind: BoolKind}, X: x} }
func PitValue(x rules.Expr) Value {
	return Value{Type: Type{Kind: PitKind}, X: x}
}

// ConstOf returns the value of a constant expression.
func ConstOf(x rules.Expr) (int, bool) {
	c, ok := x.(rules.Const)
	return c.Value, ok
}

// SeedsAt returns the number of seeds in a pit as an expression, with the place in the text that
// asks for it.
func SeedsAt(pit rules.Expr, at diag.Range) rules.Cell {
	c := rules.Seeds(pit)
	c.At = at
	return c
}

// HasSeeds returns the condition that a pit has n seeds, with its place in the text.
func HasSeeds(pit, n int, at diag.Range) rules.Expr {
	return rules.Binary{Op: rules.Eq, L: SeedsAt(rules.FixedPit(pit), at), R: rules.Number(n)}
}

// isPitLike reports whether v may stand for one pit.
func isPitLike(v Value) bool { return v.Type.Kind == PitKind || v.Type.Kind == SetKind }

// Simple returns x with its constant parts evaluated.
func Simple(x rules.Expr) rules.Expr { return rules.Simplify(x, nil) }

// LetUse counts how the name of a pit is used in the rules. Its methods accept nil, for names that
// are not counted.
type LetUse struct{ Numbers, Places int }

func (u *LetUse) number() {
	if u != nil {
		u.Numbers++
	}
}

func (u *LetUse) Place() {
	if u != nil {
		u.Places++
	}
}

// PitSet is a set of pits in order. A member belongs to it only where its condition holds.
type PitSet struct {
	Elems []elem
	once  bool // no two members can be the same pit, and none can be `none`
}

type elem struct {
	Pit  rules.Expr
	Cond rules.Expr // where it is a member; rules.True: always
}

// Static returns whether each pit is a member, if that does not depend on the state. pits is the
// number of pits on the board.
func (s PitSet) Static(pits int) ([]bool, bool) {
	in := make([]bool, pits)
	for _, e := range s.Elems {
		p, ok := ConstOf(e.Pit)
		if !ok || e.Cond != rules.True {
			return nil, false
		}
		if p != rules.None {
			in[p] = true
		}
	}
	return in, true
}

func fixedSet(pits []int) PitSet {
	return PitSet{Elems: lists.Map(pits, func(p int) elem { return elem{rules.FixedPit(p), rules.True} })}
}

// register returns the register that a word of the language reads.
func register(name string, at diag.Range) rules.Expr {
	reg := map[string]rules.Cell{"last": rules.Last, "origin": rules.Origin, "last was": rules.LastWas}[name]
	reg.At = at
	return reg
}

// IsNone reports whether v is `none`, which is a pit and also stands for no player.
func IsNone(v Value) bool {
	n, known := ConstOf(v.X)
	return v.Type.Kind == PitKind && known && n == rules.None
}

// branches are the condition of a conditional expression and its two values.
type branches struct {
	cond rules.Expr
	l, r operand
}

// choose returns the one expression where the condition holds, and the other elsewhere.
func (b branches) choose(x, y rules.Expr) rules.Expr {
	return Simple(rules.Cond{If: b.cond, Then: x, Else: y})
}
