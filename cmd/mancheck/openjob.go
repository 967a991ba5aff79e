package main

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/mancheck/mancheck/cmd/internal/job"
	"github.com/mancheck/mancheck/internal/depot"
	"github.com/mancheck/mancheck/internal/file"
)

// isJob reports whether a path is the folder of a job, and no certificate.
func isJob(path string) bool {
	info, err := file.Stat(filepath.Join(path, "plan"))
	return err == nil && info.Mode().IsRegular()
}

// openJob opens the job of a folder, or of a bucket.
func openJob(s *session, dir string) (*job.Job, error) {
	if !isBucket(dir) && !isJob(dir) {
		return nil, &fs.PathError{Op: "open", Path: filepath.Join(dir, "plan"), Err: errors.New("there is no plan: mancheck plan writes one")}
	}
	d, err := depot.Open(s.ctx, dir)
	if err != nil {
		return nil, err
	}
	exact, err := exactTool()
	if err != nil {
		return nil, err
	}
	return job.Open(s.ctx, d, exact)
}

// isBucket reports whether a job is kept in a bucket of an object store, and in no folder.
func isBucket(dir string) bool { return strings.Contains(dir, "://") }
