package endgame

import (
	"cmp"
	"context"
	"errors"
	"math"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/checker/residual"
	"github.com/mancheck/mancheck/checker/value"
	"github.com/mancheck/mancheck/rules/interp"
)

// worker evaluates positions. A goroutine needs its own.
//
// It takes some positions at a time: their moves are found, then the ranks of all positions that
// these lead to, so that the processor waits for the bytes of many of them at the same time.
type worker struct {
	positions *value.Positions
	stepper   *residual.Stepper
	key       []uint64
	keys      []uint64 // of a board, for each control
	batch     pack.Batch
	spare     []position
	entries   []uint64 // of what steps lead to
	worth     []int16  // of steps
	steps     []uint64 // of a position, within the layer
}

// position is a position that is evaluated.
type position struct {
	rank       uint64
	end        int // of its steps in the batch; it has none if a move is a fault of the rules
	maximizing bool
}

// atOnce is the number of positions that are taken at a time.
const atOnce = 64

func newWorker(ctx context.Context, t *Table) *worker {
	p := t.positions.Clone()
	controls := int(p.Ranker.Live() / p.Ranker.Boards()) // of both players, which are checked
	return &worker{positions: p, stepper: p.Stepper(ctx), key: make([]uint64, p.Words()), keys: make([]uint64, controls*p.Words())}
}

// add adds the position with this rank and key.
func (w *worker) add(rank uint64, key []uint64) error {
	before := len(w.batch.Actions)
	p := position{rank: rank, maximizing: w.positions.Maximizes(key)}
	if err := w.stepper.Expand(key, &w.batch); err != nil {
		if !errors.As(err, new(*interp.RuleError)) {
			return err
		}
		w.batch.Keys, w.batch.Actions = w.batch.Keys[:before*len(key)], w.batch.Actions[:before]
	}
	p.end = len(w.batch.Actions)
	w.spare = append(w.spare, p)
	return nil
}

// look finds what the steps are worth, except those within the layer.
func (w *worker) look(l *layer) error {
	w.entries = w.positions.Find(w.batch.Keys, w.entries[:0])
	words := len(w.key)
	w.worth = w.worth[:0]
	for i, e := range w.entries {
		to := w.batch.Keys[i*words:][:words:words]
		if w.positions.Over(to) {
			v, ok, err := w.positions.Ended(to)
			if err != nil {
				return err
			}
			if !ok {
				v = noFuture
			}
			w.worth = append(w.worth, int16(v))
			continue
		}
		if l.board(e&^value.Negated) >= l.first {
			w.worth = append(w.worth, inLayer)
			continue
		}
		v := int16(l.future(e))
		if v != noFuture {
			v += int16(w.positions.Won(to))
		}
		w.worth = append(w.worth, v)
	}
	return nil
}

// inLayer says that a step leads to a position of the same layer. Nothing is won by it, as whatever
// is won leaves play.
const inLayer = math.MinInt16

// turn is a worth for the other player.
func turn(v int8, other bool) int8 {
	if other && v != noFuture {
		return -v
	}
	return v
}

// share calls f for 0, 1, …, n-1, begun in this order, by workers that work at the same time. After
// an error nothing more is begun, and the context of f ends. It returns the first error, or the
// cause for which the context has ended.
func share[W any](ctx context.Context, workers []W, n int, f func(ctx context.Context, w W, i int) error) error {
	group, within := errgroup.WithContext(ctx)
	var next atomic.Int64
	for _, w := range workers[:max(1, min(len(workers), n))] {
		group.Go(func() error {
			for i := int(next.Add(1) - 1); i < n && within.Err() == nil; i = int(next.Add(1) - 1) {
				if err := f(within, w, i); err != nil {
					return err
				}
			}
			return nil
		})
	}
	err := group.Wait()
	return cmp.Or(context.Cause(ctx), err) // the end of the context may be why a call failed
}
