package encode_test

import (
	"errors"
	"testing"

	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/internal/cost"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/rulestest"
	"github.com/mancheck/mancheck/smt/encode"
	"github.com/mancheck/mancheck/smt/term"
)

// TestLongLoop: a relay goes on for more laps than any bound if there are enough seeds, and a move
// without a loop does not.
func TestLongLoop(t *testing.T) {
	sys := rulestest.Kalah(1, 2, false)
	enc, err := encode.New(sys, term.NewBuilder(), encode.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if s, found := enc.LongLoop(); found {
		t.Errorf("a loop of Kalah is too long in %v", s)
	}
	for i := range sys.Actions {
		a := &sys.Actions[i]
		more := rules.Binary{Op: rules.Gt, L: rules.Seeds(rules.Last), R: rules.Const{Value: 1}}
		a.Body = append(a.Body[:1:1], rules.While{Cond: more, Body: []rules.Stmt{rules.Sow{Source: rules.Last}}})
	}
	if enc, err = encode.New(sys, term.NewBuilder(), encode.Options{Unroll: 2}); err != nil {
		t.Fatal(err)
	}
	s, found := enc.LongLoop()
	if !found {
		t.Fatal("no long relay is found")
	}
	if _, known := enc.NewConcrete().Steps(s); known {
		t.Errorf("the formulas know the steps from %v", s)
	}
}

// TestLargeDivisor: what a division costs does not grow with the divisor.
func TestLargeDivisor(t *testing.T) {
	sys := rulestest.Kalah(1, 2, false)
	for i := range sys.Actions {
		a := &sys.Actions[i]
		many := rules.Binary{Op: rules.Div, L: rules.PitAt(0), R: rules.Number(num.Most - 1)}
		a.Body = []rules.Stmt{rules.If{Cond: rules.Binary{Op: rules.Eq, L: many, R: rules.Number(0)}, Then: a.Body}}
	}
	cost.Within(t, 0, func() {
		enc, err := encode.New(sys, term.NewBuilder(), encode.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if cases, err := enc.Cases(enc.State("s")); err != nil || len(cases) == 0 {
			t.Errorf("%d cases, %v", len(cases), err)
		}
	})
}

// TestTooManyCases: a move that branches too much is said by its label, if it has one.
func TestTooManyCases(t *testing.T) {
	for label, want := range map[string]string{
		"move": "a move branches into too many cases",
		"reap": "the move `reap` branches into too many cases",
	} {
		sys := rulestest.Kalah(1, 2, false)
		for i := range sys.Actions {
			sys.Actions[i].Label = label
		}
		_, err := encode.New(sys, term.NewBuilder(), encode.Options{MaxCases: 1})
		var no *encode.UnsupportedError
		if !errors.As(err, &no) || no.Reason != want {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
