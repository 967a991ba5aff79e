package main

import (
	"errors"
	"fmt"

	"github.com/mancheck/mancheck/cmd/internal/input"
	"github.com/mancheck/mancheck/proofs/cache"
	"github.com/mancheck/mancheck/proofs/suite"
)

// suite returns the options of the run.
func (c *proveCmd) suite(s *session) (suite.Options, error) {
	opt, err := c.run(s, c.decideFlags)
	opt.Jobs, opt.Changed = int(c.Jobs), c.Changed
	if err != nil {
		return opt, err
	}
	if c.Changed && opt.Store == nil {
		return opt, errors.New("--changed needs the cache")
	}
	if opt.Decide.MaxStates == 0 {
		opt.Decide.MaxStates = usualStates
	}
	opt.Decide.Certify = c.Certificates != ""
	c.apply(&opt.Decide)
	// Reports and certificates have more than the table, and tables are asked for by the rules.
	opt.Brief = c.Format == "text" && c.Output == "" && len(c.Report) == 0 && c.Certificates == "" && c.Since == "" && opt.Decide.Tables == nil
	return opt, nil
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

// before reads the files at the revision of --since. Claims with mistakes there count as new.
func (c *proveCmd) before(items []*suite.Item, opt suite.Options) (earlier, error) {
	given, _ := input.Settings(c.Param)
	old := input.NewRevision(c.Since)
	out := earlier{}
	for n, i := range items {
		if n > 0 && items[n-1].File == i.File {
			continue
		}
		unit, err := old.Unit(i.File)
		if err != nil {
			return nil, fmt.Errorf("--since %s: %w", c.Since, err)
		}
		if unit == nil {
			continue
		}
		was, _ := (&input.File{Path: i.File, Unit: unit}).Items(nil, given)
		for _, i := range was {
			if i.Err == nil {
				out[i.File+"\n"+i.Name()] = claimed{cache.KeyOf(opt.Build, i.Instance, opt.Decide), i.Instance.Claim.Refuted}
			}
		}
	}
	return out, nil
}
