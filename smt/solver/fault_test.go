//go:build unix

package solver_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/mancheck/mancheck/internal/tier"
	"github.com/mancheck/mancheck/smt/solver"
	"github.com/mancheck/mancheck/smt/term"
)

// The test program is also a solver: one with the fault that the first of these variables names,
// which records its process in the directory that the second names.
const (
	faultVariable = "MANCHECK_FAULT"
	noteVariable  = "MANCHECK_FAULT_NOTES"
)

func TestMain(m *testing.M) {
	fault := os.Getenv(faultVariable)
	switch {
	case fault == "":
		os.Exit(m.Run())
	case os.Getenv(hostVariable) != "":
		host()
		return
	}
	note(os.Getpid())
	if f, ok := starts[fault]; ok {
		f()
		return
	}
	serve(answers[fault])
}

// hostVariable makes the test program one that asks such a solver and is then killed.
const hostVariable = "MANCHECK_FAULT_HOST"

func host() {
	os.Unsetenv(hostVariable) // for the solver
	if _, err := solver.Open(context.Background(), "'"+os.Args[0]+"' --quietly"); err != nil {
		panic(err)
	}
	hang()
}

// TestKilled: no solver, nor any process it started, outlives the program that asks it, however
// that ends.
func TestKilled(t *testing.T) {
	faults := []string{"a family", "deaf"}
	if _, err := exec.LookPath("setsid"); err == nil && runtime.GOOS == "linux" {
		faults = append(faults, "left home") // found by their environment, which Linux shows
	}
	for _, fault := range faults {
		for _, by := range []syscall.Signal{syscall.SIGKILL, syscall.SIGQUIT, syscall.SIGHUP, syscall.SIGTERM} {
			if signal.Ignored(by) {
				continue // the tests run under nohup, and so does the process
			}
			t.Run(fault+" "+by.String(), func(t *testing.T) {
				t.Parallel()
				kill(t, fault, by)
			})
		}
	}
}

func kill(t *testing.T, fault string, by syscall.Signal) {
	dir := t.TempDir()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), faultVariable+"="+fault, noteVariable+"="+dir, hostVariable+"=1")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	due := map[string]int{"a family": 2, "deaf": 1, "left home": 2}[fault]
	eventually(t, "too few processes", func() bool { return len(noted(t, dir)) == due })
	if err := cmd.Process.Signal(by); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // it was killed
	eventually(t, "processes", func() bool { return !slices.ContainsFunc(noted(t, dir), alive) })
}

func note(pid int) {
	file := filepath.Join(os.Getenv(noteVariable), strconv.Itoa(pid))
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		panic(err)
	}
}

func hang() { time.Sleep(time.Hour) }

// repeat prints text forever.
func repeat(text string) {
	block := []byte(strings.Repeat(text, 4096))
	for {
		_, _ = os.Stdout.Write(block)
	}
}

// starts are the faults of solvers that fail before the first question.
var starts = map[string]func(){
	"deaf":      hang,
	"never":     func() { go hang(); _, _ = bufio.NewReader(os.Stdin).ReadString(0); hang() },
	"exits":     func() { fmt.Fprintln(os.Stderr, "no licence\nsorry"); os.Exit(3) },
	"rubbish":   func() { fmt.Println("Welcome to the solver!"); hang() },
	"floods":    func() { repeat("sat\n") },
	"one word":  func() { repeat("x") },
	"one list":  func() { repeat("(") },
	"closes":    func() { os.Stdout.Close(); hang() },
	"bytes":     func() { repeat("\x00\xff)") },
	"a comment": func() { repeat("; and so on\n") },
	"left home": func() { // the child has a session of its own, and its parent there is gone
		child := exec.Command("setsid", "--fork", "sh", "-c", `: > "$`+noteVariable+`/$$"; exec sleep 3600`)
		if child.Run() == nil {
			hang()
		}
	},
	"a family": func() {
		child := exec.Command("sleep", "3600")
		child.Stdout, child.Stderr = os.Stdout, os.Stderr
		if child.Start() == nil {
			note(child.Process.Pid)
		}
		hang()
	},
}

// answers are the faults in answering check-sat of otherwise good solvers.
var answers = map[string]func(){
	"dies":        func() { _ = syscall.Kill(os.Getpid(), syscall.SIGKILL); hang() },
	"thinks":      hang,
	"other":       func() { fmt.Println("perhaps") },
	"list":        func() { fmt.Println("(sat)") },
	"string":      func() { fmt.Println(`"sat"`) },
	"nothing":     func() {},
	"half":        func() { fmt.Print("(sat"); hang() },
	"half, dies":  func() { fmt.Print("(sat"); os.Exit(0) },
	"twice":       func() { fmt.Print("sat\nsat\n") },
	"error":       func() { fmt.Println(`(error "out of ""memory""")`) },
	"unknown":     func() { fmt.Println("unknown") },
	"bad model":   func() { fmt.Println("sat") },
	"loud, talks": func() { go shout(); time.Sleep(50 * time.Millisecond); fmt.Println("unsat") },
}

func shout() {
	for {
		fmt.Fprintln(os.Stderr, "warning")
	}
}

