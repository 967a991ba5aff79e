// Package agree compares every engine with the judge, and the engines with one another, over
// random rules files.
//
//	agree.go    one file: its claims, decided by all and compared
//	classify.go which verdicts contradict which truth
//	limits.go   the same with random limits
//	tally.go    counts of kinds, engines, verdicts and features
//	shrink.go   the least file that still shows a disagreement
//	run.go      many files, by several processes
//	spare.go    declarations that nothing uses
//	conjoin.go  conditions that are always true
//	program.go  what the program itself prints, also when it is interrupted
package agree

import (
	"context"
	"fmt"
	"io/fs"
	"runtime/debug"
	"slices"
	"time"

	"github.com/mancheck/mancheck/dsl"
	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/dsl/dsltest/gen"
	"github.com/mancheck/mancheck/dsl/dsltest/gen/cover"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/proofs/internal/judge"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/board"
	"github.com/mancheck/mancheck/rules/build"
)

// Options say which engines are asked, and how long to wait for answers.
type Options struct {
	Engines []proofs.Engine // asked about every claim; auto has no solver
	Sampled []proofs.Engine // each asked about one claim in Rate, as they take long
	Rate    int
	Decide  proofs.Options // limits of a decision
	Time    time.Duration  // for one decision; an answer that takes long after that is a finding
	Looks   int64          // how often one decision may look whether it is over; 0: no limit
	Judge   judge.Limits
	Limits  bool   // ask each engine again with random limits
	More    int    // claims that are written into each file beyond the usual number
	Claim   string // only the claim of this name, if there is one
	Most    int    // stop after this many claims of a file; 0: all
}

// withSolver is auto where there is a solver.
const withSolver proofs.Engine = "auto+solver"

// grace is how long an engine may go on when its time is over. The machine may be busy.
const grace = 30 * time.Second

// noSolver is the name of a program that is not there.
const noSolver = "no-solver-here"

// Defaults returns limits that small files seldom reach.
func Defaults() Options {
	return Options{
		Engines: []proofs.Engine{proofs.Auto, proofs.Forward, proofs.Backward, proofs.Abstraction, proofs.Cases},
		Sampled: []proofs.Engine{withSolver, proofs.BMC, proofs.Induction, proofs.SMT, proofs.Laws},
		Rate:    25,
		Decide: proofs.Options{
			Bounds: limit.Bounds{MaxStates: 4000, MaxMemory: 256 << 20, Threads: 1}, Bound: 4, SolverTimeout: 200 * time.Millisecond,
		},
		Time:   2 * time.Second,
		Limits: true,
		Judge:  judge.Limits{States: 2000, Steps: 150_000, Seeds: 4, Values: 4},
	}
}

// Counted returns limits that do not depend on the machine: with them each run gives the same
// answers. The time is for what hangs.
func Counted(looks int64) Options {
	o := Defaults()
	o.Time, o.Looks = time.Minute, looks
	o.Decide.SolverTimeout, o.Decide.SolverSteps = 0, 4000
	return o
}

// Quick returns limits for a fuzzer, which learns from the number of files and not from their size.
func Quick() Options {
	o := Defaults()
	o.Sampled, o.Most = nil, 1
	o.Decide.MaxStates, o.Decide.MaxMemory, o.Time = 200, 16<<20, 200*time.Millisecond
	o.Judge = judge.Limits{States: 200, Steps: 5000, Seeds: 3, Values: 2}
	return o
}

// Finding is a disagreement, a panic, or an answer that takes too long.
type Finding struct {
	Seed   uint64
	File   *gen.File
	Claim  string // its name
	Case   string // the instance
	Engine string
	Class  string // what kind of finding, for one shrunk file to be compared with another
	Detail string
}

func (f Finding) String() string {
	return fmt.Sprintf("seed %d, claim %s by %s: %s: %s", f.Seed, f.Case, f.Engine, f.Class, f.Detail)
}

// answer is the answer of an engine about an instance.
type answer struct {
	engine string
	result *proofs.Result
	err    error
	broken string // a panic
	late   bool
	ended  bool // a limit on time or on looks came before the answer
	took   time.Duration
}

// checker compares the answers about one file.
type checker struct {
	opt      Options
	seed     uint64
	file     *gen.File
	tally    *Tally
	found    []Finding
	judge    *judge.Judge
	features cover.Features // of the claim in hand
}

