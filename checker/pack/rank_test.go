package pack

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/rulestest"
)

// eachBoard calls f with all ways to put total seeds into the pits, or with fixed unset at most so
// many.
func eachBoard(pits []int, total int, fixed bool, f func()) {
	if len(pits) == 0 {
		if !fixed || total == 0 {
			f()
		}
		return
	}
	for n := range total + 1 {
		pits[0] = n
		eachBoard(pits[1:], total-n, fixed, f)
	}
	pits[0] = 0
}

// eachControl calls f with all values of the kept variables, and all players and outcomes.
func eachControl(sys *rules.System, f *Flat, kept rules.Parts, v int, do func()) {
	if v == len(sys.Vars) {
		for p := range sys.Players {
			f.Mover, f.Outcome = p, rules.Live
			do()
		}
		for o := range sys.Outcomes {
			f.Mover, f.Outcome = rules.None, o
			do()
		}
		return
	}
	domain := sys.Vars[v].Domain
	if !kept.HasVar(v) {
		domain = domain[:1]
	}
	for _, x := range domain {
		f.Cells[len(sys.Pits)+v] = x
		eachControl(sys, f, kept, v+1, do)
	}
}

// TestRanksAll ranks all states of small boards: the ranks are the numbers below the size, each
// once, and Unrank is the inverse.
func TestRanksAll(t *testing.T) {
	for _, sys := range []*rules.System{rulestest.Kalah(1, 1, false), rulestest.Kalah(2, 1, false), rulestest.Solitaire(2), gappy()} {
		for total := range 6 {
			for _, fixed := range []bool{false, true} {
				t.Run(fmt.Sprint(sys.Name, total, fixed), func(t *testing.T) { rankAll(t, sys, total, fixed, rules.Parts{}) })
			}
			drop := rules.Parts{Pits: make([]bool, len(sys.Pits)), Vars: make([]bool, len(sys.Vars))}
			drop.Pits[0], drop.Pits[len(sys.Pits)-1] = true, true
			rankAll(t, sys, total, false, drop)
		}
	}
}

// gappy returns a solitaire with a variable whose domain has gaps.
func gappy() *rules.System {
	sys := rulestest.Solitaire(1)
	sys.Vars = append(slices.Clone(sys.Vars), rules.Var{Name: "gappy", Domain: []int{-4, 1, 7}, Init: 1})
	return sys
}

func rankAll(t *testing.T, sys *rules.System, total int, fixed bool, kept rules.Parts) {
	t.Helper()
	c, err := NewCodec(sys, total, kept)
	if err != nil {
		t.Fatal(err)
	}
	r, ok := NewRanker(c, total, fixed)
	if !ok {
		t.Fatal("no ranks")
	}
	f, again := NewFlat(sys), make([]uint64, c.Words())
	var keys []uint64
	pits := make([]int, c.pits)
	eachBoard(pits, total, fixed && c.pits > 0, func() {
		for i, n := range pits {
			f.Cells[c.fields[i].cell] = n
		}
		eachControl(sys, f, kept, 0, func() {
			if err := c.Pack(f, again); err != nil {
				t.Fatal(err)
			}
			keys = append(keys, again...)
		})
	})
	n := len(keys) / c.Words()
	ranks := make([]uint64, n)
	r.Ranks(keys, ranks)
	for i, rank := range ranks {
		r.Unrank(rank, again)
		if key := keys[i*c.Words() : (i+1)*c.Words()]; !slices.Equal(again, key) {
			t.Fatalf("%x has rank %d, which is that of %x", key, rank, again)
		}
	}
	slices.Sort(ranks)
	for i, rank := range ranks {
		if rank != uint64(i) {
			t.Fatalf("number %d is rank %d", i, rank)
		}
	}
	if r.Size() != uint64(n) {
		t.Fatalf("size %d, but %d states", r.Size(), n)
	}
}

// TestRankLarge checks the ranks of random states of large boards, of one and of several words, and
// with so many seeds that a prefix sum has a table of its own. Words after the key do not matter.
func TestRankLarge(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sys := rapid.SampledFrom([]*rules.System{
			rulestest.Kalah(4, 3, false), rulestest.Kalah(6, 4, false), rulestest.Kalah(9, 1, false), rulestest.Kalah(1, 1, false), rulestest.Solitaire(6), gappy(),
		}).Draw(t, "system")
		total := rapid.IntRange(1, 300).Draw(t, "total")
		if rapid.IntRange(0, 7).Draw(t, "wide") == 0 {
			total += 1 << groupBits
		}
		fixed := rapid.Bool().Draw(t, "fixed")
		c, err := NewCodec(sys, total, rules.Parts{})
		if err != nil {
			t.Fatal(err)
		}
		r, ok := NewRanker(c, total, fixed)
		if !ok {
			t.Skip("too many states")
		}
		const n = 150
		keys, ranks, key := make([]uint64, 0, n*c.Words()), make([]uint64, n), make([]uint64, c.Words())
		var list []uint64
		for range n {
			rank := rapid.Uint64Range(0, r.Size()-1).Draw(t, "rank")
			list = append(list, rank)
			r.Unrank(rank, key)
			keys = append(keys, key...)
			if f := NewFlat(sys); true {
				c.Unpack(key, f)
				if sum := f.State(sys).Total(); sum > total || fixed && sum < total {
					t.Fatalf("%d seeds of %d", sum, total)
				}
				if one := r.Rank(append(slices.Clone(key), rapid.Uint64().Draw(t, "after"))); one != rank {
					t.Fatalf("rank %d alone, want %d", one, rank)
				}
			}
		}
		r.Ranks(keys, ranks)
		if !slices.Equal(ranks, list) {
			t.Fatalf("%d, want %d", ranks, list)
		}
	})
}

