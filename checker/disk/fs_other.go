//go:build !unix

package disk

import (
	"errors"
	"os"
)

// syncNames does nothing: such systems write folders as they like.
func (d osFolder) syncNames() error { return nil }

// syncPath waits until what was written to a file is on the disk. It has to be open for writing.
func syncPath(path string) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// lock opens a file. Only the systems of the other file can lock it.
func lock(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
}
