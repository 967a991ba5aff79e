package disk

import (
	"math/rand/v2"
	"testing"
)

// BenchmarkLevel measures a level with as many candidates as known keys, half of them new, in a
// tenth of the memory that they would take.
func BenchmarkLevel(b *testing.B) {
	const n, batch = 4 << 20, 1 << 10
	for _, w := range widths {
		b.Run(string(rune('0'+w)), func(b *testing.B) {
			s, err := Open(b.Context(), b.TempDir(), Options{Words: w, Memory: n * 8 / 10 * int64(w), Threads: 1})
			if err != nil {
				b.Fatal(err)
			}
			defer s.Close()
			r := rand.New(rand.NewPCG(1, 1))
			keys := make([]uint64, batch*w)
			level := func() {
				for range n / batch {
					for i := range keys {
						keys[i] = r.Uint64() & 0x1f0f3f1f0f3f1f & (1<<40 - 1)
					}
					if err := s.Adder(0).Add(keys); err != nil {
						b.Fatal(err)
					}
				}
				if _, err := s.Settle(0); err != nil {
					b.Fatal(err)
				}
			}
			level()
			for b.Loop() {
				level()
			}
			perKey(b, n)
		})
	}
}

func perKey(b *testing.B, keys int) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(keys), "ns/key")
}