// numbers returns n numbers of at most width bits, among them few different ones.
func numbers(n, width, different int) []uint64 {
	r := rand.New(rand.NewPCG(3, 4))
	list := make([]uint64, n)
	for i := range list {
		// some are next to each other, some far apart
		x := uint64(r.IntN(different))
		if x%2 == 0 {
			x *= 0x9e3779b97f4a7c15
		}
		list[i] = x & (1<<width - 1)
	}
	return list
}

// TestNumbers compares the sets of numbers with a map.
func TestNumbers(t *testing.T) {
	for _, width := range []int{1, 2, 3, 7, 8, 12, 13, 20, 27, 31, 40, 58, 64} {
		list := numbers(200_000, width, 100_000)
		sets := map[string]Numbers{"compact": NewCompact(width)}
		if width < 32 {
			sets["bits"] = NewBits(1 << width)
		}
		for name, s := range sets {
			t.Run(fmt.Sprint(name, width), func(t *testing.T) {
				seen := map[uint64]bool{}
				for lo := 0; lo < len(list); lo += 1000 {
					some := list[lo : lo+1000]
					var want []int32
					for i, x := range some {
						if s.Has(x) != seen[x] && want == nil {
							t.Fatalf("%d is known: %v", x, !seen[x])
						}
						if !seen[x] {
							seen[x] = true
							want = append(want, int32(i))
						}
					}
					fresh := make([]int32, len(some))
					add := s.Add
					if lo%3000 == 0 {
						add = s.AddShared
					}
					if n := add(some, fresh); !slices.Equal(fresh[:n], want) {
						t.Fatalf("after %d: new are %d, want %d", lo, fresh[:n], want)
					}
				}
			})
		}
	}
}

// TestNumbersDense fills a compact set with all numbers there are.
func TestNumbersDense(t *testing.T) {
	for width := 1; width <= 16; width++ {
		s := NewCompact(width)
		all, fresh := make([]uint64, 1<<width), make([]int32, 1<<width)
		for i := range all {
			all[i] = uint64(i)
		}
		if n := s.Add(all, fresh); n != len(all) {
			t.Errorf("%d bits: %d new", width, n)
		}
		if n := s.Add(all, fresh); n != 0 {
			t.Errorf("%d bits: %d new again", width, n)
		}
	}
}

// TestNumbersOrder adds numbers in different orders: what a set takes does not depend on it.
func TestNumbersOrder(t *testing.T) {
	list := numbers(100_000, 30, 1<<30)
	backward := slices.Clone(list)
	slices.Reverse(backward)
	fresh := make([]int32, len(list))
	for _, make := range []func() Numbers{
		func() Numbers { return NewCompact(30) },
		func() Numbers { return NewBits(1 << 30) },
	} {
		one, other := make(), make()
		if one.Add(list, fresh) != other.Add(backward, fresh) || one.Bytes() != other.Bytes() {
			t.Errorf("%T: %d bytes, and %d in another order", one, one.Bytes(), other.Bytes())
		}
	}
}

// TestNumbersShared adds the same numbers from several goroutines: each is new to one of them.
func TestNumbersShared(t *testing.T) {
	list := numbers(60_000, 24, 1<<24)
	different := map[uint64]bool{}
	for _, x := range list {
		different[x] = true
	}
	for _, s := range []Numbers{NewCompact(24), NewBits(1 << 24)} {
		const adders = 4
		news := make(chan []uint64, adders)
		for a := range adders {
			go func() {
				fresh := make([]int32, len(list))
				var mine []uint64
				for lo := range 60 {
					some := list[(lo+a*15)%60*1000:][:1000]
					for _, i := range fresh[:s.AddShared(some, fresh)] {
						mine = append(mine, some[i])
					}
				}
				news <- mine
			}()
		}
		var all []uint64
		for range adders {
			all = append(all, <-news...)
		}
		slices.Sort(all)
		if n := len(all); n != len(slices.Compact(all)) || n != len(different) {
			t.Errorf("%T: %d were new, want %d different ones", s, n, len(different))
		}
	}
}

