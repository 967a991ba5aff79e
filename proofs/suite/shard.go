package suite

import (
	"cmp"
	"slices"

	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/internal/lists"
)

// Shard is a part of a run that is divided among several machines.
type Shard struct {
	Index int `json:"index"` // from 1
	Of    int `json:"of"`
}

// MostShards is the greatest number of shards.
const MostShards = 10_000

// Part is a shard, with the number of items in the whole run and a digest of them.
type Part struct {
	Shard
	Items  int    `json:"items"`
	Digest string `json:"digest"`
}

// Take returns the items of the shard, in order.
func (s Shard) Take(items []*Item) []*Item {
	own := lists.Where(Deal(items, s.Of), func(shard int) bool { return shard == s.Index })
	return lists.Map(own, func(n int) *Item { return items[n] })
}

// Deal returns the shard of each item, from 1 to n. It depends only on the items, and not on their
// results, so machines need not communicate to agree on it.
//
// The numbers of items in any two shards differ by at most one, and so do the numbers of instances
// of each claim. The values of a sweep usually grow, and the work with them, so its last instances
// are dealt first, to the shards with the least work. Claims that take long are dealt before
// others, and items that are not decided are dealt last. Where a claim goes does not depend on
// later claims of its class.
func Deal(items []*Item, n int) []int {
	d := dealer{of: make([]int, len(items)), hands: make([]hand, n)}
	for i := range d.hands {
		d.hands[i].shard = i + 1
	}
	claims := instances(items)
	for _, class := range []work{long, usual, none} {
		for _, claim := range claims {
			if workOf(items[claim[0]]) == class {
				d.claim(claim, class)
			}
		}
	}
	return d.of
}

// work is a class of claims by the work that they take.
type work int

const (
	long work = iota
	usual
	none
)

func workOf(i *Item) work {
	switch {
	case i.Instance == nil || i.Long:
		return none
	case i.Instance.Claim.Long:
		return long
	}
	return usual
}

// instances returns the indexes of the instances of each claim.
func instances(items []*Item) [][]int {
	return lists.Runs(num.Run(0, len(items)), func(n, m int) bool {
		return items[n].File == items[m].File && items[n].Claim == items[m].Claim
	})
}

// dealer deals items.
type dealer struct {
	of    []int // the shard of each item
	hands []hand
}

// hand is what a shard has been dealt.
type hand struct{ shard, items, weight int }

// claim deals the instances of one claim, starting with the last. Each round gives every shard one
// instance, the heaviest to the shard with the least weight. The last round may have fewer; they go
// to the shards with the fewest items.
func (d *dealer) claim(places []int, class work) {
	heavy := heaviest[class]
	for len(places) > 0 {
		round := min(len(places), len(d.hands))
		slices.SortFunc(d.hands, func(a, b hand) int {
			fewer := 0
			if round < len(d.hands) {
				fewer = cmp.Compare(a.items, b.items)
			}
			return cmp.Or(fewer, cmp.Compare(a.weight, b.weight), cmp.Compare(a.shard, b.shard))
		})
		for i := range round {
			last := len(places) - 1
			h := &d.hands[i]
			d.of[places[last]] = h.shard
			h.items++
			h.weight += heavy
			heavy, places = (heavy+1)/2, places[:last]
		}
	}
}

// heaviest is the weight of the last instance of a claim. Each instance has half the weight of the
// next.
var heaviest = map[work]int{long: 1 << 40, usual: 1 << 20, none: 0}
