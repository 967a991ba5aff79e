package pack

import (
	"syscall"
	"unsafe"
)

// hugePage is the size of a large page; smaller tables do not gain from them.
const hugePage = 2 << 20

// madvHugepage asks the kernel for large pages.
const madvHugepage = 14

// onLargePages asks for large pages under a table, before it is first touched. A probe of a table of many small pages misses not only
// the cache but also the translation of its address. That it cannot be had is no error.
func onLargePages[E uint32 | uint64](table []E) []E {
	size := uintptr(len(table)) * unsafe.Sizeof(E(0))
	if size < 2*hugePage {
		return table
	}
	first := uintptr(unsafe.Pointer(unsafe.SliceData(table)))
	skip := -first & (hugePage - 1)
	bytes := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(table))), size)
	_ = syscall.Madvise(bytes[skip:skip+(size-skip)&^(hugePage-1)], madvHugepage)
	return table
}
