package cert_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/mancheck/mancheck/proofs/cert"
)

// lawOf certifies a claim of the rules of Kalah about every size, from two houses a row on.
func lawOf(t *testing.T, claim string, sinks []bool, heights []int) *cert.Certificate {
	t.Helper()
	program, inst := instance(t, "../../examples/kalah.sow", claim, nil)
	below := map[string]cert.Evidence{
		"always_ends_on_every_board":  &cert.Ranked{Weights: [][]int{{0, 1, 1, 0}}},
		"stores_grow_on_every_board":  &cert.Moved{},
		"conservation_on_every_board": &cert.Conserved{},
	}[claim]
	e, err := cert.NewSizesLaw(inst, 2, []int{1, 3}, sinks, heights)
	if err != nil {
		t.Fatal(err)
	}
	e.After([]cert.Evidence{below})
	c, err := cert.New("test", program, inst, cert.Proved, false, e)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// ends certifies that every game of Kalah ends. A house is as high as there are houses from there
// to the end of its row. The pits are north_store, north2, north1, south1, south2, south_store.
func ends(t *testing.T) *cert.Certificate {
	return lawOf(t, "always_ends_on_every_board", []bool{0: true, 5: true}, []int{0, 1, 2, 2, 1, 0})
}

func TestLawsOfSizes(t *testing.T) {
	t.Parallel()
	for claim, kind := range map[string]string{
		"stores_grow_on_every_board": "all-sizes-moves", "conservation_on_every_board": "all-sizes-seeds",
	} {
		c := lawOf(t, claim, nil, nil)
		if r := mustCheck(t, c); r.Evidence != kind || r.Size != "m" {
			t.Errorf("%s: evidence %s, size %q", claim, r.Evidence, r.Size)
		}
	}
	c := ends(t)
	if r := mustCheck(t, c); r.Evidence != "all-sizes-rank" || r.Size != "m" {
		t.Errorf("evidence %s, size %q", r.Evidence, r.Size)
	}
	if got, want := fmt.Sprint(rankOf(c).Seams), "[[north2 north1] [south1 south2]]"; got != want {
		t.Errorf("the board grows between %s, want %s", got, want)
	}
	if got, want := fmt.Sprint(c.Scope), "[{m 1.. true} {n 1.. true} {empty_capture false false}]"; got != want {
		t.Errorf("scope %s, want %s", got, want)
	}
}

func TestForgedLaws(t *testing.T) {
	t.Parallel()
	c := ends(t)
	for p := 1; p <= 4; p++ { // the only order of the houses is that of the rows
		other := []int{0, 2, 1, 1, 2, 0}[p]
		mustReject(t, c, fmt.Sprintf("another height of pit %d", p), func(d *cert.Certificate) { rankOf(d).Heights[p] = other })
		mustReject(t, c, fmt.Sprintf("a negative height of pit %d", p), func(d *cert.Certificate) { rankOf(d).Heights[p] = -1 })
	}
	grow := func(d *cert.Certificate, i int, x, y string) {
		was := fmt.Sprintf("between %s and %s\n", rankOf(d).Seams[i][0], rankOf(d).Seams[i][1])
		rankOf(d).Family = strings.Replace(rankOf(d).Family, was, fmt.Sprintf("between %s and %s\n", x, y), 1)
		rankOf(d).Seams[i] = [2]string{x, y}
	}
	for what, change := range map[string]func(*cert.Certificate){
		"a house as a sink":     func(d *cert.Certificate) { rankOf(d).Sinks = append(rankOf(d).Sinks, "north1") },
		"a sink missing":        func(d *cert.Certificate) { rankOf(d).Sinks = rankOf(d).Sinks[:1] },
		"no sinks":              func(d *cert.Certificate) { rankOf(d).Sinks = nil },
		"a sink twice":          func(d *cert.Certificate) { rankOf(d).Sinks[1] = rankOf(d).Sinks[0] },
		"a sink that is no pit": func(d *cert.Certificate) { rankOf(d).Sinks[1] = "store" },
		"a height missing":      func(d *cert.Certificate) { rankOf(d).Heights = rankOf(d).Heights[:5] },
		"no heights":            func(d *cert.Certificate) { rankOf(d).Heights = nil },
		"a huge height":         func(d *cert.Certificate) { rankOf(d).Heights[2] = 1 << 50 },
		"all heights the same":  func(d *cert.Certificate) { rankOf(d).Heights = make([]int, 6) },
		"a seam with a store":   func(d *cert.Certificate) { grow(d, 1, "south2", "south_store") },
		"a seam between rows":   func(d *cert.Certificate) { grow(d, 1, "north1", "south1") },
		"a seam the wrong way":  func(d *cert.Certificate) { grow(d, 1, "south2", "south1") },
		"a seam missing":        func(d *cert.Certificate) { rankOf(d).Seams = rankOf(d).Seams[:1] },
		"seams exchanged":       func(d *cert.Certificate) { slices.Reverse(rankOf(d).Seams) },
		"another size":          func(d *cert.Certificate) { rankOf(d).At = 3 },
		"the first size":        func(d *cert.Certificate) { rankOf(d).At, rankOf(d).Below = 1, nil },
		"nothing for one house": func(d *cert.Certificate) { rankOf(d).Below = nil },
		"another rank below":    func(d *cert.Certificate) { rankOf(d).Below[0].Is.(*cert.Ranked).Weights = [][]int{{0, 0, 0, 0}} },
		"evidence in evidence":  func(d *cert.Certificate) { rankOf(d).Below[0] = copyOf(t, c).Evidence },
		"the family": func(d *cert.Certificate) {
			rankOf(d).Family = strings.Replace(rankOf(d).Family, "grows 1", "grows 2", 1)
		},
		"ordinary evidence":      func(d *cert.Certificate) { d.Evidence.Is = &cert.Ranked{Weights: [][]int{rankOf(d).Heights}} },
		"a closed set":           func(d *cert.Certificate) { d.Evidence.Is = &cert.Sizes{Growing: rankOf(d).Growing} },
		"evidence about steps":   func(d *cert.Certificate) { d.Evidence.Is = &cert.SizesMoves{Growing: rankOf(d).Growing} },
		"evidence about numbers": func(d *cert.Certificate) { d.Evidence.Is = &cert.SizesSeeds{Growing: rankOf(d).Growing} },
		"another claim":          func(d *cert.Certificate) { d.Claim.Name = "stores_grow_on_every_board" },
		"refuted":                func(d *cert.Certificate) { d.Verdict = cert.Refuted },
		"fewer sizes":            func(d *cert.Certificate) { d.Scope[0].Is = "2.." },
	} {
		mustReject(t, c, what, change)
	}
	grows := lawOf(t, "stores_grow_on_every_board", nil, nil)
	mustReject(t, grows, "a rank for steps", func(d *cert.Certificate) {
		e := rankOf(c)
		d.Evidence.Is = &cert.SizesRank{Growing: d.Evidence.Is.(*cert.SizesMoves).Growing, Sinks: e.Sinks, Heights: e.Heights}
	})
	mustReject(t, grows, "seeds for steps", func(d *cert.Certificate) {
		d.Evidence.Is = &cert.SizesSeeds{Growing: d.Evidence.Is.(*cert.SizesMoves).Growing}
	})
}

// rankOf returns the evidence of a certificate.
func rankOf(c *cert.Certificate) *cert.SizesRank { return c.Evidence.Is.(*cert.SizesRank) }
