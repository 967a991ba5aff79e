package endgame

import (
	"fmt"
	"math"
	"sync/atomic"

	"github.com/mancheck/mancheck/checker/value"
	"github.com/mancheck/mancheck/internal/huge"
)

// graph has the steps within a layer, backward, and what is known of its positions, by their
// numbers in the layer.
//
// Moves are played to find what is known of them and to count the steps to each position. The steps
// are noted forward then, if there is room for them twice; otherwise moves are played once more to
// write them down. If there is not room for all, the positions of some units have no steps here:
// their moves are played again when others have been decided.
type graph struct {
	*layer
	b         *builder
	out       *Layer
	memory    []*huge.Words
	positions uint64
	lanes     []uint32      // what is known, of two positions each
	ends      []uint32      // by position: where those before it end in steps
	steps     []uint32      // numbers of positions that a move leads from, each with turned in the last bit
	news      []uint64      // by position, as a bit: it has been decided, and those before it do not know
	units     []uint64      // by unit: the steps from its positions
	found     []uint32      // steps forward: numbers, with turned, by unit
	foundAt   []uint64      // by unit: where its steps begin in found
	noted     atomic.Uint64 // steps in found, or that would be if it were longer
	remaining atomic.Uint64 // positions that are not decided, or that those before them do not know
	known     bool          // some positions were known before
	again     atomic.Uint64 // positions whose moves are played again
	fresh     atomic.Bool   // something has been decided since moves were played again
}

// turned says that the other player moves after a step.
const turned = 1

// bitsEach is how many bits a position takes, besides steps.
const bitsEach = 8*(2+4) + 1

// mostNoted bounds the steps of a position, on average, that are noted forward.
const mostNoted = 16

// newGraph makes room for all but the steps.
func (b *builder) newGraph(l *layer, out *Layer) (*graph, error) {
	g := &graph{layer: l, b: b, out: out, positions: l.size * l.controls, known: out.Sweeps > 0}
	if need := g.need(); need > uint64(b.memory) {
		return nil, &MemoryError{Seeds: b.Seeds(), Need: need, Have: b.memory}
	}
	g.lanes = g.halves((g.positions + 1) / 2)
	g.ends = g.halves(g.positions)
	g.news = g.words((g.positions + 63) / 64)
	g.units, g.foundAt = make([]uint64, l.units()), make([]uint64, l.units())
	g.remaining.Store(g.positions)
	return g, nil
}

// need is how much memory everything but the steps takes.
func (g *graph) need() uint64 { return uint64(len(g.futures)) + g.positions*bitsEach/8 }

func (g *graph) words(n uint64) []uint64 {
	w := huge.New(int(n))
	g.memory = append(g.memory, w)
	return w.Slots
}

func (g *graph) halves(n uint64) []uint32 {
	g.words((n + 1) / 2)
	return g.memory[len(g.memory)-1].Halves()
}

// free gives the memory back.
func (g *graph) free() {
	for _, w := range g.memory {
		w.Free()
	}
}

// build plays the moves.
func (g *graph) build() error {
	room := min((uint64(g.b.memory)-g.need())/4, math.MaxUint32)
	if g.positions > math.MaxUint32/2 {
		room = 0
	}
	g.found = g.halves(min(room/2, mostNoted*g.positions))
	noted := g.memory[len(g.memory)-1]
	defer noted.Free()
	if err := g.sweep("moves", g.count); err != nil {
		return err
	}
	if g.noted.Load() > uint64(len(g.found)) {
		g.found = nil
		noted.Free()
	}
	steps, err := g.divide(room)
	if err != nil {
		return err
	}
	sum := uint32(0)
	for i, n := range g.ends {
		g.ends[i], sum = sum, sum+n
	}
	g.steps = g.halves(steps)
	if g.found != nil {
		return sweep(g.b.ctx, g.layer, g.b.workers, g.turnRound)
	}
	return g.sweep("steps", g.list)
}

// divide chooses the units whose positions have steps here, and returns how many steps there are.
func (g *graph) divide(room uint64) (steps uint64, err error) {
	without := false
	for unit, n := range g.units {
		if steps+n > room {
			g.units[unit], without = none, true
			continue
		}
		steps += n
	}
	if without {
		err = g.sweep("room", g.forget)
	}
	return steps, err
}

// none marks a unit whose positions have no steps here.
const none = math.MaxUint64

// sweep plays the moves of the positions of all units.
func (g *graph) sweep(work string, f func(w *worker, unit int) error) error {
	err := sweep(g.b.ctx, g.layer, g.b.workers, f)
	g.out.Sweeps++
	g.observe(work)
	return err
}

// observe reports how far the work has got.
func (g *graph) observe(work string) {
	if n := g.again.Load(); n > 0 {
		work = fmt.Sprintf("%s; no room for the moves of %d positions", work, n)
	}
	g.b.observe(*g.out, g.remaining.Load(), work)
}

// plays is that of the worker, with the numbers of the positions in the layer that steps lead to.
func (g *graph) plays(w *worker, unit int, open func(rank uint64, key []uint64) bool, f func()) error {
	return w.plays(g.layer, unit, open, func() {
		g.targets(w)
		f()
	})
}

