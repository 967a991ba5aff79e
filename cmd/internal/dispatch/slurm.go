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

// Slurm is the Queue of SLURM. A batch is a job array. Its state is asked of squeue: a database of
// accounts is not needed.
type Slurm struct {
	Job      string // hash of the plan
	Script   string // for sbatch, which gets the name of the batch; see Scripts
	Parallel int    // array elements that run at the same time; 0: as many as there is room for
}

// DefaultArray is how many elements an array may have unless SLURM says something else.
const DefaultArray = 1001

// jobName is what the names of all jobs of SLURM and Kubernetes for a job begin with.
func jobName(id string) string { return "mancheck-" + id[:10] + "-" }

// Submit implements Queue.
func (q *Slurm) Submit(ctx context.Context, batch string, lists int) error {
	array := fmt.Sprintf("--array=0-%d", lists-1)
	if q.Parallel > 0 {
		array += fmt.Sprintf("%%%d", q.Parallel)
	}
	_, err := output(ctx, "sbatch", "--parsable", "--requeue", array, "--job-name="+jobName(q.Job)+batch, q.Script, batch)
	return err
}

// Pending implements Queue.
func (q *Slurm) Pending(ctx context.Context) (map[string][]int, error) {
	text, err := output(ctx, "squeue", "--me", "-h", "-r", "-o", "%j %K %r")
	if err != nil {
		return nil, err
	}
	pending := map[string][]int{}
	for line := range strings.Lines(string(text)) {
		name, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		number, reason, _ := strings.Cut(rest, " ")
		batch, ours := strings.CutPrefix(name, jobName(q.Job))
		if strings.HasPrefix(strings.ReplaceAll(reason, "_", " "), "launch failed requeued held") {
			continue // it waits until somebody lets it go, which may be never
		}
		if n, err := strconv.Atoi(number); ours && err == nil {
			pending[batch] = append(pending[batch], n)
		}
	}
	return pending, nil
}

// Most returns how many elements an array may have.
func (q *Slurm) Most(ctx context.Context) int {
	text, err := output(ctx, "scontrol", "show", "config")
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

// output runs a program and returns what it writes.
func output(ctx context.Context, name string, args ...string) ([]byte, error) {
	return outputOf(ctx, nil, name, args...)
}

// slow is how long a program may take that asks a queue.
const slow = 2 * time.Minute

func outputOf(ctx context.Context, in []byte, name string, args ...string) ([]byte, error) {
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
