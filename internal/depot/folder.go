package depot

import (
	"context"
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mancheck/mancheck/internal/file"
)

// Folder is a Depot in a folder of a file system.
type Folder string

// drafts is the folder of incomplete objects. It is in the same file system, so that they can be
// renamed.
const drafts = ".drafts"

// NewFolder returns the depot in a folder, which it creates if it is missing.
func NewFolder(path string) (Folder, error) {
	path, err := filepath.Abs(path)
	if err == nil {
		err = file.MkdirAll(filepath.Join(path, drafts), 0o777)
	}
	return Folder(path), err
}

func (d Folder) String() string { return string(d) }

func (d Folder) path(name string) (string, error) {
	return filepath.Join(string(d), filepath.FromSlash(name)), valid(name)
}

// place returns the path for an object, and creates its folder.
func (d Folder) place(name string) (string, error) {
	path, err := d.path(name)
	if err != nil {
		return "", err
	}
	dir := filepath.Dir(path)
	if _, err := file.Stat(dir); err == nil {
		return path, nil
	}
	if err := file.MkdirAll(dir, 0o777); err != nil {
		return "", err
	}
	return path, file.SyncFolder(filepath.Dir(dir))
}

// Put implements Depot.
func (d Folder) Put(_ context.Context, name string, text []byte) error {
	path, err := d.place(name)
	if err != nil {
		return err
	}
	return file.Write(path, text, file.New)
}

// Get implements Depot.
func (d Folder) Get(_ context.Context, name string) ([]byte, error) {
	path, err := d.path(name)
	if err != nil {
		return nil, err
	}
	return file.Read(path)
}

// Create implements Depot.
func (d Folder) Create(context.Context) (Draft, error) {
	path := filepath.Join(string(d), drafts, rand.Text())
	f, err := file.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return nil, err
	}
	return &folderDraft{Handle: f, folder: d, path: path}, nil
}

type folderDraft struct {
	file.Handle
	folder Folder
	path   string // empty after Keep or Drop
}

// Keep implements Draft.
func (f *folderDraft) Keep(_ context.Context, name string) error {
	to, err := f.folder.place(name)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		_ = file.Remove(f.path) // the first error is returned
		f.path = ""
		return err
	}
	// An existing file has the same content, unless it is damaged.
	if err := file.Rename(f.path, to); err != nil {
		return err
	}
	f.path = ""
	return file.SyncFolder(filepath.Dir(to))
}

// Drop implements Draft.
func (f *folderDraft) Drop() {
	if f.path == "" {
		return
	}
	_ = f.Close()
	_ = file.Remove(f.path) // a leftover draft does no harm
	f.path = ""
}

// Open implements Depot.
func (d Folder) Open(_ context.Context, name string) (Object, error) {
	path, err := d.path(name)
	if err != nil {
		return nil, err
	}
	f, err := file.OpenFile(path, os.O_RDONLY, 0)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return folderObject{f, info.Size()}, nil
}

type folderObject struct {
	file.Handle
	size int64
}

// Size implements Object.
func (o folderObject) Size() int64 { return o.size }

// Size implements Depot.
func (d Folder) Size(_ context.Context, name string) (int64, error) {
	path, err := d.path(name)
	if err != nil {
		return 0, err
	}
	info, err := file.Stat(path)
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// List implements Depot.
func (d Folder) List(_ context.Context, prefix string) ([]string, error) {
	prefix = strings.TrimSuffix(prefix, "/")
	path, err := d.path(prefix)
	if err != nil {
		return nil, err
	}
	list, err := d.under(path, prefix)
	slices.Sort(list)
	return list, err
}

func (d Folder) under(path, prefix string) (list []string, err error) {
	entries, err := file.ReadDir(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, e := range entries {
		name := prefix + "/" + e.Name()
		switch {
		case valid(name) != nil:
		case e.IsDir():
			more, failed := d.under(filepath.Join(path, e.Name()), name)
			list, err = append(list, more...), errors.Join(err, failed)
		default:
			list = append(list, name)
		}
	}
	return list, err
}

// Remove implements Depot.
func (d Folder) Remove(_ context.Context, name string) error {
	path, err := d.path(name)
	if err != nil {
		return err
	}
	if err := file.Remove(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// forgotten is the time without changes after which a draft is removed.
const forgotten = 24 * time.Hour

// Sweep removes drafts of killed processes: those that have not changed for a day by the clock of
// the file system. If a process is still writing a removed draft, its Keep fails.
func (d Folder) Sweep(ctx context.Context) error {
	probe, err := d.Create(ctx)
	if err != nil {
		return err
	}
	defer probe.Drop()
	now, err := probe.(*folderDraft).Stat()
	if err != nil {
		return err
	}
	entries, err := file.ReadDir(filepath.Join(string(d), drafts))
	for _, e := range entries {
		if info, err := e.Info(); err == nil && now.ModTime().Sub(info.ModTime()) > forgotten {
			_ = file.Remove(filepath.Join(string(d), drafts, e.Name())) // a leftover draft does no harm
		}
	}
	return err
}

// Path returns the path of an object, which must not be changed.
func (d Folder) Path(name string) (string, bool) {
	path, err := d.path(name)
	return path, err == nil
}
