// Command fuzz compares the engines with the judge over random rules files, for a given time. It
// belongs to the tests and is not shipped.
//
// By default it starts a process for each processor, which runs the same program with -work. A
// process that crashes or hangs then costs one file, which is itself a finding. Every file is made
// from a seed alone, so a finding can be repeated with -first and -show.
//
// Two other comparisons need no engines in the process. With -program the built mancheck decides
// the files, also under interrupts and with a cache. With -reword each file is decided before and
// after it is written in other words. The exit status is 1 if there is a finding, and 2 if fuzz
// itself failed.
package main

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/mancheck/mancheck/dsl/dsltest/gen"
	"github.com/mancheck/mancheck/proofs/internal/judge/agree"
)

var (
	duration = flag.Duration("time", time.Minute, "how long to run")
	files    = flag.Int("files", 0, "stop after this many files; 0: only when the time is over")
	first    = flag.Uint64("first", uint64(time.Now().Unix())<<20, "seed of the first file")
	workers  = flag.Int("workers", runtime.NumCPU(), "processes")
	folder   = flag.String("out", "disagreements", "folder for shrunk files")
	most     = flag.Int("shrink", 3, "shrink this many findings of each kind")
	rate     = flag.Int("rate", 0, "ask the solvers about one claim in this many; 0: the default")
	wait     = flag.Duration("wait", 0, "time for one decision; 0: the default")
	steps    = flag.Int("steps", 0, "expressions and seeds that the judge may spend on one instance; 0: the default")
	claims   = flag.Int("claims", 0, "write this many more claims into each file")
	work     = flag.Uint64("work", 0, "be a worker that prints its findings for other processes; take seeds at this distance")
	list     = flag.Bool("list", false, "print all findings, and shrink none")
	program  = flag.String("program", "", "the built mancheck: compare what it prints, with interrupts, instead of calling the engines")
	ends     = flag.Int("interrupts", 0, "with -program: interrupt prove this many times over each of the named files, instead of writing files")
	words    = flag.Bool("reword", false, "compare verdicts on files with those on the same files in other words: on the named files, or on random ones")
	show     = flag.Bool("show", false, "show the file of the first seed, and what is found in it")
)

func main() {
	flag.Parse()
	opt := agree.Defaults()
	if *rate > 0 {
		opt.Rate = *rate
	}
	if *wait > 0 {
		opt.Time = *wait
	}
	if *steps > 0 {
		opt.Judge.Steps = *steps
	}
	opt.More = *claims
	switch {
	case *program != "":
		os.Exit(commands(opt))
	case *words:
		os.Exit(rewordings(opt))
	case *work > 0:
		fmt.Fprintln(os.Stderr, opt.Work(os.Stdout, *first, *work))
		os.Exit(1)
	case *show:
		f := gen.With(*first, opt.More)
		fmt.Println(f.Whole())
		for _, found := range opt.File(*first, f, agree.NewTally()) {
			fmt.Println(found)
		}
	default:
		os.Exit(run(opt))
	}
}

// run spreads the seeds over worker processes and prints their findings. The first findings of each
// kind are also shrunk and written to files; more of the same kind would only take time.
func run(opt agree.Options) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	found := map[string]int{}
	self, err := os.Executable()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	last := time.Now()
	r := &agree.Run{
		First: *first, Files: *files, More: opt.More, Time: *duration, Workers: *workers,
		Command: func(ctx context.Context, first, step uint64) *exec.Cmd {
			return exec.CommandContext(ctx, self, "-work", fmt.Sprint(step), "-first", fmt.Sprint(first), "-rate", fmt.Sprint(opt.Rate),
				"-wait", opt.Time.String(), "-steps", fmt.Sprint(opt.Judge.Steps), "-claims", fmt.Sprint(opt.More))
		},
		Tell: func(f agree.Finding) {
			kind := f.Class + " by " + f.Engine
			found[kind]++
			switch {
			case *list:
				fmt.Println(f)
			case found[kind] <= *most:
				fmt.Println(f)
				keep(opt, f)
			}
		},
		Watch: func(t *agree.Tally) {
			if time.Since(last) > time.Minute {
				last = time.Now()
				fmt.Printf("%s: %d files, %d verdicts, %d compared with a truth\n", last.Format(time.TimeOnly), t.Files["good"]+t.Files["with mistakes"], t.Verdicts(), t.Compared())
			}
		},
	}
	fmt.Printf("seeds from %d on\n", *first)
	total := r.Do(ctx)
	total.Print(os.Stdout)
	total.PrintFeatures(os.Stdout)
	for kind, n := range found {
		fmt.Printf("%6d  %s\n", n, kind)
	}
	if len(found) > 0 {
		return 1
	}
	fmt.Println("no disagreement")
	return 0
}

