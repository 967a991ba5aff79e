package main

import (
	"context"
	"fmt"
	"math/rand"
	"strconv"
	"testing"

	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/resolve"
	"github.com/mancheck/mancheck/rules/space"
)

// TestCounts compares the loop with the search of mancheck, which knows nothing of Kalah but
// examples/kalah.sow.
func TestCounts(t *testing.T) {
	f, err := proofs.Open("../../../examples/kalah.sow")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ m, n int }{{1, 1}, {1, 7}, {2, 1}, {2, 3}, {2, 5}, {3, 1}, {3, 2}, {4, 1}, {5, 1}} {
		t.Run(fmt.Sprintf("%d,%d", c.m, c.n), func(t *testing.T) {
			k, ok := compile(c.m, c.n)
			if !ok {
				t.Fatal("does not fit")
			}
			sys, diags := f.Unit.System(f.Unit.Variants[0], settings(t, c.m, c.n))
			if err := diags.Err(); err != nil {
				t.Fatal(err)
			}
			r := explore(t, sys)
			want := counts{states: int(r.States), transitions: int(r.Transitions), depth: r.Depth}
			for _, n := range r.Finished {
				want.finished += int(n)
			}
			if got := search(k); got != want {
				t.Errorf("%+v, but mancheck finds %+v", got, want)
			}
		})
	}
}

func settings(t *testing.T, m, n int) resolve.Settings {
	t.Helper()
	given := resolve.Settings{}
	for name, value := range map[string]int{"m": m, "n": n} {
		v, err := resolve.ParseValue(strconv.Itoa(value))
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
	r, err := forward.Search(context.Background(), sys, starts, forward.Query{}, forward.Options{Threads: 1})
	if err != nil || r.Stop != forward.Exhausted {
		t.Fatal(err, r)
	}
	return r.Stats
}

// TestCompile checks that what does not fit a word is refused.
func TestCompile(t *testing.T) {
	for _, c := range []struct {
		m, n int
		ok   bool
	}{{4, 4, true}, {6, 1, true}, {4, 8, false}, {6, 2, false}, {1, 32, false}} {
		if _, ok := compile(c.m, c.n); ok != c.ok {
			t.Errorf("Kalah(%d,%d): %v", c.m, c.n, ok)
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
