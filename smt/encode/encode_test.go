package encode_test

import (
	"errors"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/rulestest"
	"github.com/mancheck/mancheck/smt/encode"
	"github.com/mancheck/mancheck/smt/term"
)

// bench holds an Encoder, the cases from the state s, and the interpreter to compare them with.
type bench struct {
	sys   *rules.System
	in    *interp.Interp
	e     *encode.Encoder
	s     encode.State
	cases []encode.Case
	names []*term.Term
}

func newBench(sys *rules.System, opt encode.Options) (*bench, error) {
	e, err := encode.New(sys, term.NewBuilder(), opt)
	if err != nil {
		return nil, err
	}
	b := &bench{sys: sys, in: interp.New(sys), e: e, s: e.State("s")}
	b.names = append(append(append(b.names, b.s.Seeds...), b.s.Vars...), b.s.Mover, b.s.Outcome)
	b.cases, err = e.Cases(b.s)
	return b, err
}

// eval evaluates terms where s is the state.
func (b *bench) eval(s rules.State) func(*term.Term) int {
	values := map[string]int{}
	parts := append(append(append([]int{}, s.Seeds...), s.Vars...), s.Mover, s.Outcome)
	for i, v := range b.names {
		values[v.Name] = parts[i]
	}
	return func(t *term.Term) int {
		return b.e.Value(t, func(name string) int {
			v, ok := values[name]
			if !ok {
				panic("no value for " + name)
			}
			return v
		})
	}
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
		got := fmt.Sprint(c.Action, b.e.Decode(value, c.To))
		if !want[got] {
			t.Fatalf("state %+v: a step %s that there is not (or twice), of\n%v", s, got, steps)
		}
		delete(want, got)
	}
	if len(want) > 0 {
		t.Fatalf("state %+v: missing %v", s, want)
	}
	return true
}

// TestRandomSystems compares the cases of random Systems with the interpreter on random states.
func TestRandomSystems(t *testing.T) {
	var systems, unsupported, compared, left int
	reasons := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		sys := rulestest.System().Draw(t, "system")
		systems++
		b, err := newBench(sys, encode.Options{Unroll: 3, MaxCases: 2000})
		var no *encode.UnsupportedError
		if errors.As(err, &no) {
			unsupported++
			reasons[no.Reason]++
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		for range 5 {
			if b.compare(t, rulestest.State(sys, 30).Draw(t, "state")) {
				compared++
			} else {
				left++
			}
		}
	})
	t.Logf("%d systems, %d unsupported; %d states compared, %d with errors or overruns", systems, unsupported, compared, left)
	t.Log(reasons)
}
