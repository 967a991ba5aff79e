package endgame

import (
	"context"
	"fmt"
	"math"
	"math/bits"
	"sync/atomic"

	"github.com/mancheck/mancheck/checker/value"
	"github.com/mancheck/mancheck/internal/huge"
)

// Where a layer is not evaluated by rows and positions are pending, play may come back to one of
// them. Their moves are played once, and the steps within the layer are kept. First a position is
// decided when all positions that its steps lead to are, or one of these has no future. Those that
// stay pending are the ones from which play may go on for ever. Their futures are found by passes,
// as by rows: passes.go has the proof.
//
// In a pass only those positions are evaluated that a step leads from to a position whose value has
// changed. If there is no room to know these, all are evaluated, and if there is no room for the
// steps of a position, its moves are played again in each pass.

// cycles is the work on the pending positions of a layer. It has them by their numbers.
type cycles struct {
	*layer
	b          *builder
	out        *Layer
	maximizing []bool // by control: the player to move is the first one
	memory     []*huge.Words
	values     []byte        // for the player to move; pending while positions are decided
	best       []byte        // the best of the moves that are no steps
	count      []byte        // the number of steps; replayed: they are not kept
	at         []uint32      // where steps begin
	steps      []uint32      // numbers of positions that a move leads to, each with turned in the last bit
	used       atomic.Uint64 // of steps, or more
	ends       []uint32      // where those before a position end in before; nil: there is no room
	before     []uint32      // numbers of positions that steps lead from
	stale      []uint64      // positions that have to be evaluated, as bits
	again      []int         // units with moves that are played again
	without    atomic.Uint64 // positions whose moves are played again
	due        []uint32      // the positions in hand
	updates    [updatesAtOnce][]update
}

// update is a value that a position gets.
type update struct {
	number uint64
	value  int8
}

const (
	// turned says that the other player moves after a step.
	turned = 1
	// replayed is more than the steps of a position that are kept.
	replayed = math.MaxUint8
	// keptBytes is the memory of a position whose steps are kept, besides these.
	keptBytes = 1 + 4
	// mostKept bounds the steps of a position, on average, that are kept.
	mostKept = 16
	// updatesAtOnce is the number of lists of updates that are found at a time, and chunk is the
	// number of positions of each.
	updatesAtOnce = 16
	chunk         = 1 << unitBits
)

// cycles finds the futures of the positions of a layer that are pending.
func (b *builder) cycles(l *layer, out *Layer) error {
	g, err := b.newCycles(l, out)
	if err != nil {
		return err
	}
	defer g.free()
	if err := g.play(); err != nil {
		return err
	}
	g.reverse()
	g.each(func(number, rank uint64, maximizing bool) {
		g.values[number] = mark(pending)
		if f := int8(g.futures[rank]); f != pending {
			g.values[number] = byte(turn(f, !maximizing))
		}
	})
	if err := g.run(true); err != nil {
		return err
	}
	if err := g.endless(); err != nil {
		return err
	}
	g.pending(func(number, _ uint64, _ bool) { g.values[number] = 0 })
	if err := g.run(false); err != nil {
		return err
	}
	g.pending(func(number, rank uint64, maximizing bool) {
		g.futures[rank] = mark(turn(int8(g.values[number]), !maximizing))
	})
	return nil
}

// newCycles makes room for all but the positions before others.
func (b *builder) newCycles(l *layer, out *Layer) (*cycles, error) {
	g := &cycles{layer: l, b: b, out: out}
	n, need := g.positions(), g.need()
	if need > uint64(b.memory) {
		return nil, &MemoryError{Seeds: b.Seeds(), Need: need, Have: b.memory}
	}
	g.values, g.count, g.stale = g.bytes(n), g.bytes(n), g.words((n+63)/64).Slots
	if kept := need + keptBytes*n; kept < uint64(b.memory) && n <= math.MaxUint32/2 {
		g.best, g.at = g.bytes(n), g.halves(n)
		g.steps = g.halves(min((uint64(b.memory)-kept)/4, mostKept*n, math.MaxUint32))
	}
	w, words := b.workers[0], b.positions.Words()
	w.place(l, l.first)
	for c := range l.controls {
		g.maximizing = append(g.maximizing, b.positions.Maximizes(w.keys[int(c)*words:][:words]))
	}
	return g, nil
}

// positions is the number of positions of the layer.
func (g *cycles) positions() uint64 { return g.size * g.controls }

// need is how much memory is needed if no steps are kept.
func (g *cycles) need() uint64 {
	n := g.positions()
	return uint64(len(g.futures)) + 2*n + (n+63)/64*8
}

