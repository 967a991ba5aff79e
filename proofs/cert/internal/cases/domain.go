package cases

import (
	"cmp"

	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/proofs/cert/internal/script"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/exec"
)

// domain is the domain of linear forms. Truth values are always known: what they depend on is
// decided where they are made.
type domain struct {
	*world
	run exec.Run[form]
	old *exec.State[form]
}

// A variable with so few values, or a number that is needed, takes each of them.
const mostValues = 1 << 8

// mostRounds bounds a loop.
const mostRounds = 1 << 6

func truth(b bool) form { return constant(num.Truth(b)) }

func (d *domain) Const(n int) form { return constant(n) }

func (d *domain) Number(v form) (int, bool) { return v.is() }

func (d *domain) Param(i int) (form, error) { return d.params[i], nil }

func (d *domain) Read(sort rules.Sort, slot int) (form, error) {
	if sort == rules.PitCell {
		return d.run.S.Seeds[slot], nil
	}
	v, domain := d.run.S.Vars[slot], d.sys.Vars[slot].Domain
	if _, known := v.is(); known || len(domain) > mostValues {
		return v, nil
	}
	which, err := d.split(v, lists.Map(domain, num.Point)...)
	return constant(domain[which]), err
}

func (d *domain) ReadAny(rules.Sort, form) (form, error) {
	return form{}, open("a pit or variable is chosen by a number that has no bound")
}

func (d *domain) Sum(pits []int) (sum form, err error) {
	for i := 0; i < len(pits) && err == nil; i++ {
		sum, err = sum.plus(d.run.S.Seeds[pits[i]], 1)
	}
	return sum, err
}

func (d *domain) Lookup(x *exec.Expr, v form) (form, error) {
	pit, err := d.run.Known(v)
	if err != nil {
		return form{}, err
	}
	entry, err := d.run.Entry(x, pit)
	return constant(entry), err
}

func (d *domain) Not(v form) form {
	n, _ := v.is()
	return truth(n == 0)
}

func (d *domain) Apply(x *exec.Expr, l, r form) (form, error) {
	switch x.Op {
	case rules.Add:
		return l.plus(r, 1)
	case rules.Sub:
		return l.plus(r, -1)
	case rules.Mul:
		return d.times(l, r)
	case rules.Div, rules.Mod:
		q, m, err := d.divided(l, r)
		if x.Op == rules.Div {
			return q, err
		}
		return constant(m), err
	}
	difference, err := l.plus(r, -1)
	if err != nil {
		return form{}, err
	}
	which, err := d.split(difference, signs(x.Op)...)
	switch x.Op {
	case rules.Min, rules.Max:
		if (which == 0) == (x.Op == rules.Min) {
			return l, err
		}
		return r, err
	}
	return truth(holds[x.Op][which]), err
}

var below, zero, above = num.Interval{Lo: -num.Inf, Hi: -1}, num.Point(0), num.AtLeast(1)

// signs are the signs of a difference that an operator tells apart.
func signs(op rules.Op) []num.Interval {
	switch op {
	case rules.Eq, rules.Ne:
		return []num.Interval{below, zero, above}
	case rules.Gt, rules.Le:
		return []num.Interval{{Lo: -num.Inf, Hi: 0}, above}
	}
	return []num.Interval{below, num.AtLeast(0)}
}

// holds says for each of these signs whether the comparison is true.
var holds = map[rules.Op][]bool{
	rules.Eq: {false, true, false}, rules.Ne: {true, false, true},
	rules.Lt: {true, false}, rules.Le: {true, false}, rules.Gt: {false, true}, rules.Ge: {false, true},
}

func (d *domain) times(l, r form) (form, error) {
	l, err := d.now(l)
	if err != nil {
		return form{}, err
	}
	if n, known := l.is(); known {
		return form{}.plus(r, n)
	}
	if r, err = d.now(r); err != nil {
		return form{}, err
	}
	if n, known := r.is(); known {
		return form{}.plus(l, n)
	}
	return form{}, open("two unknown numbers are multiplied")
}

