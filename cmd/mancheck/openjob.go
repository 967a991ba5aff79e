package main

import (
	"errors"
	"io/fs"
	"path/filepath"

	"github.com/mancheck/mancheck/cmd/internal/job"
	"github.com/mancheck/mancheck/internal/depot"
	"github.com/mancheck/mancheck/internal/file"
)

// isJob reports whether a path is the folder of a job, or a bucket, and no certificate.
func isJob(path string) bool {
	if depot.IsBucket(path) {
		return true
	}
	info, err := file.Stat(filepath.Join(path, "plan"))
	return err == nil && info.Mode().IsRegular()
}

// errNoPlan says that a depot has no job.
var errNoPlan = errors.New("there is no plan: mancheck plan writes one")

// openJob opens the job of a folder or of a bucket.
func openJob(s *session, dir string) (*job.Job, error) {
	if !isJob(dir) {
		return nil, &fs.PathError{Op: "open", Path: filepath.Join(dir, "plan"), Err: errNoPlan}
	}
	d, err := depot.Open(s.ctx, dir)
	if err != nil {
		return nil, err
	}
	exact, err := exactTool()
	if err != nil {
		return nil, err
	}
	j, err := job.Open(s.ctx, d, exact)
	if errors.Is(err, fs.ErrNotExist) {
		err = &fs.PathError{Op: "open", Path: dir, Err: errNoPlan}
	}
	if err == nil {
		for path, text := range j.Sources {
			s.reader.Sources[path] = []byte(text) // for diagnostics
		}
	}
	return j, err
}
