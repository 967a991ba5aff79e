package output

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/mancheck/mancheck/internal/file"
)

// Free fails if the file at path may not be replaced, or cannot be written. It serves to tell so before a long search.
func Free(path string, force bool) error {
	if path == "" {
		return nil
	}
	return told(path, file.Try(path, mode(path, force)))
}

// File writes a file that the user named. Without force one that is there already is not replaced.
func File(path string, text []byte, force bool) error {
	return told(path, file.Write(path, text, mode(path, force)))
}

// mode lets a device or pipe be written to, which loses nothing by it.
func mode(path string, force bool) file.Mode {
	info, err := os.Stat(path)
	if force || err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		return file.Named
	}
	return file.New
}

// told says how a file can be replaced that is there already.
func told(path string, err error) error {
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s exists; --force replaces it", path)
	}
	return err
}
