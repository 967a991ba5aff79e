// Package frozen has the contents of a large file as they were when it was opened, whoever writes
// to it, cuts it or replaces it afterwards. What fits is read into memory. Of the rest blocks are
// read when they are first looked at, and compared with the digests that were taken at the
// beginning.
package frozen

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"sync"
	"sync/atomic"

	"github.com/mancheck/mancheck/internal/file"
	"github.com/mancheck/mancheck/internal/huge"
)

// File is the contents of a file. It may be used by several goroutines.
type File struct {
	Sum [sha256.Size]byte // SHA-256 of all of it

	size   int64
	memory *huge.Words // with all contents; nil if there are too many
	bytes  []byte

	from      file.Handle
	sums      []digest
	blocks    []atomic.Pointer[block]
	maxBlocks int // blocks to be kept
	mu        sync.Mutex
	kept      []int // the blocks there are, the oldest first
	failed    error
}

const blockSize = 64 << 10

type block [blockSize]byte

// digest is the first half of the SHA-256 of a block.
type digest [sha256.Size / 2]byte

// Open reads a regular file through once. Up to most bytes of it are kept in memory. The handle
// must stay open. The error is file.ErrChanged if the file becomes shorter meanwhile.
func Open(from file.Handle, most int64) (*File, error) {
	info, err := from.Stat()
	if err != nil {
		return nil, err
	}
	f := &File{size: info.Size(), from: from, maxBlocks: int(max(1, most/blockSize))}
	if f.size <= most {
		f.memory = huge.New(int((f.size + 7) / 8))
		f.bytes = f.memory.Bytes()[:f.size]
	} else {
		n := (f.size + blockSize - 1) / blockSize
		f.sums, f.blocks = make([]digest, n), make([]atomic.Pointer[block], n)
	}
	if err := f.readThrough(); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

func (f *File) readThrough() error {
	all := sha256.New()
	part := make([]byte, blockSize)
	for at := int64(0); at < f.size; at += blockSize {
		if f.bytes != nil {
			part = f.bytes[at:min(f.size, at+blockSize)]
		}
		part = part[:min(blockSize, f.size-at)]
		if err := f.fill(part, at); err != nil {
			return err
		}
		_, _ = all.Write(part)
		if f.sums != nil {
			f.sums[at/blockSize] = digestOf(part)
		}
	}
	all.Sum(f.Sum[:0])
	return nil
}

func digestOf(part []byte) (d digest) {
	sum := sha256.Sum256(part)
	copy(d[:], sum[:])
	return d
}

func (f *File) fill(part []byte, at int64) error {
	_, err := io.ReadFull(io.NewSectionReader(f.from, at, int64(len(part))), part)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = fmt.Errorf("%w, and cut", file.ErrChanged)
	}
	if err != nil {
		return &fs.PathError{Op: "read", Path: f.from.Name(), Err: err}
	}
	return nil
}

// Len is the number of bytes.
func (f *File) Len() int64 { return f.size }

// All returns all contents if they are in memory, and else nil. They must not be changed.
func (f *File) All() []byte { return f.bytes }

// Byte returns one byte. It is 0, and Err says why, if it is no longer known what it was.
func (f *File) Byte(at int64) byte {
	if f.bytes != nil {
		return f.bytes[at]
	}
	b := f.blocks[at/blockSize].Load()
	if b == nil {
		b = f.load(int(at / blockSize))
	}
	return b[at%blockSize]
}

// Each calls look with the bytes from one place to another, piece by piece.
func (f *File) Each(from, to int64, look func([]byte)) {
	if f.bytes != nil {
		look(f.bytes[from:to])
		return
	}
	for from < to {
		n := from / blockSize
		b := f.blocks[n].Load()
		if b == nil {
			b = f.load(int(n))
		}
		end := min(to, (n+1)*blockSize)
		look(b[from%blockSize:][:end-from])
		from = end
	}
}

// load reads a block, and forgets the oldest one if there are enough.
func (f *File) load(n int) *block {
	f.mu.Lock()
	defer f.mu.Unlock()
	if b := f.blocks[n].Load(); b != nil {
		return b
	}
	b, at := new(block), int64(n)*blockSize
	part := b[:min(blockSize, f.size-at)]
	err := f.fill(part, at)
	if err == nil && digestOf(part) != f.sums[n] {
		err = &fs.PathError{Op: "read", Path: f.from.Name(), Err: file.ErrChanged}
	}
	if err != nil {
		f.failed = err
		return new(block)
	}
	if len(f.kept) >= f.maxBlocks {
		f.blocks[f.kept[0]].Store(nil)
		f.kept = f.kept[1:]
	}
	f.blocks[n].Store(b)
	f.kept = append(f.kept, n)
	return b
}

// Err fails if something was looked at that is no longer what it was. Nothing that was found with
// it means anything then.
func (f *File) Err() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.failed
}

// Close gives the memory back. The contents must not be used after that.
func (f *File) Close() {
	f.bytes, f.blocks = nil, nil
	if f.memory != nil {
		f.memory.Free()
		f.memory = nil
	}
}
