package partial_test

import (
	"testing"

	"github.com/mancheck/mancheck/proofs/cert/internal/partial"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/exec"
	"github.com/mancheck/mancheck/rules/rulestest"
)

// BenchmarkSteps lists the moves of the start of Kalah(6,4), in the memory of one Player.
func BenchmarkSteps(b *testing.B) {
	sys := rulestest.Kalah(6, 4, false)
	m := partial.New(b.Context(), sys)
	p, s := m.Player(), m.Exactly(rulestest.KalahStart(sys, 4))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := p.Steps(s); err != nil {
			b.Fatal(err)
		}
	}
}

// TestReaderForgetsDoubt: what one expression may be at fault in says nothing of the next one.
func TestReaderForgetsDoubt(t *testing.T) {
	sys := rulestest.Solitaire(2)
	m := partial.New(t.Context(), sys)
	r, s := m.Reader(), m.Blank(0)
	divided := rules.Binary{Op: rules.Div, L: rules.Number(1), R: rules.PitAt(0)}
	for _, c := range []struct {
		x     rules.Expr
		doubt bool
	}{{divided, true}, {rules.Number(1), false}} {
		if _, err := r.Eval(exec.ReadExpr(c.x), s, nil); err != nil || r.Doubted() != c.doubt {
			t.Errorf("%v: doubted %t, %v", c.x, r.Doubted(), err)
		}
	}
}

// TestReactionsHaveNoRank: the rank that a reaction sets is not that of the action before it.
func TestReactionsHaveNoRank(t *testing.T) {
	sys := rulestest.Solitaire(2)
	rank := func(n int) []rules.Stmt { return []rules.Stmt{rules.Prefer(rules.Number(n))} }
	sys.Actions = []rules.Action{{Body: rank(1)}, {Body: rank(1)}}
	sys.Reactions = []rules.Reaction{{By: []rules.ReactionFor{{When: rules.True, Body: rank(2)}}}}
	m := partial.New(t.Context(), sys)
	if steps, err := m.Player().Steps(m.Exactly(sys.EmptyStart())); len(steps) != 2 || err != nil {
		t.Errorf("%v, %v", steps, err)
	}
}
