package partial

import "github.com/mancheck/mancheck/rules"

// Eval evaluates an expression of a claim in s; Old speaks of old, which may be nil. The error is a *Fault. What
// is not known is an interval, not an error.
func (m *Machine) Eval(x rules.Expr, s State, old *State) (Value, error) {
	r := m.newRun(s, 0)
	r.old = old
	return r.eval(x)
}

// holds evaluates a condition that play depends on.
func (r *run) holds(x rules.Expr) (bool, error) {
	v, err := r.eval(x)
	if err != nil {
		return false, err
	}
	return r.decide(v)
}

// decide gives the truth value of v. If that is not known, it is guessed or an error.
func (r *run) decide(v Value) (bool, error) {
	holds, decided := v.Holds()
	switch {
	case decided:
		return holds, nil
	case r.guess != nil:
		return r.guess.choose(2) == 1, r.guess.err()
	}
	return false, &Unknown{v.Of}
}

func (r *run) eval(x rules.Expr) (Value, error) {
	switch x := x.(type) {
	case rules.Const:
		return Known(x.Value), nil
	case rules.OpenParam:
		return r.param(&r.m.sys.Params[x.Param]), nil
	case rules.Seeds:
		return r.seeds(x)
	case rules.Sum:
		return r.total(x.Pits), nil
	case rules.VarRef:
		i, err := r.variable(x.Table, x.Index)
		if err != nil || i < 0 {
			return anything("a variable that is not known"), err
		}
		return r.read(i)
	case rules.Not:
		v, err := r.eval(x.X)
		return not(v), err
	case rules.Binary:
		return r.binary(x)
	case rules.Cond:
		return r.cond(x)
	case rules.Mover:
		return Known(r.s.Mover), nil
	case rules.Neighbour, rules.OppositeOf, rules.IndexOf, rules.In:
		return r.ofPit(x)
	case rules.Local, rules.Last, rules.LastWas, rules.Origin:
		return r.ofBody(x)
	}
	return r.ofState(x)
}

// param is a parameter without a value.
func (r *run) param(p *rules.Param) Value {
	if p.HasHi {
		return Between(p.Lo, p.Hi, "`"+p.Name+"`")
	}
	return AtLeast(p.Lo, "`"+p.Name+"`")
}

func (r *run) seeds(x rules.Seeds) (Value, error) {
	pit, err := r.eval(x.Pit)
	if err != nil {
		return Value{}, err
	}
	p, known := pit.Is()
	if !known {
		r.doubt(pit)
		return AtLeast(0, pit.Of), nil
	}
	if p < 0 || p >= len(r.s.Seeds) {
		return Value{}, fault("`none` is used as a pit")
	}
	return r.s.Seeds[p], nil
}

func (r *run) total(pits []int) Value {
	v := Known(0)
	for _, p := range pits {
		v = v.plus(r.s.Seeds[p])
	}
	return v
}

// variable finds the control variable that an index chooses; -1 if that is not known.
func (r *run) variable(table []int, index rules.Expr) (int, error) {
	if index == nil {
		return table[0], nil
	}
	v, err := r.eval(index)
	if err != nil {
		return 0, err
	}
	i, known := v.Is()
	if !known {
		r.doubt(v)
		return -1, nil
	}
	if i < 0 || i >= len(table) || table[i] < 0 {
		return 0, fault("there is no such variable")
	}
	return table[i], nil
}

// read is the value of variable i. A guess makes one up, once.
func (r *run) read(i int) (Value, error) {
	v := r.s.Vars[i]
	if _, known := v.Is(); known || r.guess == nil || r.guess.Assigned[i] {
		return v, nil
	}
	domain := r.m.sys.Vars[i].Domain
	v = Known(domain[r.guess.choose(len(domain))])
	r.s.Vars[i], r.guess.Before[i] = v, v
	return v, r.guess.err()
}

func (r *run) binary(x rules.Binary) (Value, error) {
	l, err := r.eval(x.L)
	if err != nil {
		return Value{}, err
	}
	if x.Op == rules.And || x.Op == rules.Or {
		return r.connective(x, l)
	}
	w, err := r.eval(x.R)
	if err != nil {
		return Value{}, err
	}
	if (x.Op == rules.Div || x.Op == rules.Mod) && w.May(0) {
		r.doubt(w)
	}
	v, ok := apply(x.Op, l, w)
	if !ok {
		return Value{}, fault("a division by zero")
	}
	return v, nil
}

