// Package huge allocates large tables that are read in random order. With the usual small pages of
// memory, most look-ups in such a table miss the translation buffer of the processor as well as its
// caches.
package huge

import (
	"runtime"
	"unsafe"
)

// Words is a table of zero words.
type Words struct {
	Slots []uint64
	free  func()
}

// least is the number of words from which on a table is worth pages of its own: those of one.
const least = 1 << 18

// New allocates a table of n words. Memory is taken when a word is written to for the first time.
// It is given back by Free, or when the table is garbage; Slots must not be used after that.
func New(n int) *Words {
	w := &Words{}
	if n >= least {
		if slots, free := mapped(n); slots != nil {
			w.Slots, w.free = slots, free
			runtime.AddCleanup(w, func(f func()) { f() }, free)
			return w
		}
	}
	w.Slots = make([]uint64, n)
	return w
}

// Free gives the memory back.
func (w *Words) Free() {
	if w.free != nil {
		w.free()
	}
	w.Slots = nil
}

// Halves is the same memory, as two numbers for each word.
func (w *Words) Halves() []uint32 {
	return unsafe.Slice((*uint32)(unsafe.Pointer(unsafe.SliceData(w.Slots))), 2*len(w.Slots))
}

// Bytes is the same memory, as eight numbers for each word.
func (w *Words) Bytes() []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(w.Slots))), 8*len(w.Slots))
}