// rewordings writes files in other words and compares the verdicts: the named files, or random ones
// until the time is over.
func rewordings(opt agree.Options) int {
	tally := agree.NewTally()
	found, n := 0, 0
	tell := func(list []agree.Finding, name string) {
		for _, f := range list {
			if found++; found <= *most {
				fmt.Printf("%s: %v\n--- before:\n%s\n", name, f, f.File.Text)
			}
		}
		n++
	}
	for _, path := range flag.Args() {
		text, err := os.ReadFile(path)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 2
		}
		tell(opt.InOtherWords(0, &gen.File{Text: string(text), Parts: beside(path)}, tally), path)
	}
	if flag.NArg() == 0 {
		fmt.Printf("seeds from %d on\n", *first)
		for end := time.Now().Add(*duration); time.Now().Before(end) && (*files == 0 || n < *files) && found < *most; {
			seed := *first + uint64(n)
			tell(opt.InOtherWords(seed, gen.With(seed, opt.More), tally), fmt.Sprintf("seed %d", seed))
		}
	}
	return summary(agree.Program{Tally: tally.Claims}, n, found)
}

// commands compares what the built program prints with the judge. It runs one file at a time, since
// the program uses all processors itself.
func commands(opt agree.Options) int {
	path, err := filepath.Abs(*program) // it runs in folders of its own
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	p := agree.Program{Path: path, Judge: opt.Judge, Tally: map[string]int{}}
	random := rand.New(rand.NewPCG(*first, 1))
	found, n := 0, 0
	fmt.Printf("seeds from %d on\n", *first)
	if *ends > 0 {
		return interrupts(p, random)
	}
	for end := time.Now().Add(*duration); time.Now().Before(end) && (*files == 0 || n < *files); n++ {
		seed := *first + uint64(n)
		file := gen.New(seed)
		if n%3 == 2 { // every third file is slow enough to be interrupted
			file = gen.Slow(seed)
		}
		list, err := p.File(seed, file, random)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 2
		}
		for _, f := range list {
			found++
			fmt.Println(f)
		}
	}
	return summary(p, n, found)
}

// interrupts interrupts runs over the named files at random moments.
func interrupts(p agree.Program, random *rand.Rand) int {
	found := 0
	for _, path := range flag.Args() {
		text, err := os.ReadFile(path)
		var list []agree.Finding
		if err == nil {
			list, err = p.Interrupts(&gen.File{Text: string(text), Parts: beside(path)}, *ends, random)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 2
		}
		for _, f := range list {
			found++
			fmt.Println(path, f)
		}
	}
	return summary(p, flag.NArg(), found)
}

// beside returns the rules files in the folder of a file, which it may import, by name.
func beside(path string) map[string]string {
	parts := map[string]string{}
	list, _ := filepath.Glob(filepath.Join(filepath.Dir(path), "*.sow"))
	for _, other := range list {
		if text, err := os.ReadFile(other); err == nil && other != path {
			parts[filepath.Base(other)] = string(text)
		}
	}
	return parts
}

// summary prints the totals and returns the exit status.
func summary(p agree.Program, files, found int) int {
	fmt.Printf("%d files\n", files)
	for _, k := range slices.Sorted(maps.Keys(p.Tally)) {
		fmt.Printf("%8d  %s\n", p.Tally[k], k)
	}
	if found > 0 {
		fmt.Printf("%d findings\n", found)
		return 1
	}
	return 0
}

// keep shrinks the file of a finding and writes it into the folder, with the finding as a comment.
// A failure is printed and otherwise ignored, since the finding itself was printed before.
func keep(opt agree.Options, f agree.Finding) {
	if f.Claim != "" {
		f = opt.Shrink(f)
	}
	if err := os.MkdirAll(*folder, 0o777); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return
	}
	head := fmt.Sprintf("seed %d, claim %s, %s: %s\n%s", f.Seed, f.Case, f.Engine, f.Class, f.Detail)
	lines := strings.Split(head, "\n")
	text := "// " + strings.Join(lines[:min(len(lines), 14)], "\n// ") + "\n" + f.File.Whole()
	class := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return '_'
	}, f.Class+"_"+f.Engine)
	path := filepath.Join(*folder, fmt.Sprintf("%s_%d_%s.sow", class, f.Seed, f.Claim))
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
}
