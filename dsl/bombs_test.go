package dsl

import (
	"strings"
	"testing"

	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/dsl/internal/scan"
	"github.com/mancheck/mancheck/internal/cost"
	"github.com/mancheck/mancheck/internal/tier"
)

// units are repeated to make large files.
var units = []string{
	"claim c { unreachable a = 1 + 2 }\n", "variant V { param n = 3 in 1..4 move { x = y } }\n", "claim { ",
	"variant V { param = 3 }\n", "$ ", "} ", "position p { 1 | 2 }\n", "variant V { move { if x { \n", "param n = 3\n",
	"variant V { move { " + strings.Repeat("x = y + 1 ", 2000),
}

// TestBombs parses files that are made to take time or memory, or that are large.
func TestBombs(t *testing.T) {
	n := 1 << 18 / tier.Every(16, 4)
	bombs := cost.Bombs(n)
	for _, unit := range units {
		bombs[unit[:min(len(unit), 30)]] = strings.Repeat(unit, n/len(unit)+1)
	}
	for name, text := range bombs {
		t.Run(name, func(t *testing.T) {
			cost.Within(t, len(text), func() {
				_, diags := Parse("t.sow", []byte(text))
				if len(diags) > diag.MaxMistakes {
					t.Errorf("%d mistakes are reported", len(diags))
				}
			})
		})
	}
}

// TestOpenRange has ranges without an end where no parameter's range stands.
func TestOpenRange(t *testing.T) {
	for _, value := range []string{"1..", "not 1 in 4..", "1 or 2 in 3..", "1 in 4 = 1 in 1..", "1 in 2 + (3 in 4..)"} {
		file, diags := Parse("t.sow", []byte("variant v { param m = "+value+" }"))
		if !diags.HasErrors() {
			t.Errorf("`param m = %s` is accepted: %+v", value, file.Decls)
		}
	}
}

// TestManyMistakes counts the mistakes that are reported of a file that has very many. One that
// does not begin as rules do has a single one: that it is no rules file.
func TestManyMistakes(t *testing.T) {
	for name, most := range map[string]int{"open quotes": 1, "operators": 1, "bad items": diag.MaxMistakes, "strategies": diag.MaxMistakes} {
		_, diags := Parse("t.sow", []byte(cost.Bombs(1 << 14)[name]))
		if n := len(diags); n != most || n == 1 && diags[0].Code != diag.NotRules {
			t.Errorf("%s: %d mistakes are reported, not %d", name, n, most)
		}
	}
}

// TestManyTokens: what is made of a file is bounded by its tokens, not only by its size.
func TestManyTokens(t *testing.T) {
	for _, again := range tier.First([]string{"(", "a ", "//\n"}, 1, 3) {
		text := []byte(strings.Repeat(again, scan.MaxTokens+1))
		cost.Limited(t, 512<<20, func() {
			_, diags := Parse("t.sow", text)
			if !diags.HasErrors() {
				t.Errorf("%d times %q is accepted", scan.MaxTokens+1, again)
			}
			for _, d := range diags {
				if again != "(" && d.Code != diag.TooLarge {
					t.Errorf("%q: %v", again, d)
				}
			}
		})
	}
}