// targets finds the numbers of the positions in the layer that steps lead to, each with turned in
// the last bit. What is known of a position from before is a worth like others.
func (g *graph) targets(w *worker) {
	w.numbers = w.numbers[:0]
	words, s := len(w.key), 0
	for i := range w.spare {
		p := &w.spare[i]
		for ; s < p.end; s++ {
			n := uint64(0)
			if w.worth[s] == inLayer {
				e := w.entries[s]
				if f := int8(g.futures[e&^value.Negated]); g.known && f != pending {
					w.worth[s] = int16(negated(e, f))
				}
				n = g.number(e&^value.Negated) << 1
				if w.positions.Maximizes(w.batch.Keys[s*words:][:words]) != p.maximizing {
					n |= turned
				}
				_ = atomic.LoadUint32(&g.ends[n>>1]) // all at the same time: later they are changed one by one
			}
			w.numbers = append(w.numbers, n)
		}
	}
}

// count notes what is known of the positions of a unit, and counts the steps to others.
func (g *graph) count(w *worker, unit int) error {
	steps, known := uint64(0), uint64(0)
	w.forward = w.forward[:0]
	unknown := func(int) (int8, bool) { return 0, false }
	open := func(rank uint64, key []uint64) bool {
		f := int8(g.futures[rank])
		if f != pending {
			g.put(g.number(rank), turn(f, !w.positions.Maximizes(key)), decided)
			known++
		}
		return f == pending
	}
	err := g.plays(w, unit, open, func() {
		for i := range w.spare {
			number := g.number(w.spare[i].rank)
			switch best, others := w.sum(i, unknown); {
			case others == 0:
				g.put(number, best, decided)
				g.tell(number)
			case others > mostSteps:
				g.put(number, best, replayed)
				g.again.Add(1)
			default:
				g.put(number, best, uint8(others))
				steps += uint64(others)
				g.add(w, i, 1)
				g.note(w, i)
			}
		}
	})
	g.units[unit], g.foundAt[unit] = steps, g.noted.Add(steps)-steps
	if g.foundAt[unit]+steps <= uint64(len(g.found)) {
		copy(g.found[g.foundAt[unit]:], w.forward)
	}
	g.remaining.Add(-known)
	return err
}

// add adds n to how many steps lead to the positions that a position's steps lead to.
func (g *graph) add(w *worker, i int, n uint32) {
	from, end := w.stepsOf(i)
	for s := from; s < end; s++ {
		if w.worth[s] == inLayer {
			atomic.AddUint32(&g.ends[w.numbers[s]>>1], n)
		}
	}
}

// forget makes the positions of a unit such whose moves are played again, if there is no room.
func (g *graph) forget(w *worker, unit int) error {
	if g.units[unit] != none {
		return nil
	}
	return g.plays(w, unit, g.counted, func() {
		for i := range w.spare {
			g.add(w, i, math.MaxUint32)
			g.change(g.number(w.spare[i].rank), func(best int8, _ uint8) (int8, uint8) { return best, replayed })
			g.again.Add(1)
		}
	})
}

// counted says which positions have steps here.
func (g *graph) counted(rank uint64, _ []uint64) bool {
	_, count := g.lane(g.number(rank))
	return count <= mostSteps
}

// note notes the steps of a position forward.
func (g *graph) note(w *worker, i int) {
	if g.noted.Load() > uint64(len(g.found)) {
		return
	}
	from, end := w.stepsOf(i)
	for s := from; s < end; s++ {
		if w.worth[s] == inLayer {
			w.forward = append(w.forward, uint32(w.numbers[s]))
		}
	}
}

// list writes the steps of the positions of a unit down, backward.
func (g *graph) list(w *worker, unit int) error {
	return g.plays(w, unit, g.counted, func() {
		for i := range w.spare {
			from, end := w.stepsOf(i)
			number := g.number(w.spare[i].rank)
			for s := from; s < end; s++ {
				if w.worth[s] == inLayer {
					w.steps = append(w.steps, newEdge(number, uint32(w.numbers[s])))
				}
			}
		}
		g.write(w)
	})
}

// turnRound is list for steps that have been noted.
func (g *graph) turnRound(w *worker, unit int) error {
	found := g.found[g.foundAt[unit]:][:g.units[unit]]
	first := uint64(unit) << unitBits
	for board := first; board < min(first+1<<unitBits, g.size); board++ {
		for c := range g.controls {
			number := c*g.size + board
			_, count := g.lane(number)
			if count > mostSteps {
				continue
			}
			for _, to := range found[:count] {
				_ = atomic.LoadUint32(&g.ends[to>>1]) // as in targets
				w.steps = append(w.steps, newEdge(number, to))
			}
			found = found[count:]
		}
		if len(w.steps) >= atOnce {
			g.write(w)
		}
	}
	g.write(w)
	return nil
}

// edge is a step to be written down.
type edge struct{ before, to uint32 }

// newEdge returns a step from a position to another with turned.
func newEdge(number uint64, to uint32) edge {
	return edge{uint32(number)<<1 | to&turned, to >> 1}
}

// write writes the steps of a worker down.
func (g *graph) write(w *worker) {
	for i := range w.steps {
		s := &w.steps[i]
		s.to = atomic.AddUint32(&g.ends[s.to], 1) - 1 // now its place
	}
	for _, s := range w.steps {
		g.steps[s.to] = s.before
	}
	w.steps = w.steps[:0]
}

// before returns the steps that lead to a position.
func (g *graph) before(number uint64) []uint32 {
	first := uint32(0)
	if number > 0 {
		first = g.ends[number-1]
	}
	return g.steps[first:g.ends[number]]
}
