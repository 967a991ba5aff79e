//go:build unix

package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/mancheck/mancheck/internal/tier"
)

// soon is how long a command may take to end after a signal. The machine may be busy with other
// tests.
const soon = 2 * time.Second

// slowClaims takes the resolver seconds.
var slowClaims = strings.ReplaceAll(`variant Move {
  param n = 3 in 1..99
  param m = 3 in 1..99
  param k = 3 in 1..99
  board {
    a | b
    line way = a, b
  }
  setup { a = n + m + k }
  move step {
    choose i in 1..1
    require a > 0
    take 1 from a into b
  }
  end when a = 0
}
claim ends { for n in 1..S: for m in 1..S: for k in 1..S: terminates }
`, "S", "46")

// TestSignals: the first signal ends any command, in whatever it is doing, and the status shows it.
func TestSignals(t *testing.T) {
	tier.Long(t, "it waits for processes")
	dir := t.TempDir()
	slow := filepath.Join(dir, "slow.sow")
	if err := os.WriteFile(slow, []byte(slowClaims), 0o666); err != nil {
		t.Fatal(err)
	}
	const kalah, dose = "../../examples/kalah.sow", "../../examples/dose2015.sow"
	commands := [][]string{
		{"check", "-"},
		{"prove", "-"},
		{"vet", "-"},
		{"fmt"},
		{"moves", "-"},
		{"explain", "-"},
		{"trace", "-", "--claim", "x"},
		{"replay", kalah, "-"},
		{"certify", "-"},
		{"count", "-"},
		{"perft", "-", "--depth", "3"}, // waiting for input
		{"check", slow},
		{"prove", slow},
		{"vet", "--thorough", slow},
		{"explain", slow},
		{"trace", slow, "--claim", "ends"}, // resolving
		{"count", kalah, "-p", "m=6", "-p", "n=4"},
		{"perft", kalah, "--depth", "30"}, // searching
		{"check", dose, "--claim", "hole_in_the_rules", "--engine", "smt", "--solver", "sleep 100"}, // asking
		{"prove", dose, "--cache", "off", "--engine", "smt", "--solver", "sleep 100"},
		{"explain", dose, "--cache", "off", "--engine", "smt", "--solver", "sleep 100"},
		{"trace", kalah, "--claim", "every_game_ends", "-p", "m=6", "-p", "n=4", "--engine", "forward"},
	}
	signals := []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP}
	if signal.Ignored(syscall.SIGHUP) {
		signals = signals[:2] // the tests run under nohup, and so do the commands
	}
	for i, args := range commands {
		if tier.Short() && i%4 > 0 {
			continue
		}
		by := signals[i%len(signals)]
		t.Run(fmt.Sprint(args[0], i, by), func(t *testing.T) {
			t.Parallel()
			p := begin(t, dir, args...)
			p.getsGoing(t, 500*time.Millisecond)
			p.signal(t, by)
			p.ends(t, func(err error) bool {
				var exit *exec.ExitError
				return errors.As(err, &exit) && exit.ExitCode() == exitInconclusive
			})
			if !strings.Contains(p.said.String(), "mancheck: interrupted\n") {
				t.Errorf("%q: standard error is %q", args, &p.said)
			}
		})
	}
}

// TestSecondSignal kills at once.
func TestSecondSignal(t *testing.T) {
	p := begin(t, t.TempDir(), "check", "-")
	p.getsGoing(t, 300*time.Millisecond)
	p.signal(t, syscall.SIGTERM)
	time.Sleep(50 * time.Millisecond)
	p.signal(t, syscall.SIGTERM)
	p.ends(t, func(err error) bool {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			return false
		}
		status, ok := exit.Sys().(syscall.WaitStatus)
		return ok && status.Signaled() && status.Signal() == syscall.SIGTERM
	})
}

// TestNohup: a hangup that was to be ignored is.
func TestNohup(t *testing.T) {
	tier.Long(t, "it waits for processes")
	t.Parallel()
	p := begin(t, t.TempDir(), "sh", "-c", `trap "" HUP; exec mancheck check -`)
	p.getsGoing(t, 300*time.Millisecond)
	p.signal(t, syscall.SIGHUP)
	select {
	case err := <-p.done:
		t.Fatalf("it ended: %v", err)
	case <-time.After(soon):
	}
	p.signal(t, syscall.SIGINT)
	p.ends(t, func(err error) bool { return err != nil })
}

// running is a command whose standard input never ends.
type running struct {
	cmd  *exec.Cmd
	said bytes.Buffer // standard error
	done chan error

	start time.Duration // that a command takes at most to start, as busy as the machine is
}

