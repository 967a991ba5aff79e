//go:build unix

package disk

import (
	"errors"
	"os"
	"syscall"

	"github.com/mancheck/mancheck/internal/file"
)

// lock takes a file for this process. The lock ends with the process, however that ends.
func lock(path string) (file.Handle, error) {
	f, err := file.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		_ = f.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, ErrLocked
		}
		return nil, &os.PathError{Op: "lock", Path: path, Err: err}
	}
	return f, nil
}
