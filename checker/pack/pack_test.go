package pack

import (
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/rulestest"
)

// TestRoundTrip packs and unpacks random states of random rule sets, live and finished, with some
// cells ignored.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sys := rulestest.System().Draw(t, "system")
		seeds := rapid.SampledFrom([]int{0, 1, 7, 48, 5000, 1 << 20}).Draw(t, "seeds")
		kept := rules.Parts{
			Pits: rapid.SliceOfN(rapid.Bool(), len(sys.Pits), len(sys.Pits)).Draw(t, "kept pits"),
			Vars: rapid.SliceOfN(rapid.Bool(), len(sys.Vars), len(sys.Vars)).Draw(t, "kept variables"),
		}
		if rapid.Bool().Draw(t, "all") {
			kept = rules.Parts{}
		}
		c, err := NewCodec(sys, seeds, kept)
		if err != nil {
			t.Fatal(err)
		}
		s := rulestest.State(sys, seeds).Draw(t, "state")
		if o := rapid.IntRange(-1, len(sys.Outcomes)-1).Draw(t, "outcome"); o >= 0 {
			s.Mover, s.Outcome = rules.None, o
		}
		f, g, key := NewFlat(sys), NewFlat(sys), make([]uint64, c.Words())
		f.Set(s)
		if err := c.Pack(f, key); err != nil {
			t.Fatal(err)
		}
		c.Unpack(key, g)
		if got, want := g.State(sys), (rules.Kept{Parts: kept}).Project(sys, s); !got.Equal(want) {
			t.Fatalf("%v, want %v", got, want)
		}
	})
}

