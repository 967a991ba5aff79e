package file

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// scratch is what the names of folders for files that nobody else needs begin with.
const scratch = "mancheck-task-"

// Scratch makes a folder for files that nobody else needs, in the system's folder for such, and
// returns what removes it. Folders that programs left behind that were killed a week ago or more
// are removed, too.
func Scratch() (path string, remove func(), err error) {
	abandonedScratch.Do(removeScratch)
	path, err = os.MkdirTemp("", scratch)
	return path, func() { _ = os.RemoveAll(path) }, err
}

var abandonedScratch sync.Once

// removeScratch removes what was left behind. That it may fail does no harm.
func removeScratch() {
	list, _ := os.ReadDir(os.TempDir())
	for _, e := range list {
		if !strings.HasPrefix(e.Name(), scratch) || !e.IsDir() {
			continue
		}
		if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > 7*24*time.Hour {
			_ = os.RemoveAll(filepath.Join(os.TempDir(), e.Name()))
		}
	}
}
