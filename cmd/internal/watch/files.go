// Package watch tells when rules files change.
package watch

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/mancheck/mancheck/internal/file"
	"github.com/mancheck/mancheck/internal/lists"
)

// Files watches files. Editors write a file anew or put another one in its place, so the folders of
// the files are watched.
type Files struct {
	watcher *fsnotify.Watcher
	changed chan struct{}
	follow  chan []string
	done    chan struct{}
}

// settled is how long nothing may change before a change is told: saving a file may take several
// steps, and a branch of git that is checked out changes many files.
const settled = 100 * time.Millisecond

// NewFiles watches nothing yet. Errors are those of the system, which may limit how many folders
// can be watched.
func NewFiles() (*Files, error) {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, err
	}
	f := &Files{w, make(chan struct{}, 1), make(chan []string), make(chan struct{})}
	go f.run()
	return f, nil
}

// Changed receives after files have changed, once for all changes since it received last.
func (f *Files) Changed() <-chan struct{} { return f.changed }

// Close ends the watching.
func (f *Files) Close() error {
	close(f.done)
	return f.watcher.Close()
}

// Follow watches these files, in the place of those before, and all rules files in their folders
// and in the folders among them. What does not exist is waited for if its folder exists.
func (f *Files) Follow(paths []string) error {
	var errs []error
	folders := lists.Distinct(slices.Concat(lists.Map(paths, foldersOf)...))
	for _, dir := range folders {
		if err := f.watcher.Add(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	for _, dir := range f.watcher.WatchList() {
		if !slices.Contains(folders, dir) {
			_ = f.watcher.Remove(dir)
		}
	}
	select {
	case f.follow <- paths:
	case <-f.done:
	}
	return errors.Join(errs...)
}

// foldersOf is the folder of a file, or a folder with all below it.
func foldersOf(path string) []string {
	var list []string
	err := filepath.WalkDir(path, func(at string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case !d.IsDir():
		case at != path && (d.Name()[0] == '.' || d.Name() == "testdata"):
			return filepath.SkipDir
		default:
			list = append(list, filepath.Clean(at))
		}
		return nil
	})
	if err != nil || len(list) == 0 {
		list = append(list, filepath.Dir(path))
	}
	return list
}

// isFolder reports whether a folder is there, in which there may be rules files.
func isFolder(path string) bool {
	info, err := file.Stat(path)
	return err == nil && info.IsDir()
}

// run tells changes once they have settled.
func (f *Files) run() {
	named := map[string]bool{}
	var wait <-chan time.Time
	for {
		select {
		case <-f.done:
			return
		case paths := <-f.follow:
			clear(named)
			for _, p := range paths {
				named[filepath.Clean(p)] = true
			}
		case e, ok := <-f.watcher.Events:
			if !ok {
				return
			}
			rules := filepath.Ext(e.Name) == ".sow" || named[filepath.Clean(e.Name)]
			if e.Op != fsnotify.Chmod && rules || e.Has(fsnotify.Create) && isFolder(e.Name) {
				wait = time.After(settled)
			}
		case _, ok := <-f.watcher.Errors: // some changes were missed
			if !ok {
				return
			}
			wait = time.After(settled)
		case <-wait:
			wait = nil
			select {
			case f.changed <- struct{}{}:
			default:
			}
		}
	}
}
