package shards

import (
	"slices"
	"unsafe"

	"github.com/mancheck/mancheck/checker/endgame/blocks"
	"github.com/mancheck/mancheck/checker/phase"
)

// layout is the division of a layer into parts and tasks.
type layout struct {
	blocks.Layout
	tasks []int // by task: the end of its parts
}

// mostSmall is the most positions of a task that counts as small.
const mostSmall = 1 << 22

// least is the number of positions for which another task pays off.
var least = int64(mostSmall)

// Shares of the memory: for the parts of a task, with one byte for the base and one for the value
// of each position; for plans; for links; and for pages of the parts of other tasks.
const (
	heldShare  = 3. / 8
	planShare  = 3. / 8
	linkShare  = 1. / 8
	pagesShare = 1. / 8
)

// share returns a share of the memory.
func (w *Work) share(of float64) int64 { return int64(of * float64(w.opts.Memory)) }

// layout divides a layer into parts. All tasks have about the same number of positions, such that
// their bases and values fit in their share of the memory.
func (w *Work) layout(seeds int) *layout {
	d := w.division
	l := &layout{}
	l.Seeds, l.ByBlock = seeds, make([][2]int, d.Blocks(seeds))
	total := int64(0)
	for at := range d.Blocks(seeds) {
		p := d.Part(seeds, at)
		total += p.Cells()
	}
	tasks := min(int64(w.opts.Shards), (total+least-1)/least)
	most := max(1, w.share(heldShare)/2)
	tasks = max(tasks, (total+most-1)/most)
	each := (total + tasks - 1) / tasks
	room := each
	for _, at := range order(d, seeds) {
		l.ByBlock[at][0] = len(l.Parts)
		p := d.Part(seeds, at)
		for rows := p.End; p.First < rows; p.First = p.End {
			p.End = min(rows, p.First+int(max(1, room/int64(p.Columns))))
			l.Parts = append(l.Parts, p)
			if room -= p.Cells(); room < int64(p.Columns) {
				l.tasks = append(l.tasks, len(l.Parts))
				room = each
			}
		}
		l.ByBlock[at][1] = len(l.Parts)
	}
	if len(l.tasks) == 0 || l.tasks[len(l.tasks)-1] < len(l.Parts) {
		l.tasks = append(l.tasks, len(l.Parts))
	}
	return l
}

// own returns the range of the parts of a task.
func (l *layout) own(task int) (first, end int) {
	if task > 0 {
		first = l.tasks[task-1]
	}
	return first, l.tasks[task]
}

// cells returns the number of positions of a range of parts.
func (l *layout) cells(first, end int) (n int64) {
	for i := range l.Parts[first:end] {
		n += l.Parts[first+i].Cells()
	}
	return n
}

// order lists the blocks of a layer. Most moves take few seeds to the other half, so the blocks of
// both players with the same seeds in each half are next to each other.
func order(d *blocks.Division, seeds int) (list []int) {
	for i := range seeds + 1 {
		for c := range d.Stored() {
			s := i
			if d.Swapped {
				s = i / 2
				if i%2 == 1 {
					s = seeds - i/2
				}
			}
			list = append(list, d.At(c, blocks.Seeds{s, seeds - s}))
		}
	}
	return list
}

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
