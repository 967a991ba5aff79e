package dsl_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/mancheck/mancheck/dsl"
)

func TestExpect(t *testing.T) {
	const game = `variant Ring {
  param m = 6
  board { hole[1..m] ring round = hole[1..m] }
  setup { each hole = 2 }
  move {
    choose p in hole where p > 0
    sow p along round
    if last > 1 { again }
  }
  end when total(hole) = 0
}
claim c {
  with m = 3
  for all m
  unreachable stuck
}
`
	for _, c := range []struct {
		text    string // the place is at the mark
		words   string // that are expected
		not     string // that are not
		names   string
		strings string
	}{
		{text: "^", words: "variant claim import board define procedure position strategy language", not: "move param sow"},
		{text: "import ^", strings: "Import"},
		{text: "variant A {\n  ^", words: "param player board state define procedure setup move score when offer } pass win", not: "variant sow choose", names: "Ending"},
		{text: strings.Replace(game, "    sow p", "    ^\n    sow p", 1), words: "sow capture take if while for let again require prefer choose written }", not: "param claim gives"},
		{text: strings.Replace(game, "along round", "along ^", 1), names: "Named", not: "sow"},
		{text: strings.Replace(game, "along round", "along round, ^", 1), words: "skip relay starting origin each", not: "sow"},
		{text: strings.Replace(game, "again }", "^", 1), words: "again sow }"},
		// A line with a mistake before the place does no harm.
		{text: strings.Replace(game, "sow p along round", "sow along round p\n    ^", 1), words: "sow if capture", not: "param"},
		{text: strings.Replace(game, "sow p along round", "sow p ^", 1), words: "along", not: "sow skip"},
		{text: "claim c of ^", names: "Claim"},
		{text: "claim c {\n ^", words: "with for unreachable invariant reachable never terminates count value expect following refines", not: "sow param", names: "Named StrategyWins Force"},
		{text: "claim c {\n refines ^", names: "Relation"},
		{text: "claim c {\n following ^", names: "Following"},
		{text: "claim c {\n for all n\n with m = 1 ^", words: "unreachable , +"},
		{text: game + "\n^", words: "claim variant", not: "move"},
	} {
		before, after, _ := strings.Cut(c.text, "^")
		got := dsl.Expect([]byte(before+after), len(before))
		for _, w := range strings.Fields(c.words) {
			if !slices.Contains(got.Words, w) {
				t.Errorf("%q: `%s` is not expected; %v", c.text, w, got.Words)
			}
		}
		for _, w := range strings.Fields(c.not) {
			if slices.Contains(got.Words, w) {
				t.Errorf("%q: `%s` is expected", c.text, w)
			}
		}
		for _, w := range strings.Fields(c.names) {
			if !slices.Contains(got.Names, w) {
				t.Errorf("%q: no name of a %s is expected; %v", c.text, w, got.Names)
			}
		}
		if c.strings != "" && !slices.Contains(got.Strings, c.strings) {
			t.Errorf("%q: no text is expected", c.text)
		}
	}
}
