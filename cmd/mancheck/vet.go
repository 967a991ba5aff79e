package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/mancheck/mancheck/cmd/internal/fault"
	"github.com/mancheck/mancheck/cmd/internal/input"
	"github.com/mancheck/mancheck/cmd/internal/report"
	"github.com/mancheck/mancheck/cmd/internal/vet"
	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
)

type vetCmd struct {
	Files       []string `arg:"" name:"file" help:"Rules files; - is standard input."`
	Thorough    bool     `help:"Also play and search: find moves and outcomes that occur in no play, and laps that go on from an empty pit. A variant is searched for at most ten seconds."`
	budgetFlags `group:"limits"`
	formatFlag
}

// Run checks each file without deciding its claims.
func (c *vetCmd) Run(s *session) error {
	var diags diag.List
	var open []string
	for _, path := range c.Files {
		v := vetting{session: s, thorough: c.Thorough}
		found, err := v.file(path)
		if err != nil {
			return err
		}
		diags, open = append(diags, found...), append(open, v.open...)
	}
	if s.ctx.Err() != nil && unresolved(diags) {
		return diags // the interruption, not the files, is to blame
	}
	diags.Sort()
	s.result(diag.JSON(diags), func() {
		writeFew(s.out, diags, s.reader.Sources, s.color.On)
		if len(diags) > 0 && diags[0].Code != "" {
			fmt.Fprintf(s.out, "\n`mancheck help %s` explains the code, with an example.\n", diags[0].Code)
		}
	})
	if len(open) > 0 {
		s.note("too large to search, also with small parameters, so that moves and outcomes that occur in no play are not reported: %s", strings.Join(open, ", "))
	}
	switch {
	case diags.HasErrors():
		return status(exitFailed)
	case len(diags) > 0:
		return status(exitUnexpected)
	}
	return nil
}

// vetting checks one file.
type vetting struct {
	*session
	thorough bool
	open     []string // the variants of which nothing could be said
}

// file returns what is wrong with a file. An error is a failure of the tool.
func (s *vetting) file(path string) (diag.List, error) {
	f, diags := s.reader.File(path)
	if diags.HasErrors() {
		return diags, nil
	}
	look := vet.Look{Thorough: s.thorough, Instances: vet.First}
	if s.thorough {
		look.Instances = func(c *build.Claim, diags *diag.List) []*build.Instance { return c.Instances(nil, diags) }
	}
	look.Variant = func(v *ast.Variant, sys *rules.System, wrong diag.List) (diag.List, error) {
		if !s.thorough || wrong.HasErrors() || sys.File != f.Path {
			return nil, nil
		}
		return s.search(f, v, sys)
	}
	diags, _, err := vet.All(s.ctx, f, diags, look)
	return diags, err
}

// search finds what only plays of a variant show.
func (s *vetting) search(f *input.File, v *ast.Variant, sys *rules.System) (diag.List, error) {
	ctx, done := context.WithTimeout(s.ctx, searchTime)
	defer done()
	diags := vet.EmptyLaps(ctx, v, f.Root, sys)
	found, err := s.idle(ctx, f, sys)
	if err = fault.Explain(sys, err); err != nil {
		var fault diag.Diagnostic
		if errors.As(err, &fault) {
			return append(diags, fault), nil
		}
	}
	return append(diags, found...), err
}

// searchTime bounds the searches of one variant.
const searchTime = 10 * time.Second

// idle reports the moves and outcomes that occur in no play of sys, nor in plays of games with
// smaller parameters. If there are too many states to search, it searches only those.
func (s *vetting) idle(ctx context.Context, f *input.File, sys *rules.System) (diag.List, error) {
	var seen vet.Occurred
	known := vet.Known(f.Program.Files)
	starts, complete, why, err := seen.Search(ctx, sys, vet.MaxStates)
	switch {
	case s.ctx.Err() != nil:
		return nil, nil // which is said at the end
	case ctx.Err() != nil:
		s.open = append(s.open, sys.Name)
		return nil, nil
	case err != nil:
		return nil, err
	case starts == 0 && complete:
		return diag.FromError(input.NoStart(sys)), nil
	case complete && len(seen.Missing(sys, "", known)) == 0:
		return nil, nil
	}
	var tried []string
	if complete {
		tried = append(tried, report.Params(sys))
	}
	for _, given := range smaller(f, sys) {
		small, diags := f.System(sys.Name, given)
		if ctx.Err() != nil {
			break
		}
		if diags.HasErrors() {
			continue
		}
		// A fault of the rules in a smaller game may be none in the game that is meant.
		if starts, complete, _, err := seen.Search(ctx, small, vet.MaxStatesTried); err == nil && complete && starts > 0 && !slices.Contains(tried, report.Params(small)) {
			tried = append(tried, report.Params(small))
		}
		if len(tried) > 0 && len(seen.Missing(sys, "", known)) == 0 {
			return nil, nil
		}
	}
	searched := ""
	if len(tried) > 1 || !complete {
		searched = "searched: " + strings.Join(tried, "; ")
	}
	if !complete {
		searched = fmt.Sprintf("%s %s is too large to search (%s); %s", sys.Name, report.Params(sys), why, searched)
	}
	found := seen.Missing(sys, searched, known)
	if len(found) > 0 && !complete && len(tried) < enough {
		s.open = append(s.open, sys.Name)
		return nil, nil
	}
	return found, nil
}

// maxTried bounds the smaller games that are searched, and stepsUp the values of a parameter among
// them. enough is how many must be searched completely before their results count.
const maxTried, stepsUp, enough = 12, 4, 3

// smaller lists settings for smaller games. All numbers are the same number of steps above their
// least values, except that the first may have another number of steps. Switches keep their values.
func smaller(f *input.File, sys *rules.System) []build.Settings {
	var list []build.Settings
	for first := range stepsUp {
		for rest := range stepsUp {
			given := above(f, sys, first, rest)
			again := slices.ContainsFunc(list, func(s build.Settings) bool { return maps.Equal(s, given) })
			if len(given) > 0 && !again && len(list) < maxTried {
				list = append(list, given)
			}
		}
	}
	return list
}

// above sets each number a number of steps above its least value, which may depend on the
// parameters before it. It returns nil if the settings do not resolve.
func above(f *input.File, sys *rules.System, first, rest int) build.Settings {
	given := build.Settings{}
	for i, p := range sys.Params {
		if p.Bool {
			continue
		}
		now, _ := f.System(sys.Name, given)
		if now == nil || i >= len(now.Params) {
			return nil
		}
		steps := rest
		if len(given) == 0 {
			steps = first
		}
		v := now.Params[i].Lo + steps
		if now.Params[i].HasHi {
			v = min(v, now.Params[i].Hi)
		}
		given[p.Name] = build.Value{N: v}
	}
	return given
}
