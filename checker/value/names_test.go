package value

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/rules/rulestest"
)

// TestNames: states have one name if they are of one position, or where names are folded if these
// are images of each other, and only then. So it is with ranks, with images, and without ranks.
// Entries found one by one are those that are found together.
func TestNames(t *testing.T) {
	seen := map[string]int{}
	rulestest.Check(t, func(t *rapid.T) {
		sys, payoff := rulestest.Kalah(rapid.IntRange(1, 6).Draw(t, "pits"), 1, false), Payoff{Kind: Margin}
		if rapid.Bool().Draw(t, "random") {
			sys, payoff = drawGame(t)
		}
		const seeds = 40
		g, err := newGame(t.Context(), sys, seeds, payoff)
		if err != nil {
			t.Skip(err)
		}
		kind := rapid.SampledFrom([]string{"ranks", "images", "words"}).Draw(t, "kind")
		if kind == "words" {
			g.ranker = nil
		} else if kind == "images" {
			g.fold(t.Context())
		}
		places := map[string]string{} // names, by position
		named := map[string]bool{}
		for range 40 {
			st := rulestest.State(sys, seeds).Draw(t, "state")
			if !st.Live() || st.Total() > seeds {
				continue
			}
			key, err := g.keyOf(st)
			if err != nil {
				t.Fatal(err)
			}
			name := pack.Text(g.nameOf(key))
			at := slices.Clone(key[:g.words])
			for i, mask := range g.mask[:g.words] {
				at[i] &= mask
			}
			if e := &g.folded; g.ranker != nil {
				ranks := make([]uint64, 1)
				if e.find(at, ranks); e.mark(key, e.of(key)) != ranks[0] {
					t.Fatalf("%v has the entry %x, and %x together with others", st, e.mark(key, e.of(key)), ranks[0])
				}
				if e.image != nil {
					at = slices.Clone(e.toFirst(at))
				}
			}
			if before, known := places[pack.Text(at)]; known != named[name] || known && before != name {
				t.Fatalf("%v has the name %x, and its position %x", st, name, before)
			}
			places[pack.Text(at)], named[name] = name, true
			seen[kind]++
			if g.folded.image != nil {
				seen["folded"]++
			}
		}
	})
	if t.Logf("%v", seen); min(seen["ranks"], seen["images"], seen["words"], seen["folded"]) == 0 {
		t.Error("a kind of names was not tried")
	}
}
