package suite_test

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/proofs/suite"
	"github.com/mancheck/mancheck/rules/build"
)

// suites draws the items of a run: sweeps, claims that take long, claims with mistakes, and files
// that could not be read.
func suites(t *rapid.T) (items []*suite.Item) {
	for f := range rapid.IntRange(0, 5).Draw(t, "files") {
		file := fmt.Sprintf("%d.sow", f)
		claims := rapid.SliceOfN(rapid.IntRange(0, 12), 0, 8).Draw(t, "instances")
		if len(claims) == 0 {
			items = append(items, &suite.Item{File: file})
		}
		for c, n := range claims {
			claim := &build.Claim{Name: fmt.Sprintf("claim%d", c), File: file, Long: rapid.Bool().Draw(t, "long")}
			left := claim.Long && rapid.Bool().Draw(t, "left out")
			for range n {
				items = append(items, &suite.Item{File: file, Claim: claim.Name, Instance: &build.Instance{Claim: claim}, Long: left, Skipped: left})
			}
			if n == 0 {
				items = append(items, &suite.Item{File: file, Claim: claim.Name})
			}
		}
	}
	return items
}

// evenly fails unless the numbers of places in the shards differ by one at most.
func evenly(t *rapid.T, shards []int, n int, what string) {
	counts := make([]int, n)
	for _, s := range shards {
		if s < 1 || s > n {
			t.Fatalf("shard %d of %d", s, n)
		}
		counts[s-1]++
	}
	if slices.Max(counts)-slices.Min(counts) > 1 {
		t.Fatalf("%s: %v", what, counts)
	}
}

// TestDeal: the shards are all items, each once and in order; they and their parts of each claim
// are of one size; and they do not depend on what is known.
func TestDeal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		items, n := suites(t), rapid.IntRange(1, 15).Draw(t, "shards")
		shards := suite.Deal(items, n)
		evenly(t, shards, n, "all items")
		for i := 0; i < len(items); {
			j := i
			for j < len(items) && items[j].File == items[i].File && items[j].Claim == items[i].Claim {
				j++
			}
			evenly(t, shards[i:j], n, items[i].Claim)
			i = j
		}
		seen := map[*suite.Item]int{}
		for s := 1; s <= n; s++ {
			at := 0
			for _, i := range (suite.Shard{Index: s, Of: n}).Take(items) {
				seen[i]++
				next := slices.Index(items[at:], i)
				if next < 0 {
					t.Fatal("a shard is not in the order of the items")
				}
				at += next + 1
			}
		}
		for _, i := range items {
			if seen[i] != 1 {
				t.Fatalf("%s is in %d shards", i.Name(), seen[i])
			}
			if i.Instance != nil && rapid.Bool().Draw(t, "known") {
				i.Result, i.Cached = &proofs.Result{Instance: i.Instance}, true
			}
		}
		if again := suite.Deal(items, n); !slices.Equal(again, shards) {
			t.Fatalf("%v, and with verdicts %v", shards, again)
		}
	})
}

// sweep are the items of a claim with n instances.
func sweep(file, name string, n int, long bool) (items []*suite.Item) {
	claim := &build.Claim{Name: name, File: file, Long: long}
	for range n {
		items = append(items, &suite.Item{File: file, Claim: name, Instance: &build.Instance{Claim: claim}})
	}
	return items
}

// TestDealBalances: the last instances of sweeps, and claims that take long, go to different
// shards; and a claim that is added at the end moves none.
func TestDealBalances(t *testing.T) {
	var items []*suite.Item
	for c := range 4 {
		items = append(items, sweep("a.sow", fmt.Sprint("sweep", c), 4, false)...)
	}
	shards := suite.Deal(items, 4)
	if last := []int{shards[3], shards[7], shards[11], shards[15]}; len(slices.Compact(slices.Sorted(slices.Values(last)))) != 4 {
		t.Errorf("the last instances are in the shards %v", last)
	}
	if more := suite.Deal(slices.Concat(items, sweep("b.sow", "added", 3, false)), 4); !slices.Equal(more[:16], shards) {
		t.Errorf("%v, and with another claim %v", shards, more)
	}
	items = slices.Concat(sweep("a.sow", "one", 1, true), sweep("a.sow", "between", 3, false), sweep("b.sow", "two", 1, true))
	if shards := suite.Deal(items, 2); shards[0] == shards[4] {
		t.Errorf("both claims that take long are in shard %d", shards[0])
	}
}
