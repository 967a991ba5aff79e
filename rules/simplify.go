package rules

import "github.com/mancheck/mancheck/dsl/num"

// Simplify folds constants in x and replaces known subexpressions. Wherever x has a value the
// result has the same. It has a value only where x has one, so no fault of the rules is hidden. An
// operation on constants whose result is out of range is unchanged.
//
// known returns the value of a subexpression, if it is known. It is called before and after the
// parts of a subexpression are simplified, with a cell for each pit of a Sum. It may be nil. It
// does not apply inside Old, which refers to another state.
func Simplify(x Expr, known func(Expr) (Const, bool)) Expr {
	if known == nil {
		known = func(Expr) (Const, bool) { return Const{}, false }
	}
	x, _ = folder(known).fold(x)
	return x
}

// folder simplifies expressions. Its methods also say whether the result differs from what they
// got: what does not is not made again, since most parts stay as they are.
type folder func(Expr) (Const, bool)

func (known folder) fold(x Expr) (Expr, bool) {
	if c, ok := known(x); ok {
		return fixed(c), true
	}
	x, changed := known.parts(x)
	if !changed {
		return x, false
	}
	if c, ok := known(x); ok {
		return fixed(c), true
	}
	return x, true
}

// parts simplifies the parts of x, and then x itself if they determine it.
func (known folder) parts(x Expr) (Expr, bool) {
	switch y := x.(type) {
	case Const, OpenParam, Question:
		return x, false
	case Cell:
		return known.cell(x, y)
	case Sum:
		return known.sum(x, y)
	case Lookup:
		return known.lookup(x, y)
	case Not:
		return known.not(x, y)
	case Binary:
		return known.binary(x, y)
	case Cond:
		return known.cond(x, y)
	case Old:
		return old(x, y)
	}
	panic(foreign(x))
}

// cell replaces a cell with a known index by the cell that it chooses.
func (known folder) cell(x Expr, c Cell) (Expr, bool) {
	if c.Index == nil {
		return x, false
	}
	index, changed := known.fold(c.Index)
	if changed {
		c.Index = index
		x = c
	}
	i, ok := index.(Const)
	if !ok || i.Value < 0 {
		return x, changed
	}
	slot := i.Value
	if c.Table != nil {
		if slot >= len(c.Table) || c.Table[slot] < 0 {
			return x, changed
		}
		slot = c.Table[slot]
	}
	x, _ = known.fold(fixedCell(c.Sort, slot))
	return x, true
}

// lookup replaces the relation of a known pit by its entry.
func (known folder) lookup(x Expr, l Lookup) (Expr, bool) {
	pit, changed := known.fold(l.X)
	if c, ok := pit.(Const); ok {
		if v, ok := l.Table.Entry(c.Value); ok {
			return fixed(Const{v, l.Table.entries()}), true
		}
	}
	if changed {
		l.X = pit
		x = l
	}
	return x, changed
}

// sum replaces the known pits of the sum by their number.
func (known folder) sum(x Expr, s Sum) (Expr, bool) {
	n := 0
	var rest []int
	for _, p := range s.Pits {
		c, ok := known(fixedCell(PitCell, p))
		sum := 0
		if ok {
			sum, ok = num.Add(n, c.Value)
		}
		if ok {
			n = sum
		} else {
			rest = append(rest, p)
		}
	}
	switch {
	case len(rest) == 0:
		return Number(n), true
	case len(rest) == len(s.Pits):
		return x, false
	case n == 0:
		return Sum{rest}, true
	}
	return Binary{Op: Add, L: Sum{rest}, R: Number(n)}, true
}

func (known folder) not(x Expr, n Not) (Expr, bool) {
	inner, changed := known.fold(n.X)
	if c, ok := inner.(Const); ok {
		return Truth(c.Value == 0), true
	}
	if again, ok := inner.(Not); ok {
		return again.X, true
	}
	if changed {
		x = Not{inner}
	}
	return x, changed
}

