package main

import (
	"fmt"
	"slices"
	"sort"
	"time"

	"github.com/mancheck/mancheck/cmd/mancheck/internal/input"
	"github.com/mancheck/mancheck/cmd/mancheck/internal/term"
	"github.com/mancheck/mancheck/dsl"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/dsl/spell"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/proofs/suite"
	"github.com/mancheck/mancheck/rules/resolve"
)

// decideFlags are what the commands that decide claims share.
type decideFlags struct {
	Param  []string      `short:"p" sep:"none" placeholder:"NAME=VALUE" help:"Value of a parameter, in place of its default and of what the claim says. May be repeated."`
	Engine proofs.Engine `enum:"${engines}" default:"auto" help:"Engine: forward or backward search over states; with a solver, bmc (plays of up to so many moves), induction (an inductive invariant) or smt (all that a solver can do). auto takes what the claim is best decided by."`
	Bound  count         `placeholder:"K" help:"How many moves bmc looks ahead, 10 if neither this nor the claim says; and how long an induction may be, else 3."`
	solverFlags
	limitFlags
}

// solverFlags choose the solver.
type solverFlags struct {
	Solver        string   `placeholder:"z3|cvc5|CMD" help:"Solver: z3 (built in, or else the program), z3-process, cvc5, or the command line of any program that reads SMT-LIB 2 from standard input. The default is z3, or else cvc5."`
	SolverTimeout duration `placeholder:"DURATION" help:"Longest time for each question to the solver: 500ms, 30s, 1m. The default is 1m, or none with --solver-steps."`
	SolverSteps   steps    `placeholder:"N" help:"Most steps for each question to the solver, as it counts them: 10_000_000. Unlike a time-out this gives the same verdicts on every machine."`
}

func (f *decideFlags) options(s *session) proofs.Options {
	opt := proofs.Options{
		Engine: f.Engine, Bound: int(f.Bound), Solver: f.Solver, SolverTimeout: time.Duration(f.SolverTimeout), SolverSteps: uint32(f.SolverSteps),
		MaxStates: int64(f.MaxStates), MaxMemory: int64(f.MaxMemory), Threads: int(f.Threads),
		Claimed: tellClaimed,
	}
	if s.progress.Active() {
		opt.Observer = s.observe
	}
	return opt
}

// checkFlags say how much checking a verdict takes to be good enough.
type checkFlags struct {
	Certify bool `help:"Check the evidence of every verdict, whatever it costs, with a second solver where that is needed. Otherwise what takes more than a budget of 50,000 states is marked as unchecked."`
	Strict  bool `help:"Take no verdict for an answer that is unchecked, or that speaks of nothing: it is inconclusive."`
}

func (f *checkFlags) apply(opt *proofs.Options) {
	opt.CheckAll, opt.Strict = f.Certify, f.Strict
}

// tellClaimed sees what engines say before that is checked. Only tests set it.
var tellClaimed func(*proofs.Result)

// observe shows how far a decision is. An engine that asks a solver tells of no states.
func (s *session) observe(p proofs.Progress) { s.progress.Show(underWay(p)) }

// watch shows how far a run of many claims is; nil where nobody sees it.
func (s *session) watch() func(suite.Progress) {
	if !s.progress.Active() {
		return nil
	}
	return func(now suite.Progress) {
		line := fmt.Sprintf("%d/%d", now.Done, now.Total)
		for n, one := range now.Running {
			if n > 0 {
				line += ";"
			}
			line += " " + underWay(one)
		}
		s.progress.Show(line)
	}
}

func underWay(p proofs.Progress) string {
	if p.Engine == "" {
		return p.Claim
	}
	line := fmt.Sprintf("%s: %s, depth %d", p.Claim, p.Engine, p.Depth)
	if p.States > 0 {
		line += fmt.Sprintf(", %s states, %s open, %.1f s", term.Number(p.States), term.Number(p.Frontier), p.Elapsed.Seconds())
	}
	return line
}

// decide finds the verdict on one instance. One that an interrupt left undecided is unknown.
func (s *session) decide(inst *resolve.Instance, opt proofs.Options) (*proofs.Result, error) {
	r, err := suite.Decide(s.ctx, inst, opt)
	s.progress.Clear()
	return r, s.fault(inst, err)
}

// fileClaims are the instances of the claims of one file, in its order.
type fileClaims struct {
	path      string
	program   *dsl.Program
	instances []*resolve.Instance
}

// claims reads files and makes the instances of their claims; if names are given, of the claims with these names. Faults
// of one file do not hide those of another.
func (s *session) claims(paths, names, params []string) ([]fileClaims, diag.List) {
	given, diags := input.Settings(params)
	var files []*input.File
	var all []fileClaims
	for _, path := range paths {
		f, more := s.reader.File(path)
		if !more.HasErrors() {
			fc, wrong := instances(f, names, given)
			files, all, more = append(files, f), append(all, fc), append(more, wrong...)
		}
		diags = append(diags, more...)
	}
	if len(files) == len(paths) {
		diags = append(diags, unknownClaims(files, names)...)
	}
	return all, diags
}

// unknownClaims reports names that no file has a claim for, and files that claim nothing at all.
func unknownClaims(files []*input.File, names []string) diag.List {
	var diags diag.List
	var declared []string
	for _, f := range files {
		for _, c := range f.Unit.Claims {
			declared = append(declared, c.Name.Name)
		}
		if len(f.Unit.Claims) == 0 {
			diags.Errorf(diag.Missing, diag.Range{File: f.Path}, "no claim is declared in this file")
		}
	}
	sort.Strings(declared)
	for _, name := range names {
		if slices.Contains(declared, name) {
			continue
		}
		d := diags.Errorf(diag.Unknown, diag.Range{File: "--claim"}, "no claim is called `%s`", name)
		if near := spell.Nearest(name, declared); near != "" {
			d.WithHelp("did you mean `%s`?", near)
		}
	}
	return diags
}

func instances(f *input.File, names []string, given resolve.Settings) (fileClaims, diag.List) {
	out := fileClaims{path: f.Path, program: f.Program}
	var diags diag.List
	for _, decl := range f.Unit.Claims {
		if len(names) > 0 && !slices.Contains(names, decl.Name.Name) {
			continue
		}
		c, more := f.Unit.Claim(decl)
		if !more.HasErrors() {
			if list := c.Instances(given, &more); !more.HasErrors() {
				out.instances = append(out.instances, list...)
			}
		}
		diags = append(diags, more...)
	}
	return out, diags
}
