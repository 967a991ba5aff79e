package rows

import (
	"math/rand/v2"
	"testing"
)

// TestTurn: states that were added row by row of one territory are found in those of the other.
func TestTurn(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		rows, columns, rare := 1+rng.IntN(200), 1+rng.IntN(200), 1+rng.IntN(100)
		b := &block{fresh: newMatrix(rows, columns), turned: newMatrix(columns, rows)}
		want := newMatrix(rows, columns)
		for range 3 { // with states that are there already
			for r := range uint32(rows) {
				for c := range uint32(columns) {
					if rng.IntN(rare) == 0 {
						b.turned.add(c, r)
						want.add(r, c)
					}
				}
			}
			b.turn()
			for i, w := range want.bits {
				if b.fresh.bits[i] != w {
					t.Fatalf("%d×%d, word %d: %x, want %x", rows, columns, i, b.fresh.bits[i], w)
				}
			}
			for r, dirty := range want.dirty {
				if b.fresh.dirty[r] != dirty {
					t.Fatalf("%d×%d: row %d is dirty: %v", rows, columns, r, !dirty)
				}
			}
			for i, w := range b.turned.bits {
				if w != 0 {
					t.Fatalf("%d×%d: word %d is left", rows, columns, i)
				}
			}
		}
	}
}
