package input

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/mancheck/mancheck/internal/file"
	"github.com/mancheck/mancheck/internal/lists"
)

// Found is the path of a rules file.
type Found struct {
	Path  string
	Named bool // by itself, and not as what a folder holds
}

// Named are the files at paths that the command line gives one by one.
func Named(paths ...string) []Found {
	return lists.Map(paths, func(path string) Found { return Found{path, true} })
}

// Find lists the rules files that paths name: files, and all below folders, in the order of their
// names. What is hidden is left out, and so are folders named testdata, as the go command does. A
// file comes once. What does not exist or is a folder that cannot be read is reported when it is
// read. It is an error if a folder holds no rules file.
func Find(paths []string) ([]Found, error) {
	if len(paths) == 0 {
		paths = []string{"."}
	}
	var all []Found
	seen := map[string]bool{}
	for _, path := range paths {
		list, err := find(path)
		if err != nil {
			return nil, err
		}
		for _, f := range list {
			if key := filepath.Clean(f.Path); !seen[key] {
				seen[key] = true
				all = append(all, f)
			}
		}
	}
	return all, nil
}

func find(path string) ([]Found, error) {
	if path == Stdin {
		return Named(path), nil
	}
	if info, err := file.Stat(path); err != nil || !info.IsDir() {
		return Named(path), nil
	}
	var list []Found
	err := filepath.WalkDir(path, func(at string, d fs.DirEntry, err error) error {
		hidden := at != path && strings.HasPrefix(d.Name(), ".")
		switch {
		case err != nil:
			list = append(list, Found{at, true}) // that it cannot be read is reported when it is read
		case d.IsDir() && (hidden || at != path && d.Name() == "testdata"):
			return filepath.SkipDir
		case !d.IsDir() && !hidden && filepath.Ext(at) == ".sow":
			list = append(list, Found{at, false})
		}
		return nil
	})
	if err == nil && len(list) == 0 {
		err = fmt.Errorf("%s: there is no rules file (*.sow) in this folder", path)
	}
	return list, err
}
