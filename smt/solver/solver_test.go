package solver_test

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/internal/tier"
	"github.com/mancheck/mancheck/smt/solver"
	"github.com/mancheck/mancheck/smt/term"
	"github.com/mancheck/mancheck/smt/term/termtest"
)

// specs are the solvers that tests run with, where they are installed.
var specs = []string{"z3", "z3-process", "cvc5"}

// each runs a test with every solver that is installed.
func each(t *testing.T, test func(t *testing.T, spec string)) {
	for _, spec := range specs {
		t.Run(spec, func(t *testing.T) {
			open(t, spec)
			test(t, spec)
		})
	}
}

// open opens a solver for the duration of the test, or skips the test.
func open(t testing.TB, spec string) solver.Solver {
	s, err := solver.Open(context.Background(), spec)
	var missing *solver.NotInstalled
	if errors.As(err, &missing) {
		t.Skipf("%v: %s", err, missing.Help())
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

func check(t *testing.T, s solver.Solver, want solver.Status) {
	t.Helper()
	if got := s.Check(context.Background()); got.Status != want {
		t.Errorf("%s: got %v, want %v", s.Name(), got, want)
	}
}

func TestFormulas(t *testing.T) {
	b := term.NewBuilder()
	x, y, p := b.Var("x", term.Int), b.Var("y", term.Int), b.Var("p", term.Bool)
	formulas := []struct {
		name string
		all  []*term.Term
		want solver.Status
	}{
		{"nothing", nil, solver.Sat},
		{"false", []*term.Term{b.False()}, solver.Unsat},
		{"a variable", []*term.Term{p}, solver.Sat},
		{"between two neighbours", []*term.Term{b.Lt(b.Int(3), x), b.Lt(x, b.Int(4))}, solver.Unsat},
		{"parity", []*term.Term{b.Eq(b.Mul(2, x), b.Add(b.Mul(4, y), b.Int(1)))}, solver.Unsat},
		{"choice", []*term.Term{b.Eq(b.Ite(p, x, y), b.Int(-3)), b.Not(p), b.Eq(x, b.Int(1))}, solver.Sat},
		{"a number of 33 bits", []*term.Term{b.Eq(b.Sub(x, y), b.Int(1<<32)), b.Eq(y, b.Int(-1))}, solver.Sat},
		{"2^32 is not 0", []*term.Term{b.Eq(x, b.Int(1<<32)), b.Eq(x, b.Int(0))}, solver.Unsat},
		{"the largest number", []*term.Term{b.Eq(x, b.Int(num.Most))}, solver.Sat},
		{"the smallest number", []*term.Term{b.Eq(x, b.Int(-num.Most))}, solver.Sat},
		{"an odd name", []*term.Term{b.Lt(b.Var("7.up!@$_", term.Int), b.Int(0))}, solver.Sat},
	}
	each(t, func(t *testing.T, spec string) {
		for _, f := range formulas {
			t.Run(f.name, func(t *testing.T) {
				s := open(t, spec)
				for _, a := range f.all {
					s.Assert(a)
				}
				check(t, s, f.want)
				if f.want == solver.Sat {
					satisfies(t, s, f.all)
				}
			})
		}
	})
}

// satisfies checks the model of a solver.
func satisfies(t rapid.TB, s solver.Solver, all []*term.Term) {
	vars := term.Vars(all...)
	values, err := s.Values(vars)
	if err != nil {
		t.Fatal(err)
	}
	env := termtest.Env{}
	for i, v := range vars {
		env[v.Name] = values[i]
	}
	for _, a := range all {
		if term.Eval(a, func(name string) *big.Int { return big.NewInt(int64(env[name])) }).Sign() == 0 {
			t.Fatalf("%s: no model of %s: %v", s.Name(), a, env)
		}
	}
}

// TestStackOfAssertions: after any sequence of calls a solver answers as brute force does, with a
// true model.
func TestStackOfAssertions(t *testing.T) {
	each(t, func(t *testing.T, spec string) {
		s := open(t, spec)
		rapid.Check(t, func(t *rapid.T) {
			b := term.NewBuilder()
			s.Push()
			s.Assert(termtest.Bounds(b))
			frames := [][]termtest.Drawn{nil}
			for range rapid.IntRange(1, 6).Draw(t, "steps") {
				frames = step(t, s, b, frames)
			}
			compare(t, s, b, slices.Concat(frames...))
			for range frames {
				s.Pop()
			}
		})
	})
}

// step makes a random call, and returns the assertions in force after it.
func step(t *rapid.T, s solver.Solver, b *term.Builder, frames [][]termtest.Drawn) [][]termtest.Drawn {
	last := len(frames) - 1
	switch call := rapid.SampledFrom([]string{"assert", "push", "pop", "check"}).Draw(t, "call"); {
	case call == "push":
		s.Push()
		return append(frames, nil)
	case call == "pop" && last > 0:
		s.Pop()
		return frames[:last]
	case call == "check":
		compare(t, s, b, slices.Concat(frames...))
	default:
		d := termtest.Bool(t, b, 4)
		s.Assert(d.Term)
		frames[last] = append(frames[last], d)
	}
	return frames
}

func compare(t *rapid.T, s solver.Solver, b *term.Builder, all []termtest.Drawn) {
	answer := s.Check(context.Background())
	want := solver.Unsat
	if termtest.Satisfiable(all) {
		want = solver.Sat
	}
	terms := []*term.Term{termtest.Bounds(b)}
	for _, d := range all {
		terms = append(terms, d.Term)
	}
	if answer.Status != want {
		t.Fatalf("%s: got %v, want %v for %s", s.Name(), answer, want, terms)
	}
	if want == solver.Sat {
		satisfies(t, s, terms)
	}
}

// pigeons is a formula that no solver here decides: n+1 pigeons do not fit in n holes.
func pigeons(b *term.Builder, n int) *term.Term {
	in := func(pigeon, hole int) *term.Term { return b.Var(fmt.Sprintf("in_%d_%d", pigeon, hole), term.Bool) }
	var all []*term.Term
	for i := range n + 1 {
		var somewhere []*term.Term
		for hole := range n {
			somewhere = append(somewhere, in(i, hole))
			for j := range i {
				all = append(all, b.Not(b.And(in(i, hole), in(j, hole))))
			}
		}
		all = append(all, b.Or(somewhere...))
	}
	return b.And(all...)
}

// TestStopped: a check ends soon after its context, and the solver can be used again.
func TestStopped(t *testing.T) {
	each(t, func(t *testing.T, spec string) {
		s := open(t, spec)
		b := term.NewBuilder()
		x := b.Var("x", term.Int)
		s.Assert(b.Lt(x, b.Int(-2)))
		s.Push()
		s.Assert(pigeons(b, 14))
		for _, want := range []string{"time-out", "interrupted", "the user is bored"} {
			start := time.Now()
			if got := s.Check(endingBy(want)); got.Status != solver.Unknown || got.Reason != want {
				t.Errorf("got %v, want %s", got, want)
			}
			if took := time.Since(start); took > 2*time.Second {
				t.Errorf("stopped after %v only", took)
			}
		}
		if _, err := s.Values([]*term.Term{x}); err == nil {
			t.Error("values without a model")
		}
		s.Pop()
		check(t, s, solver.Sat)
		satisfies(t, s, []*term.Term{b.Lt(x, b.Int(-2))})
		s.Assert(b.Lt(b.Int(-2), x))
		check(t, s, solver.Unsat)
	})
}

// endingBy returns a context that ends shortly, for the given reason.
func endingBy(reason string) context.Context {
	const moment = 100 * time.Millisecond
	if reason == "time-out" {
		ctx, cancel := context.WithTimeout(context.Background(), moment)
		context.AfterFunc(ctx, cancel)
		return ctx
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	var cause error
	if reason != "interrupted" {
		cause = errors.New(reason)
	}
	time.AfterFunc(moment, func() { cancel(cause) })
	return ctx
}

// TestOverBefore: a context that has already ended starts nothing, and does no harm.
func TestOverBefore(t *testing.T) {
	each(t, func(t *testing.T, spec string) {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		s, err := solver.Open(ctx, spec)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		if got := s.Check(ctx); got.Reason != "interrupted" {
			t.Errorf("got %v", got)
		}
		check(t, s, solver.Sat)
	})
}

// TestDeepTerms: a deeply nested term crashes no parser, in particular not the one in this process.
func TestDeepTerms(t *testing.T) {
	each(t, func(t *testing.T, spec string) {
		s := open(t, spec)
		b := term.NewBuilder()
		x := b.Var("x", term.Int)
		for i := range 5000 {
			x = b.Ite(b.Var(fmt.Sprintf("q%d", i), term.Bool), x, b.Int(i))
		}
		s.Assert(b.Eq(x, b.Int(7)))
		ctx, cancel := context.WithTimeout(context.Background(), time.Second/time.Duration(tier.Every(4)))
		defer cancel()
		if got := s.Check(ctx); got.Status == solver.Unsat || got.Status == solver.Unknown && got.Reason != "time-out" {
			t.Errorf("got %v", got)
		}
	})
}

func TestMisuse(t *testing.T) {
	b := term.NewBuilder()
	x, p := b.Var("x", term.Int), b.Var("p", term.Bool)
	cases := []struct {
		name   string
		use    func(s solver.Solver)
		reason string // or a part of it
	}{
		{"pop without push", func(s solver.Solver) { s.Pop() }, "more pops than pushes"},
		{"closed", func(s solver.Solver) { s.Close() }, "the solver is closed"},
		{"truth values added", func(s solver.Solver) { s.Assert(b.Lt(b.Add(x, p), x)) }, "reports an error"},
		{"a number asserted", func(s solver.Solver) { s.Assert(x) }, "reports an error"},
		{"a variable of two sorts", func(s solver.Solver) { s.Assert(b.And(b.Var("p", term.Int), p)) }, "reports an error"},
	}
	each(t, func(t *testing.T, spec string) {
		for _, c := range cases {
			t.Run(c.name, func(t *testing.T) {
				s := open(t, spec)
				c.use(s)
				for range 2 {
					got := s.Check(context.Background())
					if got.Status != solver.Unknown || !strings.Contains(got.Reason, c.reason) {
						t.Errorf("got %v, want %s", got, c.reason)
					}
				}
			})
		}
	})
}

func TestValues(t *testing.T) {
	each(t, func(t *testing.T, spec string) {
		s := open(t, spec)
		b := term.NewBuilder()
		x, large := b.Var("x", term.Int), b.Var("large", term.Int)
		if _, err := s.Values([]*term.Term{x}); err == nil {
			t.Error("values before a check")
		}
		s.Assert(b.Eq(large, b.Mul(num.Most, b.Var("two", term.Int))))
		s.Assert(b.Eq(b.Var("two", term.Int), b.Int(2)))
		check(t, s, solver.Sat)
		if got, err := s.Values([]*term.Term{x, b.Var("other", term.Bool)}); err != nil || got[0] != 0 || got[1] != 0 {
			t.Errorf("unconstrained variables: %v, %v", got, err)
		}
		if got, err := s.Values([]*term.Term{large}); err == nil {
			t.Errorf("a value of 65 bits: %v", got)
		}
		if got, err := s.Values([]*term.Term{b.Int(1)}); err == nil {
			t.Errorf("not a variable: %v", got)
		}
	})
}

func TestVersion(t *testing.T) {
	each(t, func(t *testing.T, spec string) {
		got, err := solver.Version(context.Background(), spec)
		if name := strings.TrimSuffix(spec, "-process"); err != nil || !strings.HasPrefix(got, name+" ") {
			t.Errorf("got %s, %v", got, err)
		}
	})
}

// BenchmarkQuery asks a simple question of an open solver, and of one that must be opened first.
func BenchmarkQuery(b *testing.B) {
	for _, spec := range specs {
		b.Run(spec+"/open", func(b *testing.B) {
			s := open(b, spec)
			for b.Loop() {
				query(b, s)
			}
		})
		b.Run(spec+"/fresh", func(b *testing.B) {
			for b.Loop() {
				s := open(b, spec)
				query(b, s)
				s.Close()
			}
		})
	}
}

// query asks how many seeds of ten pits end a lap where it began.
func query(tb testing.TB, s solver.Solver) {
	b := term.NewBuilder()
	sum := b.Int(0)
	s.Push()
	for i := range 10 {
		pit := b.Var(fmt.Sprintf("pit%d", i), term.Int)
		s.Assert(b.Le(b.Int(i), pit))
		sum = b.Add(sum, b.Ite(b.Lt(pit, b.Int(5)), pit, b.Mul(2, pit)))
	}
	laps := b.Var("laps", term.Int)
	s.Assert(b.And(b.Eq(sum, b.Mul(13, laps)), b.Lt(b.Int(9), laps)))
	if got := s.Check(context.Background()); got.Status != solver.Sat {
		tb.Fatal(got)
	}
	if _, err := s.Values([]*term.Term{laps}); err != nil {
		tb.Fatal(err)
	}
	s.Pop()
}
