package proofs_test

import (
	"testing"

	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/internal/tier"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/rules"
)

// TestInfinitePlays: in the DOSE game stones can be sown forever. With 48 of them there are far too
// many states to explore, but a play that returns to an earlier state shows it, for any limit on
// states; and one value refutes the claim for all.
func TestInfinitePlays(t *testing.T) {
	for _, c := range []struct {
		claim string
		opt   proofs.Options
	}{
		{"claim c { with n = 6, stones = 48 terminates }", proofs.Options{Bounds: limit.Bounds{MaxStates: 100_000}}},
		{"claim c { with n = 6 terminates for all stones }", proofs.Options{}},
		{"claim c { with n = 6, stones = 13 terminates }", proofs.Options{Bounds: limit.Bounds{MaxStates: 20_000}}},
		{"claim c { with n = 6, stones = 48 terminates }", proofs.Options{}},
	}[:4/tier.Every(2)] {
		r := claimOn(t, "dose2015", c.claim, nil, c.opt)
		if r.Status != proofs.Refuted || !comesBack(r.Trace) {
			t.Errorf("%s: %s, %s", c.claim, r.Status, r.Sentence())
		}
	}
}

// comesBack reports whether the play ends in a state that occurred before.
func comesBack(t *rules.Trace) bool {
	states := []rules.State{t.Start}
	for _, s := range t.Steps {
		states = append(states, s.State)
	}
	last := states[len(states)-1]
	for _, s := range states[:len(states)-1] {
		if s.Equal(last) {
			return true
		}
	}
	return false
}

// TestFinitePlays: each move of Tchoukaillon brings at least one bead home.
func TestFinitePlays(t *testing.T) {
	for claim, want := range map[string]proofs.Status{
		"claim c { with cups = 5, beads = 12 terminates within 12 }":     proofs.Proved,
		"claim c { with cups = 7, beads = 4 terminates within 3 }":       proofs.Refuted,
		"claim c { with cups = 5, beads = 12 terminates }":               proofs.Proved,
		"claim c { with cups = 5 terminates for some beads }":            proofs.Proved,
		"claim c { with cups = 9, beads = 60 terminates using forward }": proofs.Unknown, // too many starts for the limit
		"claim c { with cups = 7, beads = 5 terminates using backward }": proofs.Unknown,
	} {
		if r := claimOn(t, "tchoukaillon", claim, nil, proofs.Options{Bounds: limit.Bounds{MaxStates: 300_000 / int64(tier.Every(10))}}); r.Status != want {
			t.Errorf("%s: %s, %s", claim, r.Status, r.Sentence())
		}
	}
}
