package main

import (
	"errors"
	"io/fs"
	"path/filepath"

	"github.com/mancheck/mancheck/cmd/internal/job"
	"github.com/mancheck/mancheck/internal/depot"
	"github.com/mancheck/mancheck/internal/file"
)

// isJob reports whether a path is the folder of a job, and no certificate.
func isJob(path string) bool {
	info, err := file.Stat(filepath.Join(path, "plan"))
	return err == nil && info.Mode().IsRegular()
}

// openJob opens the job of a folder.
func openJob(s *session, dir string) (*job.Job, error) {
	if !isJob(dir) {
		return nil, &fs.PathError{Op: "open", Path: filepath.Join(dir, "plan"), Err: errors.New("there is no plan: mancheck plan writes one")}
	}
	d, err := depot.NewFolder(dir)
	if err != nil {
		return nil, err
	}
	exact, err := exactTool()
	if err != nil {
		return nil, err
	}
	return job.Open(s.ctx, d, exact)
}
