package shards

import (
	"bufio"
	"slices"

	"github.com/mancheck/mancheck/checker/endgame/blocks"
	"github.com/mancheck/mancheck/checker/phase"
	"github.com/mancheck/mancheck/internal/depot"
)

// held is a part whose base and values are in memory.
type held struct {
	part
	number  int
	control int
	seeds   blocks.Seeds
	base    []int8 // by row and column
	values  []byte // by column and row
	visited []uint32
	linked
	unknown bool    // some positions have no future
	same    bool    // no value has changed
	changed [2]bits // columns, and rows
}

// bits is a set of numbers.
type bits []byte

func newBits(n int) bits        { return make(bits, (n+7)/8) }
func (b bits) add(n int)        { b[n/8] |= 1 << (n % 8) }
func (b bits) has(n int) bool   { return b[n/8]>>(n%8)&1 != 0 }
func (p *part) changes() [2]int { return [2]int{p.columns, p.rows()} }

// hold reads a part of the task.
func (t *task) hold(i int) (*held, error) {
	n := t.state.Now
	k := &n.Parts[i]
	h := &held{part: t.layout.parts[i], number: i, unknown: k.Unknown, same: true}
	h.control, h.seeds = t.seedsOf(h.block)
	h.visited = make([]uint32, h.rows())
	for j, count := range h.changes() {
		h.changed[j] = newBits(count)
	}
	text, err := depot.Read(t.ctx, t.env.Depot, k.Base.Hash, k.Base.Size)
	if err != nil {
		return nil, err
	}
	h.base = valuesOf(text)
	if k.Marks.Hash != "" {
		marks, err := depot.Read(t.ctx, t.env.Depot, k.Marks.Hash, k.Marks.Size)
		if err != nil {
			return nil, err
		}
		h.spread(marks)
	}
	if k.Values.Hash != "" {
		h.values, err = depot.Read(t.ctx, t.env.Depot, k.Values.Hash, k.Values.Size)
		if err == nil {
			h.values = h.values[:h.cells()]
		}
		return h, err
	}
	h.values = slices.Repeat([]byte{blocks.Initial[n.Purpose].Known}, int(h.cells()))
	return h, nil
}

// spread enters into the base which positions have no future: those that are marked.
func (h *held) spread(marks []byte) {
	for y := range h.columns {
		for x, m := range marks[y*h.rows():][:h.rows()] {
			if m == 1 {
				h.base[x*h.columns+y] = blocks.NoValue
			}
		}
	}
}

// write writes the values, and which columns and rows have changed.
func (h *held) write(t *task) (b phase.Block, err error) {
	w, err := depot.NewWriter(t.ctx, t.env.Depot)
	if err != nil {
		return b, err
	}
	defer w.Drop()
	buffered := bufio.NewWriter(w)
	for _, text := range [][]byte{h.values, h.changed[0], h.changed[1]} {
		if _, err := buffered.Write(text); err != nil {
			return b, err
		}
	}
	if err := buffered.Flush(); err != nil {
		return b, err
	}
	b.Hash, b.Size, err = w.Keep(t.ctx)
	return b, err
}

// marked counts the positions that are marked.
func (h *held) marked() (n uint64) {
	for _, v := range h.values {
		n += uint64(v)
	}
	return n
}