func (g *cycles) words(n uint64) *huge.Words {
	w := huge.New(int(n))
	g.memory = append(g.memory, w)
	return w
}

func (g *cycles) halves(n uint64) []uint32 { return g.words((n + 1) / 2).Halves()[:n] }
func (g *cycles) bytes(n uint64) []byte    { return g.words((n + 7) / 8).Bytes()[:n] }

// free gives the memory back.
func (g *cycles) free() {
	for _, w := range g.memory {
		w.Free()
	}
}

// each calls f for the positions of the layer, by ranks.
func (g *cycles) each(f func(number, rank uint64, maximizing bool)) {
	number := uint64(0)
	for c := range g.controls {
		for board := range g.size {
			f(number, c*g.boards+g.first+board, g.maximizing[c])
			number++
		}
	}
}

// pending calls f for the positions that are pending, by ranks.
func (g *cycles) pending(f func(number, rank uint64, maximizing bool)) {
	g.each(func(number, rank uint64, maximizing bool) {
		if int8(g.futures[rank]) == pending {
			f(number, rank, maximizing)
		}
	})
}

// play plays the moves of the positions, and keeps their steps as far as there is room.
func (g *cycles) play() error {
	again := make([]bool, g.units())
	err := sweep(g.b.ctx, g.layer, g.b.workers, func(w *worker, unit int) error {
		return g.plays(w, unit, func(number uint64, best int8, steps []uint64) {
			n := uint64(len(steps))
			at := g.used.Add(n) - n
			if n >= replayed || at+n > uint64(len(g.steps)) {
				g.count[number], again[unit] = replayed, true
				g.without.Add(1)
				return
			}
			g.best[number], g.count[number], g.at[number] = byte(best), byte(n), uint32(at)
			for i, to := range steps {
				g.steps[at+uint64(i)] = uint32(to)
			}
		})
	})
	for unit, is := range again {
		if is {
			g.again = append(g.again, unit)
		}
	}
	g.out.Sweeps++
	g.observe(g.positions(), "moves")
	return err
}

// plays plays the moves of the pending positions of a unit whose steps are not kept, and calls f
// with what they are worth. Positions without steps get their futures.
func (g *cycles) plays(w *worker, unit int, f func(number uint64, best int8, steps []uint64)) error {
	words := len(w.key)
	unknown := func(int) (int8, bool) { return 0, false }
	open := func(rank uint64, _ []uint64) bool {
		n := g.count[g.number(rank)]
		return int8(g.futures[rank]) == pending && (n == 0 || n == replayed)
	}
	return w.plays(g.layer, unit, open, func() {
		for i := range w.spare {
			p := &w.spare[i]
			best, others := w.sum(i, unknown)
			if others == 0 {
				g.futures[p.rank] = mark(turn(best, !p.maximizing))
				continue
			}
			w.steps = w.steps[:0]
			from, end := w.stepsOf(i)
			for s := from; s < end; s++ {
				if w.worth[s] != inLayer {
					continue
				}
				to := g.number(w.entries[s]&^value.Negated) << 1
				if w.positions.Maximizes(w.batch.Keys[s*words:][:words]) != p.maximizing {
					to |= turned
				}
				w.steps = append(w.steps, to)
			}
			f(g.number(p.rank), best, w.steps)
		}
	})
}

// stepsOf returns the steps of a position that are kept.
func (g *cycles) stepsOf(number uint64) []uint32 {
	n := g.count[number]
	if n == replayed {
		return nil
	}
	return g.steps[g.at[number]:][:n]
}

// reverse finds the positions before each, if there is room.
func (g *cycles) reverse() {
	n, steps := g.positions(), min(g.used.Load(), uint64(len(g.steps)))
	if len(g.steps) == 0 || g.need()+keptBytes*n+4*(n+2*steps) > uint64(g.b.memory) {
		return
	}
	g.ends, g.before = g.halves(n), g.halves(steps)
	for i := range n {
		for _, to := range g.stepsOf(i) {
			g.ends[to>>1]++
		}
	}
	sum := uint32(0)
	for i, k := range g.ends {
		g.ends[i], sum = sum, sum+k
	}
	for i := range n {
		for _, to := range g.stepsOf(i) {
			g.before[g.ends[to>>1]] = uint32(i)
			g.ends[to>>1]++
		}
	}
}

// endless counts the positions from which play may go on for ever: those that are still pending.
func (g *cycles) endless() error {
	left, least := uint64(0), ^uint64(0)
	g.pending(func(_, rank uint64, _ bool) {
		left++
		least = min(least, rank)
	})
	if g.out.Cyclic = left * g.images; left == 0 || g.b.positions.EndlessWinsNothing() {
		return nil
	}
	return Refusal(g.b.positions, g.b.payoff, g.seeds, least)
}

