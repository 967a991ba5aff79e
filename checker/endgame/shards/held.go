package shards

import (
	"io"
	"slices"
	"unsafe"

	"github.com/mancheck/mancheck/checker/endgame/blocks"
	"github.com/mancheck/mancheck/checker/phase"
)

// bits is a set of numbers.
type bits []byte

func newBits(n int) bits          { return make(bits, (n+7)/8) }
func (b bits) add(n int)          { b[n/8] |= 1 << (n % 8) }
func (b bits) has(n int) bool     { return b[n/8]>>(n%8)&1 != 0 }
func lines(p *blocks.Part) [2]int { return [2]int{p.Columns, p.Rows()} }

// hold reads a part of the task.
func (t *task) hold(i int) (*blocks.Working, error) {
	n := t.state.Now
	k := &n.Parts[i]
	h := &blocks.Working{Part: t.layout.Parts[i], Unknown: k.Unknown}
	h.Control, h.Seeds = t.division.Block(t.layout.Seeds, h.Block)
	text, err := k.Base.Read(t.ctx, t.env.Depot)
	if err != nil {
		return nil, err
	}
	h.Base = valuesOf(text)
	if k.Marks.Hash != "" {
		marks, err := k.Marks.Read(t.ctx, t.env.Depot)
		if err != nil {
			return nil, err
		}
		h.Spread(marks)
	}
	if k.Values.Hash != "" {
		h.Values, err = k.Values.Read(t.ctx, t.env.Depot)
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
func (p *pass) write(h *blocks.Working) (b phase.Block, same bool, err error) {
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
	b, err = phase.Keep(p.ctx, p.env.Depot, func(to io.Writer) error {
		for _, text := range texts {
			if _, err := to.Write(text); err != nil {
				return err
			}
		}
		return nil
	})
	return b, false, err
}

// valuesOf converts bytes without copying.
func valuesOf(b []byte) []int8 {
	return unsafe.Slice((*int8)(unsafe.Pointer(unsafe.SliceData(b))), len(b))
}
