package rules

// Valueless returns a condition that holds in exactly the states in which the evaluation of x meets
// a fault of the rules: a division by zero, `none` where a pit is wanted, a variable that does not
// exist. Its own evaluation meets none.
func Valueless(x Expr) Expr {
	if x == nil || !CanFail(x) {
		return False
	}
	switch x := x.(type) {
	case Cell:
		return noCell(x)
	case Lookup:
		if _, ok := x.Table.OfNone(); ok {
			return Valueless(x.X)
		}
		return anyOf(Valueless(x.X), Binary{Op: Eq, L: x.X, R: FixedPit(None)})
	case Cond:
		yes, no := Valueless(x.Then), Valueless(x.Else)
		if yes == False && no == False {
			return Valueless(x.If)
		}
		return anyOf(Valueless(x.If), Cond{If: x.If, Then: yes, Else: no})
	case Old:
		return Simplify(Old{X: Valueless(x.X)}, nil)
	case Binary:
		return valueless(x)
	case Not:
		return Valueless(x.X)
	case Const, OpenParam, Sum, Question:
		return False
	}
	panic(foreign(x))
}

// noCell returns the condition that the index chooses no cell.
func noCell(x Cell) Expr {
	switch {
	case x.Index == nil:
		return False
	case x.Table == nil:
		return anyOf(Valueless(x.Index), Binary{Op: Eq, L: x.Index, R: FixedPit(None)})
	}
	some := False
	for i, v := range x.Table {
		if v >= 0 {
			some = anyOf(some, Binary{Op: Eq, L: x.Index, R: Const{i, x.Key}})
		}
	}
	return anyOf(Valueless(x.Index), Not{X: some})
}

// valueless follows the short circuit of `and` and `or`: the right side is evaluated only if the
// left one does not decide.
func valueless(x Binary) Expr {
	l, r := Valueless(x.L), Valueless(x.R)
	switch {
	case x.Op == Div || x.Op == Mod:
		return anyOf(l, r, Binary{Op: Eq, L: x.R, R: Number(0)})
	case r == False:
		return l
	case x.Op == And:
		return anyOf(l, Binary{Op: And, L: x.L, R: r})
	case x.Op == Or:
		return anyOf(l, Binary{Op: And, L: Not{X: x.L}, R: r})
	}
	return anyOf(l, r)
}

// anyOf returns the disjunction of conditions, none of which is evaluated once one holds.
func anyOf(list ...Expr) Expr {
	any := False
	for _, x := range list {
		any = Simplify(Binary{Op: Or, L: any, R: Simplify(x, nil)}, nil)
	}
	return any
}

// OrValueless returns a condition that holds where x does, or has no value.
func OrValueless(x Expr) Expr { return anyOf(Valueless(x), x) }
