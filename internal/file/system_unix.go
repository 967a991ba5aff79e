//go:build unix

package file

import "syscall"

// nonBlocking lets the opening of a pipe come back at once.
const nonBlocking = syscall.O_NONBLOCK

// foldersSync says that folders can be opened and synced.
const foldersSync = true
