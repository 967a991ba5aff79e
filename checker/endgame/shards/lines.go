package shards

import (
	"sort"

	"github.com/mancheck/mancheck/checker/endgame/blocks"
	"github.com/mancheck/mancheck/checker/phase"
)

// source reads the values of a part, by column and row.
type source interface {
	// span returns len(into) values from a place on. It may use into as a buffer.
	span(at int64, into []byte) ([]byte, error)
	// steps reads the values at a place, and at the places that are step, 2 step, … after it.
	steps(at, step int64, into []byte) error
}

// constant is a source with the same value everywhere.
type constant byte

func (c constant) span(_ int64, into []byte) ([]byte, error) {
	for i := range into {
		into[i] = byte(c)
	}
	return into, nil
}

func (c constant) steps(at, _ int64, into []byte) error {
	_, err := c.span(at, into)
	return err
}

// memory is a source in memory.
type memory []byte

func (m memory) span(at int64, into []byte) ([]byte, error) { return m[at:][:len(into)], nil }

func (m memory) steps(at, step int64, into []byte) error {
	for i := range into {
		into[i] = m[at]
		at += step
	}
	return nil
}

// matrices are the values of a layer.
type matrices struct {
	division *blocks.Division
	layout   *layout
	sources  []source // by part
	buffer   []byte   // for a line
}

// line returns the values of the positions of a block with the content known in the half that does
// not vary. The result is valid until the next call.
func (m *matrices) line(block, vary int, known uint32) ([]byte, error) {
	l := m.layout
	c, _ := m.division.Block(l.seeds, block)
	first, end := l.byBlock[block][0], l.byBlock[block][1]
	if m.division.Controls[c].Half != vary {
		i := first + sort.Search(end-first, func(i int) bool { return l.parts[first+i].end > int(known) })
		p := &l.parts[i]
		into := m.room(p.columns)
		return into, m.sources[i].steps(int64(int(known)-p.first), int64(p.rows()), into)
	}
	into := m.room(l.parts[end-1].end)
	for i := first; i < end; i++ {
		p := &l.parts[i]
		here := into[p.first:p.end]
		text, err := m.sources[i].span(int64(known)*int64(p.rows()), here)
		if err != nil || end == first+1 {
			return text, err
		}
		copy(here, text)
	}
	return into, nil
}

// room returns a buffer for a line.
func (m *matrices) room(n int) []byte {
	if cap(m.buffer) < n {
		m.buffer = make([]byte, n)
	}
	return m.buffer[:n]
}

// futures is the layers that are done. It implements blocks.Lower.
type futures struct {
	layers  []*matrices
	unknown [][]bool // by layer and block
}

// Line implements blocks.Lower.
func (f *futures) Line(c int, s blocks.Seeds, vary int, known uint32) (line []byte, unknown bool, err error) {
	n := s.Total()
	at := f.layers[n].division.At(c, s)
	line, err = f.layers[n].line(at, vary, known)
	return line, f.unknown[n][at], err
}

// lowerLayers returns the layers that are done.
func (t *task) lowerLayers() *futures {
	f := &futures{}
	for n, l := range t.state.Layers {
		m := &matrices{division: t.division, layout: t.Work.layout(n)}
		unknown := make([]bool, t.division.Blocks(n))
		for i, b := range l.Parts {
			m.sources = append(m.sources, t.source(b, constant(0)))
			at := m.layout.parts[i].block
			unknown[at] = unknown[at] || l.Unknown[i]
		}
		f.layers, f.unknown = append(f.layers, m), append(f.unknown, unknown)
	}
	return f
}

// source returns a source for a block, or without if there is no block.
func (t *task) source(b phase.Block, without source) source {
	if b.Hash == "" {
		return without
	}
	return t.pages.file(b)
}
