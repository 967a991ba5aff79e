package encode

import (
	"errors"
	"fmt"

	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/smt/term"
)

// unset marks a pit of the running body that is not known yet: nothing was sown.
const unset = rules.None - 1

// run is the carrying out of a body on one path, as in the interpreter. Pits are always known numbers: where they depend on the
// state the path is split.
type run struct {
	*path
	s       State
	old     *State
	open    []*term.Term // values of open parameters, by parameter
	locals  []*term.Term
	last    int
	lastWas *term.Term
	origin  int
	again   bool
	rank    *term.Term
	rounds  int // how often a loop is unrolled
}

func (p *path) newRun(s State, locals, rounds int) *run {
	r := &run{path: p, s: s.clone(), last: unset, origin: unset, rank: p.e.b.Int(0), rounds: rounds}
	for range locals {
		r.locals = append(r.locals, p.e.b.Int(0))
	}
	return r
}

// asInt makes a number of a truth value, asBool a truth value of a number.
func (e *Encoder) asInt(t *term.Term) *term.Term {
	if t.Sort == term.Int {
		return t
	}
	return e.b.Ite(t, e.b.Int(1), e.b.Int(0))
}

func (e *Encoder) asBool(t *term.Term) *term.Term {
	if t.Sort == term.Bool {
		return t
	}
	if t.Op == term.Ite && t.Args[1].Op == term.Const && t.Args[2].Op == term.Const {
		return e.b.Ite(t.Args[0], e.b.Bool(t.Args[1].Value != 0), e.b.Bool(t.Args[2].Value != 0))
	}
	return e.b.Ne(t, e.b.Int(0))
}

// cond evaluates a condition, number a number.
func (r *run) cond(x rules.Expr) (*term.Term, error) {
	t, err := r.eval(x)
	if err != nil {
		return nil, err
	}
	return r.reduce(r.e.asBool(t)), nil
}

func (r *run) number(x rules.Expr) (*term.Term, error) {
	t, err := r.eval(x)
	if err != nil {
		return nil, err
	}
	return r.e.asInt(t), nil
}

// holds evaluates a condition and finds out whether it holds.
func (r *run) holds(x rules.Expr) (bool, error) {
	c, err := r.cond(x)
	if err != nil {
		return false, err
	}
	return r.decide(c)
}

// value evaluates a number and finds out which it is.
func (r *run) value(x rules.Expr) (int, error) {
	t, err := r.number(x)
	if err != nil {
		return 0, err
	}
	return r.pick(t)
}

// pit evaluates an expression that must give a pit.
func (r *run) pit(x rules.Expr) (int, error) {
	p, err := r.value(x)
	if err == nil && (p < 0 || p >= len(r.s.Seeds)) {
		err = errFault
	}
	return p, err
}

func (r *run) eval(x rules.Expr) (*term.Term, error) {
	switch x := x.(type) {
	case rules.Const:
		return r.e.b.Int(x.Value), nil
	case rules.Seeds:
		pit, err := r.pit(x.Pit)
		if err != nil {
			return nil, err
		}
		return r.constant(r.s.Seeds[pit]), nil
	case rules.Sum:
		return r.total(x.Pits), nil
	case rules.VarRef:
		i, err := r.variable(x.Table, x.Index)
		if err != nil {
			return nil, err
		}
		return r.constant(r.s.Vars[i]), nil
	case rules.Not:
		c, err := r.cond(x.X)
		if err != nil {
			return nil, err
		}
		return r.e.b.Not(c), nil
	case rules.Binary:
		return r.binary(x)
	case rules.Cond:
		return r.choice(x)
	case rules.Mover:
		return r.s.Mover, nil
	case rules.OpenParam:
		if r.open == nil {
			return nil, fmt.Errorf("parameter `%s` has no value", r.e.sys.Params[x.Param].Name)
		}
		return r.open[x.Param], nil
	case rules.In:
		return r.in(x)
	case rules.Neighbour, rules.OppositeOf, rules.IndexOf:
		return r.ofPit(x)
	case rules.Local, rules.Last, rules.LastWas, rules.Origin:
		return r.ofBody(x)
	}
	return r.ofState(x)
}

