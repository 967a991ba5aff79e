package dispatch

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/mancheck/mancheck/checker/phase"
)

// Tasks runs tasks one after another, if they are still needed. Their results are in the depot. The
// error joins those of all tasks.
func Tasks(ctx context.Context, j *phase.Job, w phase.Work, tasks []phase.ID) error {
	var failed []error
	for _, id := range tasks {
		err := j.Perform(ctx, w, id)
		if ctx.Err() != nil {
			text := fmt.Sprintf("it was interrupted: %v; perhaps by a time limit", context.Cause(ctx))
			err = j.Blame(context.WithoutCancel(ctx), phase.Fault{Phase: id.Phase, Task: id.Task, Text: text})
			return errors.Join(context.Cause(ctx), err)
		}
		if err != nil {
			failed = append(failed, fmt.Errorf("task %d of phase %d: %w", id.Task, id.Phase, err))
		}
	}
	return errors.Join(failed...)
}

// Serve runs the tasks that it reads: a line with the numbers of the phase and the task for each.
// It writes a line when a task has ended. It returns at the end of its input, even in the middle of
// a task, since the driver has ended.
func Serve(ctx context.Context, j *phase.Job, w phase.Work, in io.Reader, out io.Writer) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	tasks := make(chan phase.ID)
	go func() {
		defer cancel()
		defer close(tasks)
		for lines := bufio.NewScanner(in); lines.Scan(); {
			var id phase.ID
			if _, err := fmt.Sscan(lines.Text(), &id.Phase, &id.Task); err != nil {
				return
			}
			select {
			case tasks <- id:
			case <-ctx.Done():
				return
			}
		}
	}()
	for id := range tasks {
		answer := "done"
		if err := j.Perform(ctx, w, id); err != nil {
			answer = "failed"
		}
		if ctx.Err() != nil {
			return nil
		}
		if _, err := fmt.Fprintln(out, answer); err != nil {
			return err
		}
	}
	return nil
}
