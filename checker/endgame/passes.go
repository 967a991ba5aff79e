package endgame

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"sync/atomic"

	"github.com/mancheck/mancheck/checker/endgame/blocks"
)

// Where moves lead anywhere in a layer, its futures are found by passes over all rows. First the
// best of the moves to other layers is found for each position, and kept. Moves within the layer
// are noted: parts of a row, each with the row that it leads to. Then the values of all positions
// are 0, and those of a row are replaced by the best of all moves, until nothing changes. Rows are
// left out of a pass if nothing has changed in those that their moves lead to.
//
// Values are those for the player to move. A play that stays in the layer wins nothing more, so it
// is worth 0 if it never ends.
//
// What comes out is the future, for the following reason. Let t > 0. A position gets a value of t
// or more when a move is worth as much, or leads to a position with a value of -t or less; and one
// of -t or less when that is true of all its moves. So, first, a value that is not 0 is never taken
// back, but only goes further from 0, and there is an end. Second, whoever has t or more reaches
// that, as each position on the way had its value before the last one. Third, let nothing change
// any more, and a position have a value less than t. All its moves out of the layer are worth less
// than t, and those within lead to positions with values greater than -t, where the other player
// has a move that is worth more than -t, or one to a position of less than t again. So the other
// player can keep play in the layer, where it is worth 0, or leave it with less than t for this
// one. The values do not depend on the order in which rows are taken.
//
// Positions without a future, and those from which play may go on for ever, are found in the same
// way before, with 0 and 1 in the place of values.

// passes is the work on a layer.
type passes struct {
	*halves
	layer   *layer
	out     *Layer
	observe func(left uint64)
	blocks  []*block // in the order of those of a halfLayer
	tick    uint32   // of the rows in hand
	due     []int    // rows in hand, of one block
	best    []int8   // their values
}

// block is what is known of the positions of a block. A line is the values of those that have one
// content in a half, by the contents of the other half.
type block struct {
	control int
	seeds   blocks.Seeds
	half    int // that is sown from
	sizes   [2]int
	turned  []byte        // see halfLayer
	base    []int8        // by row and column: the best of the moves to other layers, or blocks.NoValue
	links   []blocks.Link // by row
	ends    []int         // by row: where its links end
	visited []uint32      // by row: when it was evaluated last; 0: not yet
	changed [2][]uint32   // by half and content: when a value of this line changed last
	unknown bool          // some positions have no future
}

// errRefused says that futures depend on play that goes on for ever.
var errRefused = errors.New("futures depend on endless play")

// byPasses evaluates a layer. If the error is errRefused, the positions that depend on endless play
// are marked as pending.
func (h *halves) byPasses(ctx context.Context, l *layer, out *Layer, observe func(left uint64)) error {
	p := &passes{halves: h, layer: l, out: out, observe: observe}
	for c := range h.Stored() {
		for s := range l.seeds + 1 {
			p.blocks = append(p.blocks, p.newBlock(c, blocks.Seeds{s, l.seeds - s}))
		}
	}
	if err := p.begin(ctx); err != nil {
		return err
	}
	if slices.ContainsFunc(p.blocks, func(b *block) bool { return b.unknown }) {
		if err := p.run(ctx, blocks.Unknowns); err != nil {
			return err
		}
		p.spread()
	}
	if !p.positions.Descends() {
		if err := p.run(ctx, blocks.Endless); err != nil {
			return err
		}
		if out.Cyclic = p.marked() * l.images; out.Cyclic > 0 && !p.positions.EndlessWinsNothing() {
			p.leave()
			return errRefused
		}
	}
	if err := p.run(ctx, blocks.Futures); err != nil {
		return err
	}
	for i, b := range p.blocks {
		h.layers[l.seeds].unknown[i] = b.unknown
	}
	if l.seeds == 0 || !h.layers[l.seeds-1].turned.Load() {
		h.layers[l.seeds].drop() // that of the layer below was not needed
	}
	return nil
}

