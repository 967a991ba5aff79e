package rules

import (
	"fmt"

	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/internal/lists"
)

// Expr is a typed expression over a state: one of the ten types of this file. Quantifiers over pits
// are expanded, and conditions on the mover are decided. Package exec defines the evaluation.
//
//sumtype:decl
type Expr interface{ isExpr() }

// Const is a fixed value.
type Const struct {
	Value int
	Type  Type
}

// OpenParam is a parameter without a value. It occurs in Start.Cond and in claims only.
type OpenParam struct{ Param int }

// Cell is a place that holds a value: a pit, a control variable, or a local or register of the
// running body.
//
// Without Index it is number Slot of its Sort. With Index it is chosen in play: the pit that is the
// value of Index, or the variable Table[value of Index], where Table holds -1 if there is no
// variable for that value, and Key is the type of Index. It is a fault to choose `none`, or a
// variable that does not exist, reported at At.
type Cell struct {
	Sort  Sort
	Slot  int
	Table []int
	Key   Type
	Index Expr
	At    diag.Range
}

// Sort says what kind of place a Cell is.
type Sort uint8

// The sorts of cells.
const (
	PitCell      Sort = iota // the seeds in a pit
	VarCell                  // a control variable
	LocalCell                // a local of the running body
	RegisterCell             // a register; Slot is one of those below
)

// The registers. Those of the running body come first.
const (
	LastReg    = iota // the pit of the latest seed sown; it has no value before
	LastWasReg        // what that pit held before the seed
	OriginReg         // the pit of the latest sowing; it has no value before
	NextReg           // the player to move after the action; written, never read
	RankReg           // the rank that `prefer` gives the action; written, never read
	MoverReg          // the player to move, or None when the game is over
	OutcomeReg        // the outcome, or Live
)

// Sum is the number of seeds in a fixed set of pits.
type Sum struct{ Pits []int }

// Lookup is Table's entry for the pit X. At is the place of a fault.
type Lookup struct {
	Table *Table
	X     Expr
	At    diag.Range
}

// Table is what the board says of each pit. Two Tables with equal fields mean the same.
type Table struct {
	Kind     TableKind
	Lap      int   // the lap of NextOn and BeforeOn
	Relation int   // the relation of RelationOf
	Of       []int // by pit: a pit or None, a number, or a truth value

	// The lap or relation itself, if the System does not have it: Lap or Relation is None then.
	// Such a table occurs in claims only.
	OwnLap      *Lap
	OwnRelation *Relation
}

// IsOwn reports whether the table is about a lap or relation that the System does not have.
func (t *Table) IsOwn() bool { return t.OwnLap != nil || t.OwnRelation != nil }

// TableKind says what a Table is about.
type TableKind uint8

// The kinds of tables. The neighbour of `none`, and what a relation leads to from it, are `none`,
// which is in no set and has no index.
const (
	NextOn     TableKind = iota // the pit after a pit on a lap, or None
	BeforeOn                    // the pit before a pit on a lap, or None
	RelationOf                  // the pit that a relation leads to, or None
	IndexOf                     // the number in the brackets; a fault for `none`
	MemberOf                    // whether a pit is in a set
)

// OfNone returns the entry for `none`. ok is false if there is no entry, which is a fault.
func (t *Table) OfNone() (v int, ok bool) {
	switch t.Kind {
	case IndexOf:
		return 0, false
	case MemberOf:
		return 0, true
	}
	return None, true
}

// Entry returns the entry for a pit, or for None; ok is false if that is a fault.
func (t *Table) Entry(pit int) (v int, ok bool) {
	if pit == None {
		return t.OfNone()
	}
	return t.Of[pit], true
}

// Not negates a truth value.
type Not struct{ X Expr }

// Op is a binary operator.
type Op int

const (
	Or  Op = iota // short-circuit
	And           // short-circuit
	Eq
	Ne
	Lt
	Le
	Gt
	Ge
	Add
	Sub
	Mul
	Div // rounds down
	Mod // the remainder of Div: has the sign of the divisor
	Min
	Max
)

var opNames = [...]string{"or", "and", "=", "/=", "<", "<=", ">", ">=", "+", "-", "*", "div", "mod", "min", "max"}

