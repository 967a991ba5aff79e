package proofs_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/proofs/say"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules/build/buildtest"
)

// line is a game along a line, which can be described in a few words.
const line = `
variant Line {
  param seeds = 3 in 1..
  board {
    a[1..3] | s
    line home = a[1..3], s
  }
  state k : 0..3 = 0
  setup { any where total(a) = seeds }
  move GO when k /= 1 { choose p in a where p > 0  k = 1  sow p along home }
  move BACK when k = 1 { k = 0 }
  move NEVER when k = 2 { k = 3 }
  win WON when total(a) = 0
}
`

func decideSource(t *testing.T, claim string, opt proofs.Options) *proofs.Result {
	t.Helper()
	u := buildtest.Text(t, line+claim)
	return decide(t, buildtest.Instances(t, u, "", nil)[0], opt)
}

func TestVerdicts(t *testing.T) {
	for _, c := range []struct {
		claim   string
		want    proofs.Status
		vacuous bool
		note    string
	}{
		{"claim c { reachable WON }", proofs.Proved, false, ""},
		{"claim c { reachable WON within 1 }", proofs.Refuted, false, ""},
		{"claim c { reachable WON within 0 }", proofs.Refuted, false, ""},
		{"claim c { reachable start within 0 }", proofs.Proved, false, ""},
		{"claim c { unreachable k = 2 }", proofs.Proved, false, "NEVER"},
		{"claim c { unreachable a1 = 1 and a1 = 2 }", proofs.Proved, true, ""},
		{"claim c { invariant total(pit) = 3 }", proofs.Proved, false, ""},
		{"claim c { invariant total(a) = 3 }", proofs.Refuted, false, ""},
		{"claim c { from k = 2 every step gives k = 3 }", proofs.Proved, true, ""},
		{"claim c { from k = 0 by GO every step gives k = 1 or WON }", proofs.Proved, false, ""},
		{"claim c { from k = 0 every step gives total(a) = old total(a) }", proofs.Refuted, false, ""},
		{"claim c { count(starts) = 10 }", proofs.Proved, false, ""},
		{"claim c { count(starts where a1 = 0) = 4 }", proofs.Proved, false, ""},
		{"claim c { count(starts) < 10 }", proofs.Refuted, false, ""},
		{"claim c { never stuck }", proofs.Refuted, false, ""},
		{"claim c { terminates }", proofs.Proved, false, ""},
		{"claim c { terminates within 2 }", proofs.Refuted, false, ""},
	} {
		u := buildtest.Text(t, line+c.claim)
		r := decide(t, buildtest.Instances(t, u, "", nil)[0], proofs.Options{Engine: proofs.Auto})
		if r.Status != c.want || r.Vacuous != c.vacuous || c.note != "" && !strings.Contains(strings.Join(say.Notes(&r.Verdict), "\n"), c.note) {
			t.Errorf("%s: %s (%s) vacuous %v, notes %q; want %s, vacuous %v", c.claim, r.Status, r.Sentence(), r.Vacuous, r.Notes, c.want, c.vacuous)
		}
	}
}

// TestLimits: a limit gives an unknown verdict that says how far the search got.
func TestLimits(t *testing.T) {
	r := decideSource(t, "claim c { unreachable k = 2 }", proofs.Options{Engine: proofs.Forward, Bounds: limit.Bounds{MaxStates: 5}})
	if r.Status != proofs.Unknown || !strings.Contains(r.Sentence(), "5") || r.Stats.States == 0 {
		t.Errorf("%s: %s, %+v", r.Status, r.Sentence(), r.Stats)
	}
}

// TestBoundKept: a bounded search that runs out of time keeps the moves that it has covered.
func TestBoundKept(t *testing.T) {
	u := parseWith(t, "../examples", "import \"kalah.sow\"\nclaim c { with m = 2, n = 2 unreachable south_store > 9 }")
	inst := buildtest.Instances(t, u, "c", nil)[0]
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	opt := proofs.Options{Engine: proofs.BMC, Bound: 20, Observer: func(p proofs.Progress) {
		if p.Depth == 3 {
			cancel()
		}
	}}
	r, err := proofs.Decide(ctx, inst, opt)
	if err != nil {
		t.Fatal(err)
	}
	if verdict.LacksSolver(r.Open) {
		t.Skip("no solver")
	}
	if _, is := r.Open.(verdict.Ended); r.Status != proofs.Bounded || r.Bound != 2 || !is {
		t.Errorf("%s %d: %s", r.Status, r.Bound, r.Sentence())
	}
}