// connective evaluates the right side where the left one does not decide. If the left one is unknown, a right side that
// decides is enough; a fault there may never come up, and says nothing.
func (r *run) connective(x rules.Binary, l Value) (Value, error) {
	decisive := x.Op == rules.Or
	holds, decided := l.Holds()
	if decided && holds == decisive {
		return truth(decisive), nil
	}
	v, err := r.eval(x.R)
	if _, broken := err.(*Fault); broken && !decided {
		r.doubt(l)
		return maybe(l.Of), nil
	}
	if err != nil {
		return Value{}, err
	}
	right, rightDecided := v.Holds()
	switch {
	case rightDecided && right == decisive:
		return truth(decisive), nil
	case rightDecided && decided:
		return truth(right), nil
	case decided:
		return maybe(v.Of), nil
	}
	return maybe(l.Of), nil
}

// cond evaluates the branch that applies. If that is not known it is guessed, or the value may be that of either.
func (r *run) cond(x rules.Cond) (Value, error) {
	c, err := r.eval(x.If)
	if err != nil {
		return Value{}, err
	}
	if _, decided := c.Holds(); decided || r.guess != nil {
		yes, err := r.decide(c)
		if err != nil {
			return Value{}, err
		}
		if yes {
			return r.eval(x.Then)
		}
		return r.eval(x.Else)
	}
	return r.either(c, x.Then, x.Else), nil
}

// either is the value of x or of y. A fault in one of them need not come up.
func (r *run) either(c Value, x, y rules.Expr) Value {
	v, err := r.eval(x)
	w, err2 := r.eval(y)
	if err != nil || err2 != nil {
		r.doubt(c)
		return anything(c.Of)
	}
	u := hull(v, w)
	u.Of = c.Of
	return u
}

// ofPit evaluates what the board says about a pit. The neighbour and the opposite of none are none, which is in no set.
func (r *run) ofPit(x rules.Expr) (Value, error) {
	v, err := r.eval(rules.Children(x)[0])
	if err != nil {
		return Value{}, err
	}
	pit, known := v.Is()
	pits := len(r.m.sys.Pits)
	if x, ok := x.(rules.In); ok {
		if !known {
			return maybe(v.Of), nil
		}
		return truth(pit >= 0 && pit < len(x.Set) && x.Set[pit]), nil
	}
	if x, ok := x.(rules.IndexOf); ok {
		return r.index(x, v)
	}
	if !known {
		return Between(rules.None, pits-1, v.Of), nil
	}
	if pit < 0 || pit >= pits {
		return Known(rules.None), nil
	}
	switch x := x.(type) {
	case rules.Neighbour:
		if x.Back {
			return Known(r.m.sys.Laps[x.Lap].Prev[pit]), nil
		}
		return Known(r.m.sys.Laps[x.Lap].Next[pit]), nil
	}
	return Known(r.m.sys.Opposite[pit]), nil
}

func (r *run) index(_ rules.IndexOf, v Value) (Value, error) {
	pit, known := v.Is()
	switch {
	case !known:
		r.doubt(v)
		return anything(v.Of), nil
	case pit < 0 || pit >= len(r.m.sys.Pits):
		return Value{}, fault("`none` is used as a pit")
	}
	return Known(r.m.sys.Pits[pit].Index), nil
}

// ofBody evaluates what only a running body knows.
func (r *run) ofBody(x rules.Expr) (Value, error) {
	switch x := x.(type) {
	case rules.Local:
		if x.Slot < len(r.locals) {
			return r.locals[x.Slot], nil
		}
		return Value{}, fault("a local outside its body")
	case rules.Origin:
		if !r.begun {
			return Value{}, fault("`origin` has no value: nothing was sown yet")
		}
		return r.origin, nil
	}
	if !r.dropped {
		return Value{}, fault("`last` has no value: nothing was sown yet")
	}
	if _, was := x.(rules.LastWas); was {
		return r.lastWas, nil
	}
	return r.last, nil
}

// ofState evaluates what claims say about whole states.
func (r *run) ofState(x rules.Expr) (Value, error) {
	switch x := x.(type) {
	case rules.HasOutcome:
		return truth(r.s.Outcome == x.Outcome), nil
	case rules.IsStuck:
		return r.stuck()
	case rules.IsStart:
		return r.m.IsStart(r.m.withoutGhosts(r.s))
	case rules.Old:
		if r.old == nil {
			return Value{}, fault("`old` without a state before the step")
		}
		return r.m.Eval(x.X, *r.old, nil)
	}
	return Value{}, fault("unknown expression %T", x)
}

func (r *run) stuck() (Value, error) {
	if !r.s.Live() {
		return Known(0), nil
	}
	can, err := r.m.canMove(r.s)
	if open, is := err.(*Unknown); is {
		return maybe(open.Part), nil
	}
	return truth(!can), err
}