// String returns the operator as written in the language.
func (o Op) String() string { return opNames[o] }

// result returns the type of the values that the operator gives.
func (o Op) result() Type {
	if o < Add {
		return TruthType
	}
	return NumberType
}

// Mirror returns the comparison that says the same with its sides exchanged: `a < b` is `b > a`. It
// returns other operators as they are.
func (o Op) Mirror() Op {
	switch o {
	case Lt:
		return Gt
	case Le:
		return Ge
	case Gt:
		return Lt
	case Ge:
		return Le
	}
	return o
}

// Binary applies Op. At is the place of a division by zero.
type Binary struct {
	Op   Op
	L, R Expr
	At   diag.Range
}

// Cond is Then where If holds, and otherwise Else.
type Cond struct{ If, Then, Else Expr }

// Question is a question about the whole state.
type Question uint8

// The questions.
const (
	IsStuck Question = iota // the state is live and has no legal move
	IsStart                 // the state is a start
	NoMove                  // the state is live and has no legal move but by a Fallback
)

// Old is X in the state before the step; only in the goal of a step claim.
type Old struct{ X Expr }

func (Const) isExpr()     {}
func (OpenParam) isExpr() {}
func (Cell) isExpr()      {}
func (Sum) isExpr()       {}
func (Lookup) isExpr()    {}
func (Not) isExpr()       {}
func (Binary) isExpr()    {}
func (Cond) isExpr()      {}
func (Question) isExpr()  {}
func (Old) isExpr()       {}

// Number returns a number as an expression.
func Number(n int) Expr { return fixed(Const{n, NumberType}) }

// Truth returns a truth value as an expression.
func Truth(b bool) Expr { return fixed(Const{num.Truth(b), TruthType}) }

// FixedPit returns a pit, or None, as an expression.
func FixedPit(pit int) Expr { return fixed(Const{pit, PitType}) }

// FixedPlayer returns a player, or None, as an expression.
func FixedPlayer(player int) Expr { return fixed(Const{player, PlayerType}) }

// True and False are the truth values as expressions.
var (
	True  = Truth(true)
	False = Truth(false)
)

// Register returns the register with this number.
func Register(reg int) Cell { return Cell{Sort: RegisterCell, Slot: reg} }

// PitAt returns the cell of a fixed pit.
func PitAt(pit int) Cell { return Cell{Sort: PitCell, Slot: pit} }

// VarAt returns the cell of a control variable.
func VarAt(v int) Cell { return Cell{Sort: VarCell, Slot: v} }

// LocalAt returns the cell of a local of the running body.
func LocalAt(slot int) Cell { return Cell{Sort: LocalCell, Slot: slot} }

// IsFixed reports whether x is the cell of this sort and number.
func IsFixed(x Expr, sort Sort, slot int) bool {
	c, ok := x.(Cell)
	return ok && c.Sort == sort && c.Index == nil && c.Slot == slot
}

// SeedsOf returns the pit whose seeds x counts, if that is a single fixed one.
func SeedsOf(x Expr) (pit int, ok bool) {
	if c, is := x.(Cell); is {
		return c.Slot, c.Sort == PitCell && c.Index == nil
	}
	if sum, is := x.(Sum); is && len(sum.Pits) == 1 {
		return sum.Pits[0], true
	}
	return None, false
}

// IsRegister reports whether c is this register.
func (c Cell) IsRegister(reg int) bool { return c.Sort == RegisterCell && c.Slot == reg }

// Slots lists the cells that c may be, out of n of its sort.
func (c Cell) Slots(n int) []int {
	switch {
	case c.Index == nil:
		return []int{c.Slot}
	case c.Table == nil:
		return num.Run(0, n)
	}
	return lists.Filter(c.Table, func(v int) bool { return v >= 0 })
}

// indexType returns the type of Index.
func (c Cell) indexType() Type {
	if c.Table == nil {
		return PitType
	}
	return c.Key
}

// WithChildren returns x with each direct subexpression replaced.
func WithChildren(x Expr, f func(Expr) Expr) Expr {
	switch x := x.(type) {
	case Const, OpenParam, Sum, Question:
		return x
	case Cell:
		if x.Index != nil {
			x.Index = f(x.Index)
		}
		return x
	case Lookup:
		x.X = f(x.X)
		return x
	case Not:
		return Not{f(x.X)}
	case Binary:
		x.L, x.R = f(x.L), f(x.R)
		return x
	case Cond:
		return Cond{f(x.If), f(x.Then), f(x.Else)}
	case Old:
		return Old{f(x.X)}
	}
	panic(foreign(x))
}

