package dispatch

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/mancheck/mancheck/checker/phase"
)

// Local is an Engine of worker processes on this machine. A worker runs one task after another, and
// ends with the process that started it.
type Local struct {
	Job     *phase.Job
	Command []string // runs a process that calls Serve
	Env     []string // added to the environment of this process
	Workers int      // number of worker processes

	mu   sync.Mutex
	idle []*worker
}

// Pending implements Engine. Tasks that other drivers run on this machine are not known.
func (l *Local) Pending(context.Context) (map[phase.ID]bool, error) { return nil, nil }

// Wait implements Engine.
func (l *Local) Wait(ctx context.Context) error { return pause(ctx, time.Second) }

// Submit implements Engine. It returns after one attempt at each task.
func (l *Local) Submit(ctx context.Context, tasks []phase.ID) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	queue := make(chan phase.ID)
	var all sync.WaitGroup
	for range max(1, min(l.Workers, len(tasks))) {
		all.Go(func() {
			if err := l.work(ctx, queue); err != nil {
				cancel(err)
			}
		})
	}
	first := rand.IntN(len(tasks)) // so that two drivers of the same job mostly run different tasks
	for i := range tasks {
		select {
		case queue <- tasks[(first+i)%len(tasks)]:
		case <-ctx.Done():
		}
	}
	close(queue)
	all.Wait()
	return context.Cause(ctx)
}

// work runs tasks in a worker process, and starts another worker if that dies.
func (l *Local) work(ctx context.Context, queue <-chan phase.ID) error {
	w := l.take()
	defer func() { l.put(w) }()
	for id := range queue {
		if ctx.Err() != nil {
			return nil
		}
		host, _ := os.Hostname()
		mine, err := l.Job.Hand(ctx, id, "local "+host)
		if err != nil {
			return err
		}
		if !mine {
			continue
		}
		if w == nil {
			if w, err = l.start(); err != nil {
				giveBack(ctx, l.Job, []phase.ID{id})
				return err
			}
		}
		died := w.do(ctx, id)
		switch {
		case died == nil:
		case ctx.Err() != nil:
			w = nil
			giveBack(ctx, l.Job, []phase.ID{id})
		default:
			w = nil
			if err := l.Job.Blame(ctx, phase.Fault{Phase: id.Phase, Task: id.Task, Text: died.Error()}); err != nil {
				return err
			}
		}
	}
	return nil
}

// take returns an idle worker, or nil if there is none.
func (l *Local) take() *worker {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.idle) == 0 {
		return nil
	}
	w := l.idle[len(l.idle)-1]
	l.idle = l.idle[:len(l.idle)-1]
	return w
}

func (l *Local) put(w *worker) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if w != nil {
		l.idle = append(l.idle, w)
	}
}

// Close ends the worker processes.
func (l *Local) Close() {
	for w := l.take(); w != nil; w = l.take() {
		_ = w.in.Close() // at the end of its input a worker exits
		_ = w.wait()
	}
}

// worker is a worker process.
type worker struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	errors tail // complete once the worker was waited for
}

func (l *Local) start() (*worker, error) {
	w := &worker{cmd: exec.Command(l.Command[0], l.Command[1:]...)}
	w.cmd.Env = append(os.Environ(), l.Env...)
	w.cmd.Stderr = &w.errors
	out, err := w.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	w.out = bufio.NewReader(out)
	if w.in, err = w.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	return w, w.cmd.Start()
}

// patient is the time that a worker has to exit after an interrupt, before it is killed.
const patient = 5 * time.Second

// do runs a task. If the worker ended, the error says how.
func (w *worker) do(ctx context.Context, id phase.ID) error {
	stop := context.AfterFunc(ctx, func() {
		if w.cmd.Process.Signal(os.Interrupt) != nil {
			_ = w.cmd.Process.Kill()
		}
		time.AfterFunc(patient, func() { _ = w.cmd.Process.Kill() })
	})
	defer stop()
	_, err := fmt.Fprintln(w.in, id.Phase, id.Task)
	if err == nil {
		_, err = w.out.ReadString('\n')
	}
	if err == nil {
		return nil
	}
	_ = w.in.Close() // the worker has ended
	return w.wait()
}

// wait waits for the end of the worker, and returns an error that says how it ended.
func (w *worker) wait() error {
	err := w.cmd.Wait()
	text := "its worker process ended"
	if err != nil {
		text += ": " + err.Error()
	}
	if said := strings.TrimSpace(string(w.errors)); said != "" {
		text += ": " + said
	}
	return fmt.Errorf("%s", text)
}

// tail keeps the last bytes that were written to it.
type tail []byte

func (t *tail) Write(b []byte) (int, error) {
	const most = 2000
	if *t = append(*t, b...); len(*t) > most {
		*t = bytes.Clone((*t)[len(*t)-most:])
	}
	return len(b), nil
}

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