func (p *passes) newBlock(c int, s blocks.Seeds) *block {
	b := &block{control: c, seeds: s, half: p.Controls[c].Half}
	b.sizes[0], b.sizes[1] = p.Shape(s)
	b.turned = p.layers[s.Total()].blocks[p.At(c, s)]
	b.base = make([]int8, len(b.turned))
	b.ends, b.visited = make([]int, b.rows()), make([]uint32, b.rows())
	for half, n := range b.sizes {
		b.changed[half] = make([]uint32, n)
	}
	return b
}

// rows and columns are how many contents there are of the half that is sown from, and of the other.
func (b *block) rows() int    { return b.sizes[b.half] }
func (b *block) columns() int { return b.sizes[1-b.half] }

// bases are those of a row.
func (b *block) bases(x int) []int8 { return b.base[x*b.columns():][:b.columns()] }

// linksOf returns the links of a row.
func (b *block) linksOf(x int) []blocks.Link {
	from := 0
	if x > 0 {
		from = b.ends[x-1]
	}
	return b.links[from:b.ends[x]]
}

// line returns a line of a block.
func (p *passes) line(b *block, half, known int) []byte {
	if half == 0 {
		return b.turned[known*b.sizes[1]:][:b.sizes[1]]
	}
	return p.natural(b.control, b.seeds, known, b.sizes[0])
}

// begin finds what the moves to other layers are worth, and the links.
func (p *passes) begin(ctx context.Context) error {
	linkers := make([]*linker, len(p.workers))
	for i, w := range p.workers {
		k := &linker{passes: p, worker: w}
		k.Ended = k.end
		linkers[i] = k
	}
	return share(ctx, linkers, len(p.blocks), func(ctx context.Context, k *linker, i int) error {
		b := p.blocks[i]
		k.worker.within(ctx)
		k.block, k.Links = b, k.Links[:0]
		err := k.worker.rows.Rows(b.control, b.seeds, 0, b.rows(), b.base, k)
		k.links += int64(len(k.Links))
		b.links = slices.Clone(k.Links)
		return err
	})
}

// linker notes the links of blocks.
type linker struct {
	blocks.Linker
	*passes
	worker *halfWorker
	block  *block
	links  int64 // so far, of other blocks
	all    int64 // positions so far
}

// tooMany is a number of single positions up to which there may be as many links of these as there
// are positions. In small layers there are.
const tooMany = 10_000

// end ends a row.
func (k *linker) end(r *blocks.Row) error {
	b := k.block
	b.ends[r.Number] = len(k.Links)
	b.unknown = b.unknown || slices.Contains(r.Best, blocks.NoValue)
	k.all += int64(len(r.Best))
	links := blocks.LinkBytes * (k.links + int64(len(k.Links)))
	if k.worker.planBytes()+links > k.worker.memory || k.Singles > tooMany && k.Singles > k.all {
		return blocks.ErrNotByRows
	}
	return nil
}

// atOnceInRows is how many positions are evaluated before their lines change.
const atOnceInRows = 1 << 22

// run makes passes for a purpose until nothing changes.
func (p *passes) run(ctx context.Context, what blocks.Purpose) error {
	p.reset(what)
	for {
		left := uint64(0)
		for _, b := range p.blocks {
			for x := 0; x < b.rows(); {
				p.due = p.due[:0]
				for ; x < b.rows() && len(p.due)*b.columns() < atOnceInRows; x++ {
					if p.stale(b, x) {
						p.due = append(p.due, x)
					}
				}
				if len(p.due) == 0 {
					continue
				}
				if err := p.evaluate(ctx, b, what); err != nil {
					return err
				}
				left += uint64(len(p.due) * b.columns())
			}
		}
		if left == 0 {
			return nil
		}
		p.out.Sweeps++
		p.observe(left)
	}
}

