package proofs_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/rules/resolve"
)

// truths are what is true of the claims of testdata/wrong, derived by hand from the rules: each was once decided wrongly.
var truths = []struct {
	file  string
	true  []string
	false []string
}{
	// One move from the only start, 1 1, sets done, and W ends the game. W has predecessors with any number of seeds.
	{"k1", []string{"c2", "c3", "c4"}, []string{"c1"}},
	{"k2", []string{"p4", "p7"}, []string{"p1", "p2", "p3", "p6", "p8"}},
	{"k3", nil, []string{"c"}},
	{"k4", nil, []string{"c"}},
}

// tooMuch are claims of testdata/wrong about infinitely many states, which no engine lists.
var tooMuch = []string{"k2 p1", "k2 p6"}

// TestOnceWrong: no engine contradicts the truth, and the tool's choice of engines finds it, unless that is too much to ask.
func TestOnceWrong(t *testing.T) {
	for _, f := range truths {
		u := load(t, "testdata/wrong/"+f.file+".sow")
		for want, claims := range map[proofs.Status][]string{proofs.Proved: f.true, proofs.Refuted: f.false} {
			for _, name := range claims {
				for _, inst := range instances(t, u, name, nil) {
					for _, engine := range proofs.Engines {
						tellsTruth(t, f.file+" "+name, inst, engine, want)
					}
				}
			}
		}
	}
}

func tellsTruth(t *testing.T, claim string, inst *resolve.Instance, engine string, want proofs.Status) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	r, err := proofs.Decide(ctx, inst, proofs.Options{Engine: engine, MaxStates: 100_000, SolverTimeout: time.Second, Certify: true})
	if err != nil {
		t.Errorf("%s by %s: %v", claim, engine, err)
		return
	}
	open := r.Status == proofs.Unknown && r.Reason != "" || r.Status == proofs.Bounded
	if open && engine == proofs.Auto && !slices.Contains(tooMuch, claim) || !open && r.Status != want {
		t.Errorf("%s by %s: %s (%s), want %s", claim, engine, r.Status, r.Reason, want)
	}
}
