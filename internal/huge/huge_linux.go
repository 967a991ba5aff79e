package huge

import (
	"sync"
	"unsafe"

	"golang.org/x/sys/unix"
)

// page is the length of a huge page, in bytes.
const page = 2 << 20

// mapped asks for huge pages. It returns nil if there is no such memory.
func mapped(n int) (slots []uint64, free func()) {
	memory, err := unix.MmapPtr(-1, 0, nil, uintptr(8*n+page), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE|unix.MAP_NORESERVE)
	if err != nil {
		return nil, nil
	}
	free = sync.OnceFunc(func() { _ = unix.MunmapPtr(memory, uintptr(8*n+page)) })
	first := unsafe.Add(memory, -uintptr(memory)&(page-1)) // a huge page begins where its length divides the address
	slots = unsafe.Slice((*uint64)(first), n)
	_ = unix.Madvise(unsafe.Slice((*byte)(first), 8*n), unix.MADV_HUGEPAGE) // a kernel without them refuses
	return slots, free
}
