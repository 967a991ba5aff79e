package main

import (
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/mancheck/mancheck/proofs/survey"

	"github.com/google/go-cmp/cmp"

	"github.com/mancheck/mancheck/internal/tier"
)

const root = "../.."

// described are the variants, for all tests.
var described = sync.OnceValues(func() ([]*row, error) { return family(root) })

// TestPage: docs/family.md says what the files say. (How many lines a file has and what it uses may
// change more often than the page is written, and so may what is known of it.)
func TestPage(t *testing.T) {
	tier.Long(t, "finds the plays of the rulings again")
	rows, err := described()
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

// TestHeaders: most of a game is its moves, not what has to be said before them.
func TestHeaders(t *testing.T) {
	rows, err := described()
	if err != nil {
		t.Fatal(err)
	}
	const most = 28
	if got := median(rows, func(r *row) int { return r.Header }); got > most {
		t.Errorf("a median of %d %% of a variant comes before its first move, more than %d %%", got, most)
	}
}

// lasting returns what the page says of games and their boards and sources, of claims and rulings.
func lasting(t *testing.T, page string) string {
	_, page, ok := strings.Cut(page, "\n## Games\n")
	games, rest, more := strings.Cut(page, "\n## What is known at ")
	_, rest, last := strings.Cut(rest, "\n## ")
	if !ok || !more || !last {
		t.Fatal("the page has other sections")
	}
	var list []string
	for line := range strings.Lines(games) {
		if cells := strings.Split(line, "|"); len(cells) > 5 {
			list = append(list, strings.Join(cells[:5], "|"))
		}
	}
	return strings.Join(list, "\n") + rest
}

// TestNames: in the files of the family, claims of one name say the same, but for numbers, players
// and variants.
func TestNames(t *testing.T) {
	rows, err := described()
	if err != nil {
		t.Fatal(err)
	}
	special := regexp.MustCompile(`[0-9]+|\b(South|North|East|West)\b|\w+\(recorded = true\)`)
	first := map[string]string{}
	for _, r := range rows {
		text, err := os.ReadFile(r.path)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range r.file.Unit.Claims {
			name := c.Name.Name
			says := special.ReplaceAllString(property(c, string(text)), "…")
			if name == "conserved" {
				says, _, _ = strings.Cut(says, "=")
			}
			if was := first[name]; was != "" && was != says {
				t.Errorf("%s: `%s` says `%s`, and elsewhere `%s`", r.File, name, says, was)
			}
			first[name] = says
		}
	}
}

// TestComments reads what the comments of a file say about its rules.
func TestComments(t *testing.T) {
	for _, c := range []struct {
		text string
		want rulings
	}{
		{
			"// A game. Source: Doe 1900, pp. 1-2.\n// Left open: who begins;\n// here South.\n// Ludii: has North\n// begin.\n\nimport \"b.sow\"\n\n// As it is.\n// Not played: betting.\nvariant V {\n  param m = 2\n  // In the recorded games nobody\n  // captures.\n  param recorded = false\n}\n",
			rulings{Source: "Doe 1900, pp. 1-2", Open: "Who begins; here South.", Ludii: "Has North begin.", Missing: "Betting.", Recorded: "Nobody captures."},
		},
		{
			"// A game. Source: Mancala World, \"A game\".\nvariant V {\n  param recorded = false  // in the recorded games all stop\n}\n",
			rulings{Source: "Mancala World, \"A game\"", Recorded: "All stop."},
		},
		{"// Source: J. Doe 1900, p. 7. One round of it.\nvariant V {\n  // Left open: nothing.\n  param m = 1\n}\n", rulings{Source: "J. Doe 1900, p. 7"}},
	} {
		if got := readRulings(c.text); got != c.want {
			t.Errorf("%q says %+v, want %+v", c.text, got, c.want)
		}
	}
}

// TestCells: how answers are written.
func TestCells(t *testing.T) {
	of := func(of, is string, depth int) answer {
		return answer{about: survey.Starved.String(), of: of, is: is, depth: depth}
	}
	for _, c := range []struct {
		want string
		list []answer
	}{
		{"", nil},
		{"", []answer{{about: survey.CanWin.String(), is: "yes"}}},
		{"nobody", []answer{of("South", "no", -1), of("North", "no", -1)}},
		{"South, North", []answer{of("South", "yes", -1), of("North", "yes", -1)}},
		{"South, not North", []answer{of("South", "yes", -1), of("North", "no", -1)}},
		{"South ? (5), North", []answer{of("South", "open", 5), of("North", "yes", -1)}},
		{"? (4)", []answer{of("South", "open", 5), of("North", "open", 4)}},
		{"?", []answer{of("South", "open", 5), of("North", "open", -1)}},
		{"yes", []answer{of("", "yes", -1)}},
		{"? (3)", []answer{of("", "open", 3)}},
	} {
		if got := cell(c.list, survey.Starved, "", "nobody"); got != c.want {
			t.Errorf("%v is written %q, want %q", c.list, got, c.want)
		}
	}
}
