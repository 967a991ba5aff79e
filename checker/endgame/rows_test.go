package endgame

import (
	"bytes"
	"context"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/mancheck/mancheck/checker/value"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/rules/build/buildtest"
	"github.com/mancheck/mancheck/rules/rulestest"
)

// TestRows compares tables that were made by rows with those that were made position by position.
func TestRows(t *testing.T) {
	all, refused := 0, 0
	kinds := map[string]int{}
	rulestest.Check(t, func(r *rapid.T) {
		forward := rapid.Bool().Draw(r, "forward")
		text := rulestest.Rows(r, forward)
		r.Logf("%s", text)
		sys := buildtest.System(t, buildtest.Text(t, text), nil)
		payoff := value.Payoff{Kind: value.Margin, Endless: drawEndless(r)}
		seeds := rapid.IntRange(1, 7).Draw(r, "seeds")
		var tables [2]*Table
		var failed [2]error
		for i := range tables {
			opts := Options{Bounds: limit.Bounds{Threads: 1 + rapid.IntRange(0, 1).Draw(r, "threads")}, bySteps: i == 1}
			tables[i], failed[i] = Build(context.Background(), sys, seeds, payoff, opts)
		}
		if err := failed[0]; err != nil {
			if !errors.As(err, new(*value.NoTablesError)) && !errors.As(err, new(*CycleError)) {
				r.Fatal(err)
			}
			if !reflect.DeepEqual(err, failed[1]) {
				r.Fatalf("by rows %v, by steps %v", err, failed[1])
			}
			if errors.As(err, new(*CycleError)) {
				refused++
			}
			r.Skip(err)
		}
		if failed[1] != nil {
			r.Fatal(failed[1])
		}
		fast, slow := tables[0], tables[1]
		for i, l := range fast.layers {
			if l.Checksum != slow.layers[i].Checksum || l.Cyclic != slow.layers[i].Cyclic {
				r.Fatalf("layers of %d seeds differ: %+v, %+v", i, l, slow.layers[i])
			}
		}
		if !bytes.Equal(fast.futures, slow.futures) {
			r.Fatal("the tables differ")
		}
		if all++; !byRows(fast) {
			return
		}
		note := func(kind string, is bool) {
			if is {
				kinds[kind]++
			}
		}
		cyclic := slices.ContainsFunc(fast.layers, func(l Layer) bool { return l.Cyclic > 0 })
		note("by rows", true)
		note("unknown", slices.Contains(fast.futures, mark(noFuture)))
		note("controls", fast.positions.Ranker.Live() > 2*fast.positions.Ranker.Boards())
		note("swapped", fast.Swap() != nil)
		note("lopsided", fast.Swap() == nil)
		note("in order", !slices.ContainsFunc(fast.layers, func(l Layer) bool { return l.Sweeps > 1 }))
		note("cyclic, swapped", cyclic && fast.Swap() != nil)
		note("cyclic, lopsided", cyclic && fast.Swap() == nil)
		note("fallbacks", strings.Contains(text, "no other move"))
		note("passes without cycles", !cyclic && slices.ContainsFunc(fast.layers, func(l Layer) bool { return l.Sweeps > 3 }))
	})
	t.Logf("%d tables, %d refused; by rows %v", all, refused, kinds)
	wanted := []string{"unknown", "controls", "swapped", "lopsided", "in order", "fallbacks", "passes without cycles"}
	if all >= 500 { // of few tables these may be missing by chance
		wanted = append(wanted, "cyclic, swapped", "cyclic, lopsided")
	}
	for _, kind := range wanted {
		if all >= 50 && kinds[kind] == 0 {
			t.Errorf("no table: %s", kind)
		}
	}
	if all >= 50 && (refused == 0 || kinds["by rows"] < all/4) {
		t.Error("some kind of table is missing")
	}
}
