package proofs_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/mancheck/mancheck/internal/tier"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build/buildtest"
)

// fewestBeads returns the least number of beads whose winnable board takes the given number of
// cups: go from the number of cups up to the next multiple of each smaller number (OEIS A002491).
func fewestBeads(cups int) int {
	n := cups
	for k := cups - 1; k > 0; k-- {
		n = (n + k - 1) / k * k
	}
	return n
}

// TestCupsNeeded: with a number of beads that needs another cup, nothing can be won without it.
func TestCupsNeeded(t *testing.T) {
	for i, want := range []int{1, 2, 4, 6, 10, 12, 18, 22, 30, 34, 42, 48, 58, 60, 78} {
		if got := fewestBeads(i + 1); got != want {
			t.Fatalf("%d cups: %d beads by the formula, %d in the OEIS", i+1, got, want)
		}
	}
	for _, cups := range tier.First([]int{2, 3, 4, 5, 8, 15, 40, 61, 130}, 4, 7) {
		beads := fewestBeads(cups)
		for _, c := range []struct{ cups, beads, found int }{{cups - 1, beads - 1, 1}, {cups - 1, beads, 0}, {cups, beads, 1}} {
			r := winnable(t, c.cups, c.beads, proofs.Auto)
			if len(r.Sets.Found) != c.found {
				t.Errorf("%d cups, %d beads: %d winnable boards, want %d", c.cups, c.beads, len(r.Sets.Found), c.found)
			}
		}
	}
}

func winnable(t *testing.T, cups, beads int, engine proofs.Engine) *proofs.Result {
	t.Helper()
	inst := buildtest.Instances(t, buildtest.File(t, "../examples/tchoukaillon.sow"), "one_each", ints("cups", cups, "beads", beads))[0]
	r := decide(t, inst, proofs.Options{Engine: engine})
	if r.Inconclusive() {
		t.Fatalf("%d cups, %d beads: %s", cups, beads, r.Sentence())
	}
	return r
}

// TestWinningBothWays: both directions find the same starts.
func TestWinningBothWays(t *testing.T) {
	for cups := 1; cups <= 5; cups++ {
		for beads := range 10 {
			f, b := winnable(t, cups, beads, proofs.Forward), winnable(t, cups, beads, proofs.Backward)
			if f.Engine != proofs.Forward || b.Engine != proofs.Backward || !slices.EqualFunc(f.Sets.Found, b.Sets.Found, rules.State.Equal) {
				t.Errorf("%d cups, %d beads: %v, %v", cups, beads, f.Sets.Found, b.Sets.Found)
			}
		}
	}
}

// TestWinningStartsListed: the verdict on a list does not depend on the direction, and 5000 beads
// are feasible backward.
func TestWinningStartsListed(t *testing.T) {
	for _, engine := range []proofs.Engine{proofs.Forward, proofs.Backward} {
		for list, want := range map[string]proofs.Status{
			"cup1 = 1 and cup2 = 2":           proofs.Proved,
			"cup1 = 3":                        proofs.Refuted,
			"cup1 = 1 and cup2 = 2, start":    proofs.Proved,
			"cup1 = 1 and cup2 = 2, finished": proofs.Refuted,
		} {
			src := fmt.Sprintf("import \"tchoukaillon.sow\"\nclaim c { with cups = 3, beads = 3 winning starts = { %s } }", list)
			r := decide(t, buildtest.Instances(t, parseWith(t, "../examples", src), "c", nil)[0], proofs.Options{Engine: engine})
			if r.Status != want || r.Engine != engine {
				t.Errorf("{ %s } by %s: %s by %s, want %s", list, engine, r.Status, r.Engine, want)
			}
		}
	}
}
