package encode_test

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/rulestest"
	"github.com/mancheck/mancheck/smt/encode"
	"github.com/mancheck/mancheck/smt/term"
)

// relation is the step relation between two states of variables.
type relation struct {
	*bench
	t      encode.State
	rel    *term.Term
	choose []*term.Term
}

// holds evaluates the relation with only the selectors of chosen true.
func (r *relation) holds(s, t rules.State, chosen ...int) bool {
	return r.holdsWith(0, s, t, chosen...)
}

// holdsWith is holds with all quotients wrong by off.
func (r *relation) holdsWith(off int, s, t rules.State, chosen ...int) bool {
	values := map[string]int{}
	assign(values, r.s, s)
	assign(values, r.t, t)
	for _, i := range chosen { // all cases use the same variables for their quotients
		for k, q := range r.cases[i].Fresh {
			values[fmt.Sprintf("step.q%d", k)] = off + int(r.e.Value(q, func(name string) int { return values[name] }).Int64())
		}
	}
	upTo := 0
	for i, x := range r.choose {
		for _, c := range chosen {
			if c == i {
				values[x.Name], upTo = 1, 1
			}
		}
		values[fmt.Sprintf("step.upto%d", i)] = upTo
	}
	return r.e.Value(r.rel, func(name string) int { return values[name] }).Sign() != 0
}

// assign gives the variables of x their values in s.
func assign(values map[string]int, x encode.State, s rules.State) {
	for i, v := range x.Seeds {
		values[v.Name] = s.Seeds[i]
	}
	for i, v := range x.Vars {
		values[v.Name] = s.Vars[i]
	}
	values[x.Mover.Name], values[x.Outcome.Name] = s.Mover, s.Outcome
}

// TestStep finds for every step of the interpreter exactly one right selector, and none for a state
// without a step to it.
func TestStep(t *testing.T) {
	b, err := newBench(game(t, "kalah.sow", build.Settings{"m": {N: 2}}), encode.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r := &relation{bench: b, t: b.e.State("t")}
	r.rel, r.choose, b.cases = b.e.Step(b.s, r.t, "step")
	rapid.Check(t, func(t *rapid.T) {
		s := rulestest.State(b.in.System(), 12).Draw(t, "state")
		steps, err := b.in.Steps(s)
		if err != nil {
			t.Fatal(err)
		}
		for _, st := range steps {
			var right []int
			for i, c := range b.cases {
				if r.holds(s, st.To, i) {
					right = append(right, i)
					if !sameTarget(steps, st.To, c.Action) {
						t.Fatalf("action %d does not lead to %+v", c.Action, st.To)
					}
				}
			}
			if len(right) == 0 || r.holds(s, st.To) || r.holds(s, st.To, right[0], (right[0]+1)%len(b.cases)) {
				t.Fatalf("from %+v to %+v: selectors %v, none or two", s, st.To, right)
			}
			if len(b.cases[right[0]].Fresh) > 0 && r.holdsWith(1, s, st.To, right[0]) {
				t.Fatalf("from %+v to %+v with another quotient", s, st.To)
			}
			other := st.To.Clone() // the steps are compared with those that follow
			other.Seeds[0]++
			if r.holds(s, other, right[0]) {
				t.Fatalf("from %+v there is no step to %+v", s, other)
			}
		}
	})
}

// sameTarget reports whether the action has a step to the state.
func sameTarget(steps []interp.Step, to rules.State, action int) bool {
	for _, st := range steps {
		if st.Action == action && st.To.Equal(to) {
			return true
		}
	}
	return false
}