// run makes passes until nothing changes. deciding says that positions are decided.
func (g *cycles) run(deciding bool) error {
	g.restart()
	for {
		updated, err := g.pass(deciding)
		if updated == 0 || err != nil {
			return err
		}
		g.out.Sweeps++
		g.observe(updated, fmt.Sprintf("pass %d", g.out.Sweeps))
		if g.ends == nil {
			g.restart()
		}
	}
}

// restart makes all pending positions stale whose steps are kept.
func (g *cycles) restart() {
	g.pending(func(number, _ uint64, _ bool) {
		if g.count[number] != replayed {
			g.stale[number/64] |= 1 << (number % 64)
		}
	})
}

// pass evaluates positions, some at a time, and returns how many values it has replaced.
func (g *cycles) pass(deciding bool) (updated uint64, err error) {
	for at := 0; at < len(g.stale) && err == nil; {
		at = g.take(at)
		err = g.update(deciding, &updated, (len(g.due)+chunk-1)/chunk, func(_ *worker, i int, list []update) ([]update, error) {
			for _, n := range g.due[i*chunk : min((i+1)*chunk, len(g.due))] {
				v := int8(g.values[n])
				if v != noFuture {
					v = evaluate(deciding, int8(g.best[n]), g.stepsOf(uint64(n)), g.values)
				}
				if v != int8(g.values[n]) {
					list = append(list, update{uint64(n), v})
				}
			}
			return list, nil
		})
	}
	for units := g.again; len(units) > 0 && err == nil; {
		some := units[:min(len(units), updatesAtOnce)]
		units = units[len(some):]
		err = g.update(deciding, &updated, len(some), func(w *worker, i int, list []update) ([]update, error) {
			err := g.plays(w, some[i], func(number uint64, best int8, steps []uint64) {
				if v := evaluate(deciding, best, steps, g.values); v != int8(g.values[number]) {
					list = append(list, update{number, v})
				}
			})
			return list, err
		})
	}
	return updated, err
}

// take takes stale positions in hand, and returns where to go on.
func (g *cycles) take(at int) int {
	g.due = g.due[:0]
	for ; at < len(g.stale) && len(g.due) <= updatesAtOnce*chunk-64; at++ {
		for set := g.stale[at]; set != 0; set &= set - 1 {
			g.due = append(g.due, uint32(at*64+bits.TrailingZeros64(set)))
		}
		g.stale[at] = 0
	}
	return at
}

// update calls f for n lists of updates, and then replaces the values.
func (g *cycles) update(deciding bool, updated *uint64, n int, f func(w *worker, i int, list []update) ([]update, error)) error {
	err := share(g.b.ctx, g.b.workers, n, func(_ context.Context, w *worker, i int) (err error) {
		g.updates[i], err = f(w, i, g.updates[i][:0])
		return err
	})
	if err != nil {
		return err
	}
	for _, list := range g.updates[:n] {
		*updated += uint64(len(list))
		for _, u := range list {
			g.replace(deciding, u)
		}
	}
	return nil
}

// replace replaces a value. Those before the position are stale then.
func (g *cycles) replace(deciding bool, u update) {
	g.values[u.number] = byte(u.value)
	if deciding {
		control := u.number / g.size
		g.futures[control*g.boards+g.first+u.number%g.size] = mark(turn(u.value, !g.maximizing[control]))
	}
	if g.ends == nil {
		return
	}
	from := uint32(0)
	if u.number > 0 {
		from = g.ends[u.number-1]
	}
	for _, n := range g.before[from:g.ends[u.number]] {
		g.stale[n/64] |= 1 << (n % 64)
	}
}

// evaluate returns what the best move of a position is worth. While positions are decided, that is
// pending if a step leads to a position that is not decided yet.
func evaluate[E uint32 | uint64](deciding bool, best int8, steps []E, values []byte) int8 {
	waits := false
	for _, to := range steps {
		switch v := int8(values[to>>1]); {
		case v == noFuture:
			return noFuture
		case deciding && v == pending:
			waits = true
		default:
			best = max(best, turn(v, to&turned != 0))
		}
	}
	if waits {
		return pending
	}
	return best
}

// observe reports how far the work has got.
func (g *cycles) observe(left uint64, work string) {
	if n := g.without.Load(); n > 0 {
		work = fmt.Sprintf("%s; no room for the moves of %d positions", work, n)
	}
	g.b.observe(*g.out, left, work)
}
