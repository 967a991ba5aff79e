//go:build !unix

package file

import "io/fs"

// nonBlocking has no meaning here: pipes are not opened by a path.
const nonBlocking = 0

// foldersSync says that such systems write folders as they like.
const foldersSync = false

// flock does nothing: only the systems of the other file can lock an open file.
func flock(Handle) error { return nil }

// keepOwner does nothing where files have no owners.
func keepOwner(Handle, fs.FileInfo) {}

// names is unknown there.
func names(fs.FileInfo) int { return 1 }
