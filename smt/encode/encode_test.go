package encode_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/internal/tier"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/rulestest"
	"github.com/mancheck/mancheck/smt/encode"
	"github.com/mancheck/mancheck/smt/term"
)

// bench holds an Encoder, the cases from the state s, and the interpreter to compare them with.
type bench struct {
	builder *term.Builder
	in      *interp.Interp
	e       *encode.Encoder
	s       encode.State
	cases   []encode.Case
}

func newBench(sys *rules.System, opt encode.Options) (*bench, error) {
	builder := term.NewBuilder()
	e, err := encode.New(sys, builder, opt)
	if err != nil {
		return nil, err
	}
	b := &bench{builder: builder, in: interp.New(sys), e: e, s: e.State("s")}
	b.cases, err = e.Cases(b.s)
	return b, err
}

// eval evaluates terms in the state s.
func (b *bench) eval(s rules.State) func(*term.Term) int {
	values := map[string]int{}
	assign(values, b.s, s)
	return func(t *term.Term) int {
		return int(b.e.Value(t, func(name string) int {
			v, ok := values[name]
			if !ok {
				panic("no value for " + name)
			}
			return v
		}).Int64())
	}
}

// decode returns the concrete state that s denotes when value gives the value of each variable.
func decode(value func(*term.Term) int, s encode.State) rules.State {
	return rules.State{Seeds: lists.Map(s.Seeds, value), Vars: lists.Map(s.Vars, value), Mover: value(s.Mover), Outcome: value(s.Outcome)}
}

// compare checks fault, overrun, and the steps from s. It reports whether they could be compared.
func (b *bench) compare(t interface{ Fatalf(string, ...any) }, s rules.State) bool {
	value := b.eval(s)
	steps, err := b.in.Steps(s)
	if value(b.e.Overrun(b.s)) != 0 {
		return false
	}
	if faulty := value(b.e.Fault(b.s)) != 0; faulty != (err != nil) {
		t.Fatalf("state %+v: fault %v, the interpreter says %v", s, faulty, err)
	}
	if err != nil {
		return false
	}
	want := map[string]bool{}
	for _, st := range steps {
		want[fmt.Sprint(st.Action, st.To)] = true
	}
	for _, c := range b.cases {
		if value(c.When) == 0 {
			continue
		}
		got := fmt.Sprint(c.Action, decode(value, c.To))
		if !want[got] {
			t.Fatalf("state %+v: a step %s that does not exist (or twice), of\n%v", s, got, steps)
		}
		delete(want, got)
	}
	if len(want) > 0 {
		t.Fatalf("state %+v: missing %v", s, want)
	}
	return true
}

// quick keeps random Systems small.
var quick = encode.Options{Unroll: 2, MaxCases: 200}

// tally counts the results of random Systems.
type tally struct{ systems, unsupported, compared, left int }

// TestRandomSystems compares the cases of random Systems with the interpreter on random states.
func TestRandomSystems(t *testing.T) {
	var n tally
	reasons := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		for range 4 / tier.Every(2) {
			n.system(t, reasons)
		}
	})
	t.Logf("%d systems, %d unsupported; %d states compared, %d with errors or overruns",
		n.systems, n.unsupported, n.compared, n.left)
	for why, times := range reasons {
		t.Logf("%4d times %s", times, why)
	}
	if 100*n.unsupported > 40*n.systems {
		t.Error("too many Systems are not supported")
	}
}

// system compares one random System, unless it is not supported.
func (n *tally) system(t *rapid.T, reasons map[string]int) {
	sys := rulestest.Kernel().Draw(t, "system")
	n.systems++
	b, err := newBench(sys, quick)
	var no *encode.UnsupportedError
	if errors.As(err, &no) {
		n.unsupported++
		_, why, _ := strings.Cut(no.Reason, ": ")
		reasons[why]++
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	for range 5 {
		seeds := rapid.SampledFrom([]int{4, 12, 40}).Draw(t, "seeds")
		if b.compare(t, rulestest.State(sys, seeds).Draw(t, "state")) {
			n.compared++
		} else {
			n.left++
		}
	}
}

// TestNextByVariable: of the values that a formula has, a variable keeps some. The others are no
// players, and no state leads to them.
func TestNextByVariable(t *testing.T) {
	sys := rulestest.Kalah(1, 2, false)
	sys.Vars = append(sys.Vars, rules.Var{Name: "who", Type: rules.PlayerType, Domain: []int{0, 1}})
	who := rules.VarAt(len(sys.Vars) - 1)
	more := func(n int) rules.Expr {
		return rules.Binary{Op: rules.Gt, L: rules.PitAt(0), R: rules.Const{Value: n}}
	}
	upToTwo := rules.Binary{Op: rules.Add, L: more(1), R: more(3)}
	for i := range sys.Actions {
		sys.Actions[i].Body = []rules.Stmt{rules.Set{To: who, X: upToTwo}, rules.Set{To: rules.Register(rules.NextReg), X: who}}
	}
	b, err := newBench(sys, quick)
	if err != nil {
		t.Fatal(err)
	}
	for n := range 6 {
		s := sys.EmptyStart()
		s.Seeds[0], s.Seeds[1] = n, 2
		if compared := b.compare(t, s); compared != (n <= 3) {
			t.Errorf("with %d seeds: %v", n, compared)
		}
	}
}

// TestPitByVariable: of the values that a formula has, a variable keeps those that are pits.
func TestPitByVariable(t *testing.T) {
	sys := rulestest.Kalah(1, 2, false)
	sys.Vars = append(sys.Vars, rules.Var{Name: "where", Type: rules.PitType, Domain: []int{0, 1, 2, 3}})
	where := rules.VarAt(len(sys.Vars) - 1)
	sum := func(n int) rules.Expr {
		return rules.Binary{Op: rules.Add, L: rules.Binary{Op: rules.Add, L: rules.PitAt(0), R: rules.PitAt(2)}, R: rules.Const{Value: n}}
	}
	is := func(pit, n int) rules.Expr {
		return rules.Binary{Op: rules.Eq, L: rules.PitAt(pit), R: rules.Const{Value: n}}
	}
	to := rules.Const{Value: 1}
	for i, use := range []rules.Stmt{
		rules.Transfer{From: where, Into: to},
		rules.Transfer{Count: rules.Const{}, From: where, Into: to},
		rules.Transfer{From: to, Into: where},
		rules.Sow{Source: where},
		rules.If{Cond: rules.Binary{Op: rules.Gt, L: rules.Seeds(where), R: rules.Const{Value: 1}}, Then: []rules.Stmt{rules.Transfer{From: rules.Const{}, Into: to}}},
		rules.Transfer{From: sys.Related(where, 0), Into: to},
	} {
		for a := range sys.Actions {
			sys.Actions[a].Body = []rules.Stmt{
				rules.Set{To: where, X: sum(1)},
				rules.If{Cond: is(0, 2), Then: []rules.Stmt{rules.If{Cond: is(2, 2), Then: []rules.Stmt{use}}}},
			}
		}
		b, err := newBench(sys, quick)
		if err != nil {
			t.Fatalf("%d: %v", i, err)
		}
		for n := range 4 {
			s := sys.EmptyStart()
			s.Seeds[0], s.Seeds[1], s.Seeds[2] = 2, 2, n
			if compared := b.compare(t, s); compared != (n == 0) {
				t.Errorf("%d, with %d seeds: %v", i, n, compared)
			}
		}
	}
}
