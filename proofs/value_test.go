package proofs_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/rules/build/buildtest"
)

// TestValuesByHand: the claims of files of small games, whose values are worked out by hand, and
// what is left open. All verdicts are found a second time.
func TestValuesByHand(t *testing.T) {
	for _, file := range []string{"loop", "round"} {
		valuesByHand(t, buildtest.File(t, "testdata/value/"+file+".sow"))
	}
}

func valuesByHand(t *testing.T, u *build.Unit) {
	for _, c := range u.Claims {
		for _, inst := range buildtest.Instances(t, u, c.Name.Name, nil) {
			r := decideTwice(t, inst)
			switch open := strings.HasPrefix(c.Name.Name, "open"); {
			case open && (r.Status != proofs.Unknown || r.Sentence() == ""):
				t.Errorf("%s is %s: %s", inst.Name(), r.Status, r.Sentence())
			case open:
			case r.Status != r.Expected() || r.Checked != proofs.ByEnumeration:
				t.Errorf("%s is %s, checked %s: %s", inst.Name(), r.Status, r.Checked, r.Sentence())
			}
		}
	}
}

// decideTwice decides a claim, and has the verdict confirmed by all plays, too, if it has a
// certificate.
func decideTwice(t *testing.T, inst *build.Instance) *proofs.Result {
	t.Helper()
	r := decide(t, inst, proofs.Options{})
	if r.Checked != proofs.ByCertificate {
		return r
	}
	without := *r
	without.Evidence = nil
	again, err := proofs.Confirm(context.Background(), inst, &without, proofs.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return again
}

// TestOpenEnds: where the rules do not say what a play is worth, the play is shown.
func TestOpenEnds(t *testing.T) {
	u := buildtest.File(t, "testdata/value/loop.sow")
	for _, c := range []struct {
		claim, reason string
		moves         int
	}{{"open5", "no move", 1}, {"open6", "do not say who has won", 1}} {
		r := decide(t, buildtest.Instances(t, u, c.claim, nil)[0], proofs.Options{})
		if !strings.Contains(r.Sentence(), c.reason) || r.Trace == nil || len(r.Trace.Steps) < c.moves {
			t.Errorf("%s: %s, with %v", c.claim, r.Sentence(), r.Trace)
		}
	}
}

// TestKalahValues: margins that other programs have found, G. Irving's among them ("Solving Kalah",
// ICGA Journal 23, 2000), for m pits a side and n seeds in each from 1 on.
func TestKalahValues(t *testing.T) {
	u := buildtest.File(t, "testdata/value/kalah.sow")
	for _, k := range []struct {
		m       int
		empty   bool
		margins []int
	}{{1, false, []int{0, -2, 6, -2, 2, 0}}, {1, true, []int{0, -2, 6, -2, 2, 0}}, {2, false, []int{2, -2, -2, -10, 6, 8}}, {2, true, []int{2, -2, -2, -12, 6, 8}}} {
		for i, margin := range k.margins {
			given := ints("m", k.m, "n", i+1, "empty_capture", k.empty)
			for _, claim := range []string{"v", "w"} {
				r := decideTwice(t, buildtest.Instances(t, u, claim, given)[0])
				want := margin
				if claim == "w" {
					want = min(max(margin, -1), 1)
				}
				if r.Value == nil || r.Value.Lo != want || r.Value.Hi != want || (r.Status == proofs.Proved) != (margin == 0) || r.Checked != proofs.ByEnumeration {
					t.Errorf("%s with m = %d, n = %d: %s, %s (%v), want %d", claim, k.m, i+1, r.Status, r.Sentence(), r.Value, want)
				}
			}
		}
	}
}

// TestWrongValues: no wrong value, line or strategy is believed.
func TestWrongValues(t *testing.T) {
	u := buildtest.File(t, "testdata/value/loop.sow")
	for _, c := range []struct {
		claim string
		spoil func(r *proofs.Result)
	}{
		{"l3", func(r *proofs.Result) { r.Status = proofs.Refuted }},
		{"l3", func(r *proofs.Result) { r.Found = verdict.Valued{Worth: verdict.Worth{Lo: 2, Hi: 2, Positions: 1}} }},
		{"l3", func(r *proofs.Result) {
			r.Value = &verdict.Worth{Lo: 2, Hi: 2, Positions: 1}
			r.Found = verdict.Valued{Worth: *r.Value}
		}},
		{"l3", func(r *proofs.Result) { r.Value = nil }},
		{"l3", func(r *proofs.Result) { r.Trace.Steps = nil; r.Trace.Start.Seeds[0] = 2 }},
		{"l6", func(r *proofs.Result) { r.Status = proofs.Refuted }},
		{"l9", func(r *proofs.Result) { r.Found = verdict.Best{Positions: 1, Moves: []string{"out"}} }},
		{"l11", func(r *proofs.Result) { r.Status = proofs.Refuted }},
		{"l11", func(r *proofs.Result) { r.Strategy[0].Moves = 0 }},
		{"l11", func(r *proofs.Result) { r.Strategy[0].Action = 0 }},
		{"l11", func(r *proofs.Result) { r.Strategy = r.Strategy[:1] }},
		{"l11", func(r *proofs.Result) { r.Strategy = r.Strategy[1:] }},
		{"l11", func(r *proofs.Result) { r.Found = verdict.Forced{Positions: 1} }},
		{"l12", func(r *proofs.Result) { r.Status = proofs.Proved }},
		{"l13", func(r *proofs.Result) { r.Strategy = slices.Delete(r.Strategy, len(r.Strategy)-1, len(r.Strategy)) }},
		{"l15", func(r *proofs.Result) { r.Strategy[0].Moves = 0 }},
		{"n8", func(r *proofs.Result) { r.Strategy[0].Moves-- }},
		{"n9", func(r *proofs.Result) { r.Strategy[0].Moves++ }},
	} {
		inst := buildtest.Instances(t, u, c.claim, nil)[0]
		_, err := proofs.Decide(context.Background(), inst, proofs.Options{Claimed: c.spoil})
		if no := (*proofs.RejectedError)(nil); !errors.As(err, &no) {
			t.Errorf("%s: a wrong verdict is not rejected: %v", c.claim, err)
		}
	}
}
