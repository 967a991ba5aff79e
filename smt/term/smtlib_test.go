package term_test

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/smt/term"
	"github.com/mancheck/mancheck/smt/term/termtest"
)

func TestScript(t *testing.T) {
	b := term.NewBuilder()
	x, p := b.Var("x", term.Int), b.Var("p", term.Bool)
	sum := b.Add(b.Mul(-2, x), b.Int(-1))
	got := term.Script(b.Or(p, b.Lt(sum, b.Int(5))), b.Le(b.Int(0), sum), b.Eq(b.Ite(p, sum, x), sum))
	want := `(set-logic QF_LIA)
(declare-const x Int)
(declare-const p Bool)
(assert (or p (< (+ (* (- 2) x) (- 1)) 5)))
(assert (<= 0 (+ (* (- 2) x) (- 1))))
(assert (let ((?1 (+ (* (- 2) x) (- 1)))) (= ?1 (ite p ?1 x))))
(check-sat)
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestTerm(t *testing.T) {
	b := term.NewBuilder()
	x := b.Var("x", term.Int)
	sum := b.Add(x, b.Int(1))
	for _, c := range []struct {
		t    *term.Term
		want string
	}{
		{b.True(), "true"},
		{b.Int(-num.Most), "(- 4611686018427387903)"},
		{b.Int(num.Most), "4611686018427387903"},
		{b.Not(b.Eq(x, b.Int(0))), "(not (= x 0))"},
		{b.And(b.Le(sum, b.Int(3)), b.Lt(b.Int(0), sum)), "(let ((?1 (+ x 1))) (and (<= ?1 3) (< 0 ?1)))"},
		{
			b.And(b.Le(sum, b.Int(3)), b.Lt(b.Var("y", term.Int), sum), b.Eq(b.Ite(b.Le(sum, b.Int(3)), x, sum), x)),
			"(let ((?1 (+ x 1))) (let ((?2 (<= ?1 3))) (and ?2 (< y ?1) (= x (ite ?2 x ?1)))))",
		},
		{b.Lt(b.Var("7up", term.Int), x), "(< |7up| x)"},
	} {
		if got := c.t.String(); got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
}

func TestVars(t *testing.T) {
	b := term.NewBuilder()
	x, y, p := b.Var("x", term.Int), b.Var("y", term.Int), b.Var("p", term.Bool)
	got := term.Vars(b.Lt(y, x), p, b.Eq(y, b.Int(0)))
	if len(got) != 3 || got[0] != x || got[1] != y || got[2] != p {
		t.Errorf("got %v", got)
	}
	want := "(declare-const x Int)\n(declare-const y Int)\n(declare-const p Bool)\n"
	if diff := cmp.Diff(want, declarations(got)); diff != "" {
		t.Error(diff)
	}
}

// declarations declares variables, one per line.
func declarations(vars []*term.Term) string {
	var b strings.Builder
	for _, v := range vars {
		fmt.Fprintf(&b, "(declare-const %s %s)\n", term.Symbol(v.Name), v.Sort)
	}
	return b.String()
}

// doubling is a term whose text would have 2^n parts without let.
func doubling(b *term.Builder, n int) *term.Term {
	x := b.Var("x", term.Int)
	for i := range n {
		x = b.Ite(b.Lt(x, b.Int(i)), b.Add(x, b.Var("y", term.Int)), x)
	}
	return b.Lt(x, b.Int(0))
}

// chain is a term nested n deep, with nothing shared.
func chain(b *term.Builder, n int) *term.Term {
	t := b.Var("p", term.Bool)
	for i := range n {
		t = b.Ite(b.Var(fmt.Sprintf("q%d", i), term.Bool), b.Not(t), b.Var("r", term.Bool))
	}
	return t
}

// TestLargeGraphs: the text grows with the number of terms, and its nesting is limited.
func TestLargeGraphs(t *testing.T) {
	b := term.NewBuilder()
	for name, big := range map[string]*term.Term{"doubling": doubling(b, 2000), "chain": chain(b, 50_000)} {
		nodes, text := len(term.Nodes(nil, big)), big.String()
		if len(text) > 30*nodes {
			t.Errorf("%s: %d terms make an expression of %d bytes", name, nodes, len(text))
		}
		if d := nesting(text); d > nodes/2 {
			t.Errorf("%s: %d terms are nested %d deep", name, nodes, d)
		}
	}
	var wide []*term.Term
	for i := range 1000 {
		sum := b.Add(b.Var(fmt.Sprintf("x%d", i), term.Int), b.Int(1))
		wide = append(wide, b.Lt(b.Var("y", term.Int), sum), b.Lt(sum, b.Var("z", term.Int)))
	}
	if d := nesting(b.And(wide...).String()); d > 10 {
		t.Errorf("a thousand sums are nested %d deep", d)
	}
}

func nesting(text string) int {
	depth, deepest := 0, 0
	for _, c := range text {
		switch c {
		case '(':
			depth++
		case ')':
			depth--
		}
		deepest = max(deepest, depth)
	}
	return deepest
}

// TestPrinterScopes: what a scope declared is declared again after its end, and only then.
func TestPrinterScopes(t *testing.T) {
	b := term.NewBuilder()
	fact := b.Lt(b.Var("x", term.Int), b.Int(1))
	p := term.NewPrinter()
	p.Push()
	p.Assert(fact)
	p.Assert(fact)
	p.Pop()
	if got := p.Variables(); len(got) != 0 {
		t.Errorf("still declared: %v", got)
	}
	p.Assert(fact)
	want := `(push 1)
(declare-const x Int)
(assert (< x 1))
(assert (< x 1))
(pop 1)
(declare-const x Int)
(assert (< x 1))
`
	if diff := cmp.Diff(want, string(p.Take())); diff != "" {
		t.Error(diff)
	}
}

// TestReadBack: a solver that reads the text of a term agrees with Eval on its meaning, whether it
// is written with let or with definitions.
func TestReadBack(t *testing.T) {
	program, err := exec.LookPath("z3")
	if err != nil {
		t.Skip("z3 is not installed")
	}
	var script strings.Builder
	var terms []*term.Term
	envs := termtest.Envs()
	rapid.Check(t, func(t *rapid.T) {
		b := term.NewBuilder()
		drawn, env := termtest.Bool(t, b, 5), rapid.SampledFrom(envs).Draw(t, "env")
		same := drawn.Term
		if drawn.Value(env) == 0 {
			same = b.Not(same)
		}
		facts := append(values(b, env), same)
		fmt.Fprintf(&script, "%s(reset)\n%s(assert %s)(check-sat)(reset)\n", term.Script(facts...), declarations(term.Vars(facts...)), b.And(facts...))
		terms = append(terms, drawn.Term)
	})
	cmd := exec.Command(program, "-in")
	cmd.Stdin = strings.NewReader(script.String())
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for i, answer := range strings.Fields(string(out)) {
		if answer != "sat" {
			t.Fatalf("%s for %s", answer, terms[i/2])
		}
	}
	if got := strings.Count(string(out), "sat\n"); got != 2*len(terms) {
		t.Errorf("%d answers to %d questions", got, 2*len(terms))
	}
}

// values says that the variables have these values.
func values(b *term.Builder, env termtest.Env) []*term.Term {
	var all []*term.Term
	for _, name := range termtest.Ints {
		all = append(all, b.Eq(b.Var(name, term.Int), b.Int(env[name])))
	}
	for _, name := range termtest.Bools {
		all = append(all, b.Eq(b.Var(name, term.Bool), b.Bool(env[name] != 0)))
	}
	return all
}