func (r *run) total(pits []int) *term.Term {
	var all []*term.Term
	for _, p := range pits {
		all = append(all, r.s.Seeds[p])
	}
	return r.e.b.Add(all...)
}

// variable finds the control variable that an index chooses.
func (r *run) variable(table []int, index rules.Expr) (int, error) {
	if index == nil {
		return table[0], nil
	}
	i, err := r.value(index)
	if err != nil {
		return 0, err
	}
	if i < 0 || i >= len(table) || table[i] < 0 {
		return 0, errFault
	}
	return table[i], nil
}

// in asks for membership without finding out which pit it is.
func (r *run) in(x rules.In) (*term.Term, error) {
	t, err := r.number(x.X)
	if err != nil {
		return nil, err
	}
	var members []int
	for p, is := range x.Set {
		if is {
			members = append(members, p)
		}
	}
	return r.reduce(r.e.among(t, members)), nil
}

// ofPit evaluates what the board says about a pit.
func (r *run) ofPit(x rules.Expr) (*term.Term, error) {
	if x, ok := x.(rules.IndexOf); ok {
		pit, err := r.pit(x.Pit)
		if err != nil {
			return nil, err
		}
		return r.e.b.Int(r.e.sys.Pits[pit].Index), nil
	}
	pit, err := r.value(rules.Children(x)[0])
	if err != nil || pit == rules.None {
		return r.e.b.Int(rules.None), err
	}
	return r.e.b.Int(r.beside(x, pit)), nil
}

func (r *run) beside(x rules.Expr, pit int) int {
	n, ok := x.(rules.Neighbour)
	switch {
	case !ok:
		return r.e.sys.Opposite[pit]
	case n.Back:
		return r.e.sys.Laps[n.Lap].Prev[pit]
	}
	return r.e.sys.Laps[n.Lap].Next[pit]
}

// ofBody evaluates what only a running body knows.
func (r *run) ofBody(x rules.Expr) (*term.Term, error) {
	pit := r.last
	switch x := x.(type) {
	case rules.Local:
		return r.locals[x.Slot], nil
	case rules.LastWas:
		if pit == unset {
			return nil, errFault
		}
		return r.lastWas, nil
	case rules.Origin:
		pit = r.origin
	}
	if pit == unset {
		return nil, errFault
	}
	return r.e.b.Int(pit), nil
}

// choice evaluates both branches where that needs no split and neither can fail, and otherwise follows one of them.
func (r *run) choice(x rules.Cond) (*term.Term, error) {
	c, err := r.cond(x.If)
	if err != nil {
		return nil, err
	}
	if c.Op != term.Const {
		yes, err1 := r.tentatively(x.Then)
		no, err2 := r.tentatively(x.Else)
		if err1 == nil && err2 == nil {
			return r.either(c, yes, no), nil
		}
	}
	holds, err := r.decide(c)
	if err != nil {
		return nil, err
	}
	if holds {
		return r.eval(x.Then)
	}
	return r.eval(x.Else)
}

// either is a conditional of two terms that need not be of one sort.
func (r *run) either(c, yes, no *term.Term) *term.Term {
	if yes.Sort != no.Sort {
		yes, no = r.e.asInt(yes), r.e.asInt(no)
	}
	return r.e.b.Ite(c, yes, no)
}

// tentatively evaluates x if it can be done without asking anything.
func (r *run) tentatively(x rules.Expr) (*term.Term, error) {
	was := r.pure
	r.pure = true
	t, err := r.eval(x)
	r.pure = was
	return t, err
}

