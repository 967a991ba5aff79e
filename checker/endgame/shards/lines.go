package shards

import (
	"github.com/mancheck/mancheck/checker/endgame/blocks"
	"github.com/mancheck/mancheck/checker/phase"
)

// constant is a source with the same value everywhere.
type constant byte

// Span implements blocks.Source.
func (c constant) Span(_ int64, into []byte) ([]byte, error) {
	for i := range into {
		into[i] = byte(c)
	}
	return into, nil
}

// Steps implements blocks.Source.
func (c constant) Steps(at, _ int64, into []byte) ([]byte, error) { return c.Span(at, into) }

// futures is the layers that are done. It implements blocks.Lower.
type futures struct {
	layers  []*blocks.Matrices
	unknown [][]bool // by layer and block
	buffer  []byte
}

// Line implements blocks.Lower.
func (f *futures) Line(c int, s blocks.Seeds, vary int, known uint32) (line []byte, unknown bool, err error) {
	n := s.Total()
	at := f.layers[n].Division.At(c, s)
	line, err = f.layers[n].Line(at, vary, known, &f.buffer)
	return line, f.unknown[n][at], err
}

// lowerLayers returns the layers that are done.
func (t *task) lowerLayers() *futures {
	f := &futures{}
	for n, l := range t.state.Layers {
		m := &blocks.Matrices{Division: t.division, Layout: &t.Work.layout(n).Layout}
		unknown := make([]bool, t.division.Blocks(n))
		for i, b := range l.Parts {
			m.Sources = append(m.Sources, t.source(b, constant(0)))
			at := m.Parts[i].Block
			unknown[at] = unknown[at] || l.Unknown[i]
		}
		f.layers, f.unknown = append(f.layers, m), append(f.unknown, unknown)
	}
	return f
}

// source returns a source for a block, or without if there is no block.
func (t *task) source(b phase.Block, without blocks.Source) blocks.Source {
	if b.Hash == "" {
		return without
	}
	return t.pages.file(b)
}
