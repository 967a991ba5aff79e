package sorted

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// widths are the numbers of words that tests use.
var widths = []int{1, 2, 5}

// records draws keys of w words, many of them close to each other or equal.
func records(w int) *rapid.Generator[[]uint64] {
	return rapid.Custom(func(t *rapid.T) []uint64 {
		n := rapid.IntRange(1, 300).Draw(t, "keys")
		masks := rapid.SliceOfN(rapid.SampledFrom([]uint64{0, 3, 0xf0, 0xff00ff, 1 << 63, ^uint64(0)}), w, w).Draw(t, "masks")
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		keys := make([]uint64, 0, n*w)
		for range n {
			for _, m := range masks {
				keys = append(keys, r.Uint64()&m)
			}
		}
		return keys
	})
}

// inOrder returns the different keys in order, found without Sort.
func inOrder(keys []uint64, w int) []uint64 {
	list := slices.Collect(slices.Chunk(slices.Clone(keys), w))
	slices.SortFunc(list, slices.Compare)
	return slices.Concat(slices.CompactFunc(list, slices.Equal)...)
}

func TestSort(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := rapid.SampledFrom(widths).Draw(t, "words")
		keys := records(w).Draw(t, "keys")
		want := inOrder(keys, w)
		Sort(keys, make([]uint64, len(keys)), w)
		if got := Unique(keys, w); !slices.Equal(got, want) {
			t.Fatalf("%x, want %x", got, want)
		}
	})
}

// TestSortMany sorts more keys than the widest digit has values, and none.
func TestSortMany(t *testing.T) {
	for _, w := range widths {
		Sort(nil, nil, w)
		keys := randomKeys(100_000, w, 1<<40)
		want := inOrder(keys, w)
		Sort(keys, make([]uint64, len(keys)), w)
		if !slices.Equal(Unique(keys, w), want) {
			t.Errorf("keys of %d words are not sorted", w)
		}
	}
}

func TestBlock(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := rapid.SampledFrom(widths).Draw(t, "words")
		keys := inOrder(records(w).Draw(t, "keys"), w)
		block := make([]byte, blockRoom(len(keys)/w, w))
		n := encode(block, keys, w)
		got := make([]uint64, len(keys))
		copy(got, keys[:w])
		if err := decode(got, w, block[:n+slack]); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got, keys) {
			t.Fatalf("%x, want %x", got, keys)
		}
	})
}

// randomKeys returns n keys in no order, each word below most, with a few bits in each byte as in
// packed states.
func randomKeys(n, w int, most uint64) []uint64 {
	r := rand.New(rand.NewPCG(uint64(n), most))
	keys := make([]uint64, n*w)
	for i := range keys {
		keys[i] = r.Uint64() % most & 0x3f1f0f3f1f0f3f1f
	}
	return keys
}

func perKey(b *testing.B, keys int) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(keys), "ns/key")
}

func BenchmarkSort(b *testing.B) {
	const n = 4 << 20
	for _, w := range widths {
		all := randomKeys(n, w, 1<<63)
		keys, tmp := make([]uint64, len(all)), make([]uint64, len(all))
		b.Run(string(rune('0'+w)), func(b *testing.B) {
			for b.Loop() {
				copy(keys, all)
				Sort(keys, tmp, w)
			}
			perKey(b, n)
		})
	}
}

func BenchmarkBlock(b *testing.B) {
	const n = 4096
	for _, w := range widths {
		keys := inOrder(randomKeys(n, w, 1<<30), w)
		block := make([]byte, blockRoom(n, w))
		size := encode(block, keys, w)
		b.Run("encode/"+string(rune('0'+w)), func(b *testing.B) {
			for b.Loop() {
				encode(block, keys, w)
			}
			perKey(b, n)
		})
		b.Run("decode/"+string(rune('0'+w)), func(b *testing.B) {
			for b.Loop() {
				if err := decode(keys, w, block[:size+slack]); err != nil {
					b.Fatal(err)
				}
			}
			perKey(b, n)
		})
	}
}
