package main

import (
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/mancheck/mancheck/proofs/claim"

	"github.com/mancheck/mancheck/checker/endgame"
	"github.com/mancheck/mancheck/cmd/mancheck/internal/report"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/internal/numeral"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/proofs/suite"
)

// decideFlags are what the commands that decide claims share.
type decideFlags struct {
	Param  []string      `short:"p" sep:"none" placeholder:"NAME=VALUE" help:"Value of a parameter; it replaces the default, and what the claim says. May be repeated."`
	Engine proofs.Engine `enum:"${engines}" default:"auto" help:"Engine: forward or backward search over states; laws (what follows from the text of the rules); with a solver, bmc (plays of up to --bound moves), induction (an inductive invariant) or smt (all that a solver can do). auto chooses the one that suits the claim."`
	Bound  count         `placeholder:"K" help:"Most moves of a play for bmc (default 10), and most states of an induction (default 3), unless the claim says otherwise."`
	Disk   string        `placeholder:"DIR" help:"Keep the states of forward searches that do not fit in memory in files in this folder, which is made if there is none. After an interrupt, a kill or a full disk the same command goes on from the last checkpoints. The folder is not removed."`
	tablesFlag
	solverFlags
	limitFlags
}

// solverFlags choose the solver.
type solverFlags struct {
	Solver        string   `placeholder:"z3|cvc5|CMD" help:"Solver: z3 (built in, or else the program), z3-process, cvc5, or the command line of any program that reads SMT-LIB 2 from standard input. The default is z3, or else cvc5."`
	SolverTimeout duration `placeholder:"DURATION" help:"Longest time for each question to the solver: 500ms, 30s, 1m. The default is 1m, or none with --solver-steps."`
	SolverSteps   steps    `placeholder:"N" help:"Most steps for each question to the solver, as it counts them: 10_000_000. Unlike a time-out this gives the same verdicts on every machine."`
}

func (f *decideFlags) options(s *session) (proofs.Options, error) {
	tables, err := f.openTables(s)
	return proofs.Options{
		Engine: f.Engine, Bound: int(f.Bound), Solver: f.Solver, SolverTimeout: time.Duration(f.SolverTimeout), SolverSteps: uint32(f.SolverSteps),
		Bounds: limit.Bounds{MaxStates: int64(f.MaxStates), MaxMemory: int64(f.MaxMemory.size), Threads: int(f.Threads)}, Whole: f.NoSymmetry, Disk: f.Disk,
		Tables: tables, Claimed: tellClaimed,
	}, err
}

// checkFlags say how much checking a verdict takes to be good enough.
type checkFlags struct {
	Certify bool `help:"Check the evidence of every verdict, at any cost, with a second solver where needed. Otherwise evidence of more than 50,000 states is not checked, and the verdict is marked."`
	Strict  bool `help:"Treat a verdict that is unchecked as inconclusive, and one that is vacuous as a failure."`
}

func (f *checkFlags) apply(opt *proofs.Options) {
	opt.CheckAll, opt.Strict = f.Certify, f.Strict
}

// certificatesFlag asks for certificates.
type certificatesFlag struct {
	Certificates string `placeholder:"DIR" help:"Write a certificate of each verdict that has one into this folder; certify checks them again."`
}

// tellClaimed sees what engines say before that is checked. Only tests set it.
var tellClaimed func(*proofs.Result)

// deciding is a run of claims: whatever decides some goes through it.
type deciding struct {
	s     *session
	table *report.Table // nil if nobody reads one
	brief bool          // evidence is not looked at again: that of all claims would fill the memory
	certs *certificates
	diags diag.List // of the files, and of what failed
}

// decide tells of what is wrong with the items, decides them, and tells of each when its turn has
// come.
func (d *deciding) decide(items []*suite.Item, opt suite.Options) *suite.Report {
	if !d.s.json && len(d.diags) > 0 {
		d.s.tell(d.diags)
	}
	if d.table != nil {
		d.table.Begin(items)
		d.table.Remarks = d.certs.remarks
	}
	d.s.refused(items, opt.Decide)
	opt.Decide.Certify = d.certs.dir != ""
	opt.Done, opt.Watch = d.item, d.s.watch()
	rep := suite.Run(d.s.ctx, items, opt)
	d.s.concluding.Store(true)
	d.s.progress.Clear()
	if d.table != nil {
		d.table.Total(rep)
		_, _ = io.WriteString(d.table.W, d.certs.summary())
	}
	return rep
}

// refused says once for each reason why a table is not used for claims that might use one. A table
// of a folder that other claims use is where it belongs.
func (s *session) refused(items []*suite.Item, opt proofs.Options) {
	if opt.Tables == nil {
		return
	}
	told, used := map[string]bool{}, map[string]bool{}
	for _, i := range items {
		if i.Err == nil && !opt.Tables.One() {
			for _, t := range claim.MayTrust(opt.Tables, i.Instance) {
				used[t.File] = true
			}
		}
	}
	for _, i := range items {
		if i.Err != nil {
			continue
		}
		for _, err := range claim.Refused(opt.Tables, i.Instance) {
			if other := (*endgame.OtherError)(nil); errors.As(err, &other) && used[other.Path] || told[err.Error()] {
				continue
			}
			told[err.Error()] = true
			s.note("%v", err)
		}
	}
}

// item tells of an item. What is wrong with files was told before.
func (d *deciding) item(i *suite.Item) {
	d.s.progress.Clear()
	var failed error
	switch {
	case i.Err != nil && i.Instance != nil:
		i.Err = d.s.fault(i.Instance, i.Err)
		failed = i.Err
	case i.Result != nil:
		failed = d.certs.certify(i.Result, i.Program)
	}
	if d.table != nil {
		d.table.Item(i)
	}
	if failed != nil {
		d.diags = append(d.diags, diagnostics(failed)...)
		if !d.s.json {
			d.s.complain(failed)
		}
	}
	if i.Result != nil && d.brief {
		i.Result.Evidence = nil
	}
	d.s.out.Flush()
}

// status is the exit status of a run.
func (d *deciding) status(rep *suite.Report) error {
	if d.certs.lost > 0 {
		return status(exitFailed)
	}
	return statusError(rep.ExitCode())
}

// newTable is a table on standard output.
func (s *session) newTable() *report.Table {
	return &report.Table{W: s.out, Color: s.color, Sources: s.reader.Sources, Width: s.width}
}

// watch shows how far a run is; nil where nobody sees it. An engine that asks a solver tells of no
// states.
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
		line += fmt.Sprintf(", %s states, %s open, %.1f s", numeral.Number(p.States), numeral.Number(p.Open), p.Elapsed.Seconds())
	}
	return line
}