// File decides all claims of a file and compares the answers.
func (o Options) File(seed uint64, f *gen.File, tally *Tally) []Finding {
	c := &checker{opt: o, seed: seed, file: f, tally: tally}
	c.guard("", "resolver", c.run)
	return c.found
}

// guard turns a panic into a finding, so that the other claims are still compared.
func (c *checker) guard(claim, who string, f func()) {
	defer func() {
		if r := recover(); r != nil {
			c.add(claim, claim, who, "panic", fmt.Sprintf("%v\n%s", r, debug.Stack()))
		}
	}()
	f()
}

// add adds a finding about an instance, by name, of a claim.
func (c *checker) add(claim, name, engine, class, detail string) {
	c.found = append(c.found, Finding{c.seed, c.file, claim, name, engine, class, detail})
}

// run reads the file and decides its claims. Files with mistakes are only counted.
func (c *checker) run() {
	program, diags := dsl.Load("root.sow", opener(c.file))
	unit, more := build.Collect(program.Files)
	diags = append(diags, more...)
	c.judge = judge.New(program.Files, c.opt.Judge)
	if diags.HasErrors() {
		c.tally.Files["with mistakes"]++
		return
	}
	c.tally.Files["good"]++
	features := cover.Of(joined(program.Files))
	for i, cl := range unit.Claims {
		if i == c.opt.Most && i > 0 {
			break
		}
		c.features = features[cl]
		c.tally.pairs(c.features)
		if c.opt.Claim == "" || c.opt.Claim == cl.Name.Name {
			c.guard(cl.Name.Name, "resolver", func() { c.claim(unit, cl) })
		}
	}
}

// opener reads a file and those that it imports.
func opener(f *gen.File) func(path string) ([]byte, error) {
	return func(path string) ([]byte, error) {
		if path == "root.sow" {
			return []byte(f.Text), nil
		}
		if text, ok := f.Parts[path]; ok {
			return []byte(text), nil
		}
		return nil, fs.ErrNotExist
	}
}

// joined is one file with the declarations of all.
func joined(files []*ast.File) *ast.File {
	if len(files) == 1 {
		return files[0]
	}
	root := *files[len(files)-1]
	root.Imports, root.Decls = nil, nil
	for _, f := range files {
		root.Imports = append(root.Imports, f.Imports...)
		root.Decls = append(root.Decls, f.Decls...)
	}
	return &root
}

// claim decides the instances of a claim.
func (c *checker) claim(unit *build.Unit, cl *ast.Claim) {
	read, diags := unit.Claim(cl)
	insts := read.Instances(nil, &diags)
	truths := c.truths(cl)
	if diags.HasErrors() {
		c.tally.Claims["rejected"]++
		c.rejected(diags, truths)
		return
	}
	c.tally.Claims["resolved"]++
	if len(insts) != len(truths) && truths != nil {
		c.add(cl.Name.Name, cl.Name.Name, "resolver", "instances", fmt.Sprintf("%d instances, the judge has %d", len(insts), len(truths)))
		return
	}
	for i, inst := range insts {
		t := judge.Instance{Truth: judge.Open}
		if truths != nil {
			t = truths[i]
		}
		for _, a := range c.instance(cl, inst, t) {
			c.bounded(cl, i, a)
		}
	}
}

// truths returns the answers of the judge; nil if it panics.
func (c *checker) truths(cl *ast.Claim) (list []judge.Instance) {
	c.guard(cl.Name.Name, "judge", func() {
		begin := time.Now()
		list = c.judge.Decide(cl)
		c.tally.Time["judge"] += time.Since(begin)
	})
	return list
}

// rejected compares the diagnostics of a claim with the judge. A claim that the judge decides may
// still break a rule that the judge does not know, so it is only counted, by the code of the
// diagnostic.
func (c *checker) rejected(diags diag.List, truths []judge.Instance) {
	if slices.ContainsFunc(truths, func(t judge.Instance) bool {
		return t.Truth == judge.Invalid || t.Truth == judge.Fault || t.Truth == judge.Open
	}) {
		return
	}
	c.tally.Rejected[string(diags[0].Code)]++
}

