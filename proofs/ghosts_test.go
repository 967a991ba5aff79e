package proofs_test

import (
	"testing"
	"time"

	"github.com/mancheck/mancheck/proofs"
)

// TestGhostsByAllEngines: claims about a step's move, on rows of two pits with two seeds each. A
// first move of pit 1 ends in the store and begins with two seeds; only a sowing of five seeds or
// more reaches its own pit, which was empty then.
func TestGhostsByAllEngines(t *testing.T) {
	for _, test := range []struct {
		gives string
		want  proofs.Status
	}{
		{"origin in house and old origin > 0", proofs.Proved},
		{"last /= north_store or mover = North or finished", proofs.Proved},
		{"origin /= last or old seeds(last) >= 5", proofs.Proved},
		{"not (last was empty) or origin = last or old seeds(last) = 0 or old seeds(origin) > 5", proofs.Proved},
		{"last in house", proofs.Refuted},
		{"origin /= south1", proofs.Refuted},
		{"old seeds(origin) <= 2", proofs.Refuted},
	} {
		claim := "claim c { from true every step gives " + test.gives + " }"
		given := ints("m", 2, "n", 2)
		if r := claimOn(t, "kalah", claim, given, proofs.Options{Engine: proofs.Forward}); r.Status != test.want {
			t.Errorf("%s: %s by a search", test.gives, r.Status)
		}
		if len(solvers(t)) == 0 {
			continue
		}
		r := claimOn(t, "kalah", claim, given, proofs.Options{Engine: proofs.SMT, SolverTimeout: 10 * time.Second})
		if r.Status != test.want && !r.Inconclusive() {
			t.Errorf("%s: %s by a solver", test.gives, r.Status)
		}
		t.Logf("%s: %s by a solver", test.gives, r.Status)
	}
}

// TestManyShapes: more states of the right shape than are examined one by one is a limit and not a
// failure.
func TestManyShapes(t *testing.T) {
	claim := "claim c { from mover = South every step gives true over all states }"
	if r := claimOn(t, "kalah", claim, nil, proofs.Options{Engine: proofs.Forward}); r.Status != proofs.Unknown || r.Sentence() == "" {
		t.Errorf("%s, %s", r.Status, r.Sentence())
	}
}