// divided divides by a known number. The remainder is decided, and the quotient is a new unknown.
func (d *domain) divided(f, by form) (quotient form, rest int, err error) {
	if f, err = d.now(f); err != nil {
		return form{}, 0, err
	}
	k, err := d.run.Known(by)
	switch {
	case err != nil:
		return form{}, 0, err
	case k == 0:
		return form{}, 0, open("a rule may divide by zero")
	case k < 0 || k > mostValues:
		return form{}, 0, open("a number is divided by a negative or a large one")
	}
	if n, known := f.is(); known {
		return constant(num.Div(n, k)), num.Mod(n, k), nil
	}
	rest = d.Script.Choose(k)
	quotient = d.unknown(num.Anything)
	back, err := constant(rest).plus(quotient, k)
	if err == nil {
		f, err = f.plus(back, -1)
	}
	return quotient, rest, cmp.Or(err, d.Err(), d.within(f, zero))
}

func (d *domain) Junction(op rules.Op, v form, x *exec.Expr) (form, error) {
	holds, err := d.Decide(v)
	if err == nil && x != nil && holds == (op == rules.And) {
		holds, err = d.run.Holds(x)
	}
	return truth(holds), err
}

func (d *domain) Choose(c form, yes, no *exec.Expr) (form, error) {
	holds, err := d.Decide(c)
	return d.run.Either(holds, err, yes, no)
}

// Ask answers whether there is a move by trying them. Whether a state is a start is not decided.
func (d *domain) Ask(q rules.Question) (form, error) {
	if q == rules.IsStart {
		return constant(d.Script.Choose(2)), d.Err()
	}
	if outcome, _ := d.run.S.Outcome.is(); outcome != rules.Live {
		return constant(0), nil
	}
	mover, _ := d.run.S.Mover.is()
	for i := range d.sys.Actions {
		a := d.program.Action(i)
		if a.Mover != mover || a.Fallback && q == rules.NoMove {
			continue
		}
		if legal, err := d.world.run(d.run.S, len(a.Locals)).run.Perform(a); err != nil || legal {
			return constant(0), err
		}
	}
	return constant(1), nil
}

func (d *domain) Old(x *exec.Expr) (form, error) {
	if d.old == nil {
		return form{}, open("there is no state before")
	}
	return d.world.run(*d.old, 0).run.Eval(x)
}

func (d *domain) Decide(v form) (bool, error) {
	which, err := d.split(v, signs(rules.Ne)...)
	return holds[rules.Ne][which], err
}

func (d *domain) Skips(_ int, v form) (bool, error) { return d.Decide(v) }

func (d *domain) Pick(v form) (n int, known bool, err error) {
	if v, err = d.now(v); err != nil {
		return 0, false, err
	}
	if n, known = v.is(); known {
		return n, true, nil
	}
	in, err := d.between(v)
	if err == nil && in.Lo > in.Hi {
		err = script.ErrNoWay
	}
	if err != nil || !in.Bounded() || in.Hi-in.Lo >= mostValues {
		return 0, false, err
	}
	which, err := d.split(v, lists.Map(num.Run(in.Lo, in.Hi-in.Lo+1), num.Point)...)
	return in.Lo + which, true, err
}

func (d *domain) Vague(form) error { return open("a number that has to be known has no bound") }

func (d *domain) Fits(v form, x *rules.Var) (bool, error) {
	lo, hi := x.Domain[0], x.Domain[len(x.Domain)-1]
	if hi-lo+1 > len(x.Domain) {
		n, err := d.run.Known(v)
		return x.Contains(n), err
	}
	which, err := d.split(v, num.Interval{Lo: -num.Inf, Hi: lo - 1}, num.Interval{Lo: lo, Hi: hi}, num.AtLeast(hi+1))
	return which == 1, err
}

func (d *domain) Wrote(rules.Sort, int) {}

