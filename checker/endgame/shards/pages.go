package shards

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"sync"

	"github.com/zeebo/xxh3"

	"github.com/mancheck/mancheck/checker/endgame/blocks"
	"github.com/mancheck/mancheck/checker/phase"
	"github.com/mancheck/mancheck/internal/depot"
)

// pageSize is the size of a page in bytes.
const pageSize = 1 << 17

// pages is a page cache for blocks of a depot. When a block is opened, it is read once as a whole
// and compared with its hash. Pages that are read later are compared with digests from that time.
type pages struct {
	ctx   context.Context
	depot depot.Depot
	sums  *sums
	most  int // most pages in memory
	kept  []*page
	hand  int // of the clock algorithm
	files map[string]*paged
}

// page is a page in memory.
type page struct {
	file   *paged
	number int64
	text   []byte
	used   bool // since the hand passed it
}

// paged is a block with some pages in memory.
type paged struct {
	pages  *pages
	block  phase.Block
	object depot.Object // nil: not open yet
	at     []*page      // by number; nil: not in memory
	sums   []uint64     // of pages
}

// sums has the digests of the pages of blocks, by the hash of the block. Its blocks have been
// verified.
type sums struct{ byHash sync.Map }

func newPages(ctx context.Context, d depot.Depot, s *sums, memory int64) *pages {
	return &pages{ctx: ctx, depot: d, sums: s, most: int(max(4, memory/pageSize)), files: map[string]*paged{}}
}

// close closes all blocks.
func (p *pages) close() {
	for _, f := range p.files {
		if f.object != nil {
			_ = f.object.Close() // it was only read
		}
	}
}

// file returns a block, which is opened by its first read.
func (p *pages) file(b phase.Block) *paged {
	f := p.files[b.Hash]
	if f == nil {
		f = &paged{pages: p, block: b}
		p.files[b.Hash] = f
	}
	return f
}

// open opens a block, and verifies it if it is opened for the first time. The error is a
// *depot.DamagedError if the block is damaged.
func (f *paged) open() error {
	o, err := depot.OpenBlock(f.pages.ctx, f.pages.depot, f.block.Hash, f.block.Size)
	if err != nil {
		return err
	}
	f.object = o
	f.at = make([]*page, (f.block.Size+pageSize-1)/pageSize)
	if known, is := f.pages.sums.byHash.Load(f.block.Hash); is {
		f.sums = known.([]uint64)
		return nil
	}
	whole := sha256.New()
	text := make([]byte, min(pageSize, f.block.Size))
	for n := range f.at {
		part, err := f.read(int64(n), text)
		if err != nil {
			return err
		}
		whole.Write(part)
		f.sums = append(f.sums, xxh3.Hash(part))
	}
	if hex.EncodeToString(whole.Sum(nil)) != f.block.Hash {
		return &depot.DamagedError{Name: depot.Block(f.block.Hash), Detail: "its content is not that of its name"}
	}
	f.pages.sums.byHash.Store(f.block.Hash, f.sums)
	return nil
}

// read reads a page.
func (f *paged) read(n int64, text []byte) ([]byte, error) {
	if err := f.pages.ctx.Err(); err != nil {
		return nil, err
	}
	text = text[:min(pageSize, f.block.Size-n*pageSize)]
	if got, err := f.object.ReadAt(text, n*pageSize); got < len(text) {
		if errors.Is(err, io.EOF) {
			err = &depot.DamagedError{Name: depot.Block(f.block.Hash), Detail: "it is truncated"}
		}
		return nil, err
	}
	return text, nil
}

// page returns the text of a page, which is valid until the next call.
func (f *paged) page(n int64) ([]byte, error) {
	if f.object == nil {
		if err := f.open(); err != nil {
			return nil, err
		}
	}
	if p := f.at[n]; p != nil {
		p.used = true
		return p.text, nil
	}
	size := min(pageSize, f.block.Size-n*pageSize)
	p := f.pages.room()
	if int64(cap(p.text)) < size {
		p.text = make([]byte, size)
	}
	text, err := f.read(n, p.text[:cap(p.text)])
	if err != nil {
		return nil, err
	}
	if xxh3.Hash(text) != f.sums[n] {
		f.pages.sums.byHash.Delete(f.block.Hash)
		return nil, &depot.DamagedError{Name: depot.Block(f.block.Hash), Detail: "it was changed while it was read"}
	}
	p.file, p.number, p.text, p.used = f, n, text, true
	f.at[n] = p
	return text, nil
}

// room returns a page that can be overwritten: a new one, or one that was not used recently.
func (p *pages) room() *page {
	if len(p.kept) < p.most {
		fresh := &page{}
		p.kept = append(p.kept, fresh)
		return fresh
	}
	for {
		p.hand = (p.hand + 1) % len(p.kept)
		old := p.kept[p.hand]
		if !old.used {
			if old.file != nil {
				old.file.at[old.number] = nil
				old.file = nil
			}
			return old
		}
		old.used = false
	}
}

// Span implements blocks.Source.
func (f *paged) Span(at int64, into []byte) ([]byte, error) {
	text, err := f.page(at / pageSize)
	if err != nil {
		return nil, err
	}
	text = text[at%pageSize:]
	if len(text) >= len(into) {
		return text[:len(into)], nil
	}
	n := copy(into, text)
	for n < len(into) {
		if text, err = f.page((at + int64(n)) / pageSize); err != nil {
			return nil, err
		}
		n += copy(into[n:], text)
	}
	return into, nil
}

// Steps implements blocks.Source.
func (f *paged) Steps(at, step int64, into []byte) ([]byte, error) {
	for i := 0; i < len(into); {
		text, err := f.page(at / pageSize)
		if err != nil {
			return nil, err
		}
		for n := at % pageSize; n < int64(len(text)) && i < len(into); i++ {
			into[i] = text[n]
			n, at = n+step, at+step
		}
	}
	return into, nil
}

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
