package main

import (
	"syscall"
	"unsafe"
)

// allocate asks for huge pages: with small ones, most look-ups in a large table also miss the
// translation buffer.
func allocate(slots int) []uint64 {
	memory, err := syscall.Mmap(-1, 0, 8*slots, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		panic(err)
	}
	_ = syscall.Madvise(memory, syscall.MADV_HUGEPAGE) // a kernel without them refuses
	return unsafe.Slice((*uint64)(unsafe.Pointer(&memory[0])), slots)
}

// release gives the memory of allocate back.
func release(slots []uint64) {
	memory := unsafe.Slice((*byte)(unsafe.Pointer(&slots[0])), 8*len(slots))
	if err := syscall.Munmap(memory); err != nil {
		panic(err)
	}
}
