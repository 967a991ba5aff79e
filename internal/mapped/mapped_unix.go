//go:build unix

package mapped

import (
	"fmt"
	"math"
	"os"

	"golang.org/x/sys/unix"
)

// Open maps a regular file.
func Open(path string) (*File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // the mapping stays
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is no regular file", path)
	case info.Size() == 0:
		return &File{}, nil
	case info.Size() > math.MaxInt:
		return nil, &os.PathError{Op: "map", Path: path, Err: unix.EFBIG}
	}
	memory, err := unix.Mmap(int(f.Fd()), 0, int(info.Size()), unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return nil, &os.PathError{Op: "map", Path: path, Err: err}
	}
	return &File{Bytes: memory, free: func() error { return unix.Munmap(memory) }}, nil
}
