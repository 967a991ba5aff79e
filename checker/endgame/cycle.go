package endgame

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/bits"
	"sync/atomic"

	"github.com/mancheck/mancheck/checker/value"
	"github.com/mancheck/mancheck/internal/huge"
)

// Where a layer is not evaluated by rows, the moves of its positions are played in the order of
// their boards. A position is decided when all positions that its moves lead to are, or one of
// these has no future. If some are left, play may come back to one of them, and their steps within
// the layer are kept. The positions that these decide are found by passes. Those that stay pending
// are the ones from which play may go on for ever. Their futures are found by passes from 0 on, as
// by rows: passes.go has the proof.
//
// In a pass only those positions are evaluated that a step leads from to a position whose value has
// changed. If there is no room to know these, all are evaluated, and if there is no room for the
// steps of a position, its moves are played again in each pass.

// cycles is the work on a layer by positions. It has them by their numbers.
type cycles struct {
	*layer
	b          *builder
	out        *Layer
	maximizing []bool // by control: the player to move is the first one
	memory     []*huge.Words
	best       []byte        // the best of the moves that are no steps, for the player to move
	count      []byte        // the number of steps; replayed: they are not kept; nil: there is no room
	at         []uint32      // where steps begin
	steps      []uint32      // ranks that moves lead to, each with turned in the last bit
	used       atomic.Uint64 // of steps, or more
	ends       []uint32      // where those before a position end in before; nil: there is no room
	before     []uint32      // numbers of positions that steps lead from
	open       []uint64      // positions that passes may evaluate, as bits
	deciding   bool          // a position is closed when it gets a future
	stale      []uint64      // positions that have to be evaluated, as bits
	again      []int         // units with moves that are played again
	without    atomic.Uint64 // positions whose moves are played again
	due        []uint32      // the positions in hand
	updates    [updatesAtOnce][]update
}

// update is a future that a position gets.
type update struct {
	number, rank uint64
	future       byte
}

