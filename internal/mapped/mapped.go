// Package mapped has the contents of large files in memory. What fits is read, so that nobody can
// change it any more. The rest is mapped: only what is looked at is read, and several programs share
// it. Whoever may write to the file can then change or cut it at any time, so looks at it are guarded,
// and at the end it is compared with what it was at the beginning.
package mapped

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"runtime/debug"
	"sync/atomic"

	"github.com/mancheck/mancheck/internal/file"
	"github.com/mancheck/mancheck/internal/huge"
)

// File is the contents of a file.
type File struct {
	Bytes  []byte // which must not be changed, and if Shared be looked at by Look only
	Shared bool   // others may change it
	Sum    [sha256.Size]byte
	free   func() error
	broken atomic.Bool
}

// Read returns the contents of an open regular file. A file of more than most bytes is mapped where
// the system allows that, and f may be closed all the same.
func Read(f file.Handle, most int64) (*File, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if err := file.Regular(f.Name(), info); err != nil {
		return nil, err
	}
	m := &File{}
	if info.Size() > most {
		if m, err = shared(f, info.Size()); err != nil {
			return nil, err
		}
	}
	if !m.Shared {
		memory := huge.New(int((info.Size() + 7) / 8))
		m.Bytes, m.free = memory.Bytes()[:info.Size()], func() error { memory.Free(); return nil }
		if err := fill(f, m.Bytes); err != nil {
			return nil, errors.Join(err, m.Close())
		}
	}
	if m.Sum, err = m.sum(); err != nil {
		return nil, errors.Join(err, m.Close())
	}
	return m, nil
}

// fill reads all of a file. It must not have become longer or shorter.
func fill(f file.Handle, to []byte) error {
	if _, err := io.ReadFull(io.NewSectionReader(f, 0, int64(len(to))), to); err != nil {
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			err = file.ErrChanged
		}
		return &fs.PathError{Op: "read", Path: f.Name(), Err: err}
	}
	return nil
}

// Look calls a function that looks at the contents. It returns false if there is no more what should
// be there: then nothing that was looked at means anything, and Unchanged says so.
func (m *File) Look(look func()) (ok bool) {
	if !m.Shared {
		look()
		return true
	}
	before := debug.SetPanicOnFault(true)
	defer func() {
		debug.SetPanicOnFault(before)
		if fault := recover(); fault != nil {
			if _, is := fault.(interface{ Addr() uintptr }); !is {
				panic(fault)
			}
			m.broken.Store(true)
			ok = false
		}
	}()
	look()
	return !m.broken.Load()
}

// Unchanged fails if the contents are not, or may not have been, the same all the time.
func (m *File) Unchanged() error {
	if !m.Shared {
		return nil
	}
	if sum, err := m.sum(); err != nil || sum != m.Sum {
		return file.ErrChanged
	}
	return nil
}

func (m *File) sum() (sum [sha256.Size]byte, err error) {
	if !m.Look(func() { sum = sha256.Sum256(m.Bytes) }) {
		err = fmt.Errorf("%w, and cut", file.ErrChanged)
	}
	return sum, err
}

// Close gives the memory back; Bytes must not be used after that.
func (m *File) Close() error {
	m.Bytes = nil
	if m.free == nil {
		return nil
	}
	free := m.free
	m.free = nil
	return free()
}
