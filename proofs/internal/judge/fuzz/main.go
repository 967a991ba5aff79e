// Command fuzz compares the engines with the judge over random rules files, for as long as it is
// told. It belongs to the tests and is not shipped.
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
	files    = flag.Int("files", 0, "stop after so many files; 0: only when the time is over")
	first    = flag.Uint64("first", uint64(time.Now().Unix())<<20, "seed of the first file")
	workers  = flag.Int("workers", runtime.NumCPU(), "processes")
	folder   = flag.String("out", "disagreements", "folder for shrunk files")
	most     = flag.Int("shrink", 3, "shrink so many findings of a kind")
	rate     = flag.Int("rate", 0, "ask the solvers about one claim in so many; 0: the default")
	wait     = flag.Duration("wait", 0, "time for one decision; 0: the default")
	steps    = flag.Int("steps", 0, "what the judge may spend on one instance; 0: the default")
	claims   = flag.Int("claims", 0, "write so many more claims into each file")
	work     = flag.Uint64("work", 0, "be a worker, which takes every seed that is this far from the one before")
	list     = flag.Bool("list", false, "print all findings, and shrink none")
	program  = flag.String("program", "", "the built mancheck: compare what it prints, with interrupts, instead of calling the engines")
	ends     = flag.Int("interrupts", 0, "with -program: end prove so often over each of the files that are named, instead of writing files")
	words    = flag.Bool("reword", false, "compare what is said of files with what is said of them in other words: of the files that are named, or of random ones")
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

// run spreads the work over processes, and reports.
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

// rewordings writes files in other words.
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
		tell(opt.Rewordings(0, &gen.File{Text: string(text), Parts: beside(path)}, tally), path)
	}
	if flag.NArg() == 0 {
		fmt.Printf("seeds from %d on\n", *first)
		for end := time.Now().Add(*duration); time.Now().Before(end) && (*files == 0 || n < *files) && found < *most; {
			seed := *first + uint64(n)
			tell(opt.Rewordings(seed, gen.With(seed, opt.More), tally), fmt.Sprintf("seed %d", seed))
		}
	}
	return summary(agree.Program{Tally: tally.Claims}, n, found)
}

// commands compares runs of the program itself.
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
		if n%3 == 2 {
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

// interrupts ends runs over the files that are named.
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

// beside are the rules files that a file may import, if they can be read.
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

// keep writes the shrunk file of a finding.
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