const (
	// turned says that a future is negated to be that for the player who moves.
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

// byPositions finds the futures of the positions of a layer.
func (b *builder) byPositions(l *layer, out *Layer) error {
	g := b.newCycles(l, out)
	defer g.free()
	l.eachRange(func(first, end uint64) {
		for i := first; i < end; i++ {
			b.futures[i] = mark(pending)
		}
	})
	if err := g.play(); err != nil {
		return err
	}
	left, _ := g.pending(mark(pending))
	out.Sweeps++
	if left == 0 {
		g.observe(0, "")
		return nil
	}
	if g.observe(left, "moves"); g.count == nil {
		return &MemoryError{Seeds: b.Seeds(), Need: g.need(), Have: b.memory}
	}
	g.reverse()
	if err := g.run(true); err != nil {
		return err
	}
	left, least := g.pending(0)
	if out.Cyclic = left * g.images; left > 0 && !b.positions.EndlessWinsNothing() {
		return Refusal(b.positions, b.payoff, g.seeds, least)
	}
	return g.run(false)
}

// newCycles makes room for all but the positions before others.
func (b *builder) newCycles(l *layer, out *Layer) *cycles {
	g := &cycles{layer: l, b: b, out: out}
	w, words := b.workers[0], b.positions.Words()
	w.place(l, l.first)
	for c := range l.controls {
		g.maximizing = append(g.maximizing, b.positions.Maximizes(w.keys[int(c)*words:][:words]))
	}
	n, need := g.positions(), g.need()
	if need > uint64(b.memory) {
		return g
	}
	g.count, g.open, g.stale = g.bytes(n), g.words((n+63)/64).Slots, g.words((n+63)/64).Slots
	if kept := need + keptBytes*n; kept < uint64(b.memory) && uint64(len(b.futures)) <= math.MaxUint32/2 {
		g.best, g.at = g.bytes(n), g.halves(n)
		g.steps = g.halves(min((uint64(b.memory)-kept)/4, mostKept*n, math.MaxUint32))
	}
	return g
}

// positions is the number of positions of the layer.
func (g *cycles) positions() uint64 { return g.size * g.controls }

// need is how much memory is needed if no steps are kept.
func (g *cycles) need() uint64 {
	n := g.positions()
	return uint64(len(g.futures)) + n + 2*((n+63)/64*8)
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

// pending gives the positions that are pending a future, and opens them alone. It returns their
// number, and the least rank.
func (g *cycles) pending(future byte) (left, least uint64) {
	clear(g.open)
	number := uint64(0)
	g.eachRange(func(first, end uint64) {
		for rank := first; rank < end; rank++ {
			if int8(g.futures[rank]) == pending {
				if left++; left == 1 {
					least = rank
				}
				if g.futures[rank] = future; g.open != nil {
					g.open[number/64] |= 1 << (number % 64)
				}
			}
			number++
		}
	})
	return left, least
}

// play plays the moves of the positions, and keeps the steps of those that are left, as far as
// there is room. Another unit is only read after it has been passed, so its bytes do not change
// meanwhile; until then its positions are pending. At the end the positions that may have waited
// for units of lower boards are tried again. Where the layer below was cyclic this one probably is,
// and that would decide little.
func (g *cycles) play() error {
	again := make([]bool, g.units())
	open := func(rank uint64) bool { return int8(g.futures[rank]) == pending }
	g.passed = make([]atomic.Bool, g.units())
	err := share(g.b.ctx, g.b.workers, g.units(), func(_ context.Context, w *worker, unit int) (err error) {
		defer g.passed[unit].Store(true)
		keep := func(p *position, best int8, steps []uint64) { again[unit] = !g.keep(p, best, steps) || again[unit] }
		if g.seeds > 0 && g.b.layers[g.seeds-1].Cyclic > 0 {
			return g.plays(w, unit, open, func(int) bool { return false }, keep)
		}
		left := false
		err = g.plays(w, unit, open, func(u int) bool { return u == unit || g.passed[u].Load() }, func(*position, int8, []uint64) { left = true })
		if left && err == nil {
			err = g.plays(w, unit, open, func(u int) bool {
				if u < unit {
					g.wait(u)
				}
				return u <= unit || g.passed[u].Load()
			}, keep)
		}
		return err
	})
	for unit, is := range again {
		if is {
			g.again = append(g.again, unit)
		}
	}
	return err
}

// keep keeps the steps of a position, if there is room.
func (g *cycles) keep(p *position, best int8, steps []uint64) bool {
	if g.count == nil {
		return false
	}
	number, n := g.number(p.rank), uint64(len(steps))
	at := g.used.Add(n) - n
	if n >= replayed || at+n > uint64(len(g.steps)) {
		g.count[number] = replayed
		g.without.Add(1)
		return false
	}
	g.best[number], g.count[number], g.at[number] = byte(best), byte(n), uint32(at)
	for i, to := range steps {
		g.steps[at+uint64(i)] = uint32(to)
	}
	return true
}

// plays plays the moves of the positions of a unit for which open holds, in their order, and notes
// the futures of those that are decided, as those after them may need them. known says of which
// units futures are read. It calls rest with each other position, its steps to what is pending or
// not known, and the best of its other moves.
func (g *cycles) plays(w *worker, unit int, open func(rank uint64) bool, known func(unit int) bool,
	rest func(p *position, best int8, steps []uint64),
) error {
	some := func() error {
		if err := w.look(g.layer); err != nil {
			return err
		}
		from := 0
		for i := range w.spare {
			p := &w.spare[i]
			best, steps := g.sum(w, p, from, known)
			if from = p.end; len(steps) > 0 {
				rest(p, best, steps)
			} else {
				g.futures[p.rank] = mark(turn(best, !p.maximizing))
			}
		}
		w.batch.Reset()
		w.spare = w.spare[:0]
		return nil
	}
	err := w.each(g.layer, unit, func(rank uint64, key []uint64) error {
		if !open(rank) {
			return nil
		}
		if err := w.add(rank, key); err != nil || len(w.spare) < atOnce {
			return err
		}
		return some()
	})
	return cmp.Or(err, some())
}

// sum returns the best of the moves of a position, for the player to move, that lead to decided
// positions or elsewhere, and the steps of the others. Those of the position begin at from.
func (g *cycles) sum(w *worker, p *position, from int, known func(unit int) bool) (best int8, steps []uint64) {
	if from == p.end {
		return noFuture, nil
	}
	best, w.steps = pending, w.steps[:0]
	for s := from; s < p.end; s++ {
		v := int8(w.worth[s])
		if w.worth[s] == inLayer {
			e := w.entries[s]
			rank := e &^ value.Negated
			if !known(g.unit(rank)) || int8(g.futures[rank]) == pending {
				to := rank << 1
				if (e != rank) == p.maximizing {
					to |= turned
				}
				w.steps = append(w.steps, to)
				continue
			}
			v = negated(e, int8(g.futures[rank]))
		}
		if v == noFuture {
			return noFuture, nil
		}
		best = max(best, turn(v, !p.maximizing))
	}
	return best, w.steps
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
			g.ends[g.number(uint64(to>>1))]++
		}
	}
	sum := uint32(0)
	for i, k := range g.ends {
		g.ends[i], sum = sum, sum+k
	}
	for i := range n {
		for _, to := range g.stepsOf(i) {
			end := &g.ends[g.number(uint64(to>>1))]
			g.before[*end] = uint32(i)
			*end++
		}
	}
}

