package endgame

import (
	"context"

	"github.com/mancheck/mancheck/checker/value"
	"github.com/mancheck/mancheck/rules"
)

// Each calls look with each live position that has so many seeds in play, and its future: what the
// first player still wins from there on. known is false if the table has none. Pits whose seeds are
// out of play are empty. It ends early with an error of look, that of the context, or one of
// reading the table.
func (t *Table) Each(ctx context.Context, seeds int, look func(st rules.State, future int, known bool) error) error {
	w, l := newWorker(ctx, t), t.whole(seeds)
	for unit := range l.units() {
		if err := ctx.Err(); err != nil {
			return err
		}
		err := w.each(l, unit, func(_ uint64, key []uint64) error {
			f := l.futureOf(w, key)
			return look(w.positions.State(key), f, f != value.NoFuture)
		})
		if err != nil {
			return err
		}
	}
	return t.Err()
}

// Pits lists the pits whose seeds are in play.
func (t *Table) Pits() []int { return t.positions.Pits() }
