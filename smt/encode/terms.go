package encode

import (
	"errors"
	"fmt"

	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/exec"
	"github.com/mancheck/mancheck/smt/term"
)

// terms is the domain of formulas: a value is a term over the state, a number or a truth value.
// Where a body needs to know more of it (whether it holds, which pit it is), the path is split.
type terms struct {
	*path
	run    exec.Run[*term.Term]
	old    *State
	open   []*term.Term // values of open parameters, by parameter
	claim  bool         // a claim is evaluated, and no rule
	rounds int          // how often a loop is unrolled
	trying bool         // a guard or a body is run, not what follows
}

// newRun makes a run in a copy of s.
func (p *path) newRun(s State, locals, rounds int) *terms {
	d := &terms{path: p, rounds: rounds}
	d.run.Init(d, p.e.program, exec.State[*term.Term](s.clone()), locals, nil)
	return d
}

// state returns the current state of the run.
func (d *terms) state() State { return State(d.run.S) }

// asInt converts a truth value to a number, asBool a number to a truth value.
func (e *arithmetic) asInt(t *term.Term) *term.Term {
	if t.Sort == term.Int {
		return t
	}
	return e.b.Ite(t, e.b.Int(1), e.b.Int(0))
}

func (e *arithmetic) asBool(t *term.Term) *term.Term {
	if t.Sort == term.Bool {
		return t
	}
	if t.Op == term.Ite && t.Args[1].Op == term.Const && t.Args[2].Op == term.Const {
		return e.b.Ite(t.Args[0], e.b.Bool(t.Args[1].Value != 0), e.b.Bool(t.Args[2].Value != 0))
	}
	return e.b.Ne(t, e.b.Int(0))
}

func (d *terms) Const(n int) *term.Term { return d.e.b.Int(n) }

// Number leaves computing to the terms, which fold constants.
func (d *terms) Number(*term.Term) (int, bool) { return 0, false }

func (d *terms) Param(i int) (*term.Term, error) {
	if d.open == nil || d.open[i] == nil {
		return nil, fmt.Errorf("parameter `%s` has no value", d.e.sys.Params[i].Name)
	}
	return d.open[i], nil
}

func (d *terms) Read(sort rules.Sort, slot int) (*term.Term, error) {
	if sort == rules.PitCell {
		return d.constant(d.run.S.Seeds[slot]), nil
	}
	return d.constant(d.run.S.Vars[slot]), nil
}

func (d *terms) ReadAny(rules.Sort, *term.Term) (*term.Term, error) {
	return nil, errors.New("encode: a pit or variable is not known")
}

func (d *terms) Sum(pits []int) (*term.Term, error) {
	return d.e.b.Add(lists.Map(pits, func(p int) *term.Term { return d.run.S.Seeds[p] })...), nil
}

// Lookup tests membership without determining which pit it is.
func (d *terms) Lookup(x *exec.Expr, v *term.Term) (*term.Term, error) {
	if x.Table.Kind == rules.MemberOf {
		return d.reduce(d.e.among(d.e.asInt(v), x.Table.Members())), nil
	}
	pit, err := d.pick(d.e.asInt(v))
	if err != nil {
		return nil, err
	}
	entry, err := d.run.Entry(x, pit)
	return d.Const(entry), err
}

func (d *terms) truth(v *term.Term) *term.Term { return d.reduce(d.e.asBool(v)) }

func (d *terms) Not(v *term.Term) *term.Term { return d.e.b.Not(d.truth(v)) }

func (d *terms) Apply(x *exec.Expr, l, r *term.Term) (*term.Term, error) {
	if x.Op >= rules.Add {
		return d.arithmetic(x.Op, d.e.asInt(l), d.e.asInt(r))
	}
	return d.reduce(d.comparison(x.Op, l, r)), nil
}