// stale reports whether a row has to be evaluated.
func (p *passes) stale(b *block, x int) bool {
	last := b.visited[x]
	return last == 0 || slices.ContainsFunc(b.linksOf(x), func(l blocks.Link) bool { return p.blocks[l.To].changed[l.Half][l.Known] >= last })
}

// evaluate evaluates the rows in hand, and then changes lines.
func (p *passes) evaluate(ctx context.Context, b *block, what blocks.Purpose) error {
	n := b.columns()
	p.tick++
	p.best = slices.Grow(p.best[:0], len(p.due)*n)[:len(p.due)*n]
	err := share(ctx, p.workers, len(p.due), func(_ context.Context, _ *halfWorker, i int) error {
		x := p.due[i]
		p.Controls[b.control].Evaluate(what, p.best[i*n:][:n], b.bases(x), b.linksOf(x), b.unknown, func(l *blocks.Link) []byte {
			return p.line(p.blocks[l.To], int(l.Half), int(l.Known))
		})
		return nil
	})
	if err != nil {
		return err
	}
	return share(ctx, p.workers, len(p.due), func(_ context.Context, _ *halfWorker, i int) error {
		p.replace(b, p.due[i], p.best[i*n:][:n])
		return nil
	})
}

// replace replaces the line of a row, and that in the other direction.
func (p *passes) replace(b *block, x int, values []int8) {
	b.visited[x] = p.tick
	line := p.line(b, b.half, x)
	same := true
	for i, v := range values {
		if line[i] == byte(v) {
			continue
		}
		same, line[i] = false, byte(v)
		p.across(b, x, i, byte(v))
		if at := &b.changed[1-b.half][i]; atomic.LoadUint32(at) != p.tick {
			atomic.StoreUint32(at, p.tick)
		}
	}
	if !same {
		b.changed[b.half][x] = p.tick
	}
}

// across writes a value of a row to the line in the other direction.
func (p *passes) across(b *block, x, i int, v byte) {
	p.line(b, 1-b.half, i)[x] = v
}

// reset stores what is there at first.
func (p *passes) reset(what blocks.Purpose) {
	init := blocks.Initial[what]
	fill := func(line []byte) {
		for i := range line {
			line[i] = init.Known
		}
	}
	p.layer.eachRange(func(first, end uint64) { fill(p.futures[first:end]) })
	p.tick = 0
	if what == blocks.Unknowns {
		p.tick = 1
	}
	for _, b := range p.blocks {
		fill(b.turned)
		for half := range b.changed {
			clear(b.changed[half])
		}
		for x := range b.visited {
			b.visited[x] = p.tick
			if b.unknown {
				p.resetUnknown(b, x, init.Unknown)
			}
		}
	}
}

// resetUnknown stores what there is for positions of a row that have no future.
func (p *passes) resetUnknown(b *block, x int, v byte) {
	for i, base := range b.bases(x) {
		if base != blocks.NoValue {
			continue
		}
		p.line(b, b.half, x)[i] = v
		p.across(b, x, i, v)
		b.changed[b.half][x], b.changed[1-b.half][i] = p.tick, p.tick
	}
}

// spread notes which positions have no future. They are marked.
func (p *passes) spread() {
	for _, b := range p.blocks {
		for x := range b.rows() {
			base := b.bases(x)
			for i, v := range p.line(b, b.half, x) {
				if v == 1 {
					base[i], b.unknown = blocks.NoValue, true
				}
			}
		}
	}
}

// marked counts the positions that are marked.
func (p *passes) marked() (n uint64) {
	for _, b := range p.blocks {
		n += uint64(bytes.Count(b.turned, []byte{1}))
	}
	return n
}

// leave makes the positions that are marked pending.
func (p *passes) leave() {
	p.layer.eachRange(func(first, end uint64) {
		for i := first; i < end; i++ {
			if p.futures[i] == 1 {
				p.futures[i] = mark(pending)
			}
		}
	})
}
