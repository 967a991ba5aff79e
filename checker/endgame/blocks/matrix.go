package blocks

import (
	"sort"
	"unsafe"
)

// Part is a range of rows of a block.
type Part struct {
	Block      int
	Control    int
	Seeds      Seeds
	First, End int // rows
	Columns    int
	Half       int // that the rows are contents of
}

// Rows returns the number of rows, Cells the number of positions, and ChangeBytes the size of a set
// of changes.
func (p *Part) Rows() int        { return p.End - p.First }
func (p *Part) Cells() int64     { return int64(p.Rows()) * int64(p.Columns) }
func (p *Part) ChangeBytes() int { return (p.Columns + p.Rows() + 7) / 8 }

// Layout is the division of a layer into parts.
type Layout struct {
	Seeds   int
	Parts   []Part
	ByBlock [][2]int // by block: the beginning and the end of its parts
}

// Whole returns the layout in which each block is one part.
func (d *Division) Whole(layer int) *Layout {
	l := &Layout{Seeds: layer}
	for at := range d.Blocks(layer) {
		l.Parts, l.ByBlock = append(l.Parts, d.Part(layer, at)), append(l.ByBlock, [2]int{at, at + 1})
	}
	return l
}

// Part returns a block as one part.
func (d *Division) Part(layer, at int) Part {
	c, s := d.Block(layer, at)
	half := d.Controls[c].Half
	return Part{
		Block: at, Control: c, Seeds: s, End: d.Territories[half].Size(s[half]), Columns: d.Territories[1-half].Size(s[1-half]), Half: half,
	}
}

// Source reads the values of a part, by column and row.
type Source interface {
	// Span returns len(into) values from a place on. It may use into as a buffer.
	Span(at int64, into []byte) ([]byte, error)
	// Steps returns the value at a place, and those that are step, 2 step, … after it. It may use
	// into as a buffer.
	Steps(at, step int64, into []byte) ([]byte, error)
}

// Matrices are the values of a layer.
type Matrices struct {
	Division *Division
	*Layout
	Sources []Source // by part
}

// Line returns the values of the positions of a block with the content known in the half that does
// not vary. It may use the buffer, and is valid until that is used again.
func (m *Matrices) Line(block, vary int, known uint32, buffer *[]byte) ([]byte, error) {
	first, end := m.ByBlock[block][0], m.ByBlock[block][1]
	if m.Parts[first].Half != vary {
		i := first + sort.Search(end-first, func(i int) bool { return m.Parts[first+i].End > int(known) })
		p := &m.Parts[i]
		return m.Sources[i].Steps(int64(int(known)-p.First), int64(p.Rows()), room(buffer, p.Columns))
	}
	into := room(buffer, m.Parts[end-1].End)
	for i := first; i < end; i++ {
		p := &m.Parts[i]
		here := into[p.First:p.End]
		text, err := m.Sources[i].Span(int64(known)*int64(p.Rows()), here)
		if err != nil || end == first+1 {
			return text, err
		}
		copy(here, text)
	}
	return into, nil
}

// room returns so many bytes of a buffer.
func room(buffer *[]byte, n int) []byte {
	if cap(*buffer) < n {
		*buffer = make([]byte, n)
	}
	return (*buffer)[:n]
}

// tile is the side of the squares by which matrices are turned.
const tile = 32

// Transpose writes the columns of a matrix.
func Transpose[E int8 | byte](from []E, rows, columns int, column func(y int) []E) {
	for y0 := 0; y0 < columns; y0 += tile {
		y1 := min(y0+tile, columns)
		for x0 := 0; x0 < rows; x0 += tile {
			x1 := min(x0+tile, rows)
			for y := y0; y < y1; y++ {
				to := column(y)[x0:x1]
				at := x0*columns + y
				for i := range to {
					to[i] = from[at]
					at += columns
				}
			}
		}
	}
}

// Bytes converts values without copying.
func Bytes(v []int8) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(v))), len(v))
}

// Ranks finds the ranks of the positions of a layer.
type Ranks struct {
	*Division
	// starts are ranks of positions of the first control, by the number of seeds in the first half
	// and the content of the second half. From such a rank on, the positions with all contents of
	// the first half are consecutive.
	starts [][]uint64
}

// Ranks returns the ranks of a layer.
func (d *Division) Ranks(layer int) *Ranks {
	r := &Ranks{Division: d}
	p := d.Positions.Clone()
	words := p.Words()
	var keys []uint64
	for s := range layer + 1 {
		own := d.Territories[0].With(s)[0]
		keys = keys[:0]
		for _, k := range d.Territories[1].With(layer - s) {
			k.Or(own)
			k.Or(d.Controls[0].key)
			keys = append(keys, k[:words]...)
		}
		r.starts = append(r.starts, p.Ranks(keys, nil))
	}
	return r
}

// Rank returns the rank of the position with the given contents.
func (r *Ranks) Rank(c int, s Seeds, contents [2]int) uint64 {
	return uint64(c)*r.Positions.Ranker.Boards() + r.starts[s[0]][contents[1]] + uint64(contents[0])
}

// Put calls put with the values of a part, in pieces of consecutive ranks.
func (r *Ranks) Put(p *Part, values []byte, put func(rank uint64, values []byte) error) error {
	contents, n := [2]int{p.First, 0}, p.Rows()
	if p.Half == 1 {
		// The positions with the same content of the second half have to be consecutive.
		lines := make([]byte, len(values))
		Transpose(values, p.Columns, n, func(x int) []byte { return lines[x*p.Columns:][:p.Columns] })
		values, contents, n = lines, [2]int{0, p.First}, p.Columns
	}
	for ; len(values) > 0; values = values[n:] {
		if err := put(r.Rank(p.Control, p.Seeds, contents), values[:n]); err != nil {
			return err
		}
		contents[1]++
	}
	return nil
}

// Least returns the least rank of a position of a part that is marked.
func (r *Ranks) Least(p *Part, marks []byte) uint64 {
	least := ^uint64(0)
	for i, v := range marks {
		if v == 0 {
			continue
		}
		var contents [2]int
		contents[p.Half], contents[1-p.Half] = p.First+i%p.Rows(), i/p.Rows()
		least = min(least, r.Rank(p.Control, p.Seeds, contents))
	}
	return least
}
