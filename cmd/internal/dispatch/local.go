package dispatch

import (
	"bufio"
	"bytes"
	"context"
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

// Local is an Engine of processes on this machine. Each runs one task after another, and ends with
// the process that began it.
type Local struct {
	Job     *phase.Job
	Command []string // a process that calls Serve
	Env     []string // of it, besides that of this process
	Workers int      // processes at a time

	mu   sync.Mutex
	idle []*worker
}

// Pending implements Engine. What another process runs on this machine is not known.
func (l *Local) Pending(context.Context) (map[phase.ID]bool, error) { return nil, nil }

// Wait implements Engine.
func (l *Local) Wait(ctx context.Context) error { return pause(ctx, time.Second) }

// Submit implements Engine. It returns when each task was tried once.
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
	first := rand.IntN(len(tasks)) // so that two who do the same meet as late as possible
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

// work has tasks done by a process, and by another one after it if that dies.
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

// take returns a process that has nothing to do; nil if there is none.
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

// Close ends the processes.
func (l *Local) Close() {
	for w := l.take(); w != nil; w = l.take() {
		_ = w.in.Close() // at its end it ends itself
		_ = w.wait()
	}
}

// worker is a process that runs tasks.
type worker struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	errors *tail
}

func (l *Local) start() (*worker, error) {
	w := &worker{cmd: exec.Command(l.Command[0], l.Command[1:]...), errors: &tail{}}
	w.cmd.Env = append(os.Environ(), l.Env...)
	w.cmd.Stderr = w.errors
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

// patient is how long a process may take to end when it is told to.
const patient = 5 * time.Second

// do has a task done. The error says how the process ended, if it did.
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
	_ = w.in.Close() // it is over
	return w.wait()
}

// wait waits for the end of the process, and says how it ended.
func (w *worker) wait() error {
	err := w.cmd.Wait()
	text := "its process ended"
	if err != nil {
		text += ": " + err.Error()
	}
	if said := strings.TrimSpace(w.errors.String()); said != "" {
		text += ": " + said
	}
	return fmt.Errorf("%s", text)
}

// tail keeps the last bytes that were written.
type tail struct {
	mu   sync.Mutex
	text []byte
}

func (t *tail) Write(b []byte) (int, error) {
	const most = 2000
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, b...)
	if len(t.text) > most {
		t.text = bytes.Clone(t.text[len(t.text)-most:])
	}
	return len(b), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.text)
}
