package blocks

import (
	"slices"
	"sync/atomic"
)

// Pass is passes over some parts of a layer: values are replaced by the best of all moves until
// nothing changes. A row is left out if nothing has changed in the lines that its moves lead to.
type Pass struct {
	*Matrices
	Purpose Purpose
	Parts   []*Working
	// Link sees to it that the links of a part are there for the rows from one on, and returns
	// the end of these rows. Unlink is called when they have been evaluated. Neither is called
	// for parts of which all links are kept.
	Link   func(w *Working, from int) (end int, err error)
	Unlink func(w *Working)
	// Each calls f for 0, 1, …, n-1, maybe at the same time. Each call has a buffer of its own.
	Each func(n int, f func(buffer *[]byte, i int) error) error

	changed [][2][]uint32 // by block, half and content: the tick of the last change in this line
	tick    uint32        // of the current rows
	due     []int         // the current rows, of one part
	best    []int8        // their values
}

// Working is a part whose values are evaluated.
type Working struct {
	Part
	Base    []int8 // by row and column: the best of the moves to other layers, or NoValue
	Values  []byte // by column and row
	ByRow   []byte // the same by row and column, which takes memory and saves time; may be nil
	Unknown bool   // some positions have no future
	Links   []Link // by row, from row From on
	Ends    []int  // by row, from row From on: the end of its links
	From    int
	Kept    bool     // the links are those of all rows, and stay
	visited []uint32 // by row: the tick of the last evaluation
}

// Span implements Source.
func (w *Working) Span(at int64, into []byte) ([]byte, error) { return w.Values[at:][:len(into)], nil }

// Steps implements Source, for a row.
func (w *Working) Steps(at, step int64, into []byte) ([]byte, error) {
	if w.ByRow != nil {
		return w.ByRow[int(at)*w.Columns:][:w.Columns], nil
	}
	for i := range into {
		into[i] = w.Values[at]
		at += step
	}
	return into, nil
}

// fill makes all values the same.
func (w *Working) fill(v byte) {
	for _, values := range [][]byte{w.Values, w.ByRow} {
		for i := range values {
			values[i] = v
		}
	}
}

// set sets a value.
func (w *Working) set(x, y int, v byte) {
	if w.Values[y*w.Rows()+x] = v; w.ByRow != nil {
		w.ByRow[x*w.Columns+y] = v
	}
}

// Ticks before those of rows.
const (
	outside = 1 // a change before the passes
	initial = 2 // a position that is marked at first
)

// Start begins passes for a purpose: the first ones, which evaluate every row, or others, which
// evaluate the rows that lead to a line that was changed. Then Note says what has been changed.
func (p *Pass) Start(what Purpose, first bool) {
	p.Purpose, p.tick = what, initial
	if p.changed == nil {
		p.changed = make([][2][]uint32, len(p.ByBlock))
		for at := range p.changed {
			_, s := p.Division.Block(p.Seeds, at)
			rows, columns := p.Division.Shape(s)
			p.changed[at] = [2][]uint32{make([]uint32, rows), make([]uint32, columns)}
		}
	}
	for _, lines := range p.changed {
		clear(lines[0])
		clear(lines[1])
	}
	for _, w := range p.Parts {
		w.visited = make([]uint32, w.Rows())
		if first {
			w.fill(Initial[what].Known)
		}
		if !first || what == Unknowns {
			for x := range w.visited {
				w.visited[x] = outside
			}
		}
		if first && what == Unknowns && w.Unknown {
			p.mark(w)
		}
	}
}

// Note notes the changes in a part by other passes. In the set of its columns, and then its rows,
// those with changes have their bit.
func (p *Pass) Note(part *Part, changes []byte) {
	rows, columns := p.ticks(part)
	for i := range part.Columns + part.Rows() {
		switch {
		case changes[i/8]>>(i%8)&1 == 0:
		case i < part.Columns:
			columns[i] = outside
		default:
			rows[i-part.Columns] = outside
		}
	}
}

// Changes returns the changes in a part by the passes, as for Note, and whether there are any. No
// other part of the block may be among the parts.
func (p *Pass) Changes(part *Part) (set []byte, some bool) {
	rows, columns := p.ticks(part)
	set = make([]byte, part.ChangeBytes())
	for i, tick := range slices.Concat(columns, rows[:part.Rows()]) {
		if tick >= initial {
			set[i/8] |= 1 << (i % 8)
			some = true
		}
	}
	return set, some
}

// mark marks positions without moves, and positions with a move to a position without a future in a
// lower layer. Nothing else has to be evaluated at first.
func (p *Pass) mark(w *Working) {
	rows, columns := p.ticks(&w.Part)
	for i, v := range w.Base {
		if x, y := i/w.Columns, i%w.Columns; v == NoValue {
			w.set(x, y, 1)
			rows[x], columns[y] = initial, initial
		}
	}
}

