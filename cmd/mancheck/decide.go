package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/mancheck/mancheck/proofs/claim"
	"github.com/mancheck/mancheck/smt/solver"

	"github.com/mancheck/mancheck/checker/endgame"
	"github.com/mancheck/mancheck/cmd/internal/report"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/internal/numeral"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/proofs/suite"
	"github.com/mancheck/mancheck/proofs/verdict"
)

// decideFlags are the options of all commands that decide claims.
type decideFlags struct {
	Param       []string      `short:"p" sep:"none" placeholder:"NAME=VALUE" help:"Value of a parameter; it replaces the default, and what the claim says. May be repeated."`
	Engine      proofs.Engine `enum:"${engines}" default:"auto" help:"Engine: forward or backward search over states; laws (what follows from the text of the rules); hunt (games, to find a play); abstraction (states known in part); cases (an inductive invariant, case by case); with a solver, bmc (plays of up to --bound moves), induction (an inductive invariant) or smt (all that a solver can do). auto chooses the one that suits the claim."`
	Bound       count         `placeholder:"K" help:"Most moves of a play for bmc (default 10), and most states of an induction (default 3), unless the claim says otherwise."`
	Shortest    bool          `help:"Find shortest plays only. Otherwise auto also hunts for a play where there are too many states to examine all of them."`
	Disk        string        `placeholder:"DIR" help:"Keep the states of forward searches that do not fit in memory in files in this folder, which is made if there is none. After an interrupt, a kill or a full disk the same command goes on from the last checkpoints. The folder is not removed."`
	tablesFlag  `group:"values"`
	solverFlags `group:"solver"`
	limitFlags  `group:"limits"`
}

// solverFlags select the solver and limit it.
type solverFlags struct {
	Solver        string   `placeholder:"z3|cvc5|CMD" help:"Solver: z3 (built in, or else the program), z3-process, cvc5, or the command line of any program that reads SMT-LIB 2 from standard input. The default is z3, or else cvc5."`
	SolverTimeout duration `placeholder:"DURATION" help:"Longest time for each question to the solver: 500ms, 30s, 1m. The default is 1m, or none with --solver-steps."`
	SolverSteps   steps    `placeholder:"N" help:"Most steps for each question to the solver, as it counts them: 10_000_000. Unlike a time-out this gives the same verdicts on every machine."`
}

// options returns the options for deciding claims.
func (f *decideFlags) options(s *session) (proofs.Options, error) {
	tables, err := f.openTables(s)
	return proofs.Options{
		Engine: f.Engine, Bound: int(f.Bound), Solver: f.Solver, SolverTimeout: time.Duration(f.SolverTimeout), SolverSteps: uint32(f.SolverSteps),
		Bounds: f.bounds(), Shortest: f.Shortest, Whole: f.NoSymmetry, Disk: f.Disk,
		Tables: tables, Claimed: tellClaimed,
	}, err
}

// solverName returns the name and version of the solver that would be asked, as verdicts may depend
// on it. If there is none, the error takes its place.
func solverName(s *session, decide decideFlags) string {
	ctx := s.ctx
	if limit := time.Duration(decide.SolverTimeout); limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, limit)
		defer cancel()
	}
	name, err := solver.Version(ctx, decide.Solver)
	if err != nil {
		return err.Error()
	}
	return name
}

// checkFlags say how thoroughly a verdict must be checked.
type checkFlags struct {
	Certify bool `help:"Check the evidence of every verdict, at any cost, with a second solver where needed. Otherwise evidence of more than 300,000 states, less on a large board, is not checked, and the verdict is marked."`
	Strict  bool `help:"Treat a verdict that is unchecked as inconclusive, and one that is vacuous as a failure."`
}

func (f *checkFlags) apply(opt *proofs.Options) {
	opt.CheckAll, opt.Strict = f.Certify, f.Strict
}

// longFlag asks for the claims that take long.
type longFlag struct {
	Long bool `help:"Decide the claims that say of themselves that they take long, too. Otherwise they are listed as left out, if --claim does not name them."`
}

// leaveOut marks the claims that take long and are not asked for, by the flag or by one of the
// names.
func (f longFlag) leaveOut(items []*suite.Item, names []string) {
	for _, i := range items {
		if i.Instance != nil && i.Instance.Claim.Long && !f.Long && !slices.Contains(names, i.Claim) {
			i.Long, i.Skipped = true, true
		}
	}
}

// tellClaimed is called with the claims of engines before they are checked. Only tests set it.
var tellClaimed func(*proofs.Result)

// deciding is a run that decides claims. All commands that decide claims use it.
type deciding struct {
	s     *session
	table *report.Table // nil if no table is written
	brief bool          // evidence is dropped after each claim: that of many claims would fill the memory
	certs *certificates
	diags diag.List            // of the files, and of failures during the run
	watch func(suite.Progress) // nil: progress is shown on the terminal, if there is one

	plays  int            // to be shown for a verdict that plays show
	search proofs.Options // for others than the first

	part *suite.Part // what the items are, if they are not all of the run

	mu   sync.Mutex                // held while an item is written
	done []*suite.Item             // the items whose verdicts were written
	said map[*suite.Item]diag.List // what went wrong with them during the run
}

