package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// Names of the contestants that are mancheck.
const (
	handLoopName = "hand loop"
	mancheckName = "mancheck"
	twoThreads   = "mancheck, 2 threads"
	otherName    = "the other mancheck"
)

// contestant is one program in one case, with what was measured.
type contestant struct {
	name    string
	peer    bool
	command command
	once    bool     // it is too slow for more than one round
	runs    []sample // by round
	outcome outcome  // of all runs
	failed  error    // of the run that is missing
	late    bool     // it was not done in time
}

// sample is one run.
type sample struct {
	cpu, wall time.Duration // cpu is that of the process and its children, user and system
	peak      int64         // resident memory in bytes, 0 if unknown
}

// measure runs all programs of a case in turns. Once ctx is done, the table is of no use.
func (o options) measure(ctx context.Context, s *shop, c benchmark) (table, error) {
	all, err := o.contestants(s, c)
	if err != nil {
		return table{}, err
	}
	t := table{title: c.title, name: c.name, unit: c.unit, command: "mancheck " + strings.Join(c.args, " "), rows: all}
	for round := range o.rounds {
		for i := range all {
			p := all[(i+round)%len(all)] // nobody always comes behind the same
			if p.failed != nil || p.once && len(p.runs) > 0 {
				continue
			}
			if p.failed = p.run(ctx, o.timeout); ctx.Err() != nil {
				return table{}, ctx.Err()
			}
			if p.failed != nil {
				fmt.Fprintf(os.Stderr, "%s: %s: %v\n", c.name, p.name, p.failed)
				continue
			}
			p.once = p.peer && p.runs[0].cpu > o.longest
		}
	}
	return t, nil
}

// contestants are the programs that can be had, each prepared.
func (o options) contestants(s *shop, c benchmark) ([]*contestant, error) {
	var all []*contestant
	of := func(name, binary, threads string, more ...string) error {
		folder := filepath.Join(s.dir, "of-"+strings.ReplaceAll(name, " ", "-")) // a cache is of use to one program only
		if c.prepare != nil {
			if err := os.MkdirAll(filepath.Join(folder, "tables"), 0o777); err != nil {
				return err
			}
			if err := tool("", binary, line(c.prepare, folder, threads)...); err != nil {
				return err
			}
		}
		args := append([]string{binary}, line(c.args, folder, threads)...)
		all = append(all, &contestant{name: name, command: command{args: append(args, more...), status: c.status, outcome: c.outcome}})
		return nil
	}
	if err := of(mancheckName, s.mancheck, "1"); err != nil {
		return nil, err
	}
	for _, flag := range c.more {
		if err := of(mancheckName+" "+flag, s.mancheck, "1", flag); err != nil {
			return nil, err
		}
	}
	if c.threads {
		if err := of(twoThreads, s.mancheck, "2"); err != nil {
			return nil, err
		}
	}
	if s.against != "" {
		if err := of(otherName, s.against, "1"); err != nil {
			return nil, err
		}
	}
	for _, p := range c.peers {
		cmd, err := p.make(s)
		if errors.Is(err, errAbsent) {
			continue
		}
		if err != nil {
			return nil, err
		}
		all = append(all, &contestant{name: p.name, peer: true, command: cmd})
	}
	return all, nil
}

// run runs the program once more.
func (p *contestant) run(ctx context.Context, timeout time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	if file := p.command.makes; file != "" {
		if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	cmd := exec.CommandContext(ctx, p.command.args[0], p.command.args[1:]...)
	var out, errs bytes.Buffer
	cmd.Stdin = strings.NewReader(p.command.input)
	cmd.Stdout, cmd.Stderr = &out, &errs
	began := time.Now()
	err := cmd.Run()
	wall := time.Since(began)
	if ctx.Err() != nil {
		p.late = true
		return fmt.Errorf("not done within %v", timeout)
	}
	state := cmd.ProcessState
	if state == nil {
		return err
	}
	if got := state.ExitCode(); got != p.command.status {
		return fmt.Errorf("exit status %d\n%s", got, errs.Bytes())
	}
	got, err := p.command.outcome(out.Bytes())
	if err != nil {
		return err
	}
	if len(p.runs) > 0 && got.agreed != p.outcome.agreed {
		return fmt.Errorf("%s, and in an earlier round %s", got.agreed, p.outcome.agreed)
	}
	p.outcome = got
	p.runs = append(p.runs, sample{cpu: state.UserTime() + state.SystemTime(), wall: wall, peak: peak(state)})
	return nil
}