func (r *run) binary(x rules.Binary) (*term.Term, error) {
	if x.Op == rules.And || x.Op == rules.Or {
		return r.connective(x)
	}
	l, err := r.eval(x.L)
	if err != nil {
		return nil, err
	}
	right, err := r.eval(x.R)
	if err != nil {
		return nil, err
	}
	if x.Op >= rules.Add {
		return r.arithmetic(x.Op, r.e.asInt(l), r.e.asInt(right))
	}
	return r.reduce(r.comparison(x.Op, l, right)), nil
}

// connective evaluates the right side together with the left if it can, and else only where the left side does not decide.
func (r *run) connective(x rules.Binary) (*term.Term, error) {
	l, err := r.cond(x.L)
	if err != nil {
		return nil, err
	}
	stop := r.e.b.Bool(x.Op == rules.Or)
	if l == stop {
		return stop, nil
	}
	if right, err := r.tentatively(x.R); err == nil {
		if x.Op == rules.Or {
			return r.e.b.Or(l, r.reduce(r.e.asBool(right))), nil
		}
		return r.e.b.And(l, r.reduce(r.e.asBool(right))), nil
	}
	holds, err := r.decide(l)
	if err != nil {
		return nil, err
	}
	if holds == (x.Op == rules.Or) {
		return stop, nil
	}
	return r.cond(x.R)
}

func (r *run) comparison(op rules.Op, x, y *term.Term) *term.Term {
	b := r.e.b
	if x.Sort != y.Sort || op > rules.Ne {
		x, y = r.e.asInt(x), r.e.asInt(y)
	}
	switch op {
	case rules.Eq:
		return b.Eq(x, y)
	case rules.Ne:
		return b.Ne(x, y)
	case rules.Lt:
		return b.Lt(x, y)
	case rules.Le:
		return b.Le(x, y)
	case rules.Gt:
		return b.Gt(x, y)
	}
	return b.Ge(x, y)
}

func (r *run) arithmetic(op rules.Op, x, y *term.Term) (*term.Term, error) {
	b := r.e.b
	switch op {
	case rules.Add:
		return b.Add(x, y), nil
	case rules.Sub:
		return b.Sub(x, y), nil
	case rules.Min:
		return b.Ite(r.reduce(b.Le(x, y)), x, y), nil
	case rules.Max:
		return b.Ite(r.reduce(b.Le(x, y)), y, x), nil
	case rules.Mul:
		return r.product(x, y)
	}
	return r.division(op, x, y)
}

// product needs one factor that is known.
func (r *run) product(x, y *term.Term) (*term.Term, error) {
	if _, ok := x.IsConst(); ok {
		x, y = y, x
	} else if _, ok := r.values(y); !ok {
		x, y = y, x
	}
	k, err := r.pick(y)
	if err != nil {
		return nil, err
	}
	return r.e.b.Mul(k, x), nil
}

// division needs a known divisor. x div -k is -x div k.
func (r *run) division(op rules.Op, x, y *term.Term) (*term.Term, error) {
	k, err := r.pick(y)
	if err != nil {
		return nil, err
	}
	b := r.e.b
	q := x
	switch {
	case k == 0:
		return nil, errFault
	case k < 0:
		q = r.e.quot(b.Mul(-1, x), -k)
	default:
		q = r.e.quot(x, k)
	}
	if op == rules.Div {
		return q, nil
	}
	return b.Sub(x, b.Mul(k, q)), nil
}

// ofState evaluates what claims say about whole states.
func (r *run) ofState(x rules.Expr) (*term.Term, error) {
	switch x := x.(type) {
	case rules.HasOutcome:
		return r.e.b.Eq(r.s.Outcome, r.e.b.Int(x.Outcome)), nil
	case rules.IsStuck:
		return r.e.stuck(r.s), nil
	case rules.IsStart:
		return r.e.isStart(r.e.withoutGhosts(r.s))
	case rules.Old:
		if r.old == nil {
			return nil, errors.New("`old` without a state before the step")
		}
		return r.path.newRun(*r.old, 0, 0).eval(x.X)
	}
	return nil, fmt.Errorf("unknown expression %T", x)
}
