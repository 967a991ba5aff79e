// Command limits runs mancheck on rules files with random mistakes and random sizes, under a limit
// on time and memory, and reports every run that exceeded them, was ended by a signal, or reported
// an internal error.
//
//	go build -o bin/mancheck ./cmd/mancheck && go run ./scripts/limits -runs 15000
//
// The same -first and -runs give the same files. Those that exceeded are kept in the folder -keep.
// Wall times depend on what else the machine does, so the processor time is printed as well.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"log"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

var (
	program = flag.String("program", "bin/mancheck", "the program")
	runs    = flag.Int("runs", 1000, "how many runs")
	first   = flag.Int("first", 1, "number of the first run")
	workers = flag.Int("workers", 2, "runs at the same time")
	keep    = flag.String("keep", "bin/limits", "folder for the files of runs that exceeded")
	every   = flag.Bool("print", false, "print each run")
)

// The limits of a run, and what it may take in total: the time until it ends by itself, a second of
// grace and half of one to start; the memory, and twice what the watch allows above it.
const (
	timeout, memory     = "5s", "256M"
	mostWall            = 6500 * time.Millisecond
	mostResident        = 448 << 10 // KiB
	killed              = time.Minute
	niceness, grainOfMB = "10", 1 << 10
)

// corpus returns the rules files from which random ones are made.
func corpus() [][]byte {
	var list [][]byte
	for _, pattern := range []string{
		"examples/*.sow", "examples/family/*.sow", "proofs/*.sow", "proofs/*/*.sow", "rules/build/testdata/*.sow", "dsl/testdata/*.sow", "dsl/testdata/*/*.sow",
	} {
		paths, err := filepath.Glob(pattern)
		if err != nil {
			log.Fatal(err)
		}
		for _, path := range paths {
			if text, err := os.ReadFile(path); err == nil {
				list = append(list, text)
			}
		}
	}
	if len(list) < 20 {
		log.Fatalf("only %d rules files: run this from the root of the repository", len(list))
	}
	return list
}

// result is a run that is over.
type result struct {
	number    int
	args      []string
	wall, cpu time.Duration
	resident  int64 // KiB, at its peak
	status    int   // exit status; negative: a signal ended it
	fault     string
}

func (r result) String() string {
	return fmt.Sprintf("run %d: %.2f s, %.2f s of processor time, %d MB: %s %s", r.number, r.wall.Seconds(), r.cpu.Seconds(),
		r.resident/grainOfMB, strings.Join(r.args, " "), r.fault)
}

func main() {
	log.SetFlags(0)
	if len(os.Args) > 2 && os.Args[1] == measured {
		measure(os.Args[2], os.Args[3:]...)
		return
	}
	flag.Parse()
	texts := corpus()
	exe, err := filepath.Abs(*program)
	if err != nil {
		log.Fatal(err)
	}
	if err := os.MkdirAll(*keep, 0o777); err != nil {
		log.Fatal(err)
	}
	results := make([]result, *runs)
	var next atomic.Int64
	var wg sync.WaitGroup
	for range *workers {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < *runs; i = int(next.Add(1)) - 1 {
				results[i] = one(exe, *first+i, texts)
			}
		})
	}
	wg.Wait()
	if summary(results) {
		os.Exit(1)
	}
}

// one makes the file of a run and runs the program on it. It removes the file if nothing was wrong.
func one(exe string, number int, texts [][]byte) result {
	m := newMutator(uint64(number), texts)
	text := m.file()
	path := filepath.Join(*keep, fmt.Sprintf("run%d.sow", number))
	if err := os.WriteFile(path, text, 0o666); err != nil {
		log.Fatal(err)
	}
	args := m.command(path)
	self, err := os.Executable()
	if err != nil {
		log.Fatal(err)
	}
	cmd := exec.Command("nice", append([]string{"-n", niceness, self, measured, exe}, args...)...)
	cmd.Env = append(os.Environ(), "MANCHECK_CACHE=off")
	var notes bytes.Buffer
	cmd.Stderr = &notes
	used, err := cmd.Output()
	if err != nil {
		log.Fatal(err)
	}
	r := result{number: number, args: args}
	if _, err := fmt.Sscanln(string(used), &r.wall, &r.cpu, &r.resident, &r.status); err != nil {
		log.Fatalf("%q: %v", used, err)
	}
	switch {
	case r.status < 0 || r.status > 3:
		r.fault = fmt.Sprint("status ", r.status)
	case bytes.Contains(notes.Bytes(), []byte("internal error")), bytes.Contains(notes.Bytes(), []byte("goroutine ")):
		r.fault = "internal error"
	case r.wall > mostWall:
		r.fault = "too long"
	case r.resident > mostResident:
		r.fault = "too much memory"
	}
	switch {
	case r.fault != "":
		fmt.Println(r)
	case *every:
		fmt.Println(r)
		fallthrough
	default:
		_ = os.Remove(path)
	}
	return r
}

// measured is the first argument of a process that runs the rest as a program, and prints what it
// used. Linux lets a process inherit the peak memory of the one that started it, so that must be a
// small one.
const measured = "measured"

// measure runs a program and prints its wall time, processor time, peak memory and exit status, for
// which one reads them. A program that hangs is killed.
func measure(program string, args ...string) {
	cmd := exec.Command(program, args...)
	cmd.Stderr = os.Stderr
	begin := time.Now()
	if err := cmd.Start(); err != nil {
		log.Fatal(err)
	}
	late := time.AfterFunc(killed, func() { _ = cmd.Process.Kill() })
	_ = cmd.Wait()
	late.Stop()
	state := cmd.ProcessState
	fmt.Println(int64(time.Since(begin)), int64(state.UserTime()+state.SystemTime()), state.SysUsage().(*syscall.Rusage).Maxrss, state.ExitCode())
}

// reached prints, for each command, how many of its files it had something to say of: the status is
// 2 where a file has mistakes.
func reached(all []result) {
	count, good := map[string]int{}, map[string]int{}
	for _, r := range all {
		count[r.args[0]]++
		if r.status != 2 {
			good[r.args[0]]++
		}
	}
	for _, name := range slices.Sorted(maps.Keys(count)) {
		fmt.Printf("%-15s %d of %d files without mistakes (%d %%)\n", name, good[name], count[name], 100*good[name]/count[name])
	}
}

// summary prints how the runs are distributed, and reports whether one failed.
func summary(all []result) (failed bool) {
	bad := 0
	for _, r := range all {
		if r.fault != "" {
			bad++
		}
	}
	show := func(what, unit string, value func(result) float64) {
		var list []float64
		for _, r := range all {
			list = append(list, value(r))
		}
		slices.Sort(list)
		quantile := func(part float64) float64 { return list[min(int(part*float64(len(list))), len(list)-1)] }
		fmt.Printf("%-15s median %.2f, 99%% %.2f, 99.9%% %.2f, most %.2f %s\n", what, quantile(0.5), quantile(0.99), quantile(0.999), quantile(1), unit)
	}
	fmt.Printf("%d runs, %d exceeded the limits or failed\n", len(all), bad)
	reached(all)
	show("wall time", "s", func(r result) float64 { return r.wall.Seconds() })
	show("processor time", "s", func(r result) float64 { return r.cpu.Seconds() })
	show("peak memory", "MB", func(r result) float64 { return float64(r.resident) / grainOfMB })
	if load, err := os.ReadFile("/proc/loadavg"); err == nil {
		fmt.Printf("load of the machine at the end: %s", load)
	}
	return bad > 0
}
