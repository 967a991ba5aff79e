package disk

import (
	"errors"
	"io"
	"os"
	"path/filepath"

	"github.com/mancheck/mancheck/checker/sorted"
	"github.com/mancheck/mancheck/internal/file"
)

// folder has the file operations that a Store needs. Tests have one that fails, and one that loses
// what was not synced.
type folder interface {
	create(name string) (io.WriteCloser, error) // fails if the file exists
	open(name string) (sorted.Source, error)
	read(name string) ([]byte, error)
	sync(name string) error // after it, the contents survive a crash
	rename(from, to string) error
	remove(name string) error
	names() ([]string, error)
	syncNames() error // after it, creations, renames and removals survive a crash
}

// osFolder is a folder of the operating system, by its path.
type osFolder string

func (d osFolder) path(name string) string { return filepath.Join(string(d), name) }

func (d osFolder) create(name string) (io.WriteCloser, error) {
	return file.OpenFile(d.path(name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
}

func (d osFolder) open(name string) (sorted.Source, error) {
	f, err := file.OpenFile(d.path(name), os.O_RDONLY, 0)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return osFile{f, info.Size()}, nil
}

func (d osFolder) read(name string) ([]byte, error) { return file.Read(d.path(name)) }

func (d osFolder) sync(name string) error {
	f, err := file.OpenFile(d.path(name), os.O_RDWR, 0) // some systems can sync only files open for writing
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

func (d osFolder) syncNames() error { return file.SyncFolder(string(d)) }

func (d osFolder) rename(from, to string) error { return file.Rename(d.path(from), d.path(to)) }

func (d osFolder) remove(name string) error { return file.Remove(d.path(name)) }

func (d osFolder) names() ([]string, error) {
	entries, err := file.ReadDir(string(d))
	var list []string
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return list, err
}

// osFile is a file of the operating system.
type osFile struct {
	file.Handle
	size int64
}

// Size implements sorted.Source.
func (f osFile) Size() int64 { return f.size }
