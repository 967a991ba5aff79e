package rows

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestTurn: states that were added row by row of one territory are found in those of the other.
func TestTurn(t *testing.T) {
	rng, p := rand.New(rand.NewPCG(1, 2)), &pool{free: map[int][][]uint64{}}
	add := func(m *matrix, row, bit int) { m.row(p, row)[bit>>6] |= 1 << (bit & 63) }
	for range 200 {
		rows, columns, rare := 1+rng.IntN(200), 1+rng.IntN(200), 1+rng.IntN(100)
		b := &block{fresh: newMatrix(rows, columns), turned: newMatrix(columns, rows)}
		want := newMatrix(rows, columns)
		for range 3 { // with states that are there already
			for r := range rows {
				for c := range columns {
					if rng.IntN(rare) == 0 {
						add(&b.turned, c, r)
						add(&want, r, c)
					}
				}
			}
			b.turn(p)
			for r := range rows {
				if !slices.Equal(b.fresh.at(r), want.at(r)) {
					t.Fatalf("%d×%d, row %d: %x, want %x", rows, columns, r, b.fresh.at(r), want.at(r))
				}
			}
			if slices.Contains(b.turned.dirty, true) || slices.ContainsFunc(b.turned.pages, func(p []uint64) bool { return p != nil }) {
				t.Fatalf("%d×%d: states are left", rows, columns)
			}
		}
		p.put(&b.fresh, false)
		p.put(&want, false)
	}
	for n, list := range p.free {
		for _, page := range list {
			if len(page) != n || slices.ContainsFunc(page, func(w uint64) bool { return w != 0 }) {
				t.Fatal("a page that was put back is not empty")
			}
		}
	}
}
