package shards

import "github.com/mancheck/mancheck/checker/endgame/blocks"

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
