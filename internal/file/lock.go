package file

import (
	"errors"
	"os"
)

// ErrLocked says that another process, or another part of this one, has locked a file.
var ErrLocked = errors.New("another process uses it")

// Lock opens a file for reading and writing, makes it if it is missing, and locks it where the
// system can. The error is ErrLocked if somebody else has done so. The lock ends when the file is
// closed, and with the process, however that ends.
func Lock(path string) (Handle, error) {
	for {
		f, err := system.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
		if err != nil {
			return nil, err
		}
		err = flock(f)
		if err == nil {
			if same, err := still(f, path); same {
				return f, nil
			} else if err != nil {
				return nil, errors.Join(err, f.Close())
			}
		}
		_ = f.Close() // nothing was written
		if err != nil {
			return nil, err
		}
	}
}

// still reports whether an open file has its path. Whoever had locked it before may have given it
// another name, or removed it.
func still(f Handle, path string) (bool, error) {
	is, err := f.Stat()
	if err != nil {
		return false, err
	}
	at, err := system.Stat(path)
	if errors.Is(err, os.ErrNotExist) {
		return false, nil
	}
	return err == nil && os.SameFile(is, at), err
}
