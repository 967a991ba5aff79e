package shards

import (
	"slices"
	"unsafe"

	"github.com/mancheck/mancheck/checker/endgame/blocks"
	"github.com/mancheck/mancheck/checker/phase"
)

// hold reads a part of the task.
func (t *task) hold(i int) (*blocks.Working, error) {
	n := t.state.Now
	k := &n.Parts[i]
	h := &blocks.Working{Part: t.layout.Parts[i], Unknown: k.Unknown}
	var err error
	read := func(b phase.Block) (text []byte) {
		if b.Hash != "" && err == nil {
			text, err = b.Read(t.ctx, t.env.Depot)
		}
		return text
	}
	h.Base, h.Values = valuesOf(read(k.Base)), read(k.Values)
	marks := read(k.Marks)
	if err != nil {
		return nil, err
	}
	if marks != nil {
		h.Spread(marks)
	}
	if h.Values == nil {
		h.Values = slices.Repeat([]byte{blocks.Initial[n.Purpose].Known}, int(h.Cells()))
	}
	h.Values = h.Values[:h.Cells()]
	return h, nil
}

// valuesOf converts bytes without copying.
func valuesOf(b []byte) []int8 {
	return unsafe.Slice((*int8)(unsafe.Pointer(unsafe.SliceData(b))), len(b))
}
