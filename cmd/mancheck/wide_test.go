//go:build linux

package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/mancheck/mancheck/internal/tier"
)

// wideRules is a game with M pits, and claims of all kinds that look at it as a whole.
var wideRules = strings.NewReplacer("BODY", `  param x = 4 in 0..
  board {
    hole[1..M]
    ring lap = hole[1..M]
  }
  setup { each hole = x }
  move step {
    choose from in hole where from > 0
    sow from along lap`).Replace(`variant Wide {
BODY
    capture last into hole[1]
  }
  win when total(hole) = seeds(hole[1])
}
variant Other {
BODY
  }
}
position ones of Wide where each c in hole : c = 1
claim stuck of Wide { never stuck }
claim apart of Wide { unreachable each c in hole : c = 1 }
claim sum of Wide { invariant total(hole) = 4 * M }
claim ends of Wide { terminates }
claim plays of Wide { count(plays of 2 moves) = 7 }
claim wins of Wide { winning starts = {} }
claim before of Wide { count(ancestors of ones) = 3 }
claim steps of Wide { from ones every step gives seeds(hole[1]) > 0 }
claim same of Wide { equivalent to Other }
claim all of Wide { invariant total(hole) = x * M for all x }
`)

// peakOf watches a process until it is gone, and then sends the most memory that it had resident.
// The resource usage that the kernel reports at the end counts that of the parent before the start.
func peakOf(pid int) <-chan int64 {
	peak := make(chan int64, 1)
	go func() {
		most := int64(0)
		for {
			status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
			_, after, known := strings.Cut(string(status), "VmHWM:")
			if err != nil || !known {
				peak <- most
				return
			}
			if kb, err := strconv.ParseInt(strings.Fields(after)[0], 10, 64); err == nil {
				most = max(most, kb<<10)
			}
			time.Sleep(2 * time.Millisecond)
		}
	}()
	return peak
}

// TestWide: whatever is claimed of a wide board, and whoever is to decide it, a command keeps to
// its memory, comes to an end once its time is over, and says so.
func TestWide(t *testing.T) {
	tier.Long(t, "it plays wide boards until the time is over")
	duration := time.Second / time.Duration(tier.Every(2, 2))
	const (
		memory   = 256 << 20
		most     = memory/4*5 + 128<<20
		patience = 10 * time.Second // for a verdict to be written down by a machine that is busy
	)
	dir := t.TempDir()
	cases := []struct {
		pits          int
		claim, engine string
	}{
		{4096, "stuck", "auto"},
		{1000, "before", "backward"},
		{4096, "plays", "forward"},
		{4096, "apart", "smt"},
		{1000, "stuck", "forward"},
		{4096, "sum", "backward"},
		{4096, "ends", "forward"},
		{1000, "wins", "backward"},
		{4096, "before", "auto"},
		{1000, "steps", "smt"},
		{4096, "same", "auto"},
		{1000, "sum", "bmc"},
		{4096, "all", "induction"},
		{1000, "same", "forward"},
	}
	for i, c := range cases {
		if i%tier.Every(len(cases), 4) > 0 {
			continue
		}
		t.Run(fmt.Sprint(c.claim, c.pits, c.engine), func(t *testing.T) {
			rules := filepath.Join(dir, fmt.Sprint(c.pits, ".sow"))
			if err := os.WriteFile(rules, []byte(strings.ReplaceAll(wideRules, "M", fmt.Sprint(c.pits))), 0o666); err != nil {
				t.Fatal(err)
			}
			path, err := exec.LookPath("mancheck")
			if err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command(path, "check", rules, "--claim", c.claim, "--engine", c.engine, "--brief",
				"--max-memory", fmt.Sprint(memory>>20, "M"), "--timeout", duration.String())
			var out, said strings.Builder
			cmd.Stdout, cmd.Stderr = &out, &said
			began := time.Now()
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			peak := peakOf(cmd.Process.Pid)
			err = cmd.Wait()
			if elapsed := time.Since(began); elapsed > duration+patience {
				t.Errorf("it took %v", elapsed)
			}
			if exit := new(exec.ExitError); err != nil && (!errors.As(err, &exit) || exit.ExitCode() != exitInconclusive && exit.ExitCode() != exitUnexpected) {
				t.Errorf("%v\n%s", err, &said)
			}
			if bytes := <-peak; bytes == 0 || bytes > most {
				t.Errorf("it took %d MB", bytes>>20)
			}
			if !strings.Contains(out.String()+said.String(), "out of time") && !strings.Contains(out.String(), "1 claim:") {
				t.Errorf("it said\n%s%s", &out, &said)
			}
		})
	}
}
