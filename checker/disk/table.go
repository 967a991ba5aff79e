package disk

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
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
	// writeSize is how many bytes are written to a file at once, if there is enough memory.
	writeSize = 64 << 10
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// stored is what the manifest says about a table.
type stored struct {
	Number int64
	Size   int64
	Keys   int64
	Sum    uint32 // of the footer
}

func (f stored) name() string { return fmt.Sprintf("%010d%s", f.Number, suffix) }

// suffix ends the names of tables.
const suffix = ".keys"

// CorruptError is the error for a file that does not have what was written to it.
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

// entrySize returns the size of an entry for keys of w words.
func entrySize(w int) int { return 8*w + 8 + 4 + 4 + 4 }

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

// shape has the sizes of a table's parts.
type shape struct {
	words int // of a key
	block int // most keys in a block
}

// writer writes a table. It needs memory for two blocks, at most writeSize bytes more, and an index
// entry for each block.
type writer struct {
	shape
	dir    folder
	to     io.WriteCloser
	file   stored
	keys   []uint64 // of the current block
	out    []byte   // bytes not yet written
	full   int      // length of out at which it is written
	offset int64    // of the end of out, in the file
	index  []byte
	last   []uint64 // the last key written
}

// newWriter creates the table with this number. buffer bounds the bytes kept before they are
// written.
func newWriter(dir folder, number int64, s shape, buffer int, use *lease) (*writer, error) {
	w := &writer{shape: s, dir: dir, file: stored{Number: number}, full: min(writeSize, buffer)}
	to, err := dir.create(w.file.name())
	if err != nil {
		return nil, err
	}
	w.to = to
	w.keys = use.getWords(s.block * s.words)[:0]
	w.out = use.getBytes(w.full + blockRoom(s.block, s.words))[:0]
	return w, nil
}

// add appends keys, which must be greater than all before.
func (w *writer) add(keys []uint64) error {
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

func (w *writer) endBlock() error {
	n := len(w.keys) / w.words
	if n == 0 {
		return nil
	}
	if w.last != nil && compare(w.last, w.keys[:w.words]) >= 0 {
		return fmt.Errorf("keys of %s are out of order", w.file.name())
	}
	used := len(w.out)
	w.out = w.out[:cap(w.out)]
	length := encode(w.out[used:], w.keys, w.words)
	w.out = w.out[:used+length]
	e := entry{first: w.keys[:w.words], offset: w.offset, length: uint32(length), keys: uint32(n)}
	size := entrySize(w.words)
	block := int64(len(w.index) / size)
	w.index = append(w.index, make([]byte, size)...)
	b := w.index[len(w.index)-size:]
	e.put(b)
	e.sum = checksum(w.file.Number, block, b[:size-sumSize], w.out[used:])
	e.put(b)
	w.offset += int64(length)
	w.file.Keys += int64(n)
	w.last = append(w.last[:0], w.keys[len(w.keys)-w.words:]...)
	w.keys = w.keys[:0]
	return w.flush(w.full)
}

// flush writes what is buffered, if it has at least this length.
func (w *writer) flush(least int) error {
	if len(w.out) < least {
		return nil
	}
	_, err := w.to.Write(w.out)
	w.out = w.out[:0]
	return err
}

// finish writes the rest and closes the file. Without keys there is no file, and Size is 0.
func (w *writer) finish() (stored, error) {
	err := w.endBlock()
	if err == nil && w.file.Keys == 0 {
		w.abandon()
		return w.file, nil
	}
	if err == nil {
		err = w.endFile()
	}
	if err == nil {
		if err = w.to.Close(); err == nil {
			return w.file, nil
		}
	}
	w.abandon()
	return stored{}, err
}

// endFile writes the index and the footer.
func (w *writer) endFile() error {
	size := entrySize(w.words)
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
	b = binary.LittleEndian.AppendUint32(b, uint32(w.words))
	b = binary.LittleEndian.AppendUint32(b, uint32(w.block))
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

// abandon removes the file after an error. Its own errors are ignored, as the first one is
// reported.
func (w *writer) abandon() {
	_ = w.to.Close()
	_ = w.dir.remove(w.file.name())
}

// table is an open table. Several goroutines may read it.
type table struct {
	shape
	stored
	from   reader
	blocks int
	index  int64 // offset of the index
	last   []uint64
}

// openTable opens a table of keys of w words and checks its footer.
func openTable(dir folder, f stored, w int) (*table, error) {
	from, err := dir.open(f.name())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &CorruptError{f.name(), "it is missing"}
	}
	if err != nil {
		return nil, err
	}
	t := &table{stored: f, from: from, shape: shape{words: w}}
	if err := t.readFooter(); err != nil {
		_ = from.Close()
		return nil, err
	}
	return t, nil
}

func (t *table) corrupt(format string, args ...any) error {
	return &CorruptError{t.name(), fmt.Sprintf(format, args...)}
}

func (t *table) readFooter() error {
	size, err := t.from.size()
	if err != nil {
		return err
	}
	if size != t.Size {
		return t.corrupt("it has %d bytes and should have %d", size, t.Size)
	}
	b := make([]byte, footerSize(t.words))
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
	t.block = int(binary.LittleEndian.Uint32(b[4:]))
	t.blocks = int(binary.LittleEndian.Uint64(b[8:]))
	keys := int64(binary.LittleEndian.Uint64(b[16:]))
	t.index = int64(binary.LittleEndian.Uint64(b[24:]))
	for b = b[32:]; len(b) > sumSize; b = b[8:] {
		t.last = append(t.last, binary.LittleEndian.Uint64(b))
	}
	if int(words) != t.words || keys != t.Keys {
		return t.corrupt("it has %d keys of %d words and should have %d of %d", keys, words, t.Keys, t.words)
	}
	return nil
}

// readAt fills b. If the file ends too early, it is corrupt.
func (t *table) readAt(b []byte, offset int64) error {
	n, err := t.from.ReadAt(b, offset)
	if n == len(b) {
		return nil
	}
	if err == nil || err == io.EOF {
		return t.corrupt("it is too short")
	}
	return err
}

func (t *table) close() error { return t.from.Close() }
