package proofs_test

import (
	"strings"
	"testing"

	"github.com/mancheck/mancheck/internal/tier"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/rules/build/buildtest"
)

const strategies = `
strategy nearest of Tchoukaillon = least index(c)
strategy farthest of Tchoukaillon = greatest index(c)
`

// TestNearestWins: Rice's theorem about his solitaire, that the nearest legal house wins if
// anything does.
func TestNearestWins(t *testing.T) {
	for beads := 0; beads < 20; beads += tier.Every(3) {
		claim := strategies + "claim c { with cups = 7 nearest wins wherever anything wins }"
		r := claimOn(t, "tchoukaillon", claim, ints("beads", beads), proofs.Options{})
		if r.Status != proofs.Proved || r.Vacuous {
			t.Errorf("%d beads: %s, %s, vacuous %v", beads, r.Status, r.Sentence(), r.Vacuous)
		}
	}
	// five beads take three cups
	claim := strategies + "claim c { with cups = 2, beads = 5 nearest wins wherever anything wins }"
	if r := claimOn(t, "tchoukaillon", claim, nil, proofs.Options{}); r.Status != proofs.Proved || !r.Vacuous {
		t.Errorf("%s, vacuous %v", r.Status, r.Vacuous)
	}
}

// TestFarthestFails: of 1 2 (cups 1 and 2) the farthest house leaves 2 0, which is stuck.
func TestFarthestFails(t *testing.T) {
	claim := strategies + "claim c { with cups = 2, beads = 3 farthest wins wherever anything wins }"
	for _, engine := range []proofs.Engine{proofs.Forward, proofs.Backward} {
		r := claimOn(t, "tchoukaillon", claim, nil, proofs.Options{Engine: engine})
		if r.Status != proofs.Refuted || len(r.Trace.Steps) != 1 || r.Trace.Steps[0].Move != "2" || len(r.Other.Steps) != 3 {
			t.Fatalf("%s, %s, %+v, %+v", r.Status, r.Sentence(), r.Trace, r.Other)
		}
		if !strings.Contains(r.Sentence(), "`1`, `2`, `1` wins") {
			t.Errorf("how it can be won: %s", r.Sentence())
		}
	}
}

// TestStrategyForAll: a value that refutes the claim refutes it for all. It is proved if the states
// that lead to a win close: on two cups these are the boards of 1, 2 and 3 beads, since 4 need a
// third cup.
func TestStrategyForAll(t *testing.T) {
	claim := strategies + "claim c { with cups = 2 farthest wins wherever anything wins for all beads }"
	if r := claimOn(t, "tchoukaillon", claim, nil, proofs.Options{}); r.Status != proofs.Refuted || r.Scope.Params[1].N != 3 {
		t.Errorf("%s, %s, %+v", r.Status, r.Sentence(), r.Scope)
	}
	claim = strategies + "claim c { with cups = 2 nearest wins wherever anything wins for all beads }"
	if r := claimOn(t, "tchoukaillon", claim, nil, proofs.Options{}); r.Status != proofs.Proved || r.Stats.Closed != 3 || r.Vacuous {
		t.Errorf("%s, %s, %+v", r.Status, r.Sentence(), r.Stats)
	}
	if r := claimOn(t, "tchoukaillon", claim, nil, proofs.Options{Engine: proofs.Forward}); r.Status != proofs.Unknown {
		t.Errorf("forward: %s, %s", r.Status, r.Sentence())
	}
}

// TestStrategyByWhatIsLeftOut: the basket affects only the strategy, which is also tried from a
// basket that is not empty.
func TestStrategyByWhatIsLeftOut(t *testing.T) {
	const claim = `
strategy odd of Tchoukaillon = greatest index(c) * (1 - basket mod 2)
claim c { with cups = 2 odd wins wherever anything wins for all beads }`
	if r := claimOn(t, "tchoukaillon", claim, nil, proofs.Options{}); r.Status != proofs.Refuted || r.Scope.Params[1].N != 3 {
		t.Errorf("%s, %s, %+v", r.Status, r.Sentence(), r.Scope)
	}
}

// TestStrategyForEver: a strategy that prefers waiting to winning goes on forever; the others win
// in one move.
func TestStrategyForEver(t *testing.T) {
	const waiting = `
variant Waiting {
  board {
    a | b | s
    ring round = a, b
    line home = a, s
  }
  setup { a = 1 }
  move { choose k in 0..1 written k
    if k = 0 { for p in {a} { if p > 0 { sow a along round } else { sow b along round } } }
    else { sow a along home } }
  win when s = 1
}
strategy patient = least k
strategy hasty = greatest k
`
	u := buildtest.Text(t, waiting+"claim c { patient wins wherever anything wins }")
	r := decide(t, buildtest.Instances(t, u, "", nil)[0], proofs.Options{})
	if r.Status != proofs.Refuted || len(r.Trace.Steps) != 2 || len(r.Other.Steps) != 1 || !strings.Contains(r.Sentence(), "2 moves repeat") {
		t.Errorf("%s, %s", r.Status, r.Sentence())
	}
	u = buildtest.Text(t, waiting+"claim c { hasty wins wherever anything wins }")
	if r := decide(t, buildtest.Instances(t, u, "", nil)[0], proofs.Options{}); r.Status != proofs.Proved {
		t.Errorf("%s, %s", r.Status, r.Sentence())
	}
}