func TestOutOfRange(t *testing.T) {
	sys := rulestest.Solitaire(2)
	c, err := NewCodec(sys, 7, rules.Parts{})
	if err != nil {
		t.Fatal(err)
	}
	key := make([]uint64, c.Words())
	for name, change := range map[string]func(*Flat){
		"too many seeds":   func(f *Flat) { f.Cells[1] = 8 },
		"a negative count": func(f *Flat) { f.Cells[1] = -1 },
		"a strange value":  func(f *Flat) { f.Cells[6] = 14 },
	} {
		f := NewFlat(sys)
		change(f)
		if err := c.Pack(f, key); !errors.Is(err, ErrRange) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestWords pins how many words boards take.
func TestWords(t *testing.T) {
	for _, c := range []struct {
		sys          *rules.System
		seeds, words int
	}{
		{rulestest.Kalah(4, 3, false), 24, 1},
		{rulestest.Kalah(6, 4, false), 48, 2},
		{rulestest.Solitaire(6), 48, 2},
		{rulestest.Kalah(6, 4, false), 1 << 29, 7},
	} {
		codec, err := NewCodec(c.sys, c.seeds, rules.Parts{})
		if err != nil || codec.Words() != c.words {
			t.Errorf("%s, %d seeds: %d words, %v; want %d", c.sys.Name, c.seeds, codec.Words(), err, c.words)
		}
	}
}

// randomKeys returns n keys, drawn from few different ones, one after another.
func randomKeys(n, words, different int) []uint64 {
	r := rand.New(rand.NewPCG(1, 2))
	keys := make([]uint64, 0, n*words)
	for range n {
		x := uint64(r.IntN(different))
		for w := range words {
			keys = append(keys, x>>(w*4))
		}
	}
	return keys
}

// TestSpread: pits in an order are in as few words as they need, and as many in each.
func TestSpread(t *testing.T) {
	for _, k := range []struct {
		m, seeds int
		want     []int // pits of each word
	}{{6, 31, []int{12}}, {6, 48, []int{6, 6}}, {9, 100, []int{9, 9}}, {9, 300, []int{6, 6, 6}}, {1, 5, []int{2}}} {
		sys := rulestest.Kalah(k.m, 1, false)
		kept, order := rules.Parts{Pits: make([]bool, len(sys.Pits))}, []int(nil)
		for p := range sys.Pits {
			order = append(order, len(sys.Pits)-1-p)
			kept.Pits[p] = p != k.m && p != 2*k.m+1 // the stores
		}
		c, err := NewCodecIn(sys, k.seeds, kept, order, nil)
		if err != nil {
			t.Fatal(err)
		}
		got := make([]int, c.Words())
		for _, p := range c.Pits() {
			f, _ := c.Cell(p)
			got[f.Word]++
		}
		if got = got[:len(k.want)]; !slices.Equal(got, k.want) {
			t.Errorf("%d pits of %d seeds: words of %v pits, want %v", 2*k.m, k.seeds, got, k.want)
		}
		in, out := NewFlat(sys), NewFlat(sys)
		for i, p := range c.Pits() {
			in.Cells[p] = (i*7 + k.seeds) % (k.seeds + 1)
		}
		key := make([]uint64, c.Words())
		if err := c.Pack(in, key); err != nil {
			t.Fatal(err)
		}
		if c.Unpack(key, out); !slices.Equal(in.Cells, out.Cells) {
			t.Errorf("%d pits of %d seeds: %v became %v", 2*k.m, k.seeds, in.Cells, out.Cells)
		}
	}
}

// TestSet compares a Set with a map, with slots of 32 and of 64 bits.
func TestSet(t *testing.T) {
	for _, wideAt := range []int{wideBits, 14} {
		for words := range 4 {
			words++
			s := NewSet(words, Limits{})
			s.wideAt = wideAt
			keys := randomKeys(200_000, words, 100_000)
			found := make([]int, 200_000)
			if n, err := s.InsertAll(keys[:100_000*words], found); n != 100_000 || err != nil {
				t.Fatal(n, err)
			}
			for i := 100_000; i < 200_000; i++ {
				j, _, err := s.Insert(keys[i*words : (i+1)*words])
				if err != nil {
					t.Fatal(err)
				}
				found[i] = j
			}
			checkNumbers(t, s, keys, found)
		}
	}
}

// checkNumbers checks that equal keys have equal numbers, in the order of their first occurrence,
// and that lookups agree.
func checkNumbers(t *testing.T, s *Set, keys []uint64, found []int) {
	t.Helper()
	want := map[string]int{}
	var name []byte
	for i, j := range found {
		key := keys[i*s.words : (i+1)*s.words]
		name = name[:0]
		for _, word := range key {
			name = binary.LittleEndian.AppendUint64(name, word)
		}
		if _, ok := want[string(name)]; !ok {
			want[string(name)] = len(want)
		}
		if j != want[string(name)] || !slices.Equal(s.At(j), key) {
			t.Fatalf("key %d is number %d, want %d", i, j, want[string(name)])
		}
	}
	if s.Len() != len(want) {
		t.Fatalf("%d keys, want %d", s.Len(), len(want))
	}
	again := make([]int, len(found))
	s.FindAll(keys, again)
	if !slices.Equal(again, found) {
		t.Error("lookups differ from insertions")
	}
	if i, ok := s.Find(slices.Repeat([]uint64{1 << 63}, s.words)); ok {
		t.Errorf("a key that was not inserted is number %d", i)
	}
}

// TestLimits fills sets up to their limits, where they must not change.
func TestLimits(t *testing.T) {
	for want, limits := range map[error]Limits{ErrFull: {Bytes: 3 << 20}, ErrMany: {Keys: 777}} {
		s := NewSet(1, limits)
		var err error
		n := 0
		for ; err == nil && n < 10_000_000; n++ {
			_, _, err = s.Insert([]uint64{uint64(n)})
		}
		if !errors.Is(err, want) || s.Len() != n-1 || limits.Bytes > 0 && s.Bytes() > limits.Bytes {
			t.Errorf("after %d: %v, %d keys, %d bytes", n, err, s.Len(), s.Bytes())
		}
		if i, isNew, err := s.Insert([]uint64{5}); i != 5 || isNew || err != nil {
			t.Errorf("a key that is there: %d %v %v", i, isNew, err)
		}
	}
}

// Each key of the benchmarks occurs about three times, as in a search.
const benchKeys, benchDifferent = 3 << 20, 1 << 20

func BenchmarkSet(b *testing.B) {
	keys, found := randomKeys(benchKeys, 1, benchDifferent), make([]int, benchKeys)
	b.Run("one by one", func(b *testing.B) {
		for b.Loop() {
			s := NewSet(1, Limits{})
			for i := range benchKeys {
				found[i], _, _ = s.Insert(keys[i : i+1])
			}
		}
		perKey(b)
	})
	b.Run("batch", func(b *testing.B) {
		for b.Loop() {
			s := NewSet(1, Limits{})
			_, _ = s.InsertAll(keys, found)
		}
		perKey(b)
	})
	b.Run("map", func(b *testing.B) {
		for b.Loop() {
			m := map[[1]uint64]uint32{}
			for _, k := range keys {
				if _, ok := m[[1]uint64{k}]; !ok {
					m[[1]uint64{k}] = uint32(len(m))
				}
			}
		}
		perKey(b)
	})
}

func perKey(b *testing.B) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/benchKeys, "ns/key")
}

func BenchmarkPack(b *testing.B) {
	sys := rulestest.Kalah(6, 4, false)
	c, _ := NewCodec(sys, 48, rules.Parts{})
	f, key := NewFlat(sys), make([]uint64, c.Words())
	f.Set(rulestest.KalahStart(sys, 4))
	b.Run("pack", func(b *testing.B) {
		for b.Loop() {
			_ = c.Pack(f, key)
		}
	})
	b.Run("unpack", func(b *testing.B) {
		for b.Loop() {
			c.Unpack(key, f)
		}
	})
}
