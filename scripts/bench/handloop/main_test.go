package main

import (
	"context"
	"fmt"
	"math/rand"
	"strconv"
	"testing"

	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/space"
)

// TestCounts compares the loops with the search of mancheck, which knows nothing of these games but
// the files of rules.
func TestCounts(t *testing.T) {
	for _, c := range []struct {
		game, file string
		names      [2]string
		values     [][2]int
	}{
		{"kalah", "kalah", [2]string{"m", "n"}, [][2]int{{1, 1}, {1, 7}, {2, 1}, {2, 3}, {2, 5}, {3, 1}, {3, 2}, {4, 1}, {5, 1}}},
		{"congkak", "congkak", [2]string{"m", "n"}, [][2]int{{1, 1}, {2, 1}, {2, 5}, {3, 1}, {3, 3}, {4, 1}, {4, 2}, {5, 1}}},
		{"oware", "oware", [2]string{"m", "n"}, [][2]int{{1, 1}, {1, 5}, {2, 1}, {2, 3}, {3, 1}, {4, 1}}},
		{"dose", "dose2015", [2]string{"n", "stones"}, [][2]int{{1, 3}, {2, 4}, {2, 9}, {3, 8}, {4, 9}, {6, 12}}},
	} {
		f, err := proofs.Open("../../../examples/" + c.file + ".sow")
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range c.values {
			t.Run(fmt.Sprintf("%s,%d,%d", c.game, v[0], v[1]), func(t *testing.T) {
				g, ok := games[c.game](v[0], v[1])
				if !ok {
					t.Fatal("does not fit")
				}
				sys, diags := f.Unit.System(f.Unit.Variants[0], settings(t, c.names, v))
				if err := diags.Err(); err != nil {
					t.Fatal(err)
				}
				r := explore(t, sys)
				want := counts{states: int(r.States), transitions: int(r.Transitions), depth: r.Depth}
				for name, n := range r.Finished {
					if name != rules.StuckLabel {
						want.finished += int(n)
					}
				}
				if got := search(g); got != want {
					t.Errorf("%+v, but mancheck finds %+v", got, want)
				}
			})
		}
	}
}

func settings(t *testing.T, names [2]string, values [2]int) build.Settings {
	t.Helper()
	given := build.Settings{}
	for i, name := range names {
		v, err := build.ParseValue(strconv.Itoa(values[i]))
		if err != nil {
			t.Fatal(err)
		}
		given[name] = v
	}
	return given
}

func explore(t *testing.T, sys *rules.System) forward.Stats {
	t.Helper()
	in := interp.New(sys)
	starts := func(ctx context.Context, yield func(rules.State) error) error { return space.Starts(ctx, in, yield) }
	r, err := forward.Search(context.Background(), sys, starts, forward.Query{}, forward.Options{Bounds: limit.Bounds{Threads: 1}})
	if err != nil || r.Stop != limit.Complete {
		t.Fatal(err, r)
	}
	return r.Stats
}

// TestFits checks that what does not fit a word is refused.
func TestFits(t *testing.T) {
	for _, c := range []struct {
		game string
		m, n int
		ok   bool
	}{
		{"kalah", 4, 4, true},
		{"kalah", 6, 1, true},
		{"kalah", 4, 8, false},
		{"oware", 6, 2, false},
		{"congkak", 1, 32, false},
		{"dose", 6, 14, true},
		{"dose", 6, 16, false},
	} {
		if _, ok := games[c.game](c.m, c.n); ok != c.ok {
			t.Errorf("%s %d %d: %v", c.game, c.m, c.n, ok)
		}
	}
}

// TestSet compares the set with a map, through several growths.
func TestSet(t *testing.T) {
	rnd := rand.New(rand.NewSource(1))
	s, want := newSet(), map[uint64]bool{}
	for range 3000 {
		keys := make([]uint64, 1+rnd.Intn(batch))
		fresh := 0
		for i := range keys {
			keys[i] = 1 + uint64(rnd.Intn(400_000))<<uint(rnd.Intn(3)*20)
			if !want[keys[i]] {
				want[keys[i]] = true
				fresh++
			}
		}
		if got := s.addAll(keys); got != fresh {
			t.Fatalf("%d new keys, want %d", got, fresh)
		}
	}
	if s.count != len(want) || s.shift >= 64-smallest-2 {
		t.Errorf("%d keys, want %d; shift %d", s.count, len(want), s.shift)
	}
}
