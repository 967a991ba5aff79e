package proofs_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/internal/tier"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/rules/build/buildtest"
)

// claimOn decides a claim about an example.
func claimOn(t *testing.T, example, claim string, given build.Settings, opt proofs.Options) *proofs.Result {
	t.Helper()
	u := parseWith(t, "../examples", fmt.Sprintf("import %q\n%s", example+".sow", claim))
	name := strings.Fields(claim[strings.Index(claim, "claim "):])[1]
	return decide(t, buildtest.Instances(t, u, name, given)[0], opt)
}

// TestCountPlays: the numbers of plays of Kalah, from independent programs.
func TestCountPlays(t *testing.T) {
	for _, c := range []struct {
		m, n  int
		empty bool
		want  []int
	}{
		{6, 4, true, []int{1, 6, 35, 185, 942, 4685, 23169}},
		{6, 4, false, []int{1, 6, 35, 185, 942, 4690, 23233}},
		{3, 2, false, []int{1, 3, 8, 19, 40, 81, 150, 265, 431}},
	} {
		given := ints("m", c.m, "n", c.n, "empty_capture", c.empty)
		for moves, want := range c.want[:len(c.want)+1-tier.Every(2)] {
			for n, status := range map[int]proofs.Status{want: proofs.Proved, want + 1: proofs.Refuted} {
				r := claimOn(t, "kalah", fmt.Sprintf("claim c { count(plays of %d moves) = %d }", moves, n), given, proofs.Options{})
				if r.Status != status || r.Engine != proofs.Forward {
					t.Errorf("(%d,%d) %v, %d plays of %d moves: %s, %s", c.m, c.n, c.empty, n, moves, r.Status, r.Sentence())
				}
			}
		}
	}
}

// TestCountPlaysOfAllStarts: three beads can be put in two cups in four ways. Only with one bead in
// cup 1 and two in cup 2 is there a move, and there both cups may be sown.
func TestCountPlaysOfAllStarts(t *testing.T) {
	r := claimOn(t, "tchoukaillon", "claim c { with cups = 2, beads = 3 count(plays of 1 moves) = 2 }", nil, proofs.Options{})
	if r.Status != proofs.Proved {
		t.Errorf("%s: %s", r.Status, r.Sentence())
	}
}

// TestCountMovedStarts: a reaction lays the seeds of all starts together, so that three
// distributions settle to the one with both in a1. It has two moves of its own, once each.
func TestCountMovedStarts(t *testing.T) {
	u := buildtest.Text(t, `
variant V {
  board { a[1..2]
    line lap = a }
  setup { any where total(a) = 2 }
  move { choose k in 1..2  sow 1 from a1 along lap }
  when a2 > 0 and a1 < 2 { capture a2 into a1 }
}
claim starts { count(starts) = 1 }
claim plays { count(plays of 1 move) = 2 }
claim more { count(plays of 2 moves) = 4 }
`)
	for _, name := range []string{"starts", "plays", "more"} {
		if r := decide(t, buildtest.Instances(t, u, name, nil)[0], proofs.Options{}); r.Status != proofs.Proved {
			t.Errorf("%s: %s, %s", name, r.Status, r.Sentence())
		}
	}
}

func TestCountPlaysLimits(t *testing.T) {
	claim := "claim c { count(plays of 6 moves) = 23233 }"
	r := claimOn(t, "kalah", claim, nil, proofs.Options{Bounds: limit.Bounds{MaxStates: 1000}})
	if r.Status != proofs.Unknown || !strings.Contains(r.Sentence(), "1000") {
		t.Errorf("%s: %s", r.Status, r.Sentence())
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	u := parseWith(t, "../examples", "import \"kalah.sow\"\n"+claim)
	got, err := proofs.Decide(ctx, buildtest.Instances(t, u, "c", nil)[0], proofs.Options{})
	if err == nil && got.Status != proofs.Unknown {
		t.Errorf("interrupted: %s", got.Status)
	}
}

// TestCountAncestors: the closed sets of the DOSE thesis by the published proof, for any number of
// stones. Four of them are one round away from the win (D5 of the paper: a single stone in a
// corner).
func TestCountAncestors(t *testing.T) {
	for n, want := range map[int]int{5: 22, 6: 28, 7: 28, 8: 28} {
		r := claimOn(t, "dose2015", fmt.Sprintf("claim c { count(ancestors of SR006) = %d for all stones }", want), ints("n", n), proofs.Options{})
		if r.Status != proofs.Proved || r.Engine != proofs.Backward || len(r.Scope.Unbounded) != 1 || len(r.Notes) != 3 {
			t.Errorf("n = %d: %s, %s, %v, %q", n, r.Status, r.Sentence(), r.Scope, r.Notes)
		}
	}
	for claim, want := range map[string]proofs.Status{
		"count(ancestors of SR006 where total(hole) = 1) = 4 for all stones":             proofs.Proved,
		"count(ancestors of SR006 where selected = hole01) = 0 for all stones":           proofs.Refuted,
		"count(ancestors of SR006 where start) = 0 for all stones":                       proofs.Unknown, // then the stores count as well
		"count(ancestors of selected /= none and SR005 and SR006) = 0":                   proofs.Proved,
		"with n = 2, stones = 4 count(ancestors of SR006) = 4 using forward":             proofs.Unknown,
		"with n = 4 count(ancestors of SR006) = 0 for all stones":                        proofs.Unknown, // there are infinitely many
		"count(ancestors of SR006 where total(hole) > 3) = 0 for all stones":             proofs.Proved,
		"with n = 6, stones = 48 count(ancestors of SR006 where selected in corner) > 3": proofs.Proved,
	} {
		r := claimOn(t, "dose2015", "claim c { "+claim+" }", nil, proofs.Options{Bounds: limit.Bounds{MaxStates: 5000}})
		if r.Status != want {
			t.Errorf("%s: %s, %s; want %s", claim, r.Status, r.Sentence(), want)
		}
	}
}

// TestAncestorsByHand: with two cups the boards that can be won, from cup 1 on, are 1 0, then 0 2,
// then 1 2, which has no predecessor.
func TestAncestorsByHand(t *testing.T) {
	for n, want := range map[int]proofs.Status{3: proofs.Proved, 4: proofs.Refuted} {
		r := claimOn(t, "tchoukaillon", fmt.Sprintf("claim c { with cups = 2 count(ancestors of \"win\") = %d }", n), nil, proofs.Options{})
		if r.Status != want {
			t.Errorf("%d: %s, %s", n, r.Status, r.Sentence())
		}
	}
}
