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
	blocks.Working
	number int
	kept   bool // the links are those of all rows, and are kept
}

// bits is a set of numbers.
type bits []byte

func newBits(n int) bits          { return make(bits, (n+7)/8) }
func (b bits) add(n int)          { b[n/8] |= 1 << (n % 8) }
func (b bits) has(n int) bool     { return b[n/8]>>(n%8)&1 != 0 }
func lines(p *blocks.Part) [2]int { return [2]int{p.Columns, p.Rows()} }

// hold reads a part of the task.
func (t *task) hold(i int) (*held, error) {
	n := t.state.Now
	k := &n.Parts[i]
	h := &held{number: i}
	h.Part, h.Unknown = t.layout.Parts[i], k.Unknown
	h.Control, h.Seeds = t.seedsOf(h.Block)
	text, err := depot.Read(t.ctx, t.env.Depot, k.Base.Hash, k.Base.Size)
	if err != nil {
		return nil, err
	}
	h.Base = valuesOf(text)
	if k.Marks.Hash != "" {
		marks, err := depot.Read(t.ctx, t.env.Depot, k.Marks.Hash, k.Marks.Size)
		if err != nil {
			return nil, err
		}
		h.Spread(marks)
	}
	if k.Values.Hash != "" {
		h.Values, err = depot.Read(t.ctx, t.env.Depot, k.Values.Hash, k.Values.Size)
		if err == nil {
			h.Values = h.Values[:h.Cells()]
		}
		return h, err
	}
	h.Values = slices.Repeat([]byte{blocks.Initial[n.Purpose].Known}, int(h.Cells()))
	return h, nil
}

// write writes the values of a part, and which columns and rows have changed. same says that none
// have.
func (p *pass) write(h *held) (b phase.Block, same bool, err error) {
	same = true
	texts := [][]byte{h.Values}
	for i, count := range lines(&h.Part) {
		set := newBits(count)
		for n := range count {
			if p.Changed(&h.Part, i == 1, n) {
				set.add(n)
				same = false
			}
		}
		texts = append(texts, set)
	}
	if same {
		return b, true, nil
	}
	w, err := depot.NewWriter(p.ctx, p.env.Depot)
	if err != nil {
		return b, false, err
	}
	defer w.Drop()
	buffered := bufio.NewWriter(w)
	for _, text := range texts {
		if _, err := buffered.Write(text); err != nil {
			return b, false, err
		}
	}
	if err := buffered.Flush(); err != nil {
		return b, false, err
	}
	b.Hash, b.Size, err = w.Keep(p.ctx)
	return b, false, err
}
