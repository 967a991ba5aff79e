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
	return folder(known).fold(x)
}

type folder func(Expr) (Const, bool)

func (known folder) fold(x Expr) Expr {
	if c, ok := known(x); ok {
		return c
	}
	x = known.parts(x)
	if c, ok := known(x); ok {
		return c
	}
	return x
}

// parts simplifies the parts of x, and then x itself if they determine it.
func (known folder) parts(x Expr) Expr {
	switch x := x.(type) {
	case Const, OpenParam, Question:
		return x
	case Cell:
		return known.cell(x)
	case Sum:
		return known.sum(x)
	case Lookup:
		return known.lookup(x)
	case Not:
		return known.not(x)
	case Binary:
		return known.binary(x)
	case Cond:
		return known.cond(x)
	case Old:
		return old(x)
	}
	panic(foreign(x))
}

// cell replaces a cell with a known index by the cell that it chooses.
func (known folder) cell(x Cell) Expr {
	if x.Index == nil {
		return x
	}
	x.Index = known.fold(x.Index)
	c, ok := x.Index.(Const)
	if !ok || c.Value < 0 {
		return x
	}
	slot := c.Value
	if x.Table != nil {
		if slot >= len(x.Table) || x.Table[slot] < 0 {
			return x
		}
		slot = x.Table[slot]
	}
	return known.fold(Cell{Sort: x.Sort, Slot: slot, At: x.At})
}

// lookup replaces the relation of a known pit by its entry.
func (known folder) lookup(x Lookup) Expr {
	x.X = known.fold(x.X)
	if c, ok := x.X.(Const); ok {
		if v, ok := x.Table.Entry(c.Value); ok {
			return Const{v, x.Table.entries()}
		}
	}
	return x
}

// sum replaces the known pits of the sum by their number.
func (known folder) sum(x Sum) Expr {
	n := 0
	var rest []int
	for _, p := range x.Pits {
		c, ok := known(PitAt(p))
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
		return Number(n)
	case n == 0:
		return Sum{rest}
	}
	return Binary{Op: Add, L: Sum{rest}, R: Number(n)}
}

func (known folder) not(x Not) Expr {
	x.X = known.fold(x.X)
	if c, ok := x.X.(Const); ok {
		return Truth(c.Value == 0)
	}
	if inner, ok := x.X.(Not); ok {
		return inner.X
	}
	return x
}

func (known folder) cond(x Cond) Expr {
	x.If = known.fold(x.If)
	if c, ok := x.If.(Const); ok {
		if c.Value != 0 {
			return known.fold(x.Then)
		}
		return known.fold(x.Else)
	}
	x.Then, x.Else = known.fold(x.Then), known.fold(x.Else)
	return x
}

func old(x Old) Expr {
	x.X = Simplify(x.X, nil)
	if c, ok := x.X.(Const); ok {
		return c
	}
	return x
}

func (known folder) binary(x Binary) Expr {
	x.L, x.R = known.fold(x.L), known.fold(x.R)
	return joined(x)
}

// joined simplifies a Binary if its parts determine it.
func joined(x Binary) Expr {
	l, lok := x.L.(Const)
	r, rok := x.R.(Const)
	if lok && rok {
		if v, err := Apply(x.Op, l.Value, r.Value); err == nil {
			return Const{v, x.Op.result()}
		}
		return x
	}
	if lok {
		return leftKnown(x, l.Value)
	}
	if rok {
		return rightKnown(x, r.Value)
	}
	return x
}

// Join is Simplify for a Binary of two simplified parts. It serves to join many expressions:
// simplifying the whole each time would take quadratic time.
func Join(op Op, l, r Expr) Expr {
	return joined(Binary{Op: op, L: l, R: r})
}

func leftKnown(x Binary, l int) Expr {
	switch x.Op {
	case And:
		return choose(l != 0, x.R, False)
	case Or:
		return choose(l != 0, True, x.R)
	case Add:
		return choose(l == 0, x.R, x)
	case Mul:
		return choose(l == 1, x.R, x)
	}
	return x
}

func rightKnown(x Binary, r int) Expr {
	switch x.Op {
	case And:
		return choose(r != 0, x.L, choose(CanFail(x.L), x, False))
	case Or:
		return choose(r == 0, x.L, choose(CanFail(x.L), x, True))
	case Add, Sub:
		return choose(r == 0, x.L, x)
	case Mul, Div:
		return choose(r == 1, x.L, x)
	}
	return x
}

func choose(b bool, x, y Expr) Expr {
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
			return (x.Op == Div || x.Op == Mod) && !isNonZero(x.R)
		case Old, OpenParam, Question:
			return true
		}
		panic(foreign(x))
	})
}

func isNonZero(x Expr) bool {
	c, ok := x.(Const)
	return ok && c.Value != 0
}
