package desk_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/mancheck/mancheck/checker/value"
	"github.com/mancheck/mancheck/cmd/internal/input"
	"github.com/mancheck/mancheck/cmd/playground/internal/desk"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/rules/board"
	"github.com/mancheck/mancheck/rules/build"
)

// few is a position of a board of two rows with stores, with few seeds in play.
func few(r *rand.Rand, houses, seeds, stored int) json.RawMessage {
	pits := map[string]int{"south_store": stored, "north_store": stored}
	for _, side := range []string{"south", "north"} {
		for i := range houses {
			pits[fmt.Sprintf("%s%d", side, i+1)] = 0
		}
	}
	pits[fmt.Sprintf("south%d", 1+r.IntN(houses))]++ // South can move
	for range seeds - 1 {
		pits[fmt.Sprintf("%s%d", []string{"south", "north"}[r.IntN(2)], 1+r.IntN(houses))]++
	}
	text, err := json.Marshal(map[string]any{"pits": pits, "control": map[string]string{"mover": "South"}})
	if err != nil {
		panic(err)
	}
	return text
}

// TestTable: where play can come back to a position, a table has the value of each move. It is the
// one that is found from the ends of play backward, over all states that can be reached.
func TestTable(t *testing.T) {
	d := newDesk(t)
	src := file(t, d, "examples/awari.sow")
	f, diags := input.NewReader(nil).File(root + "/examples/awari.sow")
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	sys, diags := f.System("Awari", build.Settings{"m": {N: 3}})
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	r := rand.New(rand.NewPCG(1, 2))
	differ := false
	for range 20 {
		game := desk.Game{Params: map[string]any{"m": 3}, Start: few(r, 3, 2+r.IntN(5), 5)}
		st, err := board.ReadState(sys, game.Start)
		if err != nil {
			t.Fatal(err)
		}
		q := desk.Question{Ask: "analyse", Source: src, Game: game, Time: 60_000}
		a, _ := ask[desk.Analysis](t, d, q)
		if a.Kind != "table" || !a.Done || !strings.HasPrefix(a.Reason, "table of all positions with at most ") || !strings.HasSuffix(a.Reason, "which the rules do not say") {
			t.Fatalf("%s: %+v", game.Start, a)
		}
		payoff := value.Payoff{Kind: value.Margin, Endless: value.AsScored}
		want, err := value.Find(t.Context(), sys, st, payoff, value.Options{Moves: true, Bounds: limit.Bounds{MaxStates: 1_000_000}})
		if err != nil {
			t.Fatal(err)
		}
		if !want.Known() || *a.Score != float64(want.Lo) || len(a.Moves) != len(want.Moves) {
			t.Errorf("%s: the table says %v, and the value is %d to %d", game.Start, *a.Score, want.Lo, want.Hi)
		}
		var all []int
		for i, m := range a.Moves {
			best := m.Move == a.Line[0]
			if w := want.Moves[i]; m.Kind != "table" || m.Best != best || int(*m.Score) != w.Lo || w.Lo != w.Hi || best && w.Lo != want.Lo {
				t.Errorf("%s: %+v is worth %v, want %d to %d", game.Start, m, *m.Score, w.Lo, w.Hi)
			}
			all = append(all, want.Moves[i].Lo)
		}
		differ = differ || slices.Min(all) < slices.Max(all)
	}
	if !differ {
		t.Error("no position has moves of different values")
	}
}

// TestNoTable: where a search proves what the rules say, there is no table, nor where the rules do
// not allow one; and a position with more seeds than fit does not keep a smaller table away.
func TestNoTable(t *testing.T) {
	d := newDesk(t)
	r := rand.New(rand.NewPCG(1, 3))
	kind := func(path string, seeds, ms int) string {
		q := desk.Question{Ask: "analyse", Source: file(t, d, path), Game: desk.Game{Start: few(r, 6, seeds, (48-seeds)/2)}, Time: ms}
		a, _ := ask[desk.Analysis](t, d, q)
		return a.Kind
	}
	if got := kind("examples/kalah.sow", 8, 60_000); got != "exact" {
		t.Errorf("Kalah: %q", got)
	}
	if got := kind("examples/oware.sow", 8, 500); got == "table" {
		t.Error("Oware, whose majority depends on the stores, has a table")
	}
	if got := kind("examples/awari.sow", 40, 500); got != "estimate" {
		t.Errorf("Awari with 40 seeds: %q", got)
	}
	if got := kind("examples/awari.sow", 6, 60_000); got != "table" {
		t.Errorf("Awari with 6 seeds: %q", got)
	}
}
