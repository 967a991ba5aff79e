package partial_test

import (
	"context"
	"errors"
	"math/big"
	"os/exec"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/checker/residual"
	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/proofs/cert/internal/partial"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/space"
	"github.com/mancheck/mancheck/smt/encode"
	"github.com/mancheck/mancheck/smt/solver"
	"github.com/mancheck/mancheck/smt/term"
)

// large are numbers at the limits of arithmetic of some width.
var large = []int{1<<31 - 1, 1 << 31, 1<<32 + 1, 1 << 53, 1 << 60, 1 << 61, num.Most - 1, num.Most}

// twoPits is a System with two pits and one variable of large values, in which the only move is to
// take no seed.
func twoPits() *rules.System {
	sys := &rules.System{
		Name: "Numbers", Players: []string{""}, Relations: []rules.Relation{{Name: "opposite", To: []int{rules.None, rules.None}}},
		Pits:     []rules.Pit{{Name: "a", Owner: rules.None}, {Name: "b", Owner: rules.None}},
		Vars:     []rules.Var{{Name: "x", Domain: []int{-num.Most, -1 << 53, -1 << 31, -1, 0, 1, 1 << 31, 1<<53 + 1, num.Most}}},
		Moves:    []rules.Move{{Label: "move"}},
		Outcomes: []rules.Outcome{{Label: rules.EndlessLabel, Kind: rules.EndlessOutcome}},
		Start:    rules.Start{Cond: rules.True, Free: []bool{true, true}},
	}
	sys.Actions = []rules.Action{{Label: "move"}}
	return sys
}

// exprs draws expressions in which numbers grow beyond every bound.
type exprs struct{ *rapid.T }

func (d exprs) number(depth int) rules.Expr {
	kinds := 4
	if depth > 0 {
		kinds = 9
	}
	switch rapid.IntRange(0, kinds).Draw(d.T, "kind") {
	case 0:
		return rules.Const{Value: rapid.SampledFrom(large).Draw(d.T, "large")}
	case 1:
		return rules.Const{Value: -rapid.SampledFrom(large).Draw(d.T, "large")}
	case 2:
		return rules.Const{Value: rapid.IntRange(-3, 3).Draw(d.T, "small")}
	case 3:
		return rules.VarAt(0)
	case 4:
		return rapid.SampledFrom([]rules.Expr{
			rules.Seeds(rules.Const{Value: 0}), rules.Seeds(rules.Const{Value: 1}), rules.Sum{Pits: []int{0, 1}},
		}).Draw(d.T, "seeds")
	case 5:
		return rules.Cond{If: d.condition(depth - 1), Then: d.number(depth - 1), Else: d.number(depth - 1)}
	}
	ops := []rules.Op{rules.Add, rules.Add, rules.Sub, rules.Sub, rules.Mul, rules.Mul, rules.Div, rules.Mod, rules.Min, rules.Max}
	return rules.Binary{Op: rapid.SampledFrom(ops).Draw(d.T, "op"), L: d.number(depth - 1), R: d.number(depth - 1)}
}

func (d exprs) condition(depth int) rules.Expr {
	ops := []rules.Op{rules.Eq, rules.Ne, rules.Lt, rules.Le, rules.Gt, rules.Ge}
	compares := rules.Binary{Op: rapid.SampledFrom(ops).Draw(d.T, "comparison"), L: d.number(depth), R: d.number(depth)}
	if depth <= 0 || rapid.IntRange(0, 2).Draw(d.T, "join") > 0 {
		return compares
	}
	join := rapid.SampledFrom([]rules.Op{rules.And, rules.Or}).Draw(d.T, "and, or")
	return rules.Binary{Op: join, L: compares, R: d.condition(depth - 1)}
}

// state draws a state whose seeds add up to an int.
func (d exprs) state(sys *rules.System) rules.State {
	s := sys.EmptyStart()
	some := rapid.OneOf(rapid.IntRange(0, 3), rapid.SampledFrom(large))
	s.Seeds[0] = some.Draw(d.T, "a")
	s.Seeds[1] = min(some.Draw(d.T, "b"), num.Most-s.Seeds[0])
	s.Vars[0] = rapid.SampledFrom(sys.Vars[0].Domain).Draw(d.T, "x")
	return s
}

// exact evaluates with integers of any size. beyond is set if an intermediate value is out of
// range, broken by a division by zero.
type exact struct {
	s              rules.State
	beyond, broken bool
}

func (e *exact) eval(x rules.Expr) *big.Int {
	v := e.value(x)
	e.beyond = e.beyond || v.CmpAbs(big.NewInt(num.Most)) > 0
	return v
}