func (d *terms) comparison(op rules.Op, x, y *term.Term) *term.Term {
	b := d.e.b
	if x.Sort != y.Sort || op > rules.Ne {
		x, y = d.e.asInt(x), d.e.asInt(y)
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

func (d *terms) arithmetic(op rules.Op, x, y *term.Term) (*term.Term, error) {
	b := d.e.b
	switch op {
	case rules.Add:
		return b.Add(x, y), nil
	case rules.Sub:
		return b.Sub(x, y), nil
	case rules.Min:
		return b.Ite(d.reduce(b.Le(x, y)), x, y), nil
	case rules.Max:
		return b.Ite(d.reduce(b.Le(x, y)), y, x), nil
	case rules.Mul:
		return d.product(x, y)
	case rules.Div, rules.Mod:
		return d.division(op, x, y)
	}
	return nil, fmt.Errorf("encode: unknown operator %v", op)
}

// product needs one known factor.
func (d *terms) product(x, y *term.Term) (*term.Term, error) {
	if _, ok := x.IsConst(); ok {
		x, y = y, x
	} else if _, ok := d.values(y); !ok {
		x, y = y, x
	}
	k, err := d.pick(y)
	if err != nil {
		return nil, err
	}
	return d.e.b.Mul(k, x), nil
}

// division needs a known divisor. x div -k is -x div k.
func (d *terms) division(op rules.Op, x, y *term.Term) (*term.Term, error) {
	k, err := d.pick(y)
	if err != nil {
		return nil, err
	}
	b := d.e.b
	q := x
	switch {
	case k == 0:
		return nil, errFault
	case k < 0:
		q = d.e.quot(b.Mul(-1, x), -k)
	default:
		q = d.e.quot(x, k)
	}
	if op == rules.Div {
		return q, nil
	}
	return b.Sub(x, b.Mul(k, q)), nil
}

// Junction evaluates the right side together with the left if it can, and otherwise only where the
// left side does not decide.
func (d *terms) Junction(op rules.Op, v *term.Term, x *exec.Expr) (*term.Term, error) {
	l, b := d.truth(v), d.e.b
	stop := b.Bool(op == rules.Or)
	if l == stop || x == nil {
		return l, nil
	}
	if right, err := d.tentatively(x); err == nil {
		if op == rules.Or {
			return b.Or(l, d.truth(right)), nil
		}
		return b.And(l, d.truth(right)), nil
	}
	holds, err := d.decide(l)
	if err != nil || holds == (op == rules.Or) {
		return stop, err
	}
	right, err := d.run.Eval(x)
	if err != nil {
		return nil, err
	}
	return d.truth(right), nil
}

// Choose evaluates both branches if that needs no split and neither can fail, and otherwise follows
// one of them.
func (d *terms) Choose(v *term.Term, then, otherwise *exec.Expr) (*term.Term, error) {
	c := d.truth(v)
	if c.Op != term.Const {
		yes, err1 := d.tentatively(then)
		no, err2 := d.tentatively(otherwise)
		if err1 == nil && err2 == nil {
			return d.e.either(c, yes, no), nil
		}
	}
	holds, err := d.decide(c)
	return d.run.Either(holds, err, then, otherwise)
}

// either is a conditional of two terms, which may be of different sorts.
func (e *arithmetic) either(c, yes, no *term.Term) *term.Term {
	if yes.Sort != no.Sort {
		yes, no = e.asInt(yes), e.asInt(no)
	}
	return e.b.Ite(c, yes, no)
}

// tentatively evaluates x if that needs no question.
func (d *terms) tentatively(x *exec.Expr) (*term.Term, error) {
	was := d.pure
	d.pure = true
	t, err := d.run.Eval(x)
	d.pure = was
	return t, err
}

func (d *terms) Ask(q rules.Question) (*term.Term, error) {
	switch {
	case q == rules.IsStuck:
		return d.e.cannotMove(d.e.moves, d.state()), nil
	case q == rules.NoMove && d.claim:
		return d.e.cannotMove(d.e.others, d.state()), nil
	case q == rules.NoMove:
		return d.noMove()
	}
	s := d.state()
	s.Vars = rules.WithoutGhosts(d.e.sys, s.Vars, d.Const)
	return d.e.isStart(s)
}

func (d *terms) Old(x *exec.Expr) (*term.Term, error) {
	if d.old == nil {
		return nil, errors.New("`old` without a state before the step")
	}
	was := d.path.newRun(*d.old, 0, 0)
	was.claim = d.claim
	return was.run.Eval(x)
}

func (d *terms) Decide(v *term.Term) (bool, error) { return d.decide(d.truth(v)) }

func (d *terms) Skips(_ int, v *term.Term) (bool, error) { return d.Decide(v) }

func (d *terms) Pick(v *term.Term) (int, bool, error) {
	n, err := d.pick(d.e.asInt(v))
	return n, true, err
}

func (d *terms) Vague(*term.Term) error { return errors.New("encode: a pit is not known") }

func (d *terms) Fits(v *term.Term, x *rules.Var) (bool, error) {
	return d.decide(d.e.among(d.e.asInt(v), x.Domain))
}

// Wrote keeps all parts of a state numbers.
func (d *terms) Wrote(sort rules.Sort, slot int) {
	if sort == rules.VarCell {
		d.run.S.Vars[slot] = d.e.asInt(d.run.S.Vars[slot])
	}
}

func (d *terms) Transfer(count **term.Term, from, into int, _ *diag.Range) error {
	b, has := d.e.b, d.run.S.Seeds[from]
	if count == nil {
		d.move(has, from, into)
		return nil
	}
	n := d.e.asInt(*count)
	ok, err := d.decide(b.And(b.Le(b.Int(0), n), b.Le(n, has)))
	if err == nil && !ok {
		err = errFault
	}
	d.move(n, from, into)
	return err
}

func (d *terms) move(seeds *term.Term, from, into int) {
	d.run.S.Seeds[from] = d.e.b.Sub(d.run.S.Seeds[from], seeds)
	d.add(into, seeds)
}

func (d *terms) add(pit int, seeds *term.Term) {
	d.run.S.Seeds[pit] = d.e.b.Add(d.run.S.Seeds[pit], seeds)
}

// Loop unrolls the loop. One that never ends overruns too, so the outcome endless has no case.
func (d *terms) Loop(*exec.Stmt) func() (exec.Flow, error) {
	round := 0
	return func() (exec.Flow, error) {
		if round == d.rounds {
			return exec.Onward, errOverrun
		}
		round++
		return exec.Onward, nil
	}
}

// noMove answers from the exploration of the bodies that are no fallbacks. The guard of a fallback
// does not meet the faults of other actions: the state has them anyway.
func (d *terms) noMove() (*term.Term, error) {
	s := d.state()
	live, err := d.decide(d.e.b.Eq(s.Outcome, d.e.b.Int(rules.Live)))
	if err != nil || !live {
		return d.e.b.False(), err
	}
	mover, err := d.pick(s.Mover)
	if err != nil {
		return nil, err
	}
	here, m := d.e.instance(s), d.e.others[mover]
	for _, c := range []struct {
		when *term.Term
		err  error
	}{{d.e.b.And(m.fault, d.e.b.Bool(!d.trying)), errFault}, {m.overrun, errOverrun}} {
		is, err := d.decide(here.term(c.when))
		if err != nil {
			return nil, err
		}
		if is {
			return nil, c.err
		}
	}
	return d.e.b.Not(here.term(m.can)), nil
}

func (d *terms) Fault(diag.Code, diag.Range, func() (message, help string)) error { return errFault }
