//go:build !unix

package disk

import (
	"os"

	"github.com/mancheck/mancheck/internal/file"
)

// lock opens a file. Only the systems of the other file can lock it.
func lock(path string) (file.Handle, error) {
	return file.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
}
