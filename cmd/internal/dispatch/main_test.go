package dispatch

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/mancheck/mancheck/checker/phase"
	"github.com/mancheck/mancheck/checker/phase/phasetest"
	"github.com/mancheck/mancheck/internal/depot"
	"github.com/mancheck/mancheck/internal/file"
)

// roleVariable gives the test program another role, which its arguments name: "serve DIR", "list
// DIR BATCH" or "drive DIR ENGINE".
const roleVariable = "MANCHECK_TEST_DISPATCH"

func TestMain(m *testing.M) {
	file.Replace(phasetest.Files())
	if filepath.Base(os.Args[0]) == "kubectl" {
		if err := kubectl(os.Args[1:]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	if os.Getenv(roleVariable) == "" {
		os.Exit(m.Run())
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := play(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
}

// play runs the test program in another role.
func play(ctx context.Context, args []string) error {
	d, err := open(ctx, args[1])
	if err != nil {
		return err
	}
	switch args[0] {
	case "serve":
		return Serve(ctx, d.Job, d.Work, os.Stdin, os.Stdout)
	case "task": // as in a manifest
		number, err := strconv.Atoi(os.Getenv("JOB_COMPLETION_INDEX"))
		if err != nil {
			return err
		}
		return list(ctx, d, args[3], number)
	case "list":
		number, err := strconv.Atoi(os.Getenv("SLURM_ARRAY_TASK_ID"))
		if err != nil {
			return err
		}
		return list(ctx, d, args[2], number)
	}
	return drive(ctx, d, args)
}

// list runs a list of a batch.
func list(ctx context.Context, d *phase.Driver, batch string, number int) error {
	tasks, err := Element(ctx, d.Job.Depot, batch, number)
	if err != nil {
		return err
	}
	return Tasks(ctx, d.Job, d.Work, tasks)
}

// drive runs a driver in a process of its own.
func drive(ctx context.Context, d *phase.Driver, args []string) error {
	e := Engine(local(d, args[1], 2))
	if args[2] == "slurm" {
		e = slurm(d, args[1])
	}
	_, err := Run(ctx, d, e, Options{Note: func(err error) { fmt.Fprintln(os.Stderr, err) }})
	if l, is := e.(*Local); is {
		l.Close()
	}
	return err
}

// open opens the job in a folder.
func open(ctx context.Context, dir string) (*phase.Driver, error) {
	d, err := depot.NewFolder(dir)
	if err != nil {
		return nil, err
	}
	j, err := phase.Open(ctx, d)
	if err != nil {
		return nil, err
	}
	w, err := phasetest.Open(ctx, j.Plan)
	return &phase.Driver{Job: j, Work: w}, err
}

// begin begins a job in a new folder.
func begin(t *testing.T, w phasetest.Reach, tries int) (*phase.Driver, string) {
	t.Helper()
	dir := t.TempDir()
	d, err := depot.NewFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	j, err := phase.Begin(t.Context(), d, w.Plan(tries))
	if err != nil {
		t.Fatal(err)
	}
	return &phase.Driver{Job: j, Work: w}, dir
}

// local returns an engine whose workers run this program.
func local(d *phase.Driver, dir string, workers int) *Local {
	return &Local{Job: d.Job, Command: []string{os.Args[0], "serve", dir}, Env: []string{roleVariable + "=1"}, Workers: workers}
}

// slurm returns an engine whose tasks run this program.
func slurm(d *phase.Driver, dir string) *Batches {
	return &Batches{
		Job: d.Job, Queue: &Slurm{Job: d.Job.ID, Script: filepath.Join(dir, "tasks.sh")}, Each: 3, Most: 100, Poll: 300 * time.Millisecond,
	}
}

// driver is a process that calls Run.
func driver(t *testing.T, dir, engine string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0], "drive", dir, engine)
	cmd.Env = append(os.Environ(), roleVariable+"=1")
	cmd.Stderr = t.Output()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd
}

// right fails if the result of the job in a folder is not that of the work without phases, or if a
// block of the result is missing or damaged.
func right(t *testing.T, dir string, w phasetest.Reach) {
	t.Helper()
	d, err := open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	p, ready, err := d.Look(t.Context())
	if err != nil || !p.Last() || len(ready) > 0 {
		t.Fatalf("the work is not done: %v", err)
	}
	got, err := phasetest.Result(p)
	want := w.Count()
	if err != nil || got.Reached != want.Reached || got.Levels != want.Levels {
		t.Errorf("the result is %+v, %v, want %+v", got, err, want)
	}
	for _, b := range p.Inputs {
		if err := depot.Check(t.Context(), d.Job.Depot, b.Hash, b.Size); err != nil {
			t.Error(err)
		}
	}
}
