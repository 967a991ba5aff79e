package main

import (
	"errors"
	"fmt"
	"runtime"

	"github.com/mancheck/mancheck/checker/phase"
	"github.com/mancheck/mancheck/checker/sharded"
	"github.com/mancheck/mancheck/cmd/internal/job"
	"github.com/mancheck/mancheck/cmd/internal/report"
	"github.com/mancheck/mancheck/internal/depot"
	"github.com/mancheck/mancheck/proofs/cert"
)

// job checks the job of a folder that is done.
func (c *certifying) job(path string) {
	out, err := c.jobOf(path)
	if err != nil {
		c.failed(fmt.Errorf("%s: %w", path, err))
		return
	}
	c.done = append(c.done, *out)
	if !c.s.json {
		c.s.progress.Clear()
		report.CertifiedText(c.s.out, c.s.color, *out)
		c.s.out.Flush()
	}
}

func (c *certifying) jobOf(path string) (*report.Certified, error) {
	j, err := openJob(c.s, path)
	if err != nil {
		return nil, err
	}
	last, _, err := j.Current(c.s.ctx)
	if err != nil {
		return nil, err
	}
	out := &report.Certified{File: path, Certificate: &cert.Certificate{}}
	if last == nil || !last.Last() {
		out.Status, out.Reason = report.Undecided, "not all of its phases are done"
		return out, nil
	}
	ct, err := j.Certify(c.s.ctx, last, runtime.GOMAXPROCS(0), func(done, all int) {
		c.s.progress.Show(fmt.Sprintf("%d of %d tasks of the check", done, all))
	})
	var fork *phase.ForkError
	var wrong *phase.WrongError
	var mistake *sharded.WrongError
	var damaged *depot.DamagedError
	switch {
	case errors.As(err, &fork), errors.As(err, &wrong), errors.As(err, &mistake), errors.As(err, &damaged):
		out.Status, out.Reason = report.Rejected, err.Error()
		return out, nil
	case err != nil && c.s.ctx.Err() != nil:
		out.Status, out.Reason = report.Undecided, "interrupted"
		return out, nil
	case err != nil:
		return nil, err
	}
	out.Certificate, out.States = ct.Certificate, ct.States
	out.Report = &cert.Report{
		Claim: ct.Claim, Verdict: ct.Verdict, Scope: ct.Scope, SystemHash: ct.SystemHash, Evidence: job.Levels,
		Checked: []cert.Checked{{What: "tasks that derived the levels again", N: ct.Tasks}}, Trusted: job.Trusted(),
	}
	return out, nil
}
