package main

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mancheck/mancheck/internal/tier"
)

// TestPage: the list of games and the rulings in docs/family.md are what the files say. (How many
// lines a file has and what it claims may change more often than the page is written.)
func TestPage(t *testing.T) {
	tier.Long(t, "finds the plays of the rulings again")
	const root = "../.."
	rows, err := family(root)
	if err != nil {
		t.Fatal(err)
	}
	want, err := write(t.Context(), root, rows)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(root + "/docs/family.md")
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(lasting(t, string(got)), lasting(t, string(want))); d != "" {
		t.Errorf("docs/family.md is to be written again by `go run $(scripts/tags) ./scripts/family > docs/family.md`:\n%s", d)
	}
}

// lasting returns the games with their boards and sources, and the rulings.
func lasting(t *testing.T, page string) string {
	_, games, ok := strings.Cut(page, "\n## Games\n")
	games, rest, more := strings.Cut(games, "\n## ")
	_, rulings, last := strings.Cut(rest, "\n## Rulings\n")
	rulings, _, end := strings.Cut(rulings, "\n## ")
	if !ok || !more || !last || !end {
		t.Fatal("the page has other sections")
	}
	var list []string
	for line := range strings.Lines(games) {
		if cells := strings.Split(line, "|"); len(cells) > 5 {
			list = append(list, strings.Join(cells[:5], "|"))
		}
	}
	return strings.Join(list, "\n") + rulings
}

// TestComments reads what the comments of a file say about its rules.
func TestComments(t *testing.T) {
	for _, c := range []struct {
		text string
		want rulings
	}{
		{"// A game. Source: Doe 1900, pp. 1-2.\n// Left open: who begins;\n// here South.\n// Ludii: has North\n// begin.\n\nimport \"b.sow\"\n\n// As it is.\n// Not played: betting.\nvariant V {\n  param m = 2\n  // In the recorded games nobody\n  // captures.\n  param recorded = false\n}\n",
			rulings{Source: "Doe 1900, pp. 1-2", Open: "who begins; here South.", Ludii: "has North begin.", Missing: "betting.", Recorded: "Nobody captures."}},
		{"// A game. Source: Mancala World, \"A game\".\nvariant V {\n  param recorded = false  // in the recorded games all stop\n}\n",
			rulings{Source: "Mancala World, \"A game\"", Recorded: "All stop"}},
		{"// Source: J. Doe 1900, p. 7. One round of it.\nvariant V {\n  // Left open: nothing.\n  param m = 1\n}\n", rulings{Source: "J. Doe 1900, p. 7"}},
	} {
		if got := readRulings(c.text); got != c.want {
			t.Errorf("%q says %+v, want %+v", c.text, got, c.want)
		}
	}
}
