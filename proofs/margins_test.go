package proofs_test

import (
	"fmt"
	"math/big"
	"path/filepath"
	"testing"

	"github.com/mancheck/mancheck/checker/endgame"
	"github.com/mancheck/mancheck/checker/value"
	"github.com/mancheck/mancheck/internal/tier"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build/buildtest"
	"github.com/mancheck/mancheck/rules/interp"
)

// TestMargins: what the claims about margins say is what a table of all positions has, which is
// made without a search, and what they are decided to be.
func TestMargins(t *testing.T) {
	most := int64(2_000_000 / tier.Every(20, 4))
	tables := map[string]*endgame.Table{}
	for file, claims := range map[string][]string{
		"fairkalah.sow": {"margins", "margins_starvation", "margins_without_empty_capture", "margins_starvation_without_empty_capture"},
		"javeriana.sow": {"margins_finisher"},
	} {
		for _, claim := range claims {
			sizes := map[int64]bool{}
			for _, inst := range buildtest.Instances(t, buildtest.File(t, file), claim, nil) {
				st := buildtest.FirstStart(t, interp.New(inst.System))
				n := positions(inst.System, st)
				if n > most {
					continue
				}
				sizes[n] = true
				table := tables[inst.System.PlayHash()]
				if table == nil || table.Seeds() < st.Total() {
					path, margin := filepath.Join(t.TempDir(), "table"), value.Payoff{Kind: value.Margin}
					if err := endgame.Create(t.Context(), path, inst.System, st.Total(), margin, endgame.Options{}); err != nil {
						t.Fatal(err)
					}
					f, err := endgame.Open(path)
					if err == nil {
						t.Cleanup(func() { _ = f.Close() })
						table, err = f.Table(t.Context(), inst.System, margin)
					}
					if err != nil {
						t.Fatal(err)
					}
					tables[inst.System.PlayHash()] = table
				}
				r := decide(t, inst, proofs.Options{})
				if v, ok := table.Value(st); !ok || r.Status != proofs.Proved || r.Value.Lo != v || r.Value.Hi != v {
					t.Errorf("%s: %d, %t; decided: %s, %s", inst.Name(), v, ok, r.Status, r.Sentence())
				}
			}
			if len(sizes) < 10 {
				t.Errorf("%s: %d boards", claim, len(sizes))
			}
		}
	}
}

// positions is how many positions have no more seeds in the pits between the two stores.
func positions(sys *rules.System, st rules.State) int64 {
	pits := int64(len(sys.Pits) - 2)
	return 2 * new(big.Int).Binomial(int64(st.Total())+pits, pits).Int64()
}

// TestFairBoards: the list of fair boards is of the boards that one or two moved pieces make from
// the standard one, each of them once.
func TestFairBoards(t *testing.T) {
	seen := map[string]bool{}
	moved := map[int]int{}
	for _, inst := range buildtest.Instances(t, buildtest.File(t, "values/fairkalah.sow"), "fair", nil) {
		st := buildtest.FirstStart(t, interp.New(inst.System))
		if seen[fmt.Sprint(st.Seeds)] {
			t.Errorf("%s: a second board %v", inst.Name(), st)
		}
		seen[fmt.Sprint(st.Seeds)] = true
		pieces := 0
		for p, n := range st.Seeds {
			if inst.System.Pits[p].Name == "score_south" || inst.System.Pits[p].Name == "score_north" {
				continue
			}
			pieces += max(0, 4-n)
		}
		moved[pieces]++
		if st.Total() != 48 || st.Mover != value.First {
			t.Errorf("%s: %v", inst.Name(), st)
		}
	}
	if len(seen) != 254 || moved[1] != 3 || moved[2] != 251 {
		t.Errorf("%d boards, by pieces that were moved: %v", len(seen), moved)
	}
}
