package dispatch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// Slurm is the Queue of SLURM. A batch is a job array. Its state comes from squeue, so the
// accounting database is not needed.
type Slurm struct {
	Job      string // hash of the plan
	Script   string // for sbatch; its argument is the name of the batch
	Parallel int    // most array elements that run at the same time; 0: no limit
}

// DefaultArray is the number of elements that an array may have if SLURM does not tell.
const DefaultArray = 1001

// jobName is the prefix of the names of all SLURM and Kubernetes jobs of a job.
func jobName(id string) string { return "mancheck-" + id[:10] + "-" }

// Submit implements Queue.
func (q *Slurm) Submit(ctx context.Context, batch string, lists int) error {
	array := fmt.Sprintf("--array=0-%d", lists-1)
	if q.Parallel > 0 {
		array += fmt.Sprintf("%%%d", q.Parallel)
	}
	_, err := output(ctx, nil, "sbatch", "--parsable", "--requeue", array, "--job-name="+jobName(q.Job)+batch, q.Script, batch)
	return err
}

// Pending implements Queue.
func (q *Slurm) Pending(ctx context.Context) (map[string][]int, error) {
	text, err := output(ctx, nil, "squeue", "--me", "-h", "-r", "-o", "%j %K %r")
	if err != nil {
		return nil, err
	}
	pending := map[string][]int{}
	for line := range strings.Lines(string(text)) {
		name, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		number, reason, _ := strings.Cut(rest, " ")
		batch, ours := strings.CutPrefix(name, jobName(q.Job))
		if strings.HasPrefix(strings.ReplaceAll(reason, "_", " "), "launch failed requeued held") {
			continue // it stays held until somebody releases it, which may be never
		}
		if n, err := strconv.Atoi(number); ours && err == nil {
			pending[batch] = append(pending[batch], n)
		}
	}
	return pending, nil
}

// Most returns the number of elements that an array may have.
func (q *Slurm) Most(ctx context.Context) int {
	text, err := output(ctx, nil, "scontrol", "show", "config")
	if err != nil {
		return DefaultArray
	}
	for line := range strings.Lines(string(text)) {
		name, value, _ := strings.Cut(line, "=")
		if n, err := strconv.Atoi(strings.TrimSpace(value)); strings.TrimSpace(name) == "MaxArraySize" && err == nil && n > 0 {
			return n
		}
	}
	return DefaultArray
}

// slow is the time limit of a command that talks to the queue.
const slow = 2 * time.Minute

// output runs a program with some input and returns its standard output.
func output(ctx context.Context, in []byte, name string, args ...string) ([]byte, error) {
	short, cancel := context.WithTimeout(ctx, slow)
	defer cancel()
	cmd := exec.CommandContext(short, name, args...)
	cmd.Stdin = bytes.NewReader(in)
	text, err := cmd.Output()
	switch exit := (*exec.ExitError)(nil); {
	case err == nil:
		return text, nil
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case errors.Is(err, exec.ErrNotFound):
		return nil, fmt.Errorf("%s is not installed here", name)
	case errors.As(err, &exit) && len(exit.Stderr) > 0:
		err = errors.New(strings.TrimSpace(string(exit.Stderr)))
	}
	return nil, &UnavailableError{name, err}
}