// getsGoing waits until the command is at work: for so long on a quiet machine, and on a busy one
// for some times as long as the shortest command takes.
func (p *running) getsGoing(t *testing.T, quiet time.Duration) {
	t.Helper()
	began := time.Now()
	if err := exec.Command("mancheck", "version").Run(); err != nil {
		t.Fatal(err)
	}
	p.start = 5 * time.Since(began)
	time.Sleep(max(quiet, p.start))
}

func begin(t *testing.T, cache string, args ...string) *running {
	t.Helper()
	if args[0] != "sh" {
		args = append([]string{"mancheck"}, args...)
	}
	path, err := exec.LookPath(args[0])
	if err != nil {
		t.Fatal(err)
	}
	p := &running{cmd: exec.Command(path, args[1:]...), done: make(chan error, 1)}
	in, err := p.cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	p.cmd.Stdout, p.cmd.Stderr = io.Discard, &p.said
	p.cmd.Env = append(os.Environ(), "MANCHECK_CACHE="+cache, "XDG_CONFIG_HOME="+cache)
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { p.done <- p.cmd.Wait() }()
	t.Cleanup(func() {
		in.Close()
		_ = p.cmd.Process.Kill() // it is gone unless the test failed
	})
	return p
}

func (p *running) signal(t *testing.T, s syscall.Signal) {
	t.Helper()
	select {
	case err := <-p.done:
		t.Fatalf("it ended before the signal: %v\n%s", err, &p.said)
	default:
	}
	if err := p.cmd.Process.Signal(s); err != nil {
		t.Fatal(err)
	}
}

// ends wants the command to end soon, and in the way given.
func (p *running) ends(t *testing.T, right func(error) bool) {
	t.Helper()
	select {
	case err := <-p.done:
		if !right(err) {
			t.Errorf("%v\n%s", err, &p.said)
		}
	case <-time.After(soon + p.start):
		t.Error("it goes on")
	}
}

// TestMemoryRefused: with less and less address space a command says what it says with enough, or
// fails. A failure has no part of a result. It may have the whole, since the runtime of Go and that
// of C end a program that they can give no memory or thread, also between its last line and its
// end.
func TestMemoryRefused(t *testing.T) {
	tier.Long(t, "it waits for processes")
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("other systems limit other things")
	}
	commands := map[string]string{
		"count $EXAMPLES/kalah.sow -p m=3 -p n=3":            "27,090",
		"check $EXAMPLES/kalah.sow --claim positions_a":      "1 claim: 1 as expected",
		"value $EXAMPLES/kalah.sow -p m=3 -p n=2":            "value",
		"table build $EXAMPLES/kalah.sow --seeds 5 -o table": "positions",
	}
	for command, result := range commands {
		whole := refused(t, command, 1<<40)
		if whole.status != 0 || !strings.Contains(whole.out, result) {
			t.Fatalf("%s: status %d\n%s%s", command, whole.status, whole.out, whole.notes)
		}
		failed := 0
		sizes := []int{150, 600, 800, 1000, 1100, 1200, 1300, 1500, 2500}
		for i := 0; i < len(sizes); i += tier.Every(4, 3) {
			mega := sizes[i]
			got := refused(t, command, mega<<20)
			switch {
			case got.status == 0 && got.out != whole.out:
				t.Errorf("%s with %d MB: other output\n%s\nwant\n%s", command, mega, got.out, whole.out)
			case got.status != 0:
				failed++
				part := strings.Contains(got.out, result) && got.out != whole.out
				if got.status == exitUnexpected || part || got.notes == "" {
					t.Errorf("%s with %d MB: status %d\n%s%s", command, mega, got.status, got.out, got.notes)
				}
			}
		}
		if failed == 0 {
			t.Errorf("%s needs no memory", command)
		}
	}
}

// refused runs a command with the given number of bytes of address space.
func refused(t *testing.T, command string, bytes int) printed {
	t.Helper()
	examples, err := filepath.Abs("../../examples")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("sh", "-c", fmt.Sprintf("ulimit -v %d; exec mancheck %s", bytes>>10, command))
	cmd.Dir, cmd.Env = t.TempDir(), append(os.Environ(), "EXAMPLES="+examples)
	var out, notes strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &notes
	_ = cmd.Run() // the status is what counts
	return printed{cmd.ProcessState.ExitCode(), seconds.ReplaceAllString(out.String(), "$1"), notes.String()}
}
