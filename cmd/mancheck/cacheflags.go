package main

import (
	"errors"
	"fmt"

	"github.com/mancheck/mancheck/proofs/cache"
	"github.com/mancheck/mancheck/proofs/suite"
)

// cacheFlags are the cache options of commands that decide many claims.
type cacheFlags struct {
	Cache    string `enum:",readwrite,readonly,off" default:"" placeholder:"readwrite|readonly|off" help:"Whether verdicts are taken from the cache and kept there, only taken, or neither. The default is readwrite, and off for check."`
	CacheDir string `env:"MANCHECK_CACHE" placeholder:"DIR" help:"Folder of the cache. The default is mancheck in the folder that the system has for caches."`
}

// run returns the options for deciding claims with a cache. If there is no place for a cache, it
// warns and goes on without.
func (c *cacheFlags) run(s *session, decide decideFlags) (opt suite.Options, err error) {
	if opt.Decide, err = decide.options(s); err != nil {
		return opt, err
	}
	opt.Warn = func(err error) { s.note("warning: %v", err) }
	if c.Cache == "off" {
		return opt, nil
	}
	opt.Build = cache.Build{Tool: tool(), Solver: solverName(s, decide)}
	dir, err := c.dir(decide.Solver)
	if err == nil {
		opt.Build.Executable, err = executable()
	}
	if err != nil {
		s.note("warning: there is no cache: %v", err)
		return opt, nil
	}
	opt.Store = &cache.Store{Dir: dir, ReadOnly: c.Cache == "readonly"}
	// Without the secret, entries cannot be authenticated; see package cache.
	if opt.Store.Secret, err = cache.Secret(opt.Store.ReadOnly); err != nil {
		opt.Warn(fmt.Errorf("the user's key cannot be read, so verdicts are checked or decided again: %w", err))
	}
	return opt, nil
}

// dir returns the folder of the cache.
func (c *cacheFlags) dir(spec string) (string, error) {
	switch spec {
	case "", "auto", "z3", "z3-process", "cvc5":
	default: // the versions of a solver given as a command line cannot be distinguished
		return "", errors.New("the version of the solver is not known")
	}
	if c.CacheDir != "" {
		return c.CacheDir, nil
	}
	return cache.DefaultDir()
}
