package rules

import "github.com/mancheck/mancheck/dsl/diag"

// Expr is a typed expression over a state. Quantifiers over pits are already expanded, and conditions
// on the mover decided. Evaluation is defined by rules/interp.
type Expr interface{ isExpr() }

// Const is a fixed value.
type Const struct{ Value int }

// OpenParam is a parameter without a value. It occurs in Start.Cond only.
type OpenParam struct{ Param int }

// Seeds is the number of seeds in a pit. At serves the report of a Pit that is None.
type Seeds struct {
	Pit Expr
	At  diag.Range
}

// Sum is the number of seeds in a fixed set of pits.
type Sum struct{ Pits []int }

// VarRef is a control variable. If Index is not nil the variable is Table[value of Index], otherwise Table[0];
// Table holds -1 where there is no variable for that index.
type VarRef struct {
	Table []int
	Index Expr
	At    diag.Range
}

// Local is a local of the running body.
type Local struct{ Slot int }

// Last is the pit of the last seed sown in the running body.
type Last struct{ At diag.Range }

// LastWas is what that pit held before the seed.
type LastWas struct{ At diag.Range }

// Origin is the pit of the latest sowing of the running body.
type Origin struct{ At diag.Range }

// Neighbour is the pit after (or, with Back, before) Pit on the lap; None off its ends.
type Neighbour struct {
	Pit  Expr
	Lap  int
	Back bool
}

// OppositeOf is the pit facing Pit, or None.
type OppositeOf struct{ Pit Expr }

// IndexOf is the number in the brackets of Pit.
type IndexOf struct {
	Pit Expr
	At  diag.Range
}

// In holds if the pit (or None, which is in no set) is a member; Set is indexed by pit.
type In struct {
	X   Expr
	Set []bool
}

// Not negates.
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
	Div // rounds to minus infinity
	Mod // the remainder of Div: has the sign of the divisor
	Min
	Max
)

var opNames = [...]string{"or", "and", "=", "/=", "<", "<=", ">", ">=", "+", "-", "*", "div", "mod", "min", "max"}

// String is the operator as written in the language.
func (o Op) String() string { return opNames[o] }

// Binary applies Op. At serves the report of a division by zero.
type Binary struct {
	Op   Op
	L, R Expr
	At   diag.Range
}

// Cond is Then where If holds, and else Else.
type Cond struct{ If, Then, Else Expr }

// Mover is the player to move, or None when the game is over.
type Mover struct{}

// HasOutcome holds in states finished with this outcome; Outcome Live holds in live states.
type HasOutcome struct{ Outcome int }

// IsStuck holds in live states without a legal move.
type IsStuck struct{}

// IsStart holds in starts.
type IsStart struct{}

// Old is X in the state before the step; only in the goal of a step claim.
type Old struct{ X Expr }

func (Const) isExpr()      {}
func (OpenParam) isExpr()  {}
func (Seeds) isExpr()      {}
func (Sum) isExpr()        {}
func (VarRef) isExpr()     {}
func (Local) isExpr()      {}
func (Last) isExpr()       {}
func (LastWas) isExpr()    {}
func (Origin) isExpr()     {}
func (Neighbour) isExpr()  {}
func (OppositeOf) isExpr() {}
func (IndexOf) isExpr()    {}
func (In) isExpr()         {}
func (Not) isExpr()        {}
func (Binary) isExpr()     {}
func (Cond) isExpr()       {}
func (Mover) isExpr()      {}
func (HasOutcome) isExpr() {}
func (IsStuck) isExpr()    {}
func (IsStart) isExpr()    {}
func (Old) isExpr()        {}

// True and False are the truth values as expressions.
var (
	True  Expr = Const{1}
	False Expr = Const{0}
)

// Children returns the direct subexpressions of x.
func Children(x Expr) []Expr {
	switch x := x.(type) {
	case Seeds:
		return []Expr{x.Pit}
	case VarRef:
		if x.Index != nil {
			return []Expr{x.Index}
		}
	case Neighbour:
		return []Expr{x.Pit}
	case OppositeOf:
		return []Expr{x.Pit}
	case IndexOf:
		return []Expr{x.Pit}
	case In:
		return []Expr{x.X}
	case Not:
		return []Expr{x.X}
	case Binary:
		return []Expr{x.L, x.R}
	case Cond:
		return []Expr{x.If, x.Then, x.Else}
	case Old:
		return []Expr{x.X}
	}
	return nil
}

// Walk calls f on x and its subexpressions, outermost first, until f says false for a subtree. A nil x is skipped.
func Walk(x Expr, f func(Expr) bool) {
	if x == nil || !f(x) {
		return
	}
	for _, c := range Children(x) {
		Walk(c, f)
	}
}

// Conjuncts splits x at its outermost `and`s.
func Conjuncts(x Expr) []Expr {
	if b, ok := x.(Binary); ok && b.Op == And {
		return append(Conjuncts(b.L), Conjuncts(b.R)...)
	}
	if c, ok := x.(Const); ok && c.Value != 0 {
		return nil
	}
	return []Expr{x}
}

// Conjunction joins expressions by `and`; of none it is True.
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