func (e *exact) value(x rules.Expr) *big.Int {
	number := func(n int) *big.Int { return big.NewInt(int64(n)) }
	switch x := x.(type) {
	case rules.Const:
		return number(x.Value)
	case rules.Cell:
		if x.Sort == rules.VarCell {
			return number(e.s.Vars[0])
		}
		return number(e.s.Seeds[x.Slot])
	case rules.Sum:
		v := new(big.Int)
		for _, p := range x.Pits {
			v.Add(v, number(e.s.Seeds[p]))
		}
		return v
	case rules.Cond:
		if e.eval(x.If).Sign() != 0 {
			return e.eval(x.Then)
		}
		return e.eval(x.Else)
	}
	b := x.(rules.Binary)
	l := e.eval(b.L)
	if b.Op == rules.And && l.Sign() == 0 || b.Op == rules.Or && l.Sign() != 0 {
		return l
	}
	return e.apply(b.Op, l, e.eval(b.R))
}

func (e *exact) apply(op rules.Op, l, r *big.Int) *big.Int {
	v := new(big.Int)
	truth := func(b bool) *big.Int {
		if b {
			v.SetInt64(1)
		}
		return v
	}
	switch op {
	case rules.Add:
		return v.Add(l, r)
	case rules.Sub:
		return v.Sub(l, r)
	case rules.Mul:
		return v.Mul(l, r)
	case rules.And, rules.Or:
		return truth(r.Sign() != 0)
	case rules.Div, rules.Mod:
		return e.divide(op, l, r)
	}
	c := l.Cmp(r)
	switch {
	case op == rules.Min && c <= 0, op == rules.Max && c >= 0:
		return l
	case op == rules.Min, op == rules.Max:
		return r
	}
	return truth(map[rules.Op]bool{rules.Eq: c == 0, rules.Ne: c != 0, rules.Lt: c < 0, rules.Le: c <= 0, rules.Gt: c > 0, rules.Ge: c >= 0}[op])
}

// divide finds q and r with l = q*d + r, where r is 0 or has the sign of d.
func (e *exact) divide(op rules.Op, l, d *big.Int) *big.Int {
	if d.Sign() == 0 {
		e.broken = true
		return new(big.Int)
	}
	q, r := new(big.Int).QuoRem(l, d, new(big.Int))
	if r.Sign()*d.Sign() < 0 {
		q.Sub(q, big.NewInt(1))
		r.Add(r, d)
	}
	if op == rules.Div {
		return q
	}
	return r
}

// agrees checks one evaluator: its value is right; where it gives up, a value was out of range, and
// where it fails, something was divided by zero.
func (e *exact) agrees(t *rapid.T, who string, want *big.Int, got int, err error) {
	var limit *rules.LimitError
	switch {
	case errors.As(err, &limit):
		if !e.beyond {
			t.Fatalf("%s gives up (%v) where all is in the range", who, err)
		}
	case err != nil:
		if !e.broken {
			t.Fatalf("%s: %v", who, err)
		}
	case e.broken || big.NewInt(int64(got)).Cmp(want) != 0:
		t.Fatalf("%s: %d, want %v (division by zero: %v)", who, got, want, e.broken)
	}
}

// TestNumbers compares all evaluators of expressions with integers of any size.
func TestNumbers(t *testing.T) {
	sys := twoPits()
	in := interp.New(sys)
	rapid.Check(t, func(t *rapid.T) {
		d := exprs{t}
		x, s := d.number(4), d.state(sys)
		if rapid.Bool().Draw(t, "condition") {
			x = d.condition(3)
		}
		e := &exact{s: s}
		want := e.eval(x)
		t.Logf("%s in %v is %v", rules.ExprString(sys, x), s, want)

		got, err := in.Eval(x, s, nil)
		e.agrees(t, "the interpreter", want, got, err)
		e.stepper(t, sys, x, want)
		e.simplified(t, in, x, want)
		e.intervals(t, sys, x, want)
		e.formula(t, sys, x, want)
		e.listed(t, in, x, want)
	})
}

