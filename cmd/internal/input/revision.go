package input

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/mancheck/mancheck/dsl"
	"github.com/mancheck/mancheck/rules/build"
)

// Revision reads rules files as they were at a revision of the git repository that they lie in.
// Nothing is checked out.
type Revision struct {
	name  string
	repos map[string]*repo // by folder of a file
}

// repo is one repository, with the commit that the revision is there.
type repo struct{ top, commit string }

// NewRevision is the revision that git knows under a name.
func NewRevision(name string) *Revision { return &Revision{name: name, repos: map[string]*repo{}} }

// Unit reads the file at path with what it imports. There is none, without an error, if the file
// was not there or had faults: what is in it now is new then. It is an error if there is no such
// revision, or no git.
func (r *Revision) Unit(path string) (*build.Unit, error) {
	if path == Stdin {
		return nil, nil
	}
	at, err := r.repo(filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	program, diags := dsl.Load(path, at.open)
	if diags.HasErrors() {
		return nil, nil
	}
	unit, diags := build.Collect(program.Files)
	if diags.HasErrors() {
		return nil, nil
	}
	return unit, nil
}

func (r *Revision) repo(dir string) (*repo, error) {
	if at := r.repos[dir]; at != nil {
		return at, nil
	}
	top, err := git(dir, "rev-parse", "--show-toplevel")
	if err != nil {
		return nil, err
	}
	commit, err := git(dir, "rev-parse", "--verify", "--quiet", "--end-of-options", r.name+"^{commit}")
	if err != nil {
		return nil, fmt.Errorf("there is no revision `%s` in the repository of %s", r.name, dir)
	}
	at := &repo{line(top), line(commit)}
	r.repos[dir] = at
	return at, nil
}

// open reads one file of the revision.
func (at *repo) open(path string) ([]byte, error) {
	dir, err := filepath.EvalSymlinks(filepath.Dir(path))
	if err != nil {
		return nil, Reason(err)
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return nil, err
	}
	name, err := filepath.Rel(at.top, filepath.Join(dir, filepath.Base(path)))
	if err != nil || strings.HasPrefix(name, "..") {
		return nil, fs.ErrNotExist
	}
	return git(at.top, "cat-file", "blob", at.commit+":"+filepath.ToSlash(name))
}

// git runs a git command in a folder and gives what it prints.
func git(dir string, args ...string) ([]byte, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return nil, errors.New("git is not installed, and without it nothing is known of earlier revisions")
	case err != nil && said.Len() > 0:
		return nil, fmt.Errorf("git: %s", line(said.Bytes()))
	case err != nil:
		return nil, fmt.Errorf("git: %w", err)
	}
	return out, nil
}

// line is the first line of what a program printed.
func line(text []byte) string {
	first, _, _ := strings.Cut(string(text), "\n")
	return first
}