func (d *domain) Transfer(count *form, from, into int, _ *diag.Range) error {
	if count == nil {
		count = &d.run.S.Seeds[from]
	} else if fails, err := d.overdraws(*count, from); err != nil || fails {
		return cmp.Or(err, open("a rule may take more seeds from a pit than it has"))
	}
	n := *count
	return cmp.Or(d.add(from, n, -1), d.add(into, n, 1))
}

// overdraws reports whether a number of seeds is negative, or more than a pit has.
func (d *domain) overdraws(count form, pit int) (bool, error) {
	left, err := d.run.S.Seeds[pit].plus(count, -1)
	if err != nil {
		return false, err
	}
	for _, v := range []form{count, left} {
		if which, err := d.split(v, below, num.AtLeast(0)); err != nil || which == 0 {
			return true, err
		}
	}
	return false, nil
}

// add adds a number of seeds times k to a pit.
func (d *domain) add(pit int, seeds form, k int) (err error) {
	d.run.S.Seeds[pit], err = d.run.S.Seeds[pit].plus(seeds, k)
	return err
}

func (d *domain) drop(pit, seeds int) error { return d.add(pit, constant(seeds), 1) }

// Sow drops whole rounds at once, and the rest one by one.
func (d *domain) Sow(s *exec.Sow, p *exec.Plan, hand form) (exec.Flow, error) {
	if which, err := d.split(hand, num.Interval{Lo: -num.Inf, Hi: 0}, above); err != nil || which == 0 {
		return exec.Illegal, err
	}
	if p.Counted {
		if more, err := d.overdraws(hand, p.Source); err != nil || more {
			return exec.Illegal, err
		}
	}
	if err := d.add(p.Source, hand, -1); err != nil {
		return exec.Illegal, err
	}
	route, closed := p.Route()
	// One seed more falls out of the lap, unless the game ends before.
	if limit := len(route) + 1; len(s.Drop) == 0 && (!closed || len(route) == 0) {
		if which, err := d.split(hand, num.Interval{Lo: 1, Hi: limit}, num.AtLeast(limit+1)); err != nil || which == 1 {
			return exec.Illegal, err
		}
	}
	if closed && len(route) > 0 && len(s.Drop) == 0 {
		at, left, err := d.rounds(hand, p, route)
		if err != nil {
			return exec.Illegal, err
		}
		return d.run.Drop(s, p, at, left, d.drop, d.drop)
	}
	n, known, err := d.Pick(hand)
	if err != nil || !known {
		return exec.Illegal, cmp.Or(err, open("any number of seeds may fall, each of which has consequences"))
	}
	return d.run.Drop(s, p, p.First, n, d.drop, d.drop)
}

// rounds drops whole rounds of a sowing. It returns the pit to be tried next, and how many seeds
// are left: at least one.
func (d *domain) rounds(hand form, p *exec.Plan, route []int) (at, left int, err error) {
	but, err := hand.plus(constant(1), -1)
	if err != nil {
		return 0, 0, err
	}
	rounds, left, err := d.divided(but, constant(len(route)))
	for i := 0; i < len(route) && err == nil; i++ {
		err = d.add(route[i], rounds, 1)
	}
	if err != nil || p.OnlyLast == nil {
		return p.First, left + 1, err
	}
	which, err := d.split(rounds, zero, above)
	if at = p.First; which == 1 { // past pits that take last seeds only
		at = p.Lap.Next[route[len(route)-1]]
	}
	return at, left + 1, err
}

// Loop gives up on a loop that goes round very often, perhaps for ever.
func (d *domain) Loop(*exec.Stmt) func() (exec.Flow, error) {
	round := 0
	return func() (exec.Flow, error) {
		if round++; round > mostRounds {
			return exec.Onward, open("a loop may go round more than %d times", mostRounds)
		}
		return exec.Onward, d.ctx.Err()
	}
}

func (d *domain) Fault(_ diag.Code, _ diag.Range, text func() (message, help string)) error {
	message, _ := text()
	return open("a rule may be at fault: %s", message)
}
