// Command bench measures mancheck beside other programs that search the same games: a loop written
// by hand (handloop), SPIN and Rumur, where they are installed, and an older mancheck, if one is
// given. All run in turns, round by round, in one process each; what is compared is the CPU time of
// the processes, pair by pair. All must find the same number of states.
//
//	go run ./scripts/bench                                   quick cases, as text
//	go run ./scripts/bench -all -update docs/performance.md  all cases, into the document
//	go run ./scripts/bench -case kalah43 -against ~/mancheck-before
//	go run ./scripts/bench -case kalah43 -profile            cpu.prof and mem.prof instead
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"os/signal"
	"slices"
	"strings"
	"time"
)

// options are the flags.
type options struct {
	rounds  int
	cases   string
	all     bool
	against string
	longest time.Duration
	timeout time.Duration
	format  string
	update  string
	profile bool
}

func main() {
	log.SetFlags(0)
	log.SetPrefix("bench: ")
	var o options
	flag.IntVar(&o.rounds, "k", 5, "`rounds`: how often each program runs")
	flag.StringVar(&o.cases, "case", "", "`names` of cases, separated by commas; without it, all that are quick")
	flag.BoolVar(&o.all, "all", false, "also the cases that take minutes and gigabytes")
	flag.StringVar(&o.against, "against", "", "another mancheck `binary` to compare with")
	flag.DurationVar(&o.longest, "longest", 20*time.Second, "a peer that takes more CPU time than this runs only once")
	flag.DurationVar(&o.timeout, "timeout", 15*time.Minute, "for each run")
	flag.StringVar(&o.format, "format", "text", "text or markdown")
	flag.StringVar(&o.update, "update", "", "replace the figures in this Markdown `file`")
	flag.BoolVar(&o.profile, "profile", false, "profile one case, and measure nothing")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "Usage: go run ./scripts/bench [flags]")
		flag.PrintDefaults()
		fmt.Fprintln(flag.CommandLine.Output(), "Cases:")
		for _, c := range cases {
			fmt.Fprintf(flag.CommandLine.Output(), "  %-10s %s\n", c.name, c.title)
		}
	}
	flag.Parse()
	if err := o.run(); err != nil {
		log.Fatal(err)
	}
}

func (o options) run() error {
	if flag.NArg() > 0 || o.rounds < 1 || !slices.Contains([]string{"text", "markdown"}, o.format) {
		flag.Usage()
		os.Exit(2)
	}
	chosen, err := choose(o.cases, o.all)
	if err != nil {
		return err
	}
	if o.profile {
		return profile(chosen)
	}
	shop, err := open(o.against)
	if err != nil {
		return err
	}
	defer shop.close()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	rep := report{machine: describe(), rounds: o.rounds}
	for _, c := range chosen {
		t, err := o.measure(ctx, shop, c)
		if ctx.Err() != nil {
			log.Printf("interrupted in %s; what came before is reported", c.name)
			break
		}
		if err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
		rep.tables = append(rep.tables, t)
		fmt.Fprint(os.Stderr, t.text())
	}
	rep.machine.after = load()
	rep.versions, rep.absent = shop.versions, shop.absent
	if faults := rep.faults(); len(faults) > 0 {
		return errors.New(strings.Join(faults, "\n"))
	}
	switch {
	case o.update != "":
		return update(o.update, rep.markdown())
	case o.format == "markdown":
		fmt.Print(rep.markdown())
	default:
		fmt.Print(rep.text())
	}
	return nil
}

// choose returns the cases of the given names, or without names the quick ones, or all.
func choose(names string, all bool) ([]benchmark, error) {
	var chosen []benchmark
	if names == "" {
		for _, c := range cases {
			if all || !c.slow {
				chosen = append(chosen, c)
			}
		}
		return chosen, nil
	}
	for name := range strings.SplitSeq(names, ",") {
		i := slices.IndexFunc(cases, func(c benchmark) bool { return c.name == name })
		if i < 0 {
			return nil, fmt.Errorf("no case %q", name)
		}
		chosen = append(chosen, cases[i])
	}
	return chosen, nil
}