func (known folder) cond(x Expr, c Cond) (Expr, bool) {
	cond, changedIf := known.fold(c.If)
	if decided, ok := cond.(Const); ok {
		x, _ = known.fold(choose(decided.Value != 0, c.Then, c.Else))
		return x, true
	}
	yes, changedThen := known.fold(c.Then)
	no, changedElse := known.fold(c.Else)
	if !changedIf && !changedThen && !changedElse {
		return x, false
	}
	return Cond{cond, yes, no}, true
}

func old(x Expr, o Old) (Expr, bool) {
	inner, changed := folder(func(Expr) (Const, bool) { return Const{}, false }).fold(o.X)
	if _, ok := inner.(Const); ok {
		return inner, true
	}
	if changed {
		x = Old{inner}
	}
	return x, changed
}

func (known folder) binary(x Expr, b Binary) (Expr, bool) {
	l, changedL := known.fold(b.L)
	r, changedR := known.fold(b.R)
	b.L, b.R = l, r
	if y, ok := joined(b); ok {
		return y, true
	}
	if changedL || changedR {
		return b, true
	}
	return x, false
}

// joined returns what a Binary comes to if its parts determine it.
func joined(x Binary) (Expr, bool) {
	l, lok := x.L.(Const)
	r, rok := x.R.(Const)
	switch {
	case lok && rok:
		v, err := Apply(x.Op, l.Value, r.Value)
		return fixed(Const{v, x.Op.result()}), err == nil
	case lok:
		return leftKnown(x, l.Value)
	case rok:
		return rightKnown(x, r.Value)
	}
	return nil, false
}

// Join is Simplify for a Binary of two simplified parts. It serves to join many expressions:
// simplifying the whole each time would take quadratic time.
func Join(op Op, l, r Expr) Expr {
	b := Binary{Op: op, L: l, R: r}
	if x, ok := joined(b); ok {
		return x
	}
	return b
}

func leftKnown(x Binary, l int) (Expr, bool) {
	switch x.Op {
	case And:
		return choose(l != 0, x.R, False), true
	case Or:
		return choose(l != 0, True, x.R), true
	case Add:
		return x.R, l == 0
	case Mul:
		return x.R, l == 1
	}
	return nil, false
}

func rightKnown(x Binary, r int) (Expr, bool) {
	switch x.Op {
	case And:
		if r != 0 {
			return x.L, true
		}
		return False, !CanFail(x.L)
	case Or:
		if r == 0 {
			return x.L, true
		}
		return True, !CanFail(x.L)
	case Add, Sub:
		return x.L, r == 0
	case Mul, Div:
		return x.L, r == 1
	}
	return nil, false
}

func choose[T any](b bool, x, y T) T {
	if b {
		return x
	}
	return y
}

// CanFail reports whether the evaluation of x may meet a fault of the rules in some state: a
// division by zero, none where a pit is wanted, or something that has no value yet.
func CanFail(x Expr) bool {
	return Mentions(x, func(x Expr) bool {
		switch x := x.(type) {
		case Const, Sum, Not, Cond:
			return false
		case Cell:
			return x.Index != nil || x.Sort == LocalCell || x.Sort == RegisterCell && x.Slot <= OriginReg
		case Lookup:
			_, ok := x.Table.OfNone()
			return !ok
		case Binary:
			by, known := x.R.(Const)
			return (x.Op == Div || x.Op == Mod) && !(known && by.Value != 0)
		case Old, OpenParam, Question:
			return true
		}
		panic(foreign(x))
	})
}

// NeverFails reports whether an expression surely has a value in every state. Unlike CanFail it
// minds sums, which may be too large.
func NeverFails(x Expr) bool {
	return !CanFail(x) && !Mentions(x, func(x Expr) bool {
		if b, is := x.(Binary); is {
			return b.Op >= Add
		}
		c, is := x.(Cell)
		return is && c.Sort != PitCell && c.Sort != VarCell
	})
}
