package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/mancheck/mancheck/checker/coverage"
	"github.com/mancheck/mancheck/cmd/internal/input"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/proofs/cache"
	"github.com/mancheck/mancheck/proofs/suite"
)

type checkCmd struct {
	Paths    []string `arg:"" name:"path" help:"Rules files, and folders with rules files; - is standard input."`
	Coverage bool     `help:"Then also search the games of the claims, and write beside the rules in how many steps each statement is carried out, and each condition is true and false. A game is searched from the starts of its setup, up to --max-states (default 1,000,000)."`
	Plays    count    `placeholder:"N" default:"1" help:"Show up to N plays for each verdict that a play shows, which differ in the first move or in the rule of the last one."`
	suiteFlags
}

// Run decides the claims and shows the evidence.
func (c *checkCmd) Run(s *session) error {
	style := suiteStyle{command: "check", cache: "off", traces: true, strict: true, plays: int(c.Plays)}
	if c.Coverage {
		if c.Format != "text" && c.Format != "json" {
			return usageError{fmt.Errorf("--coverage is written as text or json, not as %s", c.Format)}
		}
		style.coverage = covered
	}
	return c.decide(s, c.Paths, style)
}

type proveCmd struct {
	Paths []string `arg:"" optional:"" name:"path" help:"Rules files, and folders with rules files; - is standard input. The default is the current folder."`
	suiteFlags
}

// usualStates is the default limit on states for each search of prove. Without a solver, searches
// that an induction would make unnecessary could otherwise go on until the memory is full.
const usualStates = 5_000_000

// Run decides the claims with the cache and lists the verdicts.
func (c *proveCmd) Run(s *session) error {
	return c.decide(s, c.Paths, suiteStyle{command: "prove", cache: "readwrite", brief: true, summary: true, states: usualStates})
}

// suiteFlags are the options of check and prove, which decide the claims of files and folders.
type suiteFlags struct {
	Claim []string  `sep:"none" placeholder:"NAME" help:"Decide this claim only. May be repeated."`
	Shard shardFlag `placeholder:"I/N" help:"Decide only the I-th of N parts of the claims. The parts are of one size, and the same on all machines; merge reports makes one report of those of all parts."`
	viewFlags
	Changed bool    `help:"Skip claims on which the cache has a verdict that is as expected."`
	Since   string  `placeholder:"REF" help:"Skip claims that have not changed since this revision of the git repository."`
	Jobs    threads `placeholder:"N" help:"Claims to decide at the same time; the default is one for each processor. Results do not depend on it."`
	Traces  bool    `help:"Write all plays into the JSON, as check does. Otherwise it has those of verdicts that are not as expected, and the lengths of the others."`
	longFlag
	Certificates string `placeholder:"DIR" help:"Write a certificate of each verdict that has one into this folder; certify checks them again."`
	cacheFlags   `group:"cache"`
	checkFlags
	decideFlags
}

// playStates is how many states a search for more plays looks at, if no limit is given.
const playStates = 100_000

// suiteStyle is what check and prove differ in, unless flags say otherwise.
type suiteStyle struct {
	command string
	cache   string // how the cache is used
	brief   bool   // as --brief
	traces  bool   // as --traces
	summary bool   // the JSON has a summary, and says of each claim whether it was skipped
	strict  bool   // it is an error if every claim has a mistake, and not a report of failures
	states  int64  // the limit on states; 0: none
	plays   int    // to be shown for a verdict
	// coverage searches the games of claims that were decided; nil: it is not asked for.
	coverage func(*session, []*suite.Item, limit.Bounds) (*coverage.Report, error)
}

// styled completes the flags by the style of the command.
func (f *suiteFlags) styled(style suiteStyle) error {
	f.Cache = cmp.Or(f.Cache, style.cache)
	if f.Changed && f.Cache == "off" {
		return usageError{errors.New("--changed needs the cache: say --cache readwrite or readonly")}
	}
	f.MaxStates = cmp.Or(f.MaxStates, count(style.states))
	f.Brief = (f.Brief || style.brief) && !f.Verbose
	f.Traces = f.Traces || style.traces
	return nil
}

