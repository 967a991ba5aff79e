package term_test

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"github.com/mancheck/mancheck/smt/term"
	"github.com/mancheck/mancheck/smt/term/termtest"
)

// TestFolding: simplification by the constructors does not change the meaning.
func TestFolding(t *testing.T) {
	envs := termtest.Envs()
	rapid.Check(t, func(t *rapid.T) {
		b := term.NewBuilder()
		d := termtest.Bool(t, b, 4)
		for range 20 {
			env := rapid.SampledFrom(envs).Draw(t, "env")
			if got, want := eval(d.Term, env), d.Value(env); got != want {
				t.Fatalf("%s is %d with %v, want %d", d.Term, got, env, want)
			}
		}
	})
}

func eval(t *term.Term, env termtest.Env) int {
	return int(term.Eval(t, func(name string) *big.Int { return big.NewInt(int64(env[name])) }).Int64())
}

// TestLaws checks the foldings that engines rely on to decide questions without a solver.
func TestLaws(t *testing.T) {
	b := term.NewBuilder()
	x, y, p := b.Var("x", term.Int), b.Var("y", term.Int), b.Var("p", term.Bool)
	for _, law := range []struct {
		name      string
		got, want *term.Term
	}{
		{"and of none", b.And(), b.True()},
		{"or of none", b.Or(), b.False()},
		{"excluded middle", b.Or(p, b.Not(p)), b.True()},
		{"contradiction", b.And(b.Not(p), p), b.False()},
		{"repetition", b.And(p, p), p},
		{"flattening", b.And(p, b.And(b.Lt(x, y), p)), b.And(b.Lt(x, y), p)},
		{"order", b.Or(p, b.Lt(x, y)), b.Or(b.Lt(x, y), p)},
		{"double negation", b.Not(b.Not(p)), p},
		{"not less", b.Not(b.Lt(x, y)), b.Le(y, x)},
		{"not at most", b.Not(b.Le(x, y)), b.Lt(y, x)},
		{"sum cancels", b.Sub(b.Add(x, y), x), y},
		{"sum of all", b.Sub(x, x), b.Int(0)},
		{"like terms", b.Add(x, b.Mul(2, x)), b.Mul(3, x)},
		{"product of a sum", b.Mul(2, b.Add(x, b.Int(3))), b.Add(b.Mul(2, x), b.Int(6))},
		{"product of a product", b.Mul(-1, b.Mul(-1, x)), x},
		{"equal to itself", b.Eq(x, x), b.True()},
		{"equal to true", b.Eq(p, b.True()), p},
		{"symmetry", b.Eq(x, y), b.Eq(y, x)},
		{"choice of one", b.Ite(p, x, x), x},
		{"choice negated", b.Ite(b.Not(p), x, y), b.Ite(p, y, x)},
		{"choice of truths", b.Ite(p, b.True(), b.False()), p},
	} {
		if law.got != law.want {
			t.Errorf("%s: %s, want %s", law.name, law.got, law.want)
		}
	}
}

func TestFresh(t *testing.T) {
	b := term.NewBuilder()
	if x, y := b.Fresh("q", term.Int), b.Fresh("q", term.Int); x == y {
		t.Errorf("%s twice", x)
	}
}
