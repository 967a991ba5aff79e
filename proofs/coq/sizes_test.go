package coq_test

import (
	"regexp"
	"strings"
	"testing"
)

// TestEverySize: Coq accepts claims about every size, and none whose evidence is altered.
func TestEverySize(t *testing.T) {
	w := openWhole(t)
	for _, c := range []struct {
		file, claim, says string
		alter             map[string]string // patterns of the evidence for every size, and what stands there instead
	}{
		{
			"dose2015", "wider_boards",
			"Theorem wider_boards_is_proved_from : forall k ranges, unreachable (with_ranges ranges (instance wider_boards_family k)) wider_boards_target.",
			map[string]string{
				`Seam 5 6 \[`:                              "Seam 4 5 [",
				`P \(-1\) 0 \[-1\] \[[0; ]*1\];`:           "",
				`\(Set_ \(ToVar 0\) \(Param 0\)\)\]`:       "(Set_ (ToVar 0) (Const 6))]",
				`;\n  P 1 \(-1\) \[\] \[[0; ]*\]`:          "",
				`wider_boards_unnamed : list packed := .*`: "wider_boards_unnamed : list packed := [].",
			},
		},
		{
			"kalah", "always_ends_on_every_board",
			"Theorem always_ends_on_every_board_is_proved_from : forall k ranges, terminates (with_ranges ranges (instance always_ends_on_every_board_family k)).",
			map[string]string{
				`heights : list Z := \[0; 0; 1; 1`: "heights : list Z := [0; 1; 1; 1",
				`sinks : list nat := \[0; 5\]`:     "sinks : list nat := [0; 3]",
			},
		},
		{
			"kalah", "stores_grow_on_every_board",
			"Theorem stores_grow_on_every_board_is_proved_from : forall k ranges, every_step (with_ranges ranges (instance stores_grow_on_every_board_family k))" +
				" (fun _ => True) stores_grow_on_every_board_from stores_grow_on_every_board_gives.",
			map[string]string{
				`keepers : list nat := \[5; 0\]`: "keepers : list nat := [5; 1]",
				`Transfer None \(Const 3\)`:      "Transfer None (Const 5)",
			},
		},
		{
			"kalah", "conservation_on_every_board",
			"Theorem conservation_on_every_board_is_proved_from : forall k ranges, keeps_seeds (with_ranges ranges (instance conservation_on_every_board_family k)).",
			map[string]string{`Seam 3 4 \[`: "Seam 3 9 [", `Lap\n  \[\d+; `: "Lap\n  [7; "},
		},
	} {
		text := theorem(t, certificate(t, "../../examples/"+c.file+".sow", "", c.claim, nil))
		if !strings.Contains(text, c.says) {
			t.Errorf("%s says something else:\n%s", c.claim, text)
		}
		out, _, err := w.compile(text)
		if n := strings.Count(text, "Print Assumptions"); err != nil || out != strings.Repeat(closed, n) {
			t.Errorf("%s: %v: %s", c.claim, err, out)
		}
		// What is about the sizes before stands behind the theorem.
		every, _, _ := strings.Cut(text, "\nModule ")
		every = regexp.MustCompile(`(?m)^Print Assumptions .*`).ReplaceAllString(every, "")
		for pattern, by := range c.alter {
			at := regexp.MustCompile(pattern).FindStringIndex(every)
			if at == nil {
				t.Errorf("%s has nothing like %s", c.claim, pattern)
				continue
			}
			altered := every[:at[0]] + by + every[at[1]:]
			if out, _, err := w.compile(altered); err == nil || !strings.Contains(out, `"true = true"`) {
				t.Errorf("%s with %q for %s: %v: %s", c.claim, by, pattern, err, out)
			}
		}
	}
}
