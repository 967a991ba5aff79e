package endgame

import (
	"context"
	"fmt"
	"math"
	"math/bits"
	"sync"
	"sync/atomic"
)

// A lane is what is known of a position: in the high byte the best that its moves are worth, to the
// player to move, and in the low byte how many steps lead to positions that are not decided, or one
// of the following.
const (
	mostSteps = 253
	decided   = 254 // the position is worth the high byte
	replayed  = 255 // moves have to be played again: there is no room for the steps, or they are too many
)

// never is more than anything is worth.
const never = 127

// chunk is the number of positions that a thread takes at a time, where no moves are played.
const chunk = 1 << 16

// lane returns what is known of a position.
func (g *graph) lane(number uint64) (best int8, count uint8) {
	lane := atomic.LoadUint32(&g.lanes[number>>1]) >> (number & 1 * 16)
	return int8(lane >> 8), uint8(lane)
}

// put notes the first that is known of a position.
func (g *graph) put(number uint64, best int8, count uint8) {
	atomic.OrUint32(&g.lanes[number>>1], (uint32(uint8(best))<<8|uint32(count))<<(number&1*16))
}

// change changes what is known of a position.
func (g *graph) change(number uint64, f func(best int8, count uint8) (int8, uint8)) {
	at, shift := &g.lanes[number>>1], number&1*16
	for {
		word := atomic.LoadUint32(at)
		best, count := f(int8(word>>shift>>8), uint8(word>>shift))
		to := word&^(math.MaxUint16<<shift) | (uint32(uint8(best))<<8|uint32(count))<<shift
		if atomic.CompareAndSwapUint32(at, word, to) {
			return
		}
	}
}

// tell notes that a position has been decided, for those before it.
func (g *graph) tell(number uint64) {
	atomic.OrUint64(&g.news[number/64], 1<<(number%64))
	if !g.fresh.Load() {
		g.fresh.Store(true)
	}
}

// wins decides positions that have a move worth at least win.
func (g *graph) wins(win int8) error {
	return g.chunks(func(first, end uint64) {
		for n := first; n < end; n++ {
			best, count := g.lane(n)
			if best < win || count == decided {
				continue
			}
			g.change(n, func(best int8, _ uint8) (int8, uint8) { return best, decided })
			g.tell(n)
			if count == replayed {
				g.again.Add(math.MaxUint64)
			}
		}
	})
}

// drain passes what is decided to the predecessors, until nothing more is decided.
func (g *graph) drain(win int8) error {
	var more atomic.Bool
	for {
		more.Store(false)
		err := g.chunks(func(first, end uint64) {
			known := 0
			var batch []lesson
			for i := first / 64; i < (end+63)/64; i++ {
				if atomic.LoadUint64(&g.news[i]) == 0 {
					continue
				}
				set := atomic.SwapUint64(&g.news[i], 0)
				known += bits.OnesCount64(set)
				for ; set != 0; set &= set - 1 {
					batch = g.pass(i*64+uint64(bits.TrailingZeros64(set)), batch, win)
				}
			}
			g.teach(batch, win)
			if known > 0 {
				g.remaining.Add(-uint64(known))
				more.Store(true)
			}
		})
		if err != nil || !more.Load() {
			return err
		}
	}
}

// lesson is what a position learns: what a step of it is worth.
type lesson struct {
	number uint32
	worth  int8
}

// pass adds what the positions before a decided one learn, and teaches them all when there are
// enough.
func (g *graph) pass(number uint64, batch []lesson, win int8) []lesson {
	worth, _ := g.lane(number)
	for _, s := range g.before(number) {
		batch = append(batch, lesson{s >> 1, turn(worth, s&turned != 0)})
	}
	if len(batch) < atOnce {
		return batch
	}
	g.teach(batch, win)
	return batch[:0]
}

// teach passes positions what is known of their successors. Their lanes are all read at the same
// time, as they are changed one by one.
func (g *graph) teach(batch []lesson, win int8) {
	for _, l := range batch {
		_ = atomic.LoadUint32(&g.lanes[l.number>>1])
	}
	for _, l := range batch {
		g.learn(uint64(l.number), l.worth, win)
	}
}

// learn notes that a step of a position leads to a decided one.
func (g *graph) learn(number uint64, worth, win int8) {
	done := false
	g.change(number, func(best int8, count uint8) (int8, uint8) {
		switch {
		case count > mostSteps:
			done = false
			return best, count
		case worth == noFuture:
			done = true
			return noFuture, decided
		}
		best, count = max(best, worth), count-1
		if done = count == 0 || best >= win; done {
			count = decided
		}
		return best, count
	})
	if done {
		g.tell(number)
	}
}

// replay plays the moves of positions that have no steps here again.
func (g *graph) replay(win int8) error {
	open := func(rank uint64, _ []uint64) bool {
		_, count := g.lane(g.number(rank))
		return count == replayed
	}
	return g.sweep(fmt.Sprintf("again for %+d", win), func(w *worker, unit int) error {
		within := func(step int) (int8, bool) {
			number := w.numbers[step]
			v, count := g.lane(number >> 1)
			return turn(v, number&turned != 0), count == decided
		}
		return g.plays(w, unit, open, func() {
			for i := range w.spare {
				number := g.number(w.spare[i].rank)
				best, others := w.sum(i, within)
				if others > 0 && best < win {
					g.change(number, func(int8, uint8) (int8, uint8) { return best, replayed })
					continue
				}
				g.change(number, func(int8, uint8) (int8, uint8) { return best, decided })
				g.tell(number)
				g.again.Add(math.MaxUint64)
			}
		})
	})
}

// bestPending is the most that a known move of a position is worth that is not decided.
func (g *graph) bestPending() (bestPending int8, err error) {
	var mutex sync.Mutex
	bestPending = pending
	err = g.chunks(func(first, end uint64) {
		best := int8(pending)
		for n := first; n < end; n++ {
			if v, count := g.lane(n); count != decided {
				best = max(best, v)
			}
		}
		mutex.Lock()
		defer mutex.Unlock()
		bestPending = max(bestPending, best)
	})
	return bestPending, err
}

// finish notes the futures of the positions that were pending: those that are not decided get rest.
func (g *graph) finish(rest byte) error {
	return sweep(g.b.ctx, g.layer, g.b.workers, func(w *worker, unit int) error {
		return w.each(g.layer, unit, func(rank uint64, key []uint64) error {
			if best, count := g.lane(g.number(rank)); count != decided {
				g.futures[rank] = rest
			} else {
				g.futures[rank] = mark(turn(best, !w.positions.Maximizes(key)))
			}
			return nil
		})
	})
}

// chunks calls f for all numbers, some at a time, by several threads.
func (g *graph) chunks(f func(first, end uint64)) error {
	n := int((g.positions + chunk - 1) / chunk)
	return share(g.b.ctx, g.b.workers, n, func(_ context.Context, _ *worker, i int) error {
		first := uint64(i) * chunk
		f(first, min(first+chunk, g.positions))
		return nil
	})
}
