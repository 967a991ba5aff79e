//go:build unix

package mapped

import (
	"math"
	"os"

	"golang.org/x/sys/unix"

	"github.com/mancheck/mancheck/internal/file"
)

// shared maps a file.
func shared(f file.Handle, size int64) (*File, error) {
	if size > math.MaxInt {
		return nil, &os.PathError{Op: "map", Path: f.Name(), Err: unix.EFBIG}
	}
	memory, err := unix.Mmap(int(f.Fd()), 0, int(size), unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return nil, &os.PathError{Op: "map", Path: f.Name(), Err: err}
	}
	return &File{Bytes: memory, Shared: true, free: func() error { return unix.Munmap(memory) }}, nil
}
