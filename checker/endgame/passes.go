package endgame

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"unsafe"

	"github.com/mancheck/mancheck/checker/plan"
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

// purpose is what passes are for.
type purpose int

const (
	unknowns purpose = iota // marks positions that lead to one without a future
	endless                 // marks those from which play may go on in the layer for ever
	futures
)

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
	seeds   seeds
	half    int // that is sown from
	sizes   [2]int
	turned  []byte      // see halfLayer
	base    []int8      // by row and column: the best of the moves to other layers, or noValue
	links   []link      // by row
	ends    []int       // by row: where its links end
	visited []uint32    // by row: when it was evaluated last; 0: not yet
	changed [2][]uint32 // by half and content: when a value of this line changed last
	unknown bool        // some positions have no future
}

// link is the moves of a part of a row to a line of the same layer.
type link struct {
	to      *block
	table   *plan.Table
	part    *plan.Part // nil: of one position
	known   uint32     // content of a half: the line
	column  uint32     // of the one position
	into    uint32     // where it leads to in the line
	half    uint8
	negated bool // the other player is to move then
}

const linkBytes = int64(unsafe.Sizeof(link{}))

// errRefused says that futures depend on play that goes on for ever.
var errRefused = errors.New("futures depend on endless play")

// byPasses evaluates a layer. If the error is errRefused, the positions that depend on endless play
// are marked as pending.
func (h *halves) byPasses(ctx context.Context, l *layer, out *Layer, observe func(left uint64)) error {
	p := &passes{halves: h, layer: l, out: out, observe: observe}
	for c := range h.stored() {
		for s := range l.seeds + 1 {
			p.blocks = append(p.blocks, p.newBlock(c, seeds{s, l.seeds - s}))
		}
	}
	if err := p.begin(ctx); err != nil {
		return err
	}
	if slices.ContainsFunc(p.blocks, func(b *block) bool { return b.unknown }) {
		if err := p.run(ctx, unknowns); err != nil {
			return err
		}
		p.spread()
	}
	if !p.positions.Descends() {
		if err := p.run(ctx, endless); err != nil {
			return err
		}
		if out.Cyclic = p.marked() * l.images; out.Cyclic > 0 && !p.positions.EndlessWinsNothing() {
			p.leave()
			return errRefused
		}
	}
	if err := p.run(ctx, futures); err != nil {
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

func (p *passes) newBlock(c int, s seeds) *block {
	b := &block{control: c, seeds: s, half: p.controls[c].half}
	b.sizes[0], b.sizes[1] = p.shape(s)
	b.turned = p.layers[s.total()].blocks[p.at(c, s)]
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
func (b *block) linksOf(x int) []link {
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
		linkers[i] = &linker{passes: p, worker: w}
	}
	return share(ctx, linkers, len(p.blocks), func(ctx context.Context, k *linker, i int) error {
		b := p.blocks[i]
		k.worker.ctx, k.block, k.noted = ctx, b, k.noted[:0]
		err := k.worker.rows(b.control, b.seeds, b.base, k)
		b.links = slices.Clone(k.noted)
		return err
	})
}

// linker notes the links of blocks.
type linker struct {
	*passes
	worker  *halfWorker
	block   *block
	noted   []link // of the block
	links   int64  // so far, of all blocks
	singles int64  // links of one position
	all     int64  // positions so far
}

func (k *linker) part(r *row, to *target) (known bool, err error) {
	k.add(r, to.control, to.seeds, link{known: to.known, table: to.table, part: to.part})
	return false, nil
}

func (k *linker) single(r *row, x int, to []uint64) error {
	var key plan.Key
	copy(key[:], to)
	c, err := r.controlOf(&key)
	if err != nil {
		return err
	}
	t := r.planner.Territories
	k.add(r, c, seeds{t[0].Total(&key), t[1].Total(&key)},
		link{known: t[r.half].Number(&key), column: uint32(x), into: t[1-r.half].Number(&key)})
	k.singles++
	return nil
}

// add adds a link to positions with a content of the half that was sown from.
func (k *linker) add(r *row, c int, s seeds, l link) {
	c, s, half, negated := k.entries(c, s, r.half)
	l.to, l.half = k.blocks[k.at(c, s)], uint8(half)
	l.negated = negated == r.controls[r.control].maximizing
	k.noted = append(k.noted, l)
	k.links++
}

// tooMany is a number of single positions up to which there may be as many links of these as there
// are positions. In small layers there are.
const tooMany = 10_000

// end ends a row. A position without a move has no future.
func (k *linker) end(r *row) error {
	b := k.block
	b.ends[r.number] = len(k.noted)
	for x, v := range r.best {
		if v == noMove && !r.hasMoved(x) {
			r.best[x] = noValue
		}
		b.unknown = b.unknown || r.best[x] == noValue
	}
	k.all += int64(len(r.best))
	if r.planBytes()+linkBytes*k.links > k.worker.memory || k.singles > tooMany && k.singles > k.all {
		return errBySteps
	}
	return nil
}

// atOnceInRows is how many positions are evaluated before their lines change.
const atOnceInRows = 1 << 22

// run makes passes for a purpose until nothing changes.
func (p *passes) run(ctx context.Context, what purpose) error {
	p.reset(what)
	for {
		left := uint64(0)
		for _, b := range p.blocks {
			for x := 0; x < b.rows(); {
				p.due = p.due[:0]
				for ; x < b.rows() && len(p.due)*b.columns() < atOnceInRows; x++ {
					if b.stale(x) {
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
func (b *block) stale(x int) bool {
	last := b.visited[x]
	return last == 0 || slices.ContainsFunc(b.linksOf(x), func(l link) bool { return l.to.changed[l.half][l.known] >= last })
}

// evaluate evaluates the rows in hand, and then changes lines.
func (p *passes) evaluate(ctx context.Context, b *block, what purpose) error {
	n := b.columns()
	p.tick++
	p.best = slices.Grow(p.best[:0], len(p.due)*n)[:len(p.due)*n]
	err := share(ctx, p.workers, len(p.due), func(_ context.Context, _ *halfWorker, i int) error {
		p.row(b, p.due[i], p.best[i*n:][:n], what)
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

// row finds the values of a row, as they are stored.
func (p *passes) row(b *block, x int, best []int8, what purpose) {
	base := b.bases(x)
	switch what {
	case unknowns:
		for i, v := range base {
			best[i] = 0
			if v == noValue {
				best[i] = 1
			}
		}
	case endless:
		clear(best)
	case futures:
		copy(best, base)
	}
	links := b.linksOf(x)
	for i := range links {
		l := &links[i]
		from, negated := p.line(l.to, int(l.half), int(l.known)), l.negated && what == futures
		if l.part == nil {
			raiseOne(&best[l.column], from[l.into], negated)
			continue
		}
		raisePart(best, from, l.table.To, l.part, 0, negated)
	}
	if what == unknowns || !b.unknown && (what == endless || p.controls[b.control].maximizing) {
		return
	}
	sign := int8(1)
	if what == futures && !p.controls[b.control].maximizing {
		sign = -1
	}
	for i, v := range best {
		best[i] = sign * v
		if base[i] == noValue {
			best[i] = int8(initial[what].unknown)
		}
	}
}

// initial is what is stored at first for positions with a future, and always for others.
var initial = [...]struct{ known, unknown byte }{unknowns: {0, 1}, endless: {1, 0}, futures: {0, mark(noFuture)}}

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
func (p *passes) reset(what purpose) {
	init := initial[what]
	fill := func(line []byte) {
		for i := range line {
			line[i] = init.known
		}
	}
	p.layer.eachRange(func(first, end uint64) { fill(p.futures[first:end]) })
	p.tick = 0
	if what == unknowns {
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
				p.resetUnknown(b, x, init.unknown)
			}
		}
	}
}

// resetUnknown stores what there is for positions of a row that have no future.
func (p *passes) resetUnknown(b *block, x int, v byte) {
	for i, base := range b.bases(x) {
		if base != noValue {
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
					base[i], b.unknown = noValue, true
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