// BenchmarkRanks ranks random states.
func BenchmarkRanks(b *testing.B) {
	for _, c := range []struct{ m, n int }{{4, 3}, {4, 4}, {6, 4}} {
		sys := rulestest.Kalah(c.m, c.n, false)
		total := 2 * c.m * c.n
		codec, _ := NewCodec(sys, total, rules.Parts{})
		r, ok := NewRanker(codec, total, true)
		if !ok {
			b.Fatal("no ranks")
		}
		const n = 4096
		keys, ranks := make([]uint64, n*codec.Words()), make([]uint64, n)
		random := rand.New(rand.NewPCG(5, 6))
		for i := range n {
			r.Unrank(random.Uint64N(r.Size()), keys[i*codec.Words():(i+1)*codec.Words()])
		}
		b.Run(fmt.Sprintf("(%d,%d)", c.m, c.n), func(b *testing.B) {
			for b.Loop() {
				r.Ranks(keys, ranks)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/key")
		})
	}
}

// BenchmarkNumbers adds numbers, each about three times, as in a search.
func BenchmarkNumbers(b *testing.B) {
	const n, different, width = 15 << 20, 5 << 20, 27
	list, fresh := numbers(n, 64, different), make([]int32, 256)
	for i, x := range list {
		list[i] = x * 0x9e3779b97f4a7c15 >> (64 - width)
	}
	for name, make := range map[string]func() Numbers{
		"bits":    func() Numbers { return NewBits(1 << width) },
		"compact": func() Numbers { return NewCompact(width) },
	} {
		for _, shared := range []bool{false, true} {
			b.Run(fmt.Sprintf("%s shared=%v", name, shared), func(b *testing.B) {
				for b.Loop() {
					s := make()
					add := s.Add
					if shared {
						add = s.AddShared
					}
					for lo := 0; lo < n; lo += len(fresh) {
						add(list[lo:lo+len(fresh)], fresh)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/number")
			})
		}
	}
}

// TestManySeeds: boards with more seeds than tables can be made for have no ranks.
func TestManySeeds(t *testing.T) {
	for _, sys := range []*rules.System{rulestest.Solitaire(1), rulestest.Kalah(3, 3, false)} {
		for _, total := range []int{mostSums - 1, mostSums, 1 << 40, num.Most} {
			c, err := NewCodec(sys, total, rules.Parts{})
			if err != nil {
				t.Fatal(err)
			}
			for _, fixed := range []bool{false, true} {
				if _, ok := NewRanker(c, total, fixed); ok {
					t.Errorf("%s: ranks for %d seeds", sys.Name, total)
				}
			}
		}
	}
}

// TestLayers: for each control, the boards with equally many seeds have consecutive ranks, and
// NextBoard goes through them in this order. The ranks are those of a codec for more seeds, too,
// also if it has pits in several words.
func TestLayers(t *testing.T) {
	for _, sys := range []*rules.System{rulestest.Kalah(1, 1, false), rulestest.Kalah(2, 1, false), rulestest.Kalah(5, 1, false), gappy()} {
		const total = 5
		narrow, wide := codecFor(t, sys, total), codecFor(t, sys, 40)
		r, ok := NewRanker(narrow, total, false)
		wider, also := NewRanker(wide, total, false)
		if !ok || !also || r.Live() != wider.Live() {
			t.Fatal("no ranks, or others")
		}
		f := NewFlat(sys)
		key, wideKey, rank := make([]uint64, narrow.Words()), make([]uint64, wide.Words()), make([]uint64, 1)
		for first := uint64(0); first < r.Live(); first += r.Boards() {
			for seeds := range total + 1 {
				n := r.BoardsBelow(seeds)
				r.Unrank(first+n, key)
				wider.Unrank(first+n, wideKey)
				for more := true; more; n++ {
					again := slices.Clone(wideKey)
					narrow.Unpack(key, f)
					if err := wide.Pack(f, wideKey); err != nil || !slices.Equal(again, wideKey) {
						t.Fatal(again, wideKey, err)
					}
					if wider.Ranks(wideKey, rank); rank[0] != first+n || wider.Rank(wideKey) != rank[0] || f.View(sys).Total() != seeds {
						t.Fatalf("%v is number %d with %d seeds, but has rank %d", f, first+n, seeds, rank[0])
					}
					if more = r.NextBoard(key); more != wider.NextBoard(wideKey) {
						t.Fatalf("%v is the last board, or not", f)
					}
				}
				if n != r.BoardsBelow(seeds+1) {
					t.Fatalf("%s: %d boards with at most %d seeds, want %d", sys.Name, n, seeds, r.BoardsBelow(seeds+1))
				}
			}
		}
	}
}

func codecFor(t *testing.T, sys *rules.System, seeds int) *Codec {
	c, err := NewCodec(sys, seeds, rules.Parts{})
	if err != nil {
		t.Fatal(err)
	}
	return c
}
