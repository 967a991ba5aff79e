package main

import (
	"fmt"
	"strings"

	"github.com/mancheck/mancheck/cmd/internal/input"
	"github.com/mancheck/mancheck/cmd/internal/shard"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/proofs/suite"
)

// shardFlag is a shard as a flag has it: I/N. Of is 0 without one.
type shardFlag struct{ suite.Shard }

// UnmarshalText reads I/N.
func (f *shardFlag) UnmarshalText(text []byte) error {
	index, of, ok := strings.Cut(string(text), "/")
	i, wrong := whole([]byte(index), suite.MostShards)
	n, wrongToo := whole([]byte(of), suite.MostShards)
	switch {
	case !ok || wrong != nil || wrongToo != nil:
		return fmt.Errorf("%q is no shard: write I/N for the I-th of N, as in 2/5; N is at most %d", text, suite.MostShards)
	case i > n:
		return fmt.Errorf("%q is no shard: I is at most N", text)
	}
	f.Shard = suite.Shard{Index: int(i), Of: int(n)}
	return nil
}

// sharing is a run that decides one shard.
type sharing struct {
	texts  *shard.Texts
	header shard.Header
}

// share prepares a run that decides one shard: what is read from now on goes into its report.
func (f *suiteFlags) share(s *session, found []input.Found, opt suite.Options, style suiteStyle) (*sharing, error) {
	sh := &sharing{texts: shard.NewTexts(found)}
	s.reader.Through = sh.texts.Record
	sh.header.Shard = f.Shard.Shard
	sh.header.Settings = f.settings(style)
	var err error
	sh.header.Build, err = thisBuild()
	if sh.header.Build.Solver = opt.Build.Solver; opt.Store == nil {
		sh.header.Build.Solver = solverName(s, f.decideFlags)
	}
	return sh, err
}

// thisBuild is this program.
func thisBuild() (shard.Build, error) {
	program, err := executable()
	return shard.Build{Tool: tool(), Program: program}, err
}

// settings are what the flags of all shards must have in common.
func (f *suiteFlags) settings(style suiteStyle) shard.Settings {
	options := []string{
		fmt.Sprint("engine=", f.Engine),
		fmt.Sprint("bound=", f.Bound),
		fmt.Sprint("solver=", f.Solver),
		fmt.Sprint("solver-timeout=", f.SolverTimeout),
		fmt.Sprint("solver-steps=", f.SolverSteps),
		fmt.Sprint("max-states=", f.MaxStates),
		fmt.Sprint("max-memory=", f.MaxMemory.size),
		fmt.Sprint("no-symmetry=", f.NoSymmetry),
		fmt.Sprint("certify=", f.Certify),
		fmt.Sprint("strict=", f.Strict),
		fmt.Sprint("tables=", f.Tables),
		fmt.Sprint("changed=", f.Changed),
		fmt.Sprint("since=", f.Since),
	}
	return shard.Settings{
		Command: style.command, Claims: append([]string{}, f.Claim...), Params: append([]string{}, f.Param...), Options: options, Long: f.Long,
		Brief: f.Brief, Traces: f.Traces, Summary: style.summary, Certificates: f.Certificates,
	}
}

// share gives the items of the shard. The diagnostics become those that are about them.
func (p *reporting) share(all []*suite.Item) []*suite.Item {
	h := &p.shard.header
	h.Items, h.Digest = len(all), p.shard.texts.Digest(all)
	own := h.Take(all)
	p.part, p.diags = &h.Part, about(p.diags, own)
	return own
}

// about has the diagnostics that are about one of the items, and those that are about none: the
// warnings.
func about(diags diag.List, items []*suite.Item) (list diag.List) {
	list = append(list, lists.Filter(diags, func(d diag.Diagnostic) bool { return d.Severity == diag.Warning })...)
	for _, i := range items {
		if i.Err != nil {
			list = append(list, lists.Filter(diag.FromError(i.Err), func(d diag.Diagnostic) bool { return d.Severity == diag.Error })...)
		}
	}
	list.Sort()
	return list
}

// shardOf is what a report says of its shard.
func (p *reporting) shardOf(rep *suite.Report) shard.Header {
	content := shard.Content{Texts: p.shard.texts, Results: []shard.Result{}}
	for _, i := range rep.Items {
		r := shard.ResultOf(i, p.said[i])
		if i.Result != nil {
			r.Certificate, r.Remark, r.Lost = p.certs.written[i.Result], p.certs.remarks[i.Result], p.certs.lost[i.Result]
		}
		content.Results = append(content.Results, r)
	}
	h := p.shard.header
	h.Content = content.Pack()
	return h.Seal()
}
