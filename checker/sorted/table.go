package sorted

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"slices"
)

// A table is a file of ascending keys, which is written once:
//
//	blocks   one after another; see block.go
//	index    pages of pageEntries entries, the last one shorter, each followed by its checksum
//	footer   the shape and the number of keys, with a checksum; its length is footerSize
//
// An entry of the index has the first key of its block, the block's offset and length, its number
// of keys, and a checksum of all this and the block. Checksums begin with the number of the file
// and of the block or page, so that a block from another place is detected, too. The manifest has
// the checksum of the footer. Numbers are in little endian.

const (
	magic       = "mcdisk01"
	pageEntries = 32
	sumSize     = 4
	// writeSize is the number of bytes that are written to a file at once, if there is enough
	// memory.
	writeSize = 64 << 10
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// File describes a table. It is needed to open the table.
type File struct {
	Number int64 // chosen by the writer; the checksums depend on it
	Size   int64 // bytes
	Keys   int64
	Sum    uint32 // checksum of the footer
}

// CorruptError is the error for a table whose content is not what was written.
type CorruptError struct {
	File   string
	Detail string
}

func (e *CorruptError) Error() string {
	return fmt.Sprintf("%s is damaged: %s", e.File, e.Detail)
}

// entry is an entry of the index.
type entry struct {
	first  []uint64
	offset int64
	length uint32
	keys   uint32
	sum    uint32
}

// EntrySize returns the bytes that the index takes for a block of keys of w words. A Writer keeps
// them in memory.
func EntrySize(w int) int { return 8*w + 8 + 4 + 4 + 4 }

// put encodes an entry, and get decodes one.
func (e *entry) put(b []byte) {
	for i, x := range e.first {
		binary.LittleEndian.PutUint64(b[8*i:], x)
	}
	b = b[8*len(e.first):]
	binary.LittleEndian.PutUint64(b, uint64(e.offset))
	binary.LittleEndian.PutUint32(b[8:], e.length)
	binary.LittleEndian.PutUint32(b[12:], e.keys)
	binary.LittleEndian.PutUint32(b[16:], e.sum)
}

func (e *entry) get(b []byte) {
	for i := range e.first {
		e.first[i] = binary.LittleEndian.Uint64(b[8*i:])
	}
	b = b[8*len(e.first):]
	e.offset = int64(binary.LittleEndian.Uint64(b))
	e.length = binary.LittleEndian.Uint32(b[8:])
	e.keys = binary.LittleEndian.Uint32(b[12:])
	e.sum = binary.LittleEndian.Uint32(b[16:])
}

// checksum returns the checksum of parts of a file. place is the number of the block or page.
func checksum(file, place int64, parts ...[]byte) uint32 {
	var salt [16]byte
	binary.LittleEndian.PutUint64(salt[:], uint64(file))
	binary.LittleEndian.PutUint64(salt[8:], uint64(place))
	sum := crc32.Checksum(salt[:], castagnoli)
	for _, p := range parts {
		sum = crc32.Update(sum, castagnoli, p)
	}
	return sum
}

// footerPlace is the place of the footer for its checksum. No block or page has this number.
const footerPlace = -1

func footerSize(w int) int { return len(magic) + 4 + 4 + 8 + 8 + 8 + 8*w + sumSize }

// Shape has the sizes of a table's parts.
type Shape struct {
	Words int // of a key
	Block int // most keys in a block
}

// Writer writes a table. It needs memory for two blocks, at most writeSize bytes more, and an index
// entry for each block.
type Writer struct {
	Shape
	to     io.Writer
	file   File
	keys   []uint64 // of the current block
	out    []byte   // bytes not yet written
	full   int      // length of out at which it is written
	offset int64    // of the end of out, in the file
	index  []byte
	last   []uint64 // the last key written
}

// NewWriter returns a Writer for the table with this number. buffer is the most bytes that are
// buffered before a write.
func NewWriter(to io.Writer, number int64, s Shape, buffer int, use *Lease) *Writer {
	w := &Writer{Shape: s, to: to, file: File{Number: number}, full: min(writeSize, buffer)}
	w.keys = use.Words(s.Block * s.Words)[:0]
	w.out = use.getBytes(w.full + blockRoom(s.Block, s.Words))[:0]
	return w
}

// Add appends keys, which must be greater than all before.
func (w *Writer) Add(keys []uint64) error {
	for len(keys) > 0 {
		n := min(len(keys), cap(w.keys)-len(w.keys))
		w.keys = append(w.keys, keys[:n]...)
		keys = keys[n:]
		if len(w.keys) == cap(w.keys) {
			if err := w.endBlock(); err != nil {
				return err
			}
		}
	}
	return nil
}

func (w *Writer) endBlock() error {
	n := len(w.keys) / w.Words
	if n == 0 {
		return nil
	}
	if w.last != nil && Compare(w.last, w.keys[:w.Words]) >= 0 {
		return errors.New("the keys of a table are out of order")
	}
	used := len(w.out)
	w.out = w.out[:cap(w.out)]
	length := encode(w.out[used:], w.keys, w.Words)
	w.out = w.out[:used+length]
	e := entry{first: w.keys[:w.Words], offset: w.offset, length: uint32(length), keys: uint32(n)}
	size := EntrySize(w.Words)
	block := int64(len(w.index) / size)
	w.index = append(w.index, make([]byte, size)...)
	b := w.index[len(w.index)-size:]
	e.put(b)
	e.sum = checksum(w.file.Number, block, b[:size-sumSize], w.out[used:])
	e.put(b)
	w.offset += int64(length)
	w.file.Keys += int64(n)
	w.last = append(w.last[:0], w.keys[len(w.keys)-w.Words:]...)
	w.keys = w.keys[:0]
	return w.flush(w.full)
}

// flush writes the buffer, if it has at least this length.
func (w *Writer) flush(least int) error {
	if len(w.out) < least {
		return nil
	}
	_, err := w.to.Write(w.out)
	w.out = w.out[:0]
	return err
}

// Finish writes the rest, and returns the description of the table. Without keys nothing is
// written, and Size is 0.
func (w *Writer) Finish() (File, error) {
	err := w.endBlock()
	if err == nil && w.file.Keys > 0 {
		err = w.endFile()
	}
	return w.file, err
}

// endFile writes the index and the footer.
func (w *Writer) endFile() error {
	size := EntrySize(w.Words)
	blocks, index := len(w.index)/size, w.offset
	page := int64(0)
	for p := range slices.Chunk(w.index, pageEntries*size) {
		w.out = append(w.out, p...)
		w.out = binary.LittleEndian.AppendUint32(w.out, checksum(w.file.Number, page, p))
		w.offset += int64(len(p)) + sumSize
		page++
		if err := w.flush(w.full); err != nil {
			return err
		}
	}
	b := append([]byte(nil), magic...)
	b = binary.LittleEndian.AppendUint32(b, uint32(w.Words))
	b = binary.LittleEndian.AppendUint32(b, uint32(w.Block))
	b = binary.LittleEndian.AppendUint64(b, uint64(blocks))
	b = binary.LittleEndian.AppendUint64(b, uint64(w.file.Keys))
	b = binary.LittleEndian.AppendUint64(b, uint64(index))
	for _, x := range w.last {
		b = binary.LittleEndian.AppendUint64(b, x)
	}
	w.file.Sum = checksum(w.file.Number, footerPlace, b)
	b = binary.LittleEndian.AppendUint32(b, w.file.Sum)
	w.out = append(w.out, b...)
	w.file.Size = w.offset + int64(len(b))
	return w.flush(1)
}

// Source has the bytes of a table.
type Source interface {
	io.ReaderAt
	io.Closer
	Size() int64
}

// Table is an open table. Several goroutines may read it.
type Table struct {
	Shape
	File
	name   string
	from   Source
	blocks int
	index  int64 // offset of the index
	last   []uint64
}

// Open opens a table of keys of w words, and checks its footer. The name is for errors. The error
// is a *CorruptError or a read error; the source is then closed.
func Open(from Source, name string, f File, w int) (*Table, error) {
	t := &Table{File: f, name: name, from: from, Shape: Shape{Words: w}}
	if err := t.readFooter(); err != nil {
		return nil, errors.Join(err, from.Close())
	}
	return t, nil
}

// Blocks returns the number of blocks. All keys of a block are less than those of the next one.
func (t *Table) Blocks() int { return t.blocks }

// Last returns the last key.
func (t *Table) Last() []uint64 { return t.last }

// Close closes the source.
func (t *Table) Close() error { return t.from.Close() }

func (t *Table) corrupt(format string, args ...any) error {
	return &CorruptError{t.name, fmt.Sprintf(format, args...)}
}

func (t *Table) readFooter() error {
	size := t.from.Size()
	if size != t.File.Size {
		return t.corrupt("it has %d bytes and should have %d", size, t.File.Size)
	}
	b := make([]byte, footerSize(t.Words))
	if size < int64(len(b)) {
		return t.corrupt("it is too short")
	}
	if err := t.readAt(b, size-int64(len(b))); err != nil {
		return err
	}
	end := len(b) - sumSize
	sum := binary.LittleEndian.Uint32(b[end:])
	if sum != t.Sum || sum != checksum(t.Number, footerPlace, b[:end]) || string(b[:len(magic)]) != magic {
		return t.corrupt("its end has the wrong checksum")
	}
	b = b[len(magic):]
	words := binary.LittleEndian.Uint32(b)
	t.Block = int(binary.LittleEndian.Uint32(b[4:]))
	t.blocks = int(binary.LittleEndian.Uint64(b[8:]))
	keys := int64(binary.LittleEndian.Uint64(b[16:]))
	t.index = int64(binary.LittleEndian.Uint64(b[24:]))
	for b = b[32:]; len(b) > sumSize; b = b[8:] {
		t.last = append(t.last, binary.LittleEndian.Uint64(b))
	}
	if int(words) != t.Words || keys != t.Keys {
		return t.corrupt("it has %d keys of %d words and should have %d of %d", keys, words, t.Keys, t.Words)
	}
	return nil
}

// readAt fills b. If the file ends too early, it is corrupt.
func (t *Table) readAt(b []byte, offset int64) error {
	n, err := t.from.ReadAt(b, offset)
	if n == len(b) {
		return nil
	}
	if err == nil || err == io.EOF {
		return t.corrupt("it is too short")
	}
	return err
}
