package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/mancheck/mancheck/checker/value"
	"github.com/mancheck/mancheck/internal/tier"
	"github.com/mancheck/mancheck/rules/board"
	"github.com/mancheck/mancheck/rules/rulestest"
)

// TestNoEstimateIsAValue: what `best` writes as the value of a position or of a move, or as bounds
// of it, is right where a limit ends the search and an estimate follows.
func TestNoEstimateIsAValue(t *testing.T) {
	tier.Long(t, "it searches large boards")
	sys := rulestest.Kalah(4, 3, false)
	payoff := value.Payoff{Kind: value.Margin}
	rng := rand.New(rand.NewPCG(1, 2))
	estimated := 0
	for range 20 / tier.Every(5, 5) {
		st := sys.EmptyStart()
		st.Mover = rng.IntN(2)
		for range 44 {
			st.Seeds[rng.IntN(len(sys.Pits))]++
		}
		found, err := value.Find(context.Background(), sys, st, payoff, value.Options{Moves: true})
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		args := []string{
			"best", "../../examples/kalah.sow", "-p", "m=4", "-p", "n=3", "--format", "json", "--max-states", fmt.Sprint(1 + rng.IntN(5000)),
			"--board", strings.ReplaceAll(string(board.StateJSON(sys, st)), "_store1", "_store"),
		}
		run(args, strings.NewReader(""), &out, io.Discard)
		type bounds struct {
			Value  *int
			Bounds [2]*int
		}
		var got struct {
			bounds
			Moves    []bounds
			Estimate *struct{ Score float64 }
		}
		if err := json.Unmarshal(out.Bytes(), &got); err != nil {
			t.Fatalf("%v\n%s", err, &out)
		}
		check := func(what string, b bounds, want int) {
			if b.Value != nil && *b.Value != want || b.Bounds[0] != nil && *b.Bounds[0] > want || b.Bounds[1] != nil && *b.Bounds[1] < want {
				t.Errorf("%v: %s is worth %d\n%s", args, what, want, &out)
			}
		}
		check("the position", got.bounds, found.Lo)
		for i, m := range got.Moves {
			if i < len(found.Moves) {
				check(fmt.Sprint("move ", i+1), m, found.Moves[i].Lo)
			}
		}
		if got.Estimate != nil {
			estimated++
			if len(got.Moves) != len(found.Moves) {
				t.Errorf("%v: %d of %d moves", args, len(got.Moves), len(found.Moves))
			}
		}
	}
	t.Logf("%d positions with an estimate", estimated)
	if estimated == 0 {
		t.Error("nothing was estimated")
	}
}
