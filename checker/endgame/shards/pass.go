package shards

import (
	"slices"

	"github.com/mancheck/mancheck/checker/endgame/blocks"
	"github.com/mancheck/mancheck/checker/phase"
)

// pass is a task of a pass that is running.
type pass struct {
	*task
	values  *matrices
	held    []*held
	changed [][2][]uint32 // by block, half and content: the tick of the last change in this line
	tick    uint32        // of the current rows
	links   int64         // bytes of links that are kept
	linker  blocks.Linker
	row     []int8 // for the linker
	due     []int  // the current rows, of one part
	best    []int8 // their values
	out     tally
	failed  error // from reading a line
}

// newPass reads the parts of the task.
func (t *task) newPass() (*pass, error) {
	n := t.state.Now
	p := &pass{task: t, tick: 1, values: &matrices{division: t.division, layout: t.layout}}
	for _, k := range n.Parts {
		p.values.sources = append(p.values.sources, t.source(k.Values, constant(blocks.Initial[n.Purpose].Known)))
	}
	for i := t.first; i < t.end; i++ {
		h, err := t.hold(i)
		if err != nil {
			return nil, err
		}
		if n.Round > 0 || n.Purpose == blocks.Unknowns {
			for x := range h.visited {
				h.visited[x] = p.tick
			}
		}
		p.held = append(p.held, h)
		p.values.sources[i] = memory(h.values)
	}
	if err := p.note(); err != nil {
		return nil, err
	}
	if n.Round == 0 && n.Purpose == blocks.Unknowns {
		p.markUnknown()
	}
	return p, nil
}

// markUnknown marks positions without moves, and positions with a move to a position without a
// future in a lower layer. Nothing else has to be evaluated at first.
func (p *pass) markUnknown() {
	for _, h := range p.held {
		if !h.unknown {
			continue
		}
		for x := range h.rows() {
			for y, v := range h.base[x*h.columns:][:h.columns] {
				if v == blocks.NoValue {
					p.set(h, x, y, 1)
				}
			}
		}
	}
}

// note records what other tasks have changed in the last pass.
func (p *pass) note() error {
	p.changed = make([][2][]uint32, p.division.Blocks(p.layout.seeds))
	for at := range p.changed {
		_, s := p.seedsOf(at)
		first, second := p.division.Shape(s)
		p.changed[at] = [2][]uint32{make([]uint32, first), make([]uint32, second)}
	}
	for i := range p.state.Now.Parts {
		k := &p.state.Now.Parts[i]
		if !k.Fresh || i >= p.first && i < p.end {
			continue
		}
		part := &p.layout.parts[i]
		c, _ := p.seedsOf(part.block)
		half := p.division.Controls[c].Half
		at := part.cells()
		for j, count := range part.changes() {
			text, err := p.pages.file(k.Values).span(at, newBits(count))
			if err != nil {
				return err
			}
			set := bits(text)
			to, first := p.changed[part.block][1-half], 0
			if j == 1 {
				to, first = p.changed[part.block][half], part.first
			}
			for n := range count {
				if set.has(n) {
					to[first+n] = p.tick
				}
			}
			at += int64(len(set))
		}
	}
	return nil
}

// run repeats passes over the parts of the task until nothing changes.
func (p *pass) run() (r phase.Result, err error) {
	for again := true; again; {
		again = false
		for _, h := range p.held {
			n, err := p.visit(h)
			if err != nil {
				return r, err
			}
			p.out.Evaluated += n
			again = again || n > 0
		}
		p.out.Rounds++
	}
	return p.result()
}

// result writes the parts that have changed.
func (p *pass) result() (r phase.Result, err error) {
	endless := p.state.Now.Purpose == blocks.Endless
	var starts [][]uint64
	for _, h := range p.held {
		d := done{Part: h.number, Same: h.same}
		if endless {
			d.Marked = h.marked()
		}
		if d.Marked > 0 && !p.positions.EndlessWinsNothing() {
			if starts == nil {
				starts = p.division.Starts(p.layout.seeds)
			}
			d.First = p.least(h, starts)
		}
		if !h.same {
			b, err := h.write(p.task)
			if err != nil {
				return r, err
			}
			r.Outputs = append(r.Outputs, b)
		}
		p.out.Parts = append(p.out.Parts, d)
	}
	r.Tally = phase.Encode(p.out)
	return r, nil
}