// decide reports the mistakes in the items, decides the items, and writes each verdict when all
// before it are written.
func (d *deciding) decide(items []*suite.Item, opt suite.Options) *suite.Report {
	d.open(items)
	d.s.refused(items, opt.Decide)
	opt.Decide.Certify = d.certs.dir != ""
	opt.Done, opt.Watch = d.item, d.watch
	if line := d.s.progress; d.watch == nil && line.Active() { // engines that ask a solver report no states
		opt.Watch = func(now suite.Progress) { line.Show(underWay(now, line.Width())) }
	}
	return d.close(suite.Run(d.s.ctx, items, opt))
}

// list is decide for items that are decided, with what went wrong with each.
func (d *deciding) list(items []*suite.Item, said func(*suite.Item) diag.List) *suite.Report {
	d.open(items)
	for _, i := range items {
		d.write(i, said(i))
	}
	return d.close(&suite.Report{Items: items})
}

// open reports the mistakes in the items, and begins the table.
func (d *deciding) open(items []*suite.Item) {
	if !d.s.json && len(d.diags) > 0 {
		d.s.tell(d.diags)
	}
	if d.table != nil {
		d.table.Begin(items)
		d.table.Remarks = d.certs.remarks
	}
}

// close ends the table.
func (d *deciding) close(rep *suite.Report) *suite.Report {
	rep.Part = d.part
	d.s.conclude()
	d.s.progress.Clear()
	if d.table != nil {
		d.table.Total(rep)
		if d.certs.dir != "" {
			fmt.Fprintf(d.table.W, "%s in %s\n", numeral.Count(int64(len(d.certs.written)), "certificate"), d.certs.dir)
		}
	}
	return rep
}

// ifAbandoned has the session write an object for a report in which all that is not done is
// unknown, should the run be abandoned.
func (d *deciding) ifAbandoned(items []*suite.Item, engine proofs.Engine, object func(*suite.Report) any) {
	d.s.rest = func() any {
		if !d.mu.TryLock() { // an item is being written, which may never end
			return diag.JSON(diagnostics(context.Cause(d.s.ctx)))
		}
		defer d.mu.Unlock()
		return object(d.unfinished(items, engine))
	}
}

func (d *deciding) unfinished(items []*suite.Item, engine proofs.Engine) *suite.Report {
	rep := &suite.Report{Items: slices.Clone(d.done), Part: d.part}
	for _, i := range items[len(d.done):] {
		one := *i
		if one.Err == nil && !one.Skipped {
			one.Result = proofs.Undecided(one.Instance, engine, verdict.Ended{Limit: limit.Ending(d.s.ctx)})
		}
		rep.Items = append(rep.Items, &one)
	}
	return rep
}

// refused notes why tables are not used for claims that might use one, once for each reason. A
// table for other rules is no reason if it comes from a folder and other claims of the run use it.
func (s *session) refused(items []*suite.Item, opt proofs.Options) {
	if opt.Tables == nil {
		return
	}
	noted, used := map[string]bool{}, map[string]bool{}
	for _, i := range items {
		if i.Err == nil && !i.Skipped && !opt.Tables.One() {
			for _, t := range claim.MayTrust(opt.Tables, i.Instance) {
				used[t.File] = true
			}
		}
	}
	for _, i := range items {
		if i.Err != nil || i.Skipped {
			continue
		}
		for _, err := range claim.Refused(opt.Tables, i.Instance) {
			if other := (*endgame.OtherError)(nil); errors.As(err, &other) && used[other.Path] || noted[err.Error()] {
				continue
			}
			noted[err.Error()] = true
			s.note("%v", err)
		}
	}
}

// item writes the verdict on an item. Mistakes in files were reported earlier.
func (d *deciding) item(i *suite.Item) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.s.progress.Clear()
	var failed error
	switch {
	case i.Err != nil && i.Instance != nil:
		i.Err = d.s.fault(i.Instance, i.Err)
		failed = i.Err
	case i.Result != nil:
		if failed = d.others(i); failed == nil {
			failed = d.certs.certify(i.Result, i.Program)
		}
	}
	var said diag.List
	if failed != nil {
		said = diagnostics(failed)
	}
	d.write(i, said)
}

// others looks for more plays that show a verdict.
func (d *deciding) others(i *suite.Item) (err error) {
	if d.plays > 1 {
		i.Result.Others, err = proofs.Others(d.s.ctx, i.Result, d.plays-1, d.search)
	}
	if err != nil {
		i.Result, i.Err = nil, d.s.fault(i.Instance, err)
		return i.Err
	}
	return nil
}

// write writes the verdict on an item, and what went wrong with it.
func (d *deciding) write(i *suite.Item, said diag.List) {
	if d.table != nil {
		d.table.Item(i)
	}
	if len(said) > 0 {
		d.diags = append(d.diags, said...)
		if !d.s.json {
			d.s.tell(said)
		}
		if d.said == nil {
			d.said = map[*suite.Item]diag.List{}
		}
		d.said[i] = said
	}
	if i.Result != nil && d.brief {
		i.Result.Evidence, i.Result.Each = i.Result.Printed(), nil
	}
	d.s.out.Flush()
	d.done = append(d.done, i)
}

// status returns the exit status of a run, as an error.
func (d *deciding) status(rep *suite.Report) error {
	if len(d.certs.lost) > 0 {
		return status(exitFailed)
	}
	return statusError(rep.ExitCode())
}

// newTable returns a table that goes to standard output.
func (s *session) newTable() *report.Table {
	return &report.Table{W: s.out, Color: s.color, Sources: s.reader.Sources, Width: s.width}
}
