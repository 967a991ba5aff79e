package agree

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/mancheck/mancheck/dsl/dsltest/gen"
)

// message is a line that a worker writes: the seed it begins with, a finding, or what it counted
// since the last one.
type message struct {
	Seed  uint64
	Found *Finding `json:",omitempty"`
	Tally *Tally   `json:",omitempty"`
}

// Work decides the files of every step-th seed from first on, and writes messages, until it cannot
// write.
func (o Options) Work(w io.Writer, first, step uint64) error {
	out := json.NewEncoder(w)
	for seed := first; ; seed += step {
		if err := out.Encode(message{Seed: seed}); err != nil {
			return err
		}
		tally := NewTally()
		for _, f := range o.File(seed, gen.With(seed, o.More), tally) {
			f.File = nil // it is made again from its seed
			if err := out.Encode(message{Seed: seed, Found: &f}); err != nil {
				return err
			}
		}
		if err := out.Encode(message{Seed: seed, Tally: tally}); err != nil {
			return err
		}
	}
}

// Run lets workers decide files until the time is over or enough files are done. A worker is a
// process of its own, so that a file that makes it crash or hang is a finding and does not end the
// run.
type Run struct {
	Command func(ctx context.Context, first, step uint64) *exec.Cmd // a worker
	First   uint64
	Files   int // 0: no limit
	More    int // claims beyond the usual number
	Time    time.Duration
	Workers int
	Tell    func(Finding) // called for each finding, at once, with lock held
	Watch   func(*Tally)  // called whenever a file is done, with lock held
	lock    sync.Mutex
	total   *Tally
}

// patience is how long a worker may take for one file.
const patience = 10 * time.Minute

// Do runs the workers to the end, and returns the counts. A worker that ends early is replaced by
// one that begins after the file that ended it.
func (r *Run) Do(ctx context.Context) *Tally {
	ctx, cancel := context.WithTimeout(ctx, r.Time)
	defer cancel()
	r.total = NewTally()
	var wait sync.WaitGroup
	for i := range r.Workers {
		wait.Go(func() {
			next, step := r.First+uint64(i), uint64(r.Workers)
			for ctx.Err() == nil && !r.done() {
				next = r.worker(ctx, cancel, next, step) + step
			}
		})
	}
	wait.Wait()
	return r.total
}

// done reports whether enough files were decided.
func (r *Run) done() bool {
	r.lock.Lock()
	defer r.lock.Unlock()
	n := 0
	for _, k := range r.total.Files {
		n += k
	}
	return r.Files > 0 && n >= r.Files
}

// worker runs one process until it ends, and returns the seed of the file that it was deciding.
func (r *Run) worker(ctx context.Context, cancel func(), first, step uint64) uint64 {
	own, stop := context.WithCancel(ctx)
	defer stop()
	cmd := r.Command(own, first, step)
	var complaint strings.Builder
	cmd.Stderr = &complaint
	pipe, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		r.tell(Finding{Seed: first, Class: "no worker", Detail: err.Error()})
		cancel()
		return first
	}
	late := false
	watch := time.AfterFunc(patience, func() { late = true; stop() })
	defer watch.Stop()
	seed := first
	lines := bufio.NewScanner(pipe)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var m message
		if json.Unmarshal(lines.Bytes(), &m) != nil {
			continue
		}
		watch.Reset(patience)
		seed = m.Seed
		r.take(m)
		if r.done() {
			cancel()
		}
	}
	err = cmd.Wait()
	switch {
	case late:
		r.tell(Finding{Seed: seed, File: gen.With(seed, r.More), Engine: "worker", Class: "hang", Detail: fmt.Sprintf("no answer in %s", patience)})
	case ctx.Err() == nil:
		r.tell(Finding{Seed: seed, File: gen.With(seed, r.More), Engine: "worker", Class: "crash", Detail: fmt.Sprintf("%v: %s", err, head(complaint.String()))})
	}
	return seed
}

// head cuts a long output, such as a stack trace.
func head(text string) string { return text[:min(len(text), 3000)] }

func (r *Run) take(m message) {
	if m.Found != nil {
		m.Found.File = gen.With(m.Seed, r.More)
		r.tell(*m.Found)
	}
	if m.Tally != nil {
		r.lock.Lock()
		defer r.lock.Unlock()
		r.total.Plus(m.Tally)
		if r.Watch != nil {
			r.Watch(r.total)
		}
	}
}

func (r *Run) tell(f Finding) {
	r.lock.Lock()
	defer r.lock.Unlock()
	r.Tell(f)
}
