package explain_test

import (
	"os"
	"strings"
	"testing"

	. "github.com/mancheck/mancheck/proofs/explain"
	"github.com/mancheck/mancheck/rules"
)

const row = `variant Line {
  board { a[1..4] line l = a[1..4] }
  param k = 1 in 0..5
  setup { a1 = 2, a2 = k }
  move GO { choose p in a where p > 0 sow p along l }
  end DONE when a3 = 2
}
`

// TestAccount: what is told of the moves of a play, one after another, leads from each of its
// states to the next.
func TestAccount(t *testing.T) {
	doc := document(t, "../../examples/oware.sow", os.ReadFile, "goes_on")
	play := find[*Play](t, doc.Claims[0].Instances[0])
	if len(play.Trace.Steps) == 0 || len(play.Told) != len(play.Trace.Steps) {
		t.Fatalf("%d of %d moves are told", len(play.Told), len(play.Trace.Steps))
	}
	source, err := os.ReadFile("../../examples/oware.sow")
	if err != nil {
		t.Fatal(err)
	}
	s := play.Trace.Start
	for i, told := range play.Told {
		got := s.Clone()
		for _, m := range told.Moved {
			if m.From != rules.None {
				got.Seeds[m.From] -= m.Seeds
			}
			if m.Into != rules.None {
				got.Seeds[m.Into] += m.Seeds
			}
		}
		s = play.Trace.Steps[i].State
		got.Vars, got.Mover, got.Outcome = s.Vars, s.Mover, s.Outcome
		if !got.Equal(s) {
			t.Errorf("move %d leads to %v, want %v", i+1, got, s)
		}
		if rule := string(source[told.Rule.Start.Offset:told.Rule.End.Offset]); !strings.HasPrefix(rule, "move") {
			t.Errorf("move %d is by the rule %s", i+1, rule)
		}
		for _, m := range told.Moved {
			if rule := string(source[m.At.Start.Offset:m.At.End.Offset]); !strings.HasPrefix(rule, "sow") && !strings.HasPrefix(rule, "capture") {
				t.Errorf("move %d moves seeds by the rule %s", i+1, rule)
			}
		}
	}
}

// why returns the reasons at the end of the play that shows the first verdict on a claim of Line.
func why(t *testing.T, claim string) string {
	t.Helper()
	doc := document(t, "row.sow", fromText(row+claim))
	var texts []string
	for _, r := range find[*Play](t, doc.Claims[0].Instances[0]).Why {
		text := r.Text
		if r.At.End.Offset > 0 {
			text += " [" + strings.Fields((row + claim)[r.At.Start.Offset:r.At.End.Offset])[0] + "]"
		}
		texts = append(texts, text)
	}
	return strings.Join(texts, "\n")
}

// TestWhy: the reasons of a last state are the ending and its rule, what keeps each move from being
// legal, and what the claim's condition comes to.
func TestWhy(t *testing.T) {
	for _, c := range []struct{ claim, want string }{
		{"claim c { expect refuted never stuck }", "No move is legal, and no rule says that the game is over.\n" +
			"`GO` is not legal: it would take `seeds(a1) > 0` or `seeds(a2) > 0` or `seeds(a3) > 0`. [move]"},
		{"claim c { reachable DONE }", "The game is over: DONE. The rule: `end DONE when a3 = 2` [end]\nThe claim's condition `DONE` holds here."},
		{"claim c { expect refuted invariant total(a) < 4 and a1 > 1 }", "The claim's condition `total(a) < 4 and a1 > 1` does not hold here: `seeds(a1)` is 0."},
		{"claim c { expect refuted from a2 = 0 every step gives a3 = 0 }", "The game is over: DONE. The rule: `end DONE when a3 = 2` [end]\n`a2 = 0` holds before the last move, and `a3 = 0` does not hold after it."},
		{"claim c { for some k reachable a2 = 2 and a1 = 0 }", "The claim's condition `a2 = 2 and a1 = 0` holds here."},
		{"claim c { expect refuted unreachable a2 = 9 or seeds(a2) = seeds(a3) }", "The claim's condition `a2 = 9 or seeds(a2) = seeds(a3)` holds here: `seeds(a2)` is 0, `seeds(a3)` is 0."},
	} {
		if got := why(t, c.claim); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.claim, got, c.want)
		}
	}
}