// decide decides the claims of files and folders, and writes the reports.
func (f *suiteFlags) decide(s *session, paths []string, style suiteStyle) error {
	if err := f.styled(style); err != nil {
		return err
	}
	found, err := input.Find(paths)
	if err != nil {
		return err
	}
	opt, err := f.options(s)
	if err != nil {
		return err
	}
	r := &reporting{deciding: deciding{s: s, certs: newCertificates(f.Certificates, found...), brief: true}, view: f.viewFlags, traces: f.Traces, summary: style.summary}
	if f.Shard.Of > 0 {
		if r.shard, err = f.share(s, found, opt, style); err != nil {
			return err
		}
	}
	items, diags, err := f.items(s, found, opt)
	if err != nil {
		return err
	}
	if style.strict && !slices.ContainsFunc(items, func(i *suite.Item) bool { return i.Err == nil }) {
		return diags.Err()
	}
	r.plays, r.search = style.plays, opt.Decide
	r.search.MaxStates = cmp.Or(r.search.MaxStates, playStates)
	if r.diags = diags; r.shard != nil {
		items = r.share(items)
	}
	if f.Since != "" {
		before, err := f.before(s, items, opt)
		if err != nil {
			return err
		}
		opt.Same = before.has
	}
	if slices.ContainsFunc(items, func(i *suite.Item) bool { return i.Result == nil }) {
		limit.CollectSeldom(2 * limit.Freely) // searches make more garbage, and there is room for it
	}
	if err := f.tried(); err != nil {
		return err
	}
	r.begin()
	r.ifAbandoned(items, opt.Decide.Engine, r.object)
	rep := r.decide(items, opt)
	if style.coverage != nil {
		if r.coverage, err = style.coverage(s, items, opt.Decide.Bounds); err != nil {
			return err
		}
	}
	if err := r.programs(rep); err != nil {
		return err
	}
	return r.status(rep)
}

// options returns the options of the run.
func (f *suiteFlags) options(s *session) (suite.Options, error) {
	opt, err := f.run(s, f.decideFlags)
	opt.Jobs, opt.Changed = int(f.Jobs), f.Changed
	if err != nil {
		return opt, err
	}
	if f.Changed && opt.Store == nil {
		return opt, errors.New("--changed needs the cache")
	}
	opt.Decide.Certify = f.Certificates != ""
	f.apply(&opt.Decide)
	// Reports and certificates have more than the table, and tables are asked for by the rules.
	opt.Brief = f.Brief && f.Format == "text" && f.Output == "" && len(f.Report) == 0 && f.Certificates == "" && f.Since == "" && opt.Decide.Tables == nil
	return opt, nil
}

// items reads the files. Verdicts that the cache has are recalled file by file.
func (f *suiteFlags) items(s *session, found []input.Found, opt suite.Options) ([]*suite.Item, diag.List, error) {
	return s.itemsWith(found, f.Claim, f.Param, func(items []*suite.Item) {
		f.leaveOut(items, f.Claim)
		if f.Since == "" && f.Shard.Of == 0 { // which items a shard has is known when all are read
			suite.Recall(items, opt)
		}
		if len(found) > 1 {
			suite.Shed(items, opt)
		}
	})
}

// earlier has the claims of files at an earlier revision, by file and name: what their verdicts
// depend on, and what was expected.
type earlier map[string]claimed

// claimed is one of these claims. Two revisions have the same claim if both fields agree.
type claimed struct {
	key     cache.Key
	refuted bool
}

// has reports whether an item is the same as at the earlier revision.
func (e earlier) has(i *suite.Item, key cache.Key) bool {
	was, ok := e[i.File+"\n"+i.Name()]
	return ok && was == claimed{key, i.Instance.Claim.Refuted}
}

// before reads the files at the revision of --since. Claims with mistakes there count as new, and
// those of a repository without the revision, if another one has it.
func (f *suiteFlags) before(s *session, items []*suite.Item, opt suite.Options) (earlier, error) {
	given, _ := input.Settings(f.Param)
	old := input.NewRevision(f.Since)
	out := earlier{}
	known := false
	var missing []error
	for n, i := range items {
		if n > 0 && items[n-1].File == i.File {
			continue
		}
		unit, err := old.Unit(i.File)
		if err != nil {
			missing = append(missing, fmt.Errorf("--since %s: %w", f.Since, err))
			continue
		}
		if known = true; unit == nil {
			continue
		}
		was, _ := (&input.File{Path: i.File, Unit: unit}).Items(nil, given)
		for _, i := range was {
			if i.Err == nil {
				out[i.File+"\n"+i.Name()] = claimed{cache.KeyOf(opt.Build, i.Instance, opt.Decide), i.Instance.Claim.Refuted}
			}
		}
	}
	if !known && len(missing) > 0 {
		return nil, missing[0]
	}
	for _, text := range lists.Distinct(lists.Map(missing, error.Error)) {
		s.note("%s; its claims count as new", text)
	}
	return out, nil
}
