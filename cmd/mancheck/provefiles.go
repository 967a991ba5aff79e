package main

import (
	"errors"
	"fmt"

	"github.com/mancheck/mancheck/cmd/mancheck/internal/input"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/proofs/cache"
	"github.com/mancheck/mancheck/proofs/suite"
	"github.com/mancheck/mancheck/rules/resolve"
)

// suiteFile reads one file. One that was found in a folder need not claim anything.
func (s *session) suiteFile(found input.Found, given resolve.Settings) (suite.File, diag.List) {
	out := suite.File{Path: found.Path}
	f, diags := s.reader.File(found.Path)
	if !diags.HasErrors() {
		fc, more := instances(f, nil, given)
		out.Program, out.Instances = fc.program, fc.instances
		diags = append(diags, more...)
		if found.Named {
			diags = append(diags, unknownClaims([]*input.File{f}, nil)...)
		}
	}
	out.Fault = diags.Err()
	return out, diags
}

// suite is how the run goes.
func (c *proveCmd) suite(s *session, files []suite.File) (suite.Options, error) {
	opt := c.run(s, c.decideFlags)
	opt.Jobs, opt.Changed = int(c.Jobs), c.Changed
	if c.Changed && opt.Store == nil {
		return opt, errors.New("--changed needs the cache")
	}
	opt.Decide.Certify = c.Certificates != ""
	c.apply(&opt.Decide)
	if c.Since != "" {
		before, err := c.before(files, opt)
		if err != nil {
			return opt, err
		}
		opt.Same = before.has
	}
	return opt, nil
}

// earlier is what files claimed at an earlier revision: what the verdicts depend on, and which were expected.
type earlier map[string]claimed

type claimed struct {
	key     cache.Key
	refuted bool
}

// has reports whether an item is as it was.
func (e earlier) has(i *suite.Item, key cache.Key) bool {
	was, ok := e[itemKey(i.File, i.Instance)]
	return ok && was == claimed{key, i.Instance.Claim.Refuted}
}

func itemKey(file string, inst *resolve.Instance) string {
	return file + "\n" + inst.Name()
}

// before reads the files as they were.
func (c *proveCmd) before(files []suite.File, opt suite.Options) (earlier, error) {
	given, _ := input.Settings(c.Param)
	old := input.NewRevision(c.Since)
	out := earlier{}
	for _, f := range files {
		unit, err := old.Unit(f.Path)
		if err != nil {
			return nil, fmt.Errorf("--since %s: %w", c.Since, err)
		}
		if unit == nil {
			continue
		}
		was, _ := instances(&input.File{Path: f.Path, Unit: unit}, nil, given) // what has faults is new
		for _, inst := range was.instances {
			out[itemKey(f.Path, inst)] = claimed{cache.KeyOf(opt.Build, inst, opt.Decide), inst.Claim.Refuted}
		}
	}
	return out, nil
}
