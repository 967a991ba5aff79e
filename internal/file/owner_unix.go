//go:build unix

package file

import (
	"io/fs"
	"syscall"
)

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
