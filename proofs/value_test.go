package proofs_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/proofs/internal/judge/naive"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules"
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
			case r.Status != r.Expected() || r.Checked != proofs.ByCertificate:
				t.Errorf("%s is %s, checked %s: %s", inst.Name(), r.Status, r.Checked, r.Sentence())
			}
		}
	}
}

// decideTwice decides a claim about best play, and compares the verdict with what all plays show.
func decideTwice(t *testing.T, inst *build.Instance) *proofs.Result {
	t.Helper()
	r := decide(t, inst, proofs.Options{})
	if !r.Conclusive() {
		return r
	}
	all := [][]int{inst.ValuesIn(r.System)}
	if open := inst.System.OpenParams(); r.System == inst.System && len(open) == 1 {
		p := inst.System.Params[open[0]]
		all = nil
		for n := p.Lo; n <= p.Hi; n++ {
			all = append(all, []int{n})
		}
	}
	is := true
	for _, values := range all {
		sys, p, err := inst.WithValues(values)
		if err != nil {
			t.Fatal(err)
		}
		one, decided := naively(t, sys, p)
		if !decided {
			t.Fatalf("%s is %s, and open by all plays", inst.Name(), r.Status)
		}
		is = is && one
	}
	if (r.Status == proofs.Proved) != is {
		t.Errorf("%s is %s, and by all plays %v", inst.Name(), r.Status, is)
	}
	return r
}

// naively decides a claim about best play by all plays.
func naively(t *testing.T, sys *rules.System, p build.Property) (is, decided bool) {
	t.Helper()
	const most = 300_000
	ctx := t.Context()
	values := func(place *build.Place, winner bool, endless build.EndlessPlay, judge func(v naive.Valued) (is, decided bool)) (is, decided bool) {
		found, err := naive.Values(ctx, sys, most, place, winner, endless)
		if err != nil {
			t.Fatal(err)
		}
		is, decided = true, true
		for _, v := range found {
			one, known := judge(v)
			is, decided = is && one, decided && known
		}
		return is, decided
	}
	compare := func(w naive.Worth, op rules.Op, n int) (is, decided bool) {
		lo, err := rules.Apply(op, w.Lo, n)
		hi, err2 := rules.Apply(op, w.Hi, n)
		if err != nil || err2 != nil {
			t.Fatal(err, err2)
		}
		// Without an end of the bounds in the way, what is so at both is so between them.
		return lo != 0, lo == hi && (w.Lo == w.Hi || op != rules.Eq && op != rules.Ne || n < w.Lo || n > w.Hi)
	}
	switch p := p.(type) {
	case *build.ValueOf:
		return values(&p.Of, false, p.Endless, func(v naive.Valued) (is, decided bool) {
			player := p.Player
			if player == build.ToMove {
				player = max(v.State.Mover, 0)
			}
			if player > 0 {
				v.Lo, v.Hi = -v.Hi, -v.Lo
			}
			return compare(v.Worth, p.Op, p.Value)
		})
	case *build.WinnerOf:
		op, pays := rules.Eq, map[int]int{0: 1, 1: -1}[p.Player]
		if p.Not {
			op = rules.Ne
		}
		return values(&p.Of, true, p.Endless, func(v naive.Valued) (is, decided bool) { return compare(v.Worth, op, pays) })
	case *build.BestMoves:
		return values(&p.Of, false, p.Endless, func(v naive.Valued) (is, decided bool) { return p.Are(v.Best), v.Best != nil })
	case *build.Force:
		moves, err := naive.Force(ctx, sys, most, p)
		if err != nil || len(moves) == 0 {
			t.Fatal(err)
		}
		n := slices.Max(moves)
		return n != naive.Never && (p.Within < 0 || n <= p.Within), true
	}
	t.Fatalf("%T is no claim about best play", p)
	return false, false
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
				if r.Value == nil || r.Value.Lo != want || r.Value.Hi != want || (r.Status == proofs.Proved) != (margin == 0) || r.Checked != proofs.ByCertificate {
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
		{"l11", func(r *proofs.Result) { r.Found = verdict.Forced{Positions: 1} }},
		{"l12", func(r *proofs.Result) { r.Status = proofs.Proved }},
		{"n12", func(r *proofs.Result) { r.Each[0].Status = proofs.Refuted }},
		{"n12", func(r *proofs.Result) {
			r.Each[0], r.Each[1] = r.Each[1], r.Each[0]
			r.Each[0].System, r.Each[1].System = r.Each[1].System, r.Each[0].System
		}},
	} {
		inst := buildtest.Instances(t, u, c.claim, nil)[0]
		_, err := proofs.Decide(context.Background(), inst, proofs.Options{Claimed: c.spoil})
		if no := (*proofs.RejectedError)(nil); !errors.As(err, &no) {
			t.Errorf("%s: a wrong verdict is not rejected: %v", c.claim, err)
		}
	}
}