// TestNoValue: no value of an unbounded range makes the claim true, and the search for one ends.
func TestNoValue(t *testing.T) {
	for _, claim := range []string{"for some n reachable false within 0", "for some n count(starts) = 5"} {
		src := "variant A { param n = 3 in 1.. board { a[1..2] ring lap = a } setup { any where a1 = 2 + n - n }\n" +
			"move { choose p in a sow p along lap } }\nclaim c { " + claim + " }\n"
		inst := buildtest.Instances(t, buildtest.Text(t, src), "", nil)[0]
		r, err := proofs.Decide(t.Context(), inst, proofs.Options{Engine: proofs.Forward})
		if err != nil || r.Status != proofs.Unknown || !strings.Contains(r.Sentence(), "none of the least") {
			t.Errorf("%s: %v, %v", claim, r, err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		if r, err := proofs.Decide(ctx, inst, proofs.Options{Engine: proofs.Forward}); err == nil && r.Status != proofs.Unknown {
			t.Errorf("%s: %v after the deadline", claim, r.Status)
		}
		cancel()
	}
}

// TestStepShown: the step found by a search backward is shown as it is, including parts that the
// claim ignores.
func TestStepShown(t *testing.T) {
	src := "variant A { board { a | b } state n : 5..8 = 5 state x : bool setup { b = 1 }\n" +
		"move { n = 8 } draw D when a = 0 }\nclaim c { not x -> D }\n"
	r := decide(t, buildtest.Instances(t, buildtest.Text(t, src), "", nil)[0], proofs.Options{Engine: proofs.Backward})
	if r.Status != proofs.Refuted || r.Trace == nil || len(r.Trace.Steps) != 1 {
		t.Fatalf("%s: %s", r.Status, r.Sentence())
	}
	if n := r.Trace.Steps[0].State.Vars[0]; n != 8 {
		t.Errorf("the variable is %d after the step", n)
	}
}

// TestSomeNumber: the count for the least value is checked.
func TestSomeNumber(t *testing.T) {
	r := decideSource(t, "claim c { for some seeds count(starts) = 6 }", proofs.Options{Engine: proofs.Forward})
	if r.Status != proofs.Proved || r.Checked != proofs.ByEnumeration || r.Sentence() != "least seeds: 2; there are 6" {
		t.Errorf("%s, checked by %s: %s", r.Status, r.Checked, r.Sentence())
	}
}

// TestWrongFigures: no numbers are believed that are not those of the evidence, or that the check
// of a count does not find again.
func TestWrongFigures(t *testing.T) {
	for _, c := range []struct {
		claim string
		spoil func(r *proofs.Result)
	}{
		{"reachable WON", func(r *proofs.Result) { r.Found = verdict.Play{Moves: len(r.Trace.Steps) + 1, Shortest: true} }},
		{"for some seeds count(starts) = 6", func(r *proofs.Result) { r.Found = verdict.Number.Of(7) }},
		{"for some seeds count(starts) = 6", func(r *proofs.Result) { r.Found = nil }},
		{"for some seeds count(starts) = 6", func(r *proofs.Result) { r.Least.Value++ }},
		{"for some seeds count(starts) = 6", func(r *proofs.Result) { r.Least.Param = "k" }},
		{"count(starts) = 10", func(r *proofs.Result) { r.Least = &verdict.Least{Param: "seeds", Value: 3} }},
		{"successors(k = 1 and total(a) = 3) = { }", func(r *proofs.Result) { r.Found = verdict.SetFound{States: 1} }},
		{"predecessors(WON and k = 1) = { }", func(r *proofs.Result) { r.Sets = nil }},
	} {
		inst := buildtest.Instances(t, buildtest.Text(t, line+"claim c { "+c.claim+" }"), "", nil)[0]
		if r, err := proofs.Decide(t.Context(), inst, proofs.Options{}); err != nil || r.Checked == proofs.Unchecked {
			t.Fatalf("%s: %v, %v", c.claim, r, err)
		}
		_, err := proofs.Decide(t.Context(), inst, proofs.Options{Claimed: c.spoil})
		if no := (*proofs.RejectedError)(nil); !errors.As(err, &no) {
			t.Errorf("%s: wrong numbers are not rejected: %v", c.claim, err)
		}
	}
}

// TestBarren: a parameter with no further start does not make `for some` run forever.
func TestBarren(t *testing.T) {
	src := strings.Replace(line, "any where total(a) = seeds", "any where each a = 1, total(a) = seeds", 1)
	u := buildtest.Text(t, src+"claim c { reachable a1 = 3 for some seeds }")
	if r := decide(t, buildtest.Instances(t, u, "", nil)[0], proofs.Options{Engine: proofs.Forward}); r.Status != proofs.Unknown {
		t.Errorf("%s: %s", r.Status, r.Sentence())
	}
}

// TestFaultOutOfPlay: a fault that only unreachable states meet is not a fault of the rules in
// play.
func TestFaultOutOfPlay(t *testing.T) {
	u := buildtest.Text(t, `
variant Breaks {
  board { a | b }
  state k : 0..3 = 0
  setup { a = 1 }
  move up when k /= 1 { k = k + 1 }
  move down when k = 1 { k = 0 }
}
claim c { never stuck }`)
	if r := decide(t, buildtest.Instances(t, u, "", nil)[0], proofs.Options{}); r.Status != proofs.Proved || r.Engine != proofs.Forward {
		t.Errorf("%s by %s: %s", r.Status, r.Engine, r.Sentence())
	}
}
