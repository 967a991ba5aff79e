package input

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mancheck/mancheck/internal/file"
)

// endings are those of rules files and of lists of boards.
var endings = []string{".sow", ".csv"}

// scope is the folders that a rules file may import from: its own or, if that lies in a git
// repository, all of it, and those that the command line allows. Rules come from anywhere, and
// diagnostics quote what is imported: they must not read other files.
type scope []string

// newScope is the scope of the rules file at path. Folders that cannot be found add nothing to it.
func newScope(path string, allowed []string) scope {
	dir := "."
	if path != Stdin {
		if real, err := filepath.EvalSymlinks(path); err == nil {
			path = real
		}
		dir = filepath.Dir(path)
	}
	var s scope
	if own, err := realPath(dir); err == nil {
		s = append(s, Repository(own))
	}
	for _, dir := range allowed {
		if dir, err := realPath(dir); err == nil {
			s = append(s, dir)
		}
	}
	return s
}

// realPath is an absolute path without symbolic links. The current folder may be known by a path
// that has some.
func realPath(path string) (string, error) {
	path, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "", Reason(err)
	}
	if filepath.IsAbs(path) {
		return path, nil
	}
	here, err := os.Getwd()
	if err == nil {
		here, err = filepath.EvalSymlinks(here)
	}
	return filepath.Join(here, path), err
}

// Repository is the nearest folder above dir, or dir itself, that is a git repository; dir if there
// is none.
func Repository(dir string) string {
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := file.Lstat(filepath.Join(at, ".git")); err == nil {
			return at
		}
		if filepath.Dir(at) == at {
			return dir
		}
	}
}

// OutsideError is why a file is not imported, and what to do about it.
type OutsideError struct{ Reason, Advice string }

func (e *OutsideError) Error() string { return e.Reason }

// Help returns the advice.
func (e *OutsideError) Help() string { return e.Advice }

var (
	errOutside = &OutsideError{
		"it lies outside the folder and the git repository of the rules file",
		"--allow-imports DIR allows imports from another folder",
	}
	errElsewhere = &OutsideError{
		"it lies outside the folder that is open, and that is not trusted",
		"what a workspace imports from elsewhere is read once the workspace is trusted",
	}
	errEnding = &OutsideError{"it is no rules file, and no list of boards", "the names of such files end with " + strings.Join(endings, " or ")}
)

// find returns the file that an import leads to. Its error does not reveal whether a file outside
// the allowed folders exists.
func (s scope) find(path string) (string, error) {
	if !slices.Contains(endings, filepath.Ext(path)) {
		return "", errEnding
	}
	real, err := realPath(path)
	switch {
	case err != nil && s.above(path):
		return "", err
	case err != nil || !s.holds(real):
		return "", errOutside
	case filepath.Ext(real) != filepath.Ext(path):
		return "", errEnding
	}
	return real, nil
}

// above reports whether a file that cannot be found would lie in the scope.
func (s scope) above(path string) bool {
	path, err := filepath.Abs(path)
	if err != nil {
		return false
	}
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		if real, err := realPath(dir); err == nil {
			return s.holds(filepath.Join(real, "x"))
		} else if !errors.Is(err, os.ErrNotExist) || filepath.Dir(dir) == dir {
			return false
		}
	}
}

// holds reports whether a real path lies below one of the folders.
func (s scope) holds(path string) bool {
	return slices.ContainsFunc(s, func(dir string) bool {
		rel, err := filepath.Rel(dir, path)
		return err == nil && filepath.IsLocal(rel)
	})
}
