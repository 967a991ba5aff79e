package proofs_test

import (
	"strings"
	"testing"

	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/rules/build/buildtest"
)

// cycle is a game in which a single seed goes round forever, or the player stops.
const cycle = `
variant Round {
  param n = 1 in 0..3
  param most = 9 in 1..
  board { a[1..3]  ring lap = a[1..3] }
  setup { a1 = n }
  move GO { choose p in a where p > 0  sow p along lap }
  move STOP when a1 = 1 { end STOPPED }
}
position anywhere { _ _ _ }
strategy on = greatest p by GO
`

// TestMisuse: unusual questions get a verdict that says so, and no failure.
func TestMisuse(t *testing.T) {
	for _, c := range []struct {
		claim   string
		opt     proofs.Options
		want    proofs.Status
		vacuous bool
		reason  string
	}{
		{claim: "starting at anywhere from true every step gives true", opt: proofs.Options{Engine: proofs.Forward}, want: proofs.Unknown, reason: "not finitely many"},
		{claim: "starting at anywhere terminates", want: proofs.Unknown, reason: "not finitely many"},
		// A limit ends a count of plays of a billion moves, and no memory is allocated for them in
		// advance.
		{claim: "count(plays of 1000000000 moves) = 1", opt: proofs.Options{Bounds: limit.Bounds{MaxStates: 100}}, want: proofs.Unknown, reason: "more than 100 plays"},
		{claim: "count(plays of 1000000000 moves) = 1", want: proofs.Unknown, reason: "go on after 10000 moves"},
		{claim: "with n = 0 count(plays of 1000000000 moves) = 0", want: proofs.Proved, reason: "there are 0"},
		{claim: "count(plays of 4 moves) = 3", want: proofs.Refuted, reason: "there are 2"},
		// There are steps, or states, but none that the claim is about.
		{claim: "with n = 0 from true every step gives false", want: proofs.Proved, vacuous: true},
		{claim: "from STOPPED every step gives false", want: proofs.Proved, vacuous: true},
		{claim: "from a2 = 1 by STOP every step gives false", want: proofs.Proved, vacuous: true},
		{claim: "from a1 = 1 by STOP every step gives STOPPED", want: proofs.Proved},
		{claim: "terminates", want: proofs.Refuted, reason: "the last 3 moves repeat forever"},
		// Both sides are the same variant, and only one follows the strategy.
		{claim: "following on equivalent to Round", want: proofs.Refuted, reason: "no move of Round by `on`"},
	} {
		u := buildtest.Text(t, cycle+"claim c { "+c.claim+" }")
		r := decide(t, buildtest.Instances(t, u, "", nil)[0], c.opt)
		if r.Status != c.want || r.Vacuous != c.vacuous || !strings.Contains(r.Sentence(), c.reason) {
			t.Errorf("%s: %s, vacuous %v, %q", c.claim, r.Status, r.Vacuous, r.Sentence())
		}
	}
}

// TestAllOfARange: a claim for all of a few values that no engine proves at once is tried for each;
// one for too many is not.
func TestAllOfARange(t *testing.T) {
	const some = `
variant Some {
  param seeds = 2 in 0..LAST
  board { a[1..2] | s  line home = a[1..2], s }
  setup { any where total(a) = seeds }
  move { choose p in a where p > 0  sow p along home }
}
`
	for last, want := range map[string]proofs.Status{"3": proofs.Proved, "15": proofs.Proved, "16": proofs.Unknown, "": proofs.Unknown} {
		u := buildtest.Text(t, strings.Replace(some, "LAST", last, 1)+"claim c { for all seeds terminates within 40 }")
		r := decide(t, buildtest.Instances(t, u, "", nil)[0], proofs.Options{})
		if r.Status != want {
			t.Errorf("up to %q: %s, %s", last, r.Status, r.Sentence())
		}
	}
}

// TestStartThatIsOver: an ending sets a variable that nothing reads, and whether a state is a start
// depends on it.
func TestStartThatIsOver(t *testing.T) {
	const over = `
variant Over {
  board { a[1..2] | s  ring lap = a[1..2], s }
  state v : bool = false
  setup { any where total(a) = 2 }
  move { choose p in a where p > 0  sow p along lap }
  end DONE when total(pit) = 2 { v = true }
}
claim c { unreachable start }
`
	for _, e := range []proofs.Engine{proofs.Auto, proofs.Backward, proofs.Forward} {
		if r := decide(t, buildtest.Instances(t, buildtest.Text(t, over), "c", nil)[0], proofs.Options{Engine: e}); r.Status != proofs.Refuted {
			t.Errorf("%s: %s, %s", e, r.Status, r.Sentence())
		}
	}
}

// TestOneValueIsNotCertified: a verdict for one value of a parameter is no evidence for the claim
// as it stands.
func TestOneValueIsNotCertified(t *testing.T) {
	for _, claim := range []string{"for some n unreachable a2 = 2", "for all n reachable a2 = 5"} {
		r := decide(t, buildtest.Instances(t, buildtest.Text(t, cycle+"claim c { "+claim+" }"), "", nil)[0], proofs.Options{Certify: true})
		if r.Inconclusive() || r.Evidence == nil {
			t.Fatalf("%s: %s, %s", claim, r.Status, r.Sentence())
		}
		if _, err := r.Certificate("test", nil); err == nil || !strings.Contains(err.Error(), "one value") {
			t.Errorf("%s: %v", claim, err)
		}
	}
}
