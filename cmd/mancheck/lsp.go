package main

import (
	"context"
	"io"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/mancheck/mancheck/cmd/internal/input"
	"github.com/mancheck/mancheck/cmd/internal/lsp"
	"github.com/mancheck/mancheck/cmd/internal/term"
	"github.com/mancheck/mancheck/internal/file"
	"github.com/mancheck/mancheck/proofs/suite"
)

type lspCmd struct {
	Log   string `placeholder:"PATH" help:"Append what the server does to this file."`
	Stdio bool   `hidden:"" help:"Some editors say that they use standard input and output."`
}

// Run serves an editor until it exits.
func (c *lspCmd) Run(s *session) error {
	opt := lsp.Options{Version: tool(), Decider: deciderOf{}}
	if c.Log != "" {
		f, err := file.OpenFile(c.Log, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			return err
		}
		defer f.Close()
		opt.Log = f
	}
	// Each decision has a limit of its own, and the server outlives it.
	s.budget.Memory(math.MaxInt64 / 4)
	return statusError(lsp.Serve(s.ctx, s.in, s.terminal, opt))
}

// deciderOf decides claims for an editor, in a session of its own for each job: in the same way as
// `check`, with the cache of `prove` if the workspace is trusted.
type deciderOf struct{}

// Decide decides the claims of a job.
func (deciderOf) Decide(ctx context.Context, job lsp.Job) ([]*suite.Item, error) {
	s := newSession(ctx, strings.NewReader(""), io.Discard, io.Discard, term.NewProgress(io.Discard, io.Discard))
	defer s.budget.Stop()
	s.json, s.reader = true, job.Reader
	s.budget.Time(job.Settings.Limit())
	flags := decideFlags{solverFlags: solverFlags{Solver: job.Settings.Solver}}
	flags.Threads = threads(max(0, min(job.Settings.Threads, maxThreads)))
	if text := job.Settings.MaxMemory; text != "" {
		if err := flags.MaxMemory.UnmarshalText([]byte(text)); err != nil {
			return nil, err
		}
		s.budget.Memory(int64(flags.MaxMemory.size))
	}
	items, diags, err := s.items(input.Named(job.Path), job.Claims, nil)
	if err != nil {
		return nil, err
	}
	if len(items) > 1 { // mistakes in other claims are shown where they are
		items = slices.DeleteFunc(items, func(i *suite.Item) bool { return i.Claim == "" })
	}
	kept := cacheFlags{Cache: "off"}
	if job.Settings.Trusted {
		kept.Cache = "readwrite"
		kept.CacheDir = os.Getenv("MANCHECK_CACHE")
	}
	opt, err := kept.run(s, flags)
	if err != nil {
		return nil, err
	}
	opt.Jobs = 1
	d := deciding{s: s, certs: newCertificates(""), diags: diags, watch: job.Watch}
	items = d.decide(items, opt).Items
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return items, nil
}
