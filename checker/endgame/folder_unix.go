//go:build unix

package endgame

import (
	"errors"
	"os"
)

// syncFolder waits until what was created or renamed in a folder survives a crash.
func syncFolder(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
