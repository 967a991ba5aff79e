package main

import (
	"cmp"
	"errors"

	"github.com/mancheck/mancheck/checker/coverage"
	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/cmd/internal/cover"
	"github.com/mancheck/mancheck/cmd/internal/fault"
	"github.com/mancheck/mancheck/cmd/internal/input"
	"github.com/mancheck/mancheck/cmd/internal/report"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/proofs/suite"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/rules/space"
)

// coverageStates is how many states of a game are searched for coverage if no limit is given.
const coverageStates = 1_000_000

// marked returns a file, and a System of it with marks of what is carried out.
func marked(s *session, path string, sys *rules.System) (*input.File, *rules.Marked, error) {
	f, diags := s.reader.File(path)
	if err := diags.Err(); err != nil {
		return nil, nil, err
	}
	m, diags := f.Marked(sys.Name, build.SettingsOf(sys, diag.Range{}))
	return f, m, diags.Err()
}

// covered searches the games that claims are about, each once, from the starts of its setup, and
// counts what is carried out. Games with a parameter for all values have too many starts.
func covered(s *session, items []*suite.Item, bounds limit.Bounds) (*coverage.Report, error) {
	out, seen := &coverage.Report{}, map[string]bool{}
	bounds.MaxStates = cmp.Or(bounds.MaxStates, coverageStates)
	for _, i := range items {
		if i.Instance == nil {
			continue
		}
		sys := i.Instance.System
		key := i.File + "\x00" + sys.Name + "\x00" + report.Params(sys)
		if len(sys.OpenParams()) > 0 || seen[key] {
			continue
		}
		seen[key] = true
		if err := addSearch(s, out, i.File, sys, bounds); err != nil {
			return nil, err
		}
	}
	if len(out.Runs) == 0 {
		s.note("--coverage: no claim is about a game with all parameters fixed, so nothing was searched")
	}
	return out, nil
}

// addSearch adds the search of one game to a report. A game that cannot be searched is noted.
func addSearch(s *session, out *coverage.Report, path string, sys *rules.System, bounds limit.Bounds) error {
	f, m, err := marked(s, path, sys)
	if err != nil {
		return err
	}
	plain, diags := f.System(sys.Name, build.SettingsOf(sys, diag.Range{})) // without what the claim adds
	if err := diags.Err(); err != nil {
		return err
	}
	_, _, err = out.Search(s.ctx, plain, m, forward.Options{Bounds: bounds})
	if infinite := (*space.InfiniteError)(nil); errors.As(err, &infinite) {
		s.note("--coverage: %s was not searched: %v", cover.Game(coverage.Run{Sys: plain}), err)
		return nil
	}
	return fault.Explain(plain, err)
}

// ofGames returns what counts the moves of simulated games. If they begin as the setup says, what
// settles a start is counted as well.
func (c *simulateCmd) ofGames(s *session, sys *rules.System) (*coverage.Rules, *rules.Marked, error) {
	if !c.Coverage {
		return nil, nil, nil
	}
	_, m, err := marked(s, c.File, sys)
	if err != nil {
		return nil, nil, err
	}
	r := coverage.Of(s.ctx, sys, m)
	if c.Board == "" {
		err = r.Starts(s.ctx, func(rules.State) error { return space.ErrStop })
	}
	return r, m, err
}
