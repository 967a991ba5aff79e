package proofs_test

import (
	"path/filepath"
	"testing"

	"github.com/mancheck/mancheck/internal/tier"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/rules/build/buildtest"
)

// TestForeign: a drawn position is one of another game just if no start has as many seeds, and only
// for claims about plays of the setup.
func TestForeign(t *testing.T) {
	u := buildtest.Text(t, `variant Game {
  param n = 3 in 0..9
  board { a | b }
  setup { any where total(pit) = 2*n, a > 0 }
  move { choose k in 1..2 where k <= a  take k from a into b }
  end when a = 0
}
position odd  { 2 | 3 }
position even { 1 | 5 }
position many { _ | 7 }
position most { _ | 6 }
claim c1 { unreachable odd }
claim c2 { unreachable even }
claim c3 { invariant not many or a > 1 and odd }
claim c4 { reachable most }
claim c5 { predecessors(odd) = { } }
claim c6 { starting at odd reachable odd }
claim c7 { from odd every step gives a = 0 over all states }
claim c8 { with n = 4 reachable many }
claim c9 { unreachable odd for all n }
`)
	want := map[string]int{"c1": 1, "c3": 2}
	for _, c := range u.Claims {
		for _, inst := range buildtest.Instances(t, u, c.Name.Name, nil) {
			if got := proofs.Foreign(t.Context(), inst); len(got) != want[c.Name.Name] {
				t.Errorf("%s: %v, want %d", c.Name.Name, got, want[c.Name.Name])
			}
		}
	}
}

// TestNoneForeign: the claims of the examples and proofs draw positions that plays may come to.
func TestNoneForeign(t *testing.T) {
	family, err := filepath.Glob("../examples/family/*.sow")
	if err != nil || len(family) == 0 {
		t.Fatalf("no files: %v", err)
	}
	paths := append([]string{"../examples/kalah.sow", "../examples/oware.sow", "../examples/dose2015.sow"}, family...)
	for _, path := range tier.First(paths, 6, len(paths)) {
		u := buildtest.File(t, path)
		for _, c := range u.Claims {
			for _, inst := range buildtest.Instances(t, u, c.Name.Name, nil) {
				if got := proofs.Foreign(t.Context(), inst); len(got) > 0 {
					t.Errorf("%s: %s: %v", path, inst.Name(), got)
				}
			}
		}
	}
}