// Spread enters into the base which positions have no future: those that are marked.
func (w *Working) Spread(marks []byte) {
	for y := range w.Columns {
		for x, m := range marks[y*w.Rows():][:w.Rows()] {
			if m == 1 {
				w.Base[x*w.Columns+y], w.Unknown = NoValue, true
			}
		}
	}
}

// Marked counts the positions that are marked.
func (w *Working) Marked() (n uint64) {
	for _, v := range w.Values {
		n += uint64(v)
	}
	return n
}

// base returns the base of a row.
func (w *Working) base(x int) []int8 { return w.Base[x*w.Columns:][:w.Columns] }

// linksOf returns the links of a row.
func (w *Working) linksOf(x int) []Link {
	from, end := w.span(x)
	return w.Links[from:end]
}

// span returns where the links of a row are.
func (w *Working) span(x int) (from, end int) {
	if x > w.From {
		from = w.Ends[x-w.From-1]
	}
	return from, w.Ends[x-w.From]
}

// atOnce is the number of positions that are evaluated before their values are replaced.
const atOnce = 1 << 16

// Once makes a pass, and returns the number of positions that were evaluated. If it is 0, nothing
// changes any more.
func (p *Pass) Once() (n uint64, err error) {
	for _, w := range p.Parts {
		for from, end := 0, w.Rows(); from < w.Rows(); from, end = end, w.Rows() {
			kept := w.Kept
			if !kept {
				if end, err = p.Link(w, from); err != nil {
					return n, err
				}
			}
			more, err := p.visit(w, from, end)
			if n += more; err != nil {
				return n, err
			}
			if !kept {
				p.Unlink(w)
			}
		}
	}
	return n, nil
}

// visit evaluates the stale rows of a range.
func (p *Pass) visit(w *Working, from, end int) (n uint64, err error) {
	for x := from; x < end; {
		p.due = p.due[:0]
		for ; x < end && len(p.due)*w.Columns < atOnce; x++ {
			if p.stale(w, x) {
				p.due = append(p.due, x)
			}
		}
		if len(p.due) == 0 {
			continue
		}
		if err := p.evaluate(w); err != nil {
			return n, err
		}
		n += uint64(len(p.due)) * uint64(w.Columns)
	}
	return n, nil
}

// stale reports whether a row has to be evaluated.
func (p *Pass) stale(w *Working, x int) bool {
	last := w.visited[x]
	if last == 0 {
		return true
	}
	links := w.linksOf(x)
	for i := range links {
		l := &links[i]
		if p.changed[l.To][l.Half][l.Known] >= last {
			return true
		}
	}
	return false
}

// evaluate evaluates the current rows, and then replaces their values.
func (p *Pass) evaluate(w *Working) error {
	n := w.Columns
	p.tick++
	if cap(p.best) < len(p.due)*n {
		p.best = make([]int8, len(p.due)*n)
	}
	con := &p.Division.Controls[w.Control]
	err := p.Each(len(p.due), func(buffer *[]byte, i int) error {
		x := p.due[i]
		return con.evaluate(p.Purpose, p.best[i*n:][:n], w.base(x), w.linksOf(x), w.Unknown, func(l *Link) ([]byte, error) {
			return p.Line(int(l.To), 1-int(l.Half), l.Known, buffer)
		})
	})
	if err != nil {
		return err
	}
	for _, x := range p.due {
		w.visited[x] = p.tick
	}
	return p.Each(len(p.due), func(buffer *[]byte, i int) error {
		old, err := w.Steps(int64(p.due[i]), int64(w.Rows()), room(buffer, n))
		p.replace(w, p.due[i], old, p.best[i*n:][:n])
		return err
	})
}

// replace replaces the old values of a row.
func (p *Pass) replace(w *Working, x int, old []byte, best []int8) {
	rows, columns := p.ticks(&w.Part)
	same := true
	for y, v := range best {
		if old[y] != byte(v) {
			same = false
			w.set(x, y, byte(v))
			p.touch(&columns[y])
		}
	}
	if !same {
		p.touch(&rows[x])
	}
}

// ticks returns the ticks of the last changes in the rows of a part, and in the columns.
func (p *Pass) ticks(part *Part) (rows, columns []uint32) {
	lines := &p.changed[part.Block]
	return lines[part.Half][part.First:], lines[1-part.Half]
}

// touch notes a change in a line.
func (p *Pass) touch(tick *uint32) {
	if atomic.LoadUint32(tick) != p.tick {
		atomic.StoreUint32(tick, p.tick)
	}
}