// stepper tests the truth of x: the stepper evaluates nothing else for claims.
func (e *exact) stepper(t *rapid.T, sys *rules.System, x rules.Expr, want *big.Int) {
	flat := pack.NewFlat(sys)
	flat.Set(e.s)
	holds, err := residual.NewPlayer(context.Background(), sys, rules.Parts{}, x).Holds(flat)
	e.agrees(t, "the stepper", big.NewInt(int64(want.CmpAbs(new(big.Int)))), btoi(holds), err)
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// simplified evaluates the rest of x when parts of the state are known.
func (e *exact) simplified(t *rapid.T, in *interp.Interp, x rules.Expr, want *big.Int) {
	known := map[rules.Op]bool{rules.Add: rapid.Bool().Draw(t, "a known"), rules.Sub: rapid.Bool().Draw(t, "x known")}
	y := rules.Simplify(x, func(x rules.Expr) (rules.Const, bool) {
		c, ok := x.(rules.Cell)
		switch {
		case ok && c.Sort == rules.PitCell:
			return rules.Const{Value: e.s.Seeds[c.Slot], Type: rules.NumberType}, c.Slot == 0 && known[rules.Add]
		case ok:
			return rules.Const{Value: e.s.Vars[0], Type: rules.NumberType}, known[rules.Sub]
		}
		return rules.Const{}, false
	})
	got, err := in.Eval(y, e.s, nil)
	e.agrees(t, "simplified to "+rules.ExprString(in.System(), y), want, got, err)
}

// intervals evaluates as the certificate checker does, with everything known and with unknown
// parts: the value lies in the result.
func (e *exact) intervals(t *rapid.T, sys *rules.System, x rules.Expr, want *big.Int) {
	m := partial.New(t.Context(), sys)
	for _, open := range []bool{false, true} {
		s := m.Blank(0)
		s.Seeds[0] = partial.Known(e.s.Seeds[0])
		if !open {
			s.Seeds[1], s.Vars[0] = partial.Known(e.s.Seeds[1]), partial.Known(e.s.Vars[0])
		}
		v, err := m.Eval(x, s, nil)
		switch {
		case err != nil && !e.broken && !open:
			t.Fatalf("intervals: %v", err)
		case err != nil || e.broken:
		case v.Lo >= -num.Most && big.NewInt(int64(v.Lo)).Cmp(want) > 0, v.Hi <= num.Most && big.NewInt(int64(v.Hi)).Cmp(want) < 0:
			t.Fatalf("intervals: %d..%d does not hold %v (open: %v)", v.Lo, v.Hi, want, open)
		}
		if n, known := v.Is(); err == nil && known && !num.In(n) {
			t.Fatalf("%d is known, but no number", n)
		}
	}
}

// formula evaluates the term that solvers get.
func (e *exact) formula(t *rapid.T, sys *rules.System, x rules.Expr, want *big.Int) {
	enc, err := encode.New(sys, term.NewBuilder(), encode.Options{})
	if err != nil {
		t.Fatal(err)
	}
	st := enc.State("s")
	f, err := enc.ExprFor(x, st, nil, nil)
	if err != nil || e.broken {
		return // some products and quotients cannot be put into formulas
	}
	values := map[string]int{
		st.Seeds[0].Name: e.s.Seeds[0], st.Seeds[1].Name: e.s.Seeds[1], st.Vars[0].Name: e.s.Vars[0],
		st.Mover.Name: e.s.Mover, st.Outcome.Name: e.s.Outcome,
	}
	if got := enc.Value(f, func(name string) int { return values[name] }); got.Sign() != want.CmpAbs(new(big.Int)) {
		t.Fatalf("formula: %v, want %v: %s", got, want, f)
	}
}

// pinned is x in the state s only.
func (e *exact) pinned(x rules.Expr) rules.Expr {
	is := func(y rules.Expr, v int) rules.Expr {
		return rules.Binary{Op: rules.Eq, L: y, R: rules.Const{Value: v}}
	}
	return rules.Conjunction(
		is(rules.Seeds(rules.Const{Value: 0}), e.s.Seeds[0]), is(rules.Seeds(rules.Const{Value: 1}), e.s.Seeds[1]),
		is(rules.VarAt(0), e.s.Vars[0]), x,
	)
}

// listed looks for the state among those that satisfy a condition. A fault may be missed where
// intervals show that the condition is false.
func (e *exact) listed(t *rapid.T, in *interp.Interp, x rules.Expr, want *big.Int) {
	if e.broken {
		return
	}
	n := 0
	err := space.Matching(context.Background(), in, e.pinned(x), rules.Kept{}, func(s rules.State) error {
		if s.Live() {
			n++
		}
		return nil
	})
	e.agrees(t, "the list of states", big.NewInt(int64(want.CmpAbs(new(big.Int)))), n, err)
}

// TestSolverNumbers tests large numbers with a solver.
func TestSolverNumbers(t *testing.T) {
	if _, err := exec.LookPath("z3"); err != nil {
		t.Skip("z3 is not installed")
	}
	sys := twoPits()
	gen := rapid.Custom(func(t *rapid.T) *question {
		d := exprs{t}
		return &question{d.condition(2), d.state(sys)}
	})
	b := term.NewBuilder()
	enc, err := encode.New(sys, b, encode.Options{})
	if err != nil {
		t.Fatal(err)
	}
	sol, err := solver.Open(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer sol.Close()
	st := enc.State("s")
	sol.Assert(enc.Shape(st))
	asked := 0
	for seed := range 150 {
		q := gen.Example(seed)
		e := &exact{s: q.s}
		want := e.eval(q.x)
		f, err := enc.ExprFor(e.pinned(q.x), st, nil, nil)
		if err != nil || e.broken {
			continue
		}
		sol.Push()
		sol.Assert(b.And(f, enc.Definitions(f)))
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		a := sol.Check(ctx)
		cancel()
		if (a.Status == solver.Sat) != (want.Sign() != 0) && a.Status != solver.Unknown {
			t.Errorf("%v in %v: %v, want %v", rules.ExprString(sys, q.x), q.s, a.Status, want)
		}
		if a.Status == solver.Sat {
			if v, err := sol.Values(st.Seeds); err != nil || v[0] != q.s.Seeds[0] || v[1] != q.s.Seeds[1] {
				t.Errorf("%v, %v: want %v", v, err, q.s.Seeds)
			}
		}
		sol.Pop()
		asked++
	}
	if asked < 50 {
		t.Errorf("only %d questions were asked", asked)
	}
}

type question struct {
	x rules.Expr
	s rules.State
}