// serve answers as a solver should, except for check-sat, and has no model.
func serve(check func()) {
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		switch command, rest, _ := strings.Cut(strings.Trim(in.Text(), "()"), " "); command {
		case "echo":
			fmt.Println(rest)
		case "check-sat":
			check()
		case "get-info":
			fmt.Printf("(%s \"fake\")\n", rest)
		case "get-value":
			fmt.Println("((y 1))")
		}
	}
}

func TestFaults(t *testing.T) {
	tier.Long(t, "it waits for processes")
	const soon = 300 * time.Millisecond
	for fault, reason := range map[string]string{
		"deaf": "time-out", "never": "time-out", "a family": "time-out", "thinks": "time-out", "half": "time-out",
		"exits":      `ended with exit status 3, saying "no licence"`,
		"dies":       "ended with signal: killed",
		"half, dies": "ended with exit status 0 in the middle of a reply",
		"closes":     "closed its output",
		"rubbish":    `printed something that is not an answer: "Welcome"`,
		"floods":     `printed something that is not an answer: "sat"`,
		"bytes":      `printed something that is not an answer: "\x00\xff"`,
		"one list":   "printed something that is not an answer: a reply nested more than 64 deep",
		"one word":   "printed something that is not an answer: a reply of more than 16 MiB",
		"a comment":  "printed something that is not an answer: a reply of more than 16 MiB",
		"other":      `printed something that is not an answer: "perhaps"`,
		"list":       `printed something that is not an answer: "(sat)"`,
		"string":     `printed something that is not an answer: "\"sat\""`,
		"nothing":    "gave 0 replies instead of 1",
		"twice":      `printed something that is not an answer: "sat"`,
		"error":      `reports an error: "out of \"memory\""`,
		"unknown":    "fake fake gives up: fake",
		"bad model":  `printed something that is not an answer: "(y 1)"`,
	} {
		t.Run(fault, func(t *testing.T) {
			s := openFaulty(t, fault, soon)
			assertMuch(s)
			limit := 100 * soon // for those that are slow to flood
			if reason == "time-out" {
				limit = soon
			}
			ctx, cancel := context.WithTimeout(context.Background(), limit)
			defer cancel()
			start := time.Now()
			got := s.Check(ctx)
			if got.Status != solver.Unknown || !strings.HasSuffix(got.Reason, reason) {
				t.Errorf("got %v, want %s", got, reason)
			}
			if took := time.Since(start); took > limit+time.Second {
				t.Errorf("took %v", took)
			}
		})
	}
}

// TestLoud: output on a solver's standard error does no harm.
func TestLoud(t *testing.T) {
	check(t, openFaulty(t, "loud, talks", 5*time.Second), solver.Unsat)
}

// openFaulty opens a solver with a fault. After the test none of its processes and goroutines may
// remain.
func openFaulty(t *testing.T, fault string, limit time.Duration) solver.Solver {
	dir := t.TempDir()
	t.Setenv(faultVariable, fault)
	t.Setenv(noteVariable, dir)
	before := runtime.NumGoroutine()
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	s, err := solver.Open(ctx, "'"+os.Args[0]+"' --quietly")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		s.Close()
		eventually(t, "processes", func() bool { return !slices.ContainsFunc(noted(t, dir), alive) })
		eventually(t, "goroutines", func() bool { return runtime.NumGoroutine() <= before })
	})
	return s
}

// assertMuch asserts more than a pipe can hold.
func assertMuch(s solver.Solver) {
	b := term.NewBuilder()
	for i := range 5000 {
		s.Assert(b.Lt(b.Int(i), b.Var("x", term.Int)))
	}
}

// eventually waits up to 20 s: the machine may be busy, and the race detector slows programs down.
func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for range 1000 {
		if ok() {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	stacks := make([]byte, 1<<16)
	t.Errorf("%s remain\n%s", what, stacks[:runtime.Stack(stacks, true)])
}

func noted(t *testing.T, dir string) []int {
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var pids []int
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			t.Fatal(err)
		}
		pids = append(pids, pid)
	}
	return pids
}

// alive reports whether a process runs. One that ended but was not waited for does not run, such as
// a child's child that init has not reaped.
func alive(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err != nil || !bytes.Contains(stat, []byte(") Z "))
}

func TestNotInstalled(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	for spec, help := range map[string]string{
		"auto":             "install Z3",
		"":                 "install Z3",
		"z3":               "install z3",
		"z3-process":       "install z3",
		"cvc5":             "install cvc5",
		"/no/such/z3 -in":  "install z3",
		"no-such-solver x": "known by name",
	} {
		s, err := solver.Open(context.Background(), spec)
		if err == nil && strings.HasSuffix(s.Name(), "(in process)") {
			s.Close()
			continue
		}
		var missing *solver.NotInstalled
		if !errors.As(err, &missing) || !strings.Contains(missing.Help(), help) {
			t.Errorf("%q: got %v", spec, err)
		}
	}
}

// TestCannotStart: an invalid program file is noticed when it is started.
func TestCannotStart(t *testing.T) {
	file := filepath.Join(t.TempDir(), "solver")
	if err := os.WriteFile(file, []byte("\x7fELF"), 0o700); err != nil {
		t.Fatal(err)
	}
	s, err := solver.Open(context.Background(), file)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if got := s.Check(context.Background()); !strings.Contains(got.Reason, "solver does not start") {
		t.Errorf("got %v", got)
	}
}
