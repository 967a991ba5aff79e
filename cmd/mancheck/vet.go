package main

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mancheck/mancheck/cmd/mancheck/internal/input"
	"github.com/mancheck/mancheck/cmd/mancheck/internal/report"
	"github.com/mancheck/mancheck/cmd/mancheck/internal/vet"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/resolve"
)

type vetCmd struct {
	Files []string `arg:"" name:"file" help:"Rules files; - is standard input."`
	budgetFlags
	formatFlag
}

// Run checks each file without deciding its claims.
func (c *vetCmd) Run(s *session) error {
	var diags diag.List
	for _, path := range c.Files {
		found, err := s.vet(path)
		if err != nil {
			return err
		}
		diags = append(diags, found...)
	}
	if s.ctx.Err() != nil && unresolved(diags) {
		return diags // the interruption, not the files, is to blame
	}
	diags.Sort()
	if s.json {
		s.object(diag.JSON(diags))
	} else {
		diag.Text(s.out, diags, s.reader.Sources, s.color.On)
		if len(diags) > 0 && diags[0].Code != "" {
			fmt.Fprintf(s.out, "\n`mancheck help %s` explains the code, with an example.\n", diags[0].Code)
		}
	}
	switch {
	case diags.HasErrors():
		return status(exitFailed)
	case len(diags) > 0:
		return status(exitUnexpected)
	}
	return nil
}

// vet returns what is wrong with one file. An error is a failure of the tool.
func (s *session) vet(path string) (diag.List, error) {
	f, diags := s.reader.File(path)
	if diags.HasErrors() {
		return diags, nil
	}
	items, more := claimItems(f, nil, nil)
	diags = append(append(diags, more...), vet.Unused(f.Root, f.Program.Files)...)
	diags = append(diags, vet.Foreign(s.ctx, items)...)
	for _, v := range f.Unit.Variants {
		found, err := s.vetVariant(f, v.Name.Name)
		if err != nil {
			return nil, err
		}
		diags = append(diags, found...)
	}
	return diags, nil
}

// vetVariant checks one variant. Variants of imported files are left to the check of those files.
func (s *session) vetVariant(f *input.File, name string) (diag.List, error) {
	f.Unit.Remarks = &diag.List{}
	sys, diags := f.System(name, nil)
	remarks := *f.Unit.Remarks
	f.Unit.Remarks = nil
	if diags.HasErrors() || sys.File != f.Path {
		return diags, nil
	}
	diags = append(append(diags, remarks...), vet.Flow(f.Unit.Variant(name, diag.Range{}, &diag.List{}), f.Root, f.Program.Files)...)
	found, err := s.idle(f, sys)
	if err = explain(sys, err); err != nil {
		var fault diag.Diagnostic
		if errors.As(err, &fault) {
			return append(diags, fault), nil
		}
	}
	return append(diags, found...), err
}

// idle reports the moves and outcomes that occur in no play of sys. If there are too many states to
// search, it searches games with smaller parameters instead.
func (s *session) idle(f *input.File, sys *rules.System) (diag.List, error) {
	var seen vet.Occurred
	known := vet.Known(f.Program.Files)
	starts, complete, why, err := seen.Search(s.ctx, sys, vet.MaxStates)
	switch {
	case err != nil:
		return nil, err
	case starts == 0 && complete:
		return diag.FromError(noStart(sys)), nil
	case complete:
		return seen.Missing(sys, "", known), nil
	}
	too := fmt.Sprintf("%s %s is too large to search (%s)", sys.Name, report.Params(sys), why)
	var tried []string
	for _, given := range smaller(f, sys) {
		small, diags := f.System(sys.Name, given)
		if s.ctx.Err() != nil {
			return nil, nil
		}
		if diags.HasErrors() {
			continue
		}
		// A fault of the rules in a smaller game may be none in the game that is meant.
		if starts, complete, _, err := seen.Search(s.ctx, small, vet.MaxStatesTried); err == nil && complete && starts > 0 {
			tried = append(tried, report.Params(small))
		}
		if len(tried) > 0 && len(seen.Missing(sys, "", known)) == 0 {
			break
		}
	}
	searched := "no smaller one was"
	if len(tried) > 0 {
		searched = "searched instead: " + strings.Join(tried, "; ")
	}
	found := seen.Missing(sys, too+"; "+searched, known)
	switch {
	case len(found) == 0:
		s.note("%s; %s: all moves and outcomes occur", too, searched)
	case len(tried) < enough:
		s.note("%s; %s: moves and outcomes that occur in no play are not reported", too, searched)
		return nil, nil
	}
	return found, nil
}

// maxTried bounds the smaller games that are searched, and stepsUp the values of a parameter among
// them. enough is how many must be searched completely before their results count.
const maxTried, stepsUp, enough = 12, 4, 3

// smaller lists settings for smaller games. All numbers are the same number of steps above their
// least values, except that the first may have another number of steps. Switches keep their values.
func smaller(f *input.File, sys *rules.System) []resolve.Settings {
	var list []resolve.Settings
	for first := range stepsUp {
		for rest := range stepsUp {
			given := above(f, sys, first, rest)
			again := slices.ContainsFunc(list, func(s resolve.Settings) bool { return maps.Equal(s, given) })
			if len(given) > 0 && !again && len(list) < maxTried {
				list = append(list, given)
			}
		}
	}
	return list
}

// above sets each number a number of steps above its least value, which may depend on the
// parameters before it. It returns nil if the settings do not resolve.
func above(f *input.File, sys *rules.System, first, rest int) resolve.Settings {
	given := resolve.Settings{}
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
		given[p.Name] = resolve.Value{N: v}
	}
	return given
}
