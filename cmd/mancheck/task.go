package main

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/mancheck/mancheck/checker/phase"
	"github.com/mancheck/mancheck/cmd/internal/dispatch"
	"github.com/mancheck/mancheck/cmd/internal/job"
	"github.com/mancheck/mancheck/internal/lists"
)

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
