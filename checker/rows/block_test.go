package rows

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestTurn: states that were added row by row of one territory are found in those of the other.
func TestTurn(t *testing.T) {
	rng, p := rand.New(rand.NewPCG(1, 2)), newPool()
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
				if got, w := rowOf(&b.fresh, r), rowOf(&want, r); !slices.Equal(got, w) {
					t.Fatalf("%d×%d, row %d: %x, want %x", rows, columns, r, got, w)
				}
			}
			if slices.ContainsFunc(b.turned.chunks, func(c *chunk) bool { return c != nil }) {
				t.Fatalf("%d×%d: states are left", rows, columns)
			}
		}
		p.put(&b.fresh, false)
		p.put(&want, false)
	}
	for n, list := range p.pages {
		for _, page := range list {
			if len(page) != n || slices.ContainsFunc(page, func(w uint64) bool { return w != 0 }) {
				t.Fatal("a page that was put back is not empty")
			}
		}
	}
}

// rowOf returns a row, or nil if it is empty.
func rowOf(m *matrix, n int) []uint64 {
	if c := m.chunks[n>>6]; c == nil || c.dirty>>(n&63)&1 == 0 {
		return nil
	}
	return m.at(n)
}