// least returns the least rank of a marked position.
func (p *pass) least(h *held, starts [][]uint64) uint64 {
	rank := ^uint64(0)
	half := p.division.Controls[h.control].Half
	for y := range h.columns {
		for x, v := range h.values[y*h.rows():][:h.rows()] {
			if v == 0 {
				continue
			}
			var contents [2]int
			contents[half], contents[1-half] = h.first+x, y
			rank = min(rank, rankOf(p.Work, starts, h.control, h.seeds, contents))
		}
	}
	return rank
}

// atOnce is the number of positions that are evaluated before their values are replaced.
const atOnce = 1 << 19

// visit evaluates the stale rows of a part, and returns the number of positions evaluated.
func (p *pass) visit(h *held) (n uint64, err error) {
	for from := 0; from < h.rows(); {
		end, err := p.link(h, from)
		if err != nil {
			return n, err
		}
		for x := from; x < end; {
			p.due = p.due[:0]
			for ; x < end && len(p.due) < 64 && (len(p.due)+1)*h.columns <= max(atOnce, h.columns); x++ {
				if p.stale(h, x) {
					p.due = append(p.due, x)
				}
			}
			if len(p.due) == 0 {
				continue
			}
			if err := p.evaluate(h); err != nil {
				return n, err
			}
			n += uint64(len(p.due)) * uint64(h.columns)
		}
		p.keep(h)
		from = end
	}
	return n, p.ctx.Err()
}

// stale reports whether a row has to be evaluated.
func (p *pass) stale(h *held, x int) bool {
	last := h.visited[x]
	if last == 0 {
		return true
	}
	for i := range h.linksOf(x) {
		l := &h.linksOf(x)[i]
		if p.changed[l.To][l.Half][l.Known] >= last {
			return true
		}
	}
	return false
}

// evaluate evaluates the current rows, and then replaces their values.
func (p *pass) evaluate(h *held) error {
	n, what := h.columns, p.state.Now.Purpose
	p.tick++
	p.best = slices.Grow(p.best[:0], len(p.due)*n)[:len(p.due)*n]
	line := func(l *blocks.Link) []byte {
		text, err := p.values.line(int(l.To), 1-int(l.Half), l.Known)
		if err != nil {
			p.failed = err
			return p.blank(l)
		}
		return text
	}
	for i, x := range p.due {
		p.division.Controls[h.control].Evaluate(what, p.best[i*n:][:n], h.base[x*n:][:n], h.linksOf(x), h.unknown, line)
		if p.failed != nil {
			return p.failed
		}
	}
	p.replace(h)
	return nil
}

// blank returns a line for a link whose line cannot be read.
func (p *pass) blank(l *blocks.Link) []byte {
	_, s := p.seedsOf(int(l.To))
	first, second := p.division.Shape(s)
	return make([]byte, max(first, second))
}

// tile is the number of columns in which values are replaced at a time.
const tile = 32

// replace replaces the values of the current rows.
func (p *pass) replace(h *held) {
	for first := 0; first < h.columns; first += tile {
		end := min(first+tile, h.columns)
		for i, x := range p.due {
			best := p.best[i*h.columns:]
			at := first*h.rows() + x
			for y := first; y < end; y++ {
				if v := byte(best[y]); h.values[at] != v {
					p.set(h, x, y, v)
				}
				at += h.rows()
			}
		}
	}
	for _, x := range p.due {
		h.visited[x] = p.tick
	}
}

// set replaces a value.
func (p *pass) set(h *held, x, y int, v byte) {
	h.values[y*h.rows()+x] = v
	half := p.division.Controls[h.control].Half
	changed := &p.changed[h.block]
	changed[half][h.first+x], changed[1-half][y] = p.tick, p.tick
	h.changed[0].add(y)
	h.changed[1].add(x)
	h.same = false
}
