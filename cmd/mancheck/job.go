package main

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"runtime"

	"github.com/mancheck/mancheck/checker/endgame/verified"
	"github.com/mancheck/mancheck/checker/phase"
	"github.com/mancheck/mancheck/checker/sharded"
	"github.com/mancheck/mancheck/cmd/internal/job"
	"github.com/mancheck/mancheck/cmd/internal/report"
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

// certifyJob checks the finished job in a depot.
func certifyJob(s *session, path string) (*report.Certified, error) {
	j, err := openJob(s, path)
	if err != nil {
		return nil, err
	}
	last, _, err := j.Current(s.ctx)
	if err != nil {
		return nil, err
	}
	out := &report.Certified{File: path}
	if last == nil || !last.Last() {
		out.Status, out.Reason = report.Undecided, "the job is not finished"
		return out, nil
	}
	r, err := j.Certify(s.ctx, last, runtime.GOMAXPROCS(0), func(done, all int) {
		s.progress.Show(fmt.Sprintf("checking: %d of %d tasks", done, all))
	})
	switch {
	case errors.As(err, new(*phase.ForkError)), errors.As(err, new(*phase.WrongError)), errors.As(err, new(*sharded.WrongError)),
		errors.As(err, new(*verified.WrongError)), errors.As(err, new(*depot.DamagedError)):
		out.Status, out.Reason = report.Rejected, err.Error()
		return out, nil
	case err != nil && s.ctx.Err() != nil:
		out.Status, out.Reason = report.Undecided, "interrupted"
		return out, nil
	case err != nil:
		return nil, err
	}
	out.Report = r
	return out, nil
}
