package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/mancheck/mancheck/cmd/mancheck/internal/input"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/proofs/cache"
	"github.com/mancheck/mancheck/proofs/suite"
	"github.com/mancheck/mancheck/rules/resolve"
	"github.com/mancheck/mancheck/smt/solver"
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
	opt := suite.Options{Decide: c.options(s), Jobs: int(c.Jobs), Changed: c.Changed}
	opt.Decide.Observer = nil // the run has one of its own
	opt.Warn = func(err error) { s.note("warning: %v", err) }
	opt.Build = cache.Build{Tool: tool(), Solver: c.solverName(s)}
	if err := c.store(s, &opt); err != nil {
		return opt, err
	}
	opt.Decide.Certify = c.Certificates != ""
	if c.Since != "" {
		before, err := c.before(files, opt)
		if err != nil {
			return opt, err
		}
		opt.Same = before.has
	}
	return opt, nil
}

// solverName is the solver that would be asked, with its version; what comes of a claim may depend on that.
func (c *proveCmd) solverName(s *session) string {
	name, err := solver.Version(s.ctx, c.Solver)
	if err != nil {
		return err.Error()
	}
	return name
}

// errOwnSolver is why there is no cache for other solvers: their commands do not tell one version from the next.
var errOwnSolver = errors.New("the solver is none whose version is known")

// store opens the cache. A machine without a place for one goes without.
func (c *proveCmd) store(s *session, opt *suite.Options) error {
	if c.Cache == "off" {
		return nil
	}
	dir := c.CacheDir
	digest, err := executable()
	switch c.Solver {
	case "", "auto", "z3", "z3-process", "cvc5":
	default:
		err = errOwnSolver
	}
	if dir == "" && err == nil {
		dir, err = cache.DefaultDir()
	}
	if err != nil {
		if c.Changed {
			return fmt.Errorf("there is no cache: %w", err)
		}
		s.note("warning: there is no cache: %v", err)
		return nil
	}
	opt.Build.Executable = digest
	opt.Store = &cache.Store{Dir: dir, ReadOnly: c.Cache == "readonly"}
	return nil
}

// executable is a digest of this program. Where the system tells, it is of the file that runs, which may have been replaced since.
func executable() (string, error) {
	f, err := os.Open("/proc/self/exe")
	if err != nil {
		path, err := os.Executable()
		if err != nil {
			return "", err
		}
		if f, err = os.Open(path); err != nil {
			return "", err
		}
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
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
	return file + "\n" + (&proofs.Result{Instance: inst}).InstanceName()
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
