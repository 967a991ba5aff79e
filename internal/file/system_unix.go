//go:build unix

package file

import (
	"errors"
	"io/fs"
	"syscall"
)

// nonBlocking lets the opening of a pipe come back at once.
const nonBlocking = syscall.O_NONBLOCK

// foldersSync says that folders can be opened and synced.
const foldersSync = true

// flock locks an open file for this process. The lock ends with the process, however that ends.
func flock(f Handle) error {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return ErrLocked
	}
	if err != nil {
		return &fs.PathError{Op: "lock", Path: f.Name(), Err: err}
	}
	return nil
}

// keepOwner gives a file the owner and group of the one that it is to replace, as far as that is
// allowed.
func keepOwner(f Handle, old fs.FileInfo) {
	if st, ok := old.Sys().(*syscall.Stat_t); ok {
		_ = f.Chown(int(st.Uid), int(st.Gid))
	}
}

// names returns how many names (hard links) a file has.
func names(old fs.FileInfo) int {
	if st, ok := old.Sys().(*syscall.Stat_t); ok {
		return int(st.Nlink)
	}
	return 1
}
