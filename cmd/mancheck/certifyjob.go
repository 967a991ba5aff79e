package main

import (
	"errors"
	"fmt"
	"runtime"

	"github.com/mancheck/mancheck/checker/endgame/verified"
	"github.com/mancheck/mancheck/checker/phase"
	"github.com/mancheck/mancheck/checker/sharded"
	"github.com/mancheck/mancheck/cmd/internal/report"
	"github.com/mancheck/mancheck/internal/depot"
)

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