// bounded compares a bounded verdict on the i-th instance with the judge's answer for that many
// moves.
func (c *checker) bounded(cl *ast.Claim, i int, a answer) {
	if a.result == nil || a.result.Status != proofs.Bounded {
		return
	}
	c.guard(cl.Name.Name, "judge", func() {
		list := c.judge.Within(cl, a.result.Bound)
		if i >= len(list) {
			return
		}
		none := judge.True
		if p, ok := cl.Property.(*ast.Reach); ok && p.Kind == "reachable" {
			none = judge.False
		}
		if cl.Negated {
			none = judge.True + judge.False - none
		}
		switch t := list[i]; t.Truth {
		case none:
			c.tally.Claims["bounded verdicts that are right"]++
		case judge.True, judge.False:
			c.add(cl.Name.Name, t.Name, a.engine, "bounded, but there is one", describe(a)+"; judge: "+tell(t))
		}
	})
}

// instance asks the engines, and compares each answer with the truth and with the other answers.
func (c *checker) instance(cl *ast.Claim, inst *build.Instance, truth judge.Instance) (answers []answer) {
	kind := KindOf(cl)
	engines := slices.Clone(c.opt.Engines)
	for i, e := range c.opt.Sampled {
		if c.opt.Rate > 0 && (c.seed+uint64(len(cl.Name.Name))*31+uint64(cl.Name.Range.Start.Offset)+7*uint64(i))%uint64(c.opt.Rate) == 0 {
			engines = append(engines, e)
		}
	}
	name := inst.Name()
	for _, e := range engines {
		a := c.ask(inst, e)
		c.tally.add(kind, a, truth, c.features)
		if class, detail := classify(inst, a, truth); class != "" && !(class == noCause && c.judge.NoValue(cl)) {
			c.add(cl.Name.Name, name, a.engine, class, detail)
		}
		c.replay(cl, name, a)
		answers = append(answers, a)
		if c.opt.Limits {
			low, class, detail := c.again(inst, e, a)
			if class == "" {
				if class, detail = classify(inst, low, truth); class == noCause && c.judge.NoValue(cl) {
					class = ""
				}
			}
			if class != "" {
				c.add(cl.Name.Name, name, low.engine, class, detail)
			}
			c.replay(cl, name, low)
			answers = append(answers, low)
		}
	}
	if class, engine, detail := contradiction(answers); class != "" {
		c.add(cl.Name.Name, name, engine, class, detail)
	}
	return answers
}

// replay has the judge play the plays that an answer shows.
func (c *checker) replay(cl *ast.Claim, name string, a answer) {
	if a.result == nil {
		return
	}
	for i, t := range []*rules.Trace{a.result.Trace, a.result.Other} {
		if t == nil || t.System == nil {
			continue
		}
		c.tally.Claims["plays replayed"]++
		c.guard(cl.Name.Name, "judge", func() {
			err := c.judge.Replay(cl, board.TraceJSON(t.System, t), i == 1)
			if err != nil {
				c.add(cl.Name.Name, name, a.engine, "a play that the judge refuses", err.Error()+"; "+describe(a))
			}
		})
	}
}

// limited returns the context of one decision. If looks is negative, they are the usual ones.
func (o Options) limited(looks int64) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithTimeout(context.Background(), o.Time)
	if looks < 0 && o.Looks > 0 {
		looks = o.Looks
	}
	if looks < 0 {
		return ctx, cancel
	}
	within, stop := withLooks(ctx, looks)
	return within, func() { stop(); cancel() }
}

// ask lets an engine decide with the usual limits.
func (c *checker) ask(inst *build.Instance, engine proofs.Engine) answer {
	return c.askWithin(inst, engine, c.opt.Decide, -1)
}

// askWithin lets an engine decide with the given limits. If looks is not negative, the context ends
// at the look after that many.
func (c *checker) askWithin(inst *build.Instance, engine proofs.Engine, opt proofs.Options, looks int64) (a answer) {
	a.engine = string(engine)
	begin := time.Now()
	defer func() {
		a.took = time.Since(begin)
		a.late = a.took > c.opt.Time+grace
		c.tally.Time[a.engine] += a.took
		if r := recover(); r != nil {
			a.broken = fmt.Sprintf("%v\n%s", r, debug.Stack())
		}
	}()
	ctx, cancel := c.opt.limited(looks)
	defer func() { a.ended = context.Cause(ctx) != nil; cancel() }()
	switch opt.Engine = engine; engine {
	case withSolver:
		opt.Engine = proofs.Auto
	case proofs.Auto, proofs.Forward, proofs.Backward:
		opt.Solver = noSolver
	}
	a.result, a.err = proofs.Decide(ctx, inst, opt)
	if limit.Ended(a.err) {
		a.result, a.err = proofs.Undecided(inst, engine, verdict.Ended{Limit: limit.Ending(ctx)}), nil
	}
	return a
}
