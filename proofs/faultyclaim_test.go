package proofs_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules/build/buildtest"
)

// TestFaultyClaim: a claim that has no value in a reachable state is a mistake in the claim,
// neither a verdict nor a fault of the engine.
func TestFaultyClaim(t *testing.T) {
	const text = `variant V {
  board {
    a | b | c
    line way = a, b, c
  }
  setup { a = 2 }
  move {
    sow a along way
  }
  end when no move
}
claim start { unreachable total(pit) = 2 and 1 div seeds(b) = 7 }
claim later { unreachable total(pit) = 2 and 1 div seeds(a) = 7 }
`
	path := filepath.Join(t.TempDir(), "v.sow")
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, engine := range []proofs.Engine{proofs.Auto, proofs.Forward, proofs.Backward} {
		for _, inst := range buildtest.Instances(t, buildtest.File(t, path), "", nil) {
			r, err := proofs.Decide(t.Context(), inst, proofs.Options{Engine: engine})
			var d diag.Diagnostic
			if !errors.As(err, &d) || d.Code != diag.DivZero {
				t.Errorf("%s by %s: %v, %v", inst.Name(), engine, r, err)
			}
		}
	}
}

// TestFaultBesideWins: a fault in play is reported also where no predecessor of a win is a start.
func TestFaultBesideWins(t *testing.T) {
	u := buildtest.Text(t, `variant V {
  board { a | b }
  state y : pit = none
  setup { a = 2, b = 1 }
  move { choose p in a  y = a }
  move bad { let l = 1 div (seeds(b) - seeds(b)) }
  win when no move at end of turn
}
claim nowhere { winning starts = { } }
`)
	for _, engine := range []proofs.Engine{proofs.Auto, proofs.Forward} {
		for _, inst := range buildtest.Instances(t, u, "", nil) {
			r, err := proofs.Decide(t.Context(), inst, proofs.Options{Engine: engine})
			var d diag.Diagnostic
			if !errors.As(err, &d) || d.Code != diag.DivZero {
				t.Errorf("by %s: %v, %v", engine, r, err)
			}
		}
	}
}

// TestFaultForEachValue: where the condition has no value no value of a parameter refutes the
// claim, although a backward search finds a play to the state.
func TestFaultForEachValue(t *testing.T) {
	u := buildtest.Text(t, `variant A {
  param n = 5 in 5..7
  board { b[1..1] }
  setup { }
  move { }
}
claim c1 { unreachable none <= 3 }
claim c2 { unreachable none <= 3 for some n }
claim c3 { reachable none <= 3 for some n }
`)
	for _, engine := range []proofs.Engine{proofs.Auto, proofs.Forward, proofs.Backward} {
		for _, inst := range buildtest.Instances(t, u, "", nil) {
			r, err := proofs.Decide(t.Context(), inst, proofs.Options{Engine: engine})
			if err == nil && r.Status != verdict.Unknown {
				t.Errorf("%s by %s: %s", inst.Name(), engine, r.Status)
			}
		}
	}
}

// TestFaultElsewhere: one position refutes the claim, whatever happens in another one.
func TestFaultElsewhere(t *testing.T) {
	u := buildtest.Text(t, `variant A {
  board {
    a[2..1]
    b[1..2]
    line lap = b[2..1], a[1..2]
  }
  setup { any where total(a) = 1, each b = 0 }
  move { sow b1 from none along lap }
  win when a2 = 0
}
claim c { best(start) = { 2 } }
`)
	inst := buildtest.Instances(t, u, "c", nil)[0]
	r, err := proofs.Decide(t.Context(), inst, proofs.Options{})
	if err == nil && r.Status != verdict.Refuted {
		t.Errorf("%s, %+v", r.Status, r)
	}
	var d diag.Diagnostic
	if err != nil && (!errors.As(err, &d) || d.Code != diag.NonePit) {
		t.Error(err)
	}
}

// TestVacuous: a claim that matches nothing, or nothing for any value of a parameter, says nothing,
// whichever engine finds that out, and also where it is denied.
func TestVacuous(t *testing.T) {
	u := buildtest.Text(t, `variant V {
  param n = 1 in 1..3
  param m = 1
  board { a | b }
  setup { a = n }
  move { choose p in a where p > 0  capture p into b }
  end when a = 0
}
claim c1 { for all n not reachable m = 2 }
claim c2 { for some n reachable m = 2  expect refuted }
claim c3 { for all n not reachable b > 3 }
claim c4 { unreachable a * 2 = 3 }
claim c5 { invariant (b if b < 2 else 1) <= 2 }
`)
	for _, engine := range []proofs.Engine{proofs.Auto, proofs.Forward, proofs.Backward} {
		for _, inst := range buildtest.Instances(t, u, "", nil) {
			r, err := proofs.Decide(t.Context(), inst, proofs.Options{Engine: engine})
			if err != nil {
				t.Fatal(err)
			}
			if want := inst.Name() != "c3"; r.Vacuous != want {
				t.Errorf("%s by %s: vacuous is %v", inst.Name(), engine, r.Vacuous)
			}
		}
	}
}
