package coq_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/mancheck/mancheck/dsl"
	"github.com/mancheck/mancheck/internal/file"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/proofs/cert"
	"github.com/mancheck/mancheck/proofs/coq"
	"github.com/mancheck/mancheck/rules/build"
)

// row is a game with claims of all kinds that the theory has theorems about. A move carries one
// seed a pit on, so that a play of n seeds has 2 n moves.
const row = `
variant Row {
  param n = 2 in 1..9
  board {
    a b | c
    line way = a, b, c
  }
  state moved : bool = false
  setup { a = n }
  move step {
    choose from in { a, b } where from > 0
    sow 1 from from along way
    moved = true
  }
  win home when c = n
}
variant Ring {
  board {
    a b
    ring way = a, b
  }
  setup { any where total(pit) = 1 }
  move step {
    choose from in { a, b } where from > 0
    sow from along way
  }
}
variant Take {
  player South, North
  board {
    a | b | c
    line way = a, b, c
  }
  setup { a = 4 }
  move step {
    choose n in 1..2
    require a >= n
    take n from a into (b if mover = South else c)
  }
  opponent wins when a = 0
}
claim no_more of Row { using forward unreachable c > n }
claim seeds of Row { using forward invariant total(pit) = n }
claim onward of Row { using forward from not finished every step gives seeds(a) <= old seeds(a) and seeds(c) >= old seeds(c) }
claim onward_by_step of Row { using forward from a > 0 by step every step gives seeds(a) <= old seeds(a) }
claim never_stuck of Row { using forward never stuck }
claim ends of Row { using forward terminates }
claim in_four of Row { using forward terminates within 4 }
claim comes_home of Row { reachable home }
claim home_in_four of Row { reachable home within 4 }
claim stays of Row { expect refuted from moved every step gives a > 0 }
claim two_moves of Row { expect refuted terminates within 2 }
claim round of Ring { expect refuted terminates }
claim six of Row { using forward count(states) = 6 }
claim one_end of Row { using forward count(finished where c = n) = 1 }
claim some_left of Take { South can force a = 1 }
claim soon of Take { South can force b >= 1 within 2 }
claim never_all of Take { expect refuted South can force b = 4 }
claim shrinks of Row { using laws terminates }
claim best of Take { winner(start) = South }
`

// certificate decides a claim and writes and reads its certificate.
func certificate(t testing.TB, path, text, claim string, given build.Settings) *cert.Certificate {
	t.Helper()
	read := file.Read
	if text != "" {
		read = func(string) ([]byte, error) { return []byte(text), nil }
	}
	program, diags := dsl.Load(path, read)
	unit, more := build.Collect(program.Files)
	if diags = append(diags, more...); diags.HasErrors() {
		t.Fatal(diags)
	}
	for _, a := range unit.Claims {
		if a.Name.Name != claim {
			continue
		}
		resolved, diags := unit.Claim(a)
		list := resolved.Instances(given, &diags)
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		r, err := proofs.Decide(context.Background(), list[0], proofs.Options{Certify: true})
		if err != nil {
			t.Fatalf("%s: %v", claim, err)
		}
		c, err := r.Certificate("test", program)
		if err != nil {
			t.Fatalf("%s is %s: %v", claim, r.Status, err)
		}
		var written bytes.Buffer
		if err := cert.Write(&written, c); err != nil {
			t.Fatal(err)
		}
		if c, err = cert.Read(&written); err != nil {
			t.Fatal(err)
		}
		return c
	}
	t.Fatalf("no claim %s", claim)
	return nil
}

func theorem(t testing.TB, c *cert.Certificate) string {
	t.Helper()
	text, err := coq.Theorem(context.Background(), c)
	if err != nil {
		t.Fatalf("%s: %v", c.Claim.Name, err)
	}
	return string(text)
}

// TestTheorems: Coq accepts a theorem of each kind, which says what the certificate does.
func TestTheorems(t *testing.T) {
	list := []struct{ claim, kind, says string }{
		{"no_more", "forward-closed", "Theorem no_more_is_proved : unreachable Row_rules no_more_target."},
		{"seeds", "forward-closed", "Theorem seeds_is_proved : unreachable Row_rules seeds_target."},
		{"never_stuck", "forward-closed", "Theorem never_stuck_is_proved : unreachable Row_rules never_stuck_target."},
		{"onward", "forward-closed", "Theorem onward_is_proved : every_step Row_rules (among Row_rules onward_actions) onward_from onward_gives."},
		{"onward_by_step", "forward-closed", "Theorem onward_by_step_is_proved : every_step Row_rules (among Row_rules onward_by_step_actions) onward_by_step_from onward_by_step_gives."},
		{"ends", "falling-numbers", "Theorem ends_is_proved : terminates Row_rules."},
		{"in_four", "falling-numbers", "Theorem in_four_is_proved : terminates_within Row_rules 4."},
		{"comes_home", "play", "Theorem comes_home_is_proved : reachable Row_rules comes_home_target."},
		{"home_in_four", "play", "Theorem home_in_four_is_proved : reachable_within Row_rules 4 home_in_four_target."},
		{"stays", "play", "Theorem stays_is_refuted : ~ every_step Row_rules (among Row_rules stays_actions) stays_from stays_gives."},
		{"two_moves", "play", "Theorem two_moves_is_refuted : ~ terminates_within Row_rules 2."},
		{"six", "depths", "Theorem six_is_proved : counts (fun s => reach Row_rules s /\\ satisfies Row_rules six_counted s) (Z.to_nat 6)."},
		{"one_end", "depths", "Theorem one_end_is_proved : counts (fun s => reach Row_rules s /\\ satisfies Row_rules one_end_counted s) (Z.to_nat 1)."},
		{"some_left", "strategies", "Theorem some_left_is_proved : forall s, start Take_rules s -> forces Take_rules some_left_player some_left_goal (Z.to_nat 3) s."},
		{"soon", "strategies", "Theorem soon_is_proved : forall s, start Take_rules s -> forces Take_rules soon_player soon_goal (Z.to_nat 2) s."},
		{"never_all", "strategies", "Theorem never_all_is_refuted : forall s, start Take_rules s -> ~ can_force Take_rules never_all_player never_all_goal s."},
		{"shrinks", "falling-rank", "Theorem shrinks_is_proved : terminates Row_rules."},
		{"round", "play", "Theorem round_is_refuted : ~ terminates Ring_rules."},
	}
	texts := make([]string, len(list))
	for i, the := range list {
		c := certificate(t, "row.sow", row, the.claim, nil)
		if kind := cert.Kind(c.Evidence.Is); kind != the.kind {
			t.Errorf("%s: the evidence is of the kind %s", the.claim, kind)
		}
		texts[i] = theorem(t, c)
		if !strings.Contains(texts[i], "\n"+the.says+"\n") {
			t.Errorf("%s: no %s\n%s", the.claim, the.says, texts[i])
		}
	}
	w := openWhole(t)
	for i, text := range texts {
		w.accepted(list[i].claim, text)
	}
}

// TestNoTheorem: what the theory has no theorem for is an error.
func TestNoTheorem(t *testing.T) {
	for _, claim := range []string{"best"} {
		_, err := coq.Theorem(context.Background(), certificate(t, "row.sow", row, claim, nil))
		if !errors.As(err, new(*coq.NoCounterpart)) && !errors.As(err, new(*cert.NeedsSolver)) {
			t.Errorf("%s: %v", claim, err)
		}
	}
}
