package dispatch

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/mancheck/mancheck/checker/phase"
	"github.com/mancheck/mancheck/checker/phase/phasetest"
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

// TestLocalFails: a task that fails each time ends the work with its reason, and so does one that
// is killed.
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

// TestLocalInterrupted: an interrupt ends the workers, and costs no task a try.
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
	for len(c.processes("serve")) > 0 { // the test ends this if nothing else does
		time.Sleep(10 * time.Millisecond)
	}
}

// TestLocalChaos: whatever happens to the processes and the objects, the work comes to the same.
func TestLocalChaos(t *testing.T) {
	for seed := uint64(0); seed < 4; seed += uint64(tier.Every(4)) {
		w := small
		w.Seed, w.Pause = seed, 20*time.Millisecond
		_, dir := begin(t, w, 30)
		c := newChaos(t, seed, dir)
		drivers := []*exec.Cmd{driver(t, dir, "local"), driver(t, dir, "local")}
		ended := make(chan error, 100)
		wait := func(cmd *exec.Cmd) { ended <- cmd.Wait() }
		for _, cmd := range drivers {
			go wait(cmd)
		}
		for running, did := 2, 0; running > 0; {
			select {
			case err := <-ended:
				var exit *exec.ExitError
				if errors.As(err, &exit) && exit.ProcessState.Sys().(syscall.WaitStatus).Signaled() {
					go wait(driver(t, dir, "local"))
					continue
				}
				if running--; err != nil {
					t.Errorf("seed %d: a driver failed: %v", seed, err)
				}
			case <-time.After(40 * time.Millisecond):
				if did++; did > 60 {
					continue
				}
				c.damage([]string{"block", "block", "receipt", "phase"}[c.r.IntN(4)])
				switch c.r.IntN(6) {
				case 0, 1:
					c.kill("serve")
				case 2:
					c.kill("drive")
				}
			}
		}
		c.log()
		right(t, dir, w)
	}
}

// TestResume: a driver that begins later goes on with the phase that the one before it got to.
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
		t.Errorf("it went on at phase %d, %v", first, err)
	}
	right(t, dir, small)
}