// run makes passes until nothing changes.
func (g *cycles) run(deciding bool) error {
	g.deciding = deciding
	copy(g.stale, g.open)
	for {
		updated, err := g.pass()
		if updated == 0 || err != nil {
			return err
		}
		g.out.Sweeps++
		g.observe(updated, fmt.Sprintf("pass %d", g.out.Sweeps))
		if g.ends == nil {
			copy(g.stale, g.open)
		}
	}
}

// pass evaluates positions, some at a time, and returns how many futures it has replaced.
func (g *cycles) pass() (updated uint64, err error) {
	for at := 0; at < len(g.stale) && err == nil; {
		at = g.take(at)
		err = g.update(&updated, (len(g.due)+chunk-1)/chunk, func(_ *worker, i int, list []update) ([]update, error) {
			for _, n := range g.due[i*chunk : min((i+1)*chunk, len(g.due))] {
				number := uint64(n)
				list = evaluate(g, list, number, g.rank(number), int8(g.best[n]), g.stepsOf(number))
			}
			return list, nil
		})
	}
	open := func(rank uint64) bool {
		n := g.number(rank)
		return g.count[n] == replayed && g.open[n/64]>>(n%64)&1 != 0
	}
	for units := g.again; len(units) > 0 && err == nil; {
		some := units[:min(len(units), updatesAtOnce)]
		units = units[len(some):]
		err = g.update(&updated, len(some), func(w *worker, i int, list []update) ([]update, error) {
			err := g.plays(w, some[i], open, func(int) bool { return false }, func(p *position, best int8, steps []uint64) {
				list = evaluate(g, list, g.number(p.rank), p.rank, best, steps)
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
			if n := at*64 + bits.TrailingZeros64(set); g.count[n] != replayed {
				g.due = append(g.due, uint32(n))
			}
		}
		g.stale[at] = 0
	}
	return at
}

// update calls f for n lists of updates, and then replaces the futures. What is before such a
// position is stale then.
func (g *cycles) update(updated *uint64, n int, f func(w *worker, i int, list []update) ([]update, error)) error {
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
			g.futures[u.rank] = u.future
			if g.deciding {
				g.open[u.number/64] &^= 1 << (u.number % 64)
			}
			if g.ends == nil {
				continue
			}
			from := uint32(0)
			if u.number > 0 {
				from = g.ends[u.number-1]
			}
			for _, n := range g.before[from:g.ends[u.number]] {
				g.stale[n/64] |= 1 << (n % 64)
			}
		}
	}
	return nil
}

// evaluate adds the future of a position to a list if it changes: the best of all moves. It stays
// pending if a step leads to a position that is pending.
func evaluate[E uint32 | uint64](g *cycles, list []update, number, rank uint64, best int8, steps []E) []update {
	if int8(g.futures[rank]) == noFuture {
		return list
	}
	waits := false
	for _, to := range steps {
		switch v := int8(g.futures[to>>1]); v {
		case noFuture:
			return append(list, update{number, rank, mark(noFuture)})
		case pending:
			waits = true
		default:
			best = max(best, turn(v, to&turned != 0))
		}
	}
	future := mark(turn(best, !g.maximizing[number/g.size]))
	if waits || future == g.futures[rank] {
		return list
	}
	return append(list, update{number, rank, future})
}

// observe reports how far the work has got.
func (g *cycles) observe(left uint64, work string) {
	if n := g.without.Load(); n > 0 {
		work = fmt.Sprintf("%s; no room for the moves of %d positions", work, n)
	}
	g.b.observe(*g.out, left, work)
}
