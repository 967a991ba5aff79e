package coverage

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestTally: the sums are those of counting each bit, also beyond what the digits hold.
func TestTally(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	sum, want := newTally(2), make([]int64, 128)
	for range 1<<planes + 1000 {
		words := []uint64{random.Uint64() & random.Uint64(), 1 << 63}
		sum.add(words)
		for bit := range want {
			want[bit] += int64(words[bit/64] >> (bit % 64) & 1)
		}
	}
	for range 2 { // to read the sums does not change them
		got := make([]int64, 128)
		if sum.flush(got); !slices.Equal(got, want) {
			t.Fatalf("%v, want %v", got, want)
		}
	}
}
