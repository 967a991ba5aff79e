package dispatch

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mancheck/mancheck/checker/phase"
	"github.com/mancheck/mancheck/checker/phase/phasetest"
	"github.com/mancheck/mancheck/internal/programtest"
	"github.com/mancheck/mancheck/internal/tier"
)

var small = phasetest.Reach{Numbers: 200, Degree: 2, Stride: 60, Seed: 1, Shards: 4}

func TestLocal(t *testing.T) {
	d, dir := begin(t, small, 3)
	e := local(d, dir, 2)
	defer e.Close()
	seen := map[int]bool{}
	if _, err := Run(t.Context(), d, e, Options{Observe: func(p Progress) { seen[p.Phase.Number] = true }}); err != nil {
		t.Fatal(err)
	}
	right(t, dir, small)
	if len(seen) < 4 {
		t.Errorf("only %d phases were seen", len(seen))
	}
	if tries := newChaos(t, 0, dir).objects("try"); len(tries) > 0 {
		t.Errorf("%q", tries)
	}
}

// TestLocalFails: a task that always fails, or is always killed, ends the work with the reason.
func TestLocalFails(t *testing.T) {
	w := small
	w.Fails = []string{"00002/00001"}
	d, dir := begin(t, w, 3)
	e := local(d, dir, 2)
	defer e.Close()
	_, err := Run(t.Context(), d, e, Options{})
	var tries *phase.TriesError
	if !errors.As(err, &tries) || tries.ID != (phase.ID{Phase: 2, Task: 1}) || !strings.Contains(tries.Fault, "made to fail") {
		t.Errorf("error %v", err)
	}
	e = local(d, dir, 2)
	e.Command = []string{"sh", "-c", "echo no room >&2; kill -9 $$"}
	if err := d.Job.Again(t.Context()); err != nil {
		t.Fatal(err)
	}
	_, err = Run(t.Context(), d, e, Options{})
	if !errors.As(err, &tries) || !strings.Contains(tries.Fault, "signal: killed: no room") {
		t.Errorf("error %v", err)
	}
}

// TestLocalInterrupted: an interrupt ends the workers, and does not count as an attempt.
func TestLocalInterrupted(t *testing.T) {
	w := small
	w.Pause = time.Hour
	d, dir := begin(t, w, 3)
	e := local(d, dir, 2)
	why := errors.New("the user wants it")
	ctx, cancel := context.WithCancelCause(t.Context())
	c := newChaos(t, 0, dir)
	go func() {
		for len(c.processes("serve")) == 0 {
			time.Sleep(10 * time.Millisecond)
		}
		cancel(why)
	}()
	if _, err := Run(ctx, d, e, Options{}); !errors.Is(err, why) {
		t.Errorf("error %v", err)
	}
	e.Close()
	if list := c.processes("serve"); len(list) > 0 {
		t.Errorf("there are still processes: %v", list)
	}
	if tries := append(c.objects("try"), c.objects("fault")...); len(tries) > 0 {
		t.Errorf("%q", tries)
	}
}

// TestLocalOrphans: workers end with the driver.
func TestLocalOrphans(t *testing.T) {
	w := small
	w.Pause = time.Hour
	_, dir := begin(t, w, 3)
	cmd := driver(t, dir, "local")
	c := newChaos(t, 0, dir)
	for len(c.processes("serve")) == 0 {
		time.Sleep(10 * time.Millisecond)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	for len(c.processes("serve")) > 0 { // until the test times out
		time.Sleep(10 * time.Millisecond)
	}
}

// TestLocalChaos: the result does not depend on faults of processes and objects. The order of
// faults differs from run to run; make full tries four seeds.
func TestLocalChaos(t *testing.T) {
	for seed := uint64(0); seed < 4; seed += uint64(tier.Every(4, 4)) {
		w := small
		w.Seed, w.Pause = seed, 20*time.Millisecond
		_, dir := begin(t, w, 30)
		newChaos(t, seed, dir).local(60, func() *exec.Cmd { return driver(t, dir, "local") })
		right(t, dir, w)
	}
}

// built builds the real program.
func built(t *testing.T) string {
	t.Helper()
	return programtest.Build(t, "../../mancheck")
}

// counted runs the program, and returns the words of its count, without the time and the stored
// states.
func counted(t *testing.T, program string, args ...string) string {
	t.Helper()
	cmd := exec.Command(program, args...)
	cmd.Stderr = t.Output()
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%q: %v\n%s", args, err, out)
	}
	return words(string(out))
}

// words returns the words of a count before the stored states.
func words(text string) string {
	text, _, _ = strings.Cut(text, "  stored")
	return strings.Join(strings.Fields(text), " ")
}

// TestProgramChaos is TestLocalChaos for a real count by the real program; make full tries three
// seeds.
func TestProgramChaos(t *testing.T) {
	tier.Long(t, "it builds the program")
	program := built(t)
	game := []string{"../../../examples/kalah.sow", "-p", "m=3", "-p", "n=3"}
	want := counted(t, program, append([]string{"count"}, game...)...)
	for seed := uint64(0); seed < 3; seed += uint64(tier.Every(3, 3)) {
		dir := filepath.Join(t.TempDir(), "job")
		plan := append([]string{"plan", "count", "--dir", dir, "--shards=6", "--tries=60", "--memory=128MiB", "--jobs=2"}, game...)
		counted(t, program, plan...)
		c := newChaos(t, seed, dir)
		c.program, c.workerRole, c.driverRole = program, "task", "plan"
		plan = append(plan, "--run")
		c.local(120/tier.Every(3, 3), func() *exec.Cmd {
			cmd := exec.Command(program, plan...)
			cmd.Stderr = t.Output()
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			return cmd
		})
		if got := counted(t, program, plan...); got != want || !strings.Contains(got, "states") {
			t.Errorf("seed %d: the program counts\n%s\nwant\n%s", seed, got, want)
		}
	}
}

// TestResume: a driver that is started later continues with the phase that the one before has
// reached.
func TestResume(t *testing.T) {
	d, dir := begin(t, small, 3)
	e := local(d, dir, 2)
	defer e.Close()
	ctx, cancel := context.WithCancel(t.Context())
	_, err := Run(ctx, d, e, Options{Observe: func(p Progress) {
		if p.Phase.Number == 5 {
			cancel()
		}
	}})
	if !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	before, err := os.Stat(filepath.Join(dir, "receipt", "00004", "00000"))
	if err != nil {
		t.Fatal(err)
	}
	again, err := open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	first := -1
	if _, err := Run(t.Context(), again, e, Options{Observe: func(p Progress) {
		if first < 0 {
			first = p.Phase.Number
		}
	}}); err != nil {
		t.Fatal(err)
	}
	if after, err := os.Stat(filepath.Join(dir, "receipt", "00004", "00000")); err != nil || first != 5 || !os.SameFile(before, after) {
		t.Errorf("it continued at phase %d, %v", first, err)
	}
	right(t, dir, small)
}
