package huge

import (
	"sync"
	"unsafe"

	"golang.org/x/sys/unix"
)

// mapped asks for huge pages. It returns nil if there is no such memory.
func mapped(n int) (slots []uint64, free func()) {
	memory, err := unix.Mmap(-1, 0, 8*n, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE|unix.MAP_NORESERVE)
	if err != nil {
		return nil, nil
	}
	_ = unix.Madvise(memory, unix.MADV_HUGEPAGE) // a kernel without them refuses
	free = sync.OnceFunc(func() { _ = unix.Munmap(memory) })
	return unsafe.Slice((*uint64)(unsafe.Pointer(&memory[0])), n), free
}
