package blocks_test

import (
	"errors"
	"testing"

	"github.com/mancheck/mancheck/checker/endgame/blocks"
	"github.com/mancheck/mancheck/checker/value"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/rules/build/buildtest"
	"github.com/mancheck/mancheck/rules/rulestest"
)

// divide returns the blocks of the positions of a game.
func divide(t *testing.T, sys *rules.System, seeds int) *blocks.Division {
	t.Helper()
	p, err := value.NewPositions(t.Context(), sys, seeds, value.Payoff{Kind: value.Margin, Endless: value.AsScored})
	if err != nil {
		t.Fatal(err)
	}
	d, err := blocks.Divide(t.Context(), sys, p)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestRanks: each entry of a table is in exactly one place of one block, with the seeds of the
// block.
func TestRanks(t *testing.T) {
	awari := buildtest.File(t, "../../../examples/awari.sow")
	for _, sys := range []*rules.System{
		rulestest.Kalah(3, 3, true),
		buildtest.System(t, awari, build.Settings{"m": {N: 3}}),
	} {
		const seeds = 5
		d := divide(t, sys, seeds)
		p := d.Positions
		key := make([]uint64, p.Words())
		found := map[uint64]bool{}
		for n := range seeds + 1 {
			ranks := d.Ranks(n)
			for at := range d.Blocks(n) {
				c, s := d.Block(n, at)
				if d.At(c, s) != at {
					t.Fatalf("block %d of %d seeds is block %d", at, n, d.At(c, s))
				}
				first, second := d.Shape(s)
				for y := range second {
					for x := range first {
						rank := ranks.Rank(c, s, [2]int{x, y})
						p.Unrank(rank, key)
						st := p.State(key)
						own := 0
						for _, pit := range p.Pits()[:len(p.Pits())/2] {
							own += st.Seeds[pit]
						}
						if found[rank] || own != s[0] || st.Total() != n || p.Maximizes(key) != d.Controls[c].Maximizing {
							t.Fatalf("rank %d has %v, and should be of block %d with %v", rank, st, c, s)
						}
						found[rank] = true
					}
				}
			}
		}
		if uint64(len(found)) != p.Entries() {
			t.Errorf("%s: %d entries of %d", sys.Name, len(found), p.Entries())
		}
	}
}

// TestNoBlocks: there are no blocks if a player sows from both halves.
func TestNoBlocks(t *testing.T) {
	refused := 0
	for _, sys := range buildtest.Systems(t, "../../../examples/family/*.sow") {
		p, err := value.NewPositions(t.Context(), sys, 2, value.Payoff{Kind: value.Margin, Endless: value.AsScored})
		if err != nil {
			continue
		}
		if _, err := blocks.Divide(t.Context(), sys, p); err != nil {
			refused++
			if !errors.Is(err, blocks.ErrNotByRows) {
				t.Errorf("%s: %v", sys.Name, err)
			}
		}
	}
	if refused == 0 {
		t.Error("all games have blocks")
	}
}