// foreign returns the panic text for an unknown expression or statement.
func foreign(x any) string { return fmt.Sprintf("rules: unknown %T", x) }

// Walk calls f on x and its subexpressions, outermost first; if f returns false, the subexpressions
// are skipped. A nil x is skipped.
func Walk(x Expr, f func(Expr) bool) {
	if x == nil || !f(x) {
		return
	}
	switch x := x.(type) {
	case Const, OpenParam, Sum, Question:
	case Cell:
		Walk(x.Index, f)
	case Lookup:
		Walk(x.X, f)
	case Not:
		Walk(x.X, f)
	case Binary:
		Walk(x.L, f)
		Walk(x.R, f)
	case Cond:
		Walk(x.If, f)
		Walk(x.Then, f)
		Walk(x.Else, f)
	case Old:
		Walk(x.X, f)
	default:
		panic(foreign(x))
	}
}

// Conjuncts splits x, which may be nil, at its outermost `and`s.
func Conjuncts(x Expr) []Expr {
	if b, ok := x.(Binary); ok && b.Op == And {
		return append(Conjuncts(b.L), Conjuncts(b.R)...)
	}
	if c, ok := x.(Const); x == nil || ok && c.Value != 0 {
		return nil
	}
	return []Expr{x}
}

// Conjunction joins expressions by `and`; without expressions it is True.
func Conjunction(xs ...Expr) Expr {
	if len(xs) == 0 {
		return True
	}
	x := xs[0]
	for _, y := range xs[1:] {
		x = Binary{Op: And, L: x, R: y}
	}
	return x
}

// Mentions reports whether some subexpression of x is as wanted. A nil x has none.
func Mentions(x Expr, wanted func(Expr) bool) bool {
	found := false
	Walk(x, func(x Expr) bool {
		found = found || wanted(x)
		return !found
	})
	return found
}

// CountsSeeds reports whether the value of x may change when seeds move.
func CountsSeeds(x Expr) bool {
	return Mentions(x, func(x Expr) bool {
		c, is := x.(Cell)
		_, sums := x.(Sum)
		_, asks := x.(Question)
		return sums || asks || is && c.Sort == PitCell
	})
}

// AsksFor reports whether a subexpression of x asks this question.
func AsksFor(x Expr, q Question) bool {
	return Mentions(x, func(x Expr) bool { return x == Expr(q) })
}

// HasA reports whether a subexpression of x is of type T.
func HasA[T Expr](x Expr) bool {
	return Mentions(x, func(x Expr) bool {
		_, is := x.(T)
		return is
	})
}

// Most expressions consist of few different constants and of cells with a fixed number, and a run
// of many claims keeps hundreds of thousands of them. So small ones are made once.

// fewTypes and fewValues bound what is made once: constants of the first types with values from
// None up, and cells with the first numbers.
const (
	fewTypes  = firstEnum + 3
	fewValues = 128
)

var (
	constants = makeConstants()
	cells     = makeCells()
)

func makeConstants() (made [fewTypes][fewValues + 1]Expr) {
	for t := range made {
		for i := range made[t] {
			made[t][i] = Const{i + None, Type(t)}
		}
	}
	return made
}

func makeCells() (made [RegisterCell + 1][fewValues]Expr) {
	for sort := range made {
		for slot := range made[sort] {
			made[sort][slot] = Cell{Sort: Sort(sort), Slot: slot}
		}
	}
	return made
}

// fixed returns a constant as an expression.
func fixed(c Const) Expr {
	if c.Type >= 0 && c.Type < fewTypes && c.Value >= None && c.Value < fewValues+None {
		return constants[c.Type][c.Value-None]
	}
	return c
}

// fixedCell returns the cell with this number, which no fault can concern, as an expression.
func fixedCell(sort Sort, slot int) Expr {
	if slot >= 0 && slot < fewValues {
		return cells[sort][slot]
	}
	return Cell{Sort: sort, Slot: slot}
}
