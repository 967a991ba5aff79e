package output

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// Free fails if there is a file at path that may not be replaced. It serves to tell so before a long search.
func Free(path string, force bool) error {
	if path == "" || force {
		return nil
	}
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		return taken(path)
	}
	return nil
}

// File writes a file. Without force one that is there already is not replaced.
func File(path string, text []byte, force bool) error {
	flags := os.O_WRONLY | os.O_CREATE | os.O_EXCL
	if force {
		flags = os.O_WRONLY | os.O_CREATE | os.O_TRUNC
	}
	f, err := os.OpenFile(path, flags, 0o666)
	if errors.Is(err, fs.ErrExist) {
		return taken(path)
	}
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	return errors.Join(err, f.Close())
}

func taken(path string) error { return fmt.Errorf("%s exists; --force replaces it", path) }
