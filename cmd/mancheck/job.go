package main

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"runtime"
	"strconv"

	"github.com/mancheck/mancheck/checker/endgame/verified"
	"github.com/mancheck/mancheck/checker/phase"
	"github.com/mancheck/mancheck/checker/sharded"
	"github.com/mancheck/mancheck/cmd/internal/dispatch"
	"github.com/mancheck/mancheck/cmd/internal/job"
	"github.com/mancheck/mancheck/cmd/internal/report"
	"github.com/mancheck/mancheck/internal/depot"
	"github.com/mancheck/mancheck/internal/file"
	"github.com/mancheck/mancheck/internal/lists"
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

// taskCmd runs tasks of a job: those of a list of a batch, the given tasks of a phase, or those
// that it reads from standard input. Engines call it.
type taskCmd struct {
	Dir   string   `arg:"" help:"The folder of the job."`
	Tasks []string `arg:"" optional:"" help:"A phase, and some of its tasks."`
	Batch string   `help:"The batch with the list of tasks."`
	List  optional `default:"auto" env:"JOB_COMPLETION_INDEX" help:"The number of the list in the batch."`
}

// Run runs the tasks. Its output is for dispatch.Local.
func (c *taskCmd) Run(s *session) error {
	j, err := openJob(s, c.Dir)
	if err != nil {
		return err
	}
	s.budget.Memory(j.Plan.Memory)
	if c.Batch == "" && len(c.Tasks) == 0 {
		return dispatch.Serve(s.ctx, j.Job, j.Work, s.in, s.terminal)
	}
	list, err := c.list(s, j)
	if err != nil {
		return err
	}
	return dispatch.Tasks(s.ctx, j.Job, j.Work, list)
}

// list returns the tasks that the command line names.
func (c *taskCmd) list(s *session, j *job.Job) (list []phase.ID, err error) {
	if c.Batch != "" {
		return dispatch.Element(s.ctx, j.Depot, c.Batch, int(c.List))
	}
	var numbers []int
	for _, word := range c.Tasks {
		n, err := strconv.Atoi(word)
		if err != nil || n < 0 {
			return nil, usageError{fmt.Errorf("%q is not the number of a phase or a task", word)}
		}
		numbers = append(numbers, n)
	}
	if len(numbers) == 1 {
		return nil, usageError{errors.New("the numbers of tasks are missing")}
	}
	list = append(list, lists.Map(numbers[1:], func(n int) phase.ID { return phase.ID{Phase: numbers[0], Task: n} })...)
	return list, nil
}
