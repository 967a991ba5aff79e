package value

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// Small games have teams, too.
func init() { alone = 0 }

// TestTranspositions stores what is known of positions and finds it again, or nothing, but never
// what is known of another one.
func TestTranspositions(t *testing.T) {
	found, grown, short := 0, 0, 0
	rapid.Check(t, func(r *rapid.T) {
		great := rapid.SampledFrom([]int{0, 1, 2, 48, 1000, 1 << 22, 1 << 30}).Draw(r, "great")
		limit := uint64(0)
		if rapid.Bool().Draw(r, "limited") {
			limit = 1 << rapid.IntRange(0, 63).Draw(r, "limit")
		}
		words := 1
		if limit == 0 {
			words = rapid.IntRange(1, 3).Draw(r, "words")
		}
		table := newTranspositions(words, limit, great, rapid.Int64Range(0, 1<<20).Draw(r, "bytes"))
		defer table.free()
		if table.shared() {
			short++
		}
		bound := min(table.great, 1<<22)
		stored := map[[3]uint64]known{}
		word := rapid.Uint64()
		if limit > 0 {
			word = rapid.Uint64Range(0, limit-1)
		}
		names := rapid.SliceOfN(rapid.SliceOfN(word, words, words), 1, 8).Draw(r, "names")
		for i := range 3000 {
			name := slices.Clone(names[i%len(names)])
			if name[0] += uint64(i) * 0x1357; limit > 0 {
				name[0] %= limit
			}
			k := known{bounds: bounds{lo: i%(2*bound+1) - bound}, step: int32(i%9 - 1), work: int32(i % (1 << workBits)), busy: i%3 == 0}
			k.hi = max(k.lo, bound-i%7)
			stored[[3]uint64(append(slices.Clone(name), 0, 0, 0))] = k
			table.store(name, k)
			if i%100 == 0 && table.full() {
				table.grow()
				grown++
			}
			if i%5 == 0 {
				table.mark(name, true)
				k.busy = true
				stored[[3]uint64(append(slices.Clone(name), 0, 0, 0))] = k
			}
		}
		for name, k := range stored {
			got := table.find(name[:words], -1<<40, 1<<40)
			if got.lo == -1<<40 && got.hi == 1<<40 {
				continue // forgotten, or nothing was known
			}
			if found++; k.lo == -table.great {
				k.lo = -1 << 40
			}
			if k.hi == table.great {
				k.hi = 1 << 40
			}
			if got != k {
				r.Fatalf("%x: found %+v, want %+v", name, got, k)
			}
		}
	})
	if found == 0 || grown == 0 || short == 0 {
		t.Errorf("%d found, %d times grown, %d tables of words", found, grown, short)
	}
}

// TestGrowByOne: who comes too late to grow the table does not wait for those who read it.
func TestGrowByOne(t *testing.T) {
	table := newTranspositions(1, 1<<40, 48, 1<<24)
	defer table.free()
	for n := uint64(1); !table.full(); n++ {
		table.store([]uint64{n * 0x9E3779B97F4A7C15 >> 24}, known{bounds: bounds{hi: 1}})
	}
	slots := len(table.slots)
	kept := func() (n uint64) {
		for i := uint64(1); i < uint64(slots); i++ {
			if table.find([]uint64{i * 0x9E3779B97F4A7C15 >> 24}, -1, 2).lo == 0 {
				n++
			}
		}
		return n
	}
	before := kept()
	table.growByOne()
	if after := kept(); before == 0 || after != before {
		t.Errorf("%d of %d positions after growing", after, before)
	}
	table.growing.RLock()
	defer table.growing.RUnlock()
	late := make(chan bool)
	go func() {
		table.growByOne()
		close(late)
	}()
	select {
	case <-late:
	case <-time.After(time.Minute):
		t.Fatal("it waits")
	}
	if len(table.slots) != 2*slots {
		t.Errorf("%d slots, of %d", len(table.slots), slots)
	}
}
