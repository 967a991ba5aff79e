package main

import (
	"context"

	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/cmd/internal/input"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/board"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/space"
)

// game resolves the System that the flags select.
func (s *session) game(path string, g gameFlags) (*interp.Interp, error) {
	given, diags := input.Settings(g.Param)
	if err := diags.Err(); err != nil {
		return nil, err
	}
	return s.gameWith(path, g.Variant, given)
}

// placed returns the game that the flags select, with the position in it.
func (s *session) placed(path string, g gameFlags, flat string, settings []string) (*interp.Interp, rules.State, error) {
	in, err := s.game(path, g)
	if err != nil {
		return nil, rules.State{}, err
	}
	st, err := s.position(in, flat, settings)
	return in, st, err
}

// gameWith resolves a System with parameters that may come from elsewhere, such as a trace.
func (s *session) gameWith(path, variant string, given build.Settings) (*interp.Interp, error) {
	sys, err := s.system(path, variant, given, (*input.File).System)
	if err != nil {
		return nil, err
	}
	return interp.New(sys).Within(s.ctx), nil
}

// system resolves a variant of a file in one of the ways of input.File.
func (s *session) system(path, variant string, given build.Settings, resolve func(*input.File, string, build.Settings) (*rules.System, diag.List)) (*rules.System, error) {
	f, diags := s.reader.File(path)
	if err := diags.Err(); err != nil {
		return nil, err
	}
	sys, more := resolve(f, variant, given)
	diags = append(diags, more...)
	if err := diags.Err(); err != nil {
		return nil, err
	}
	s.warn(diags)
	return sys, nil
}

// starts returns the game that the flags select, with the states to begin with: those that the
// setup has, or the one position that is given.
func starts(s *session, path string, g gameFlags, flat string, settings []string) (*interp.Interp, forward.Starts, error) {
	if flat != "" {
		in, st, err := s.placed(path, g, flat, settings)
		return in, forward.From(st), err
	}
	in, err := s.game(path, g)
	return in, func(ctx context.Context, yield func(rules.State) error) error { return space.Starts(ctx, in, yield) }, err
}

// position returns the position given on the command line, after its reactions have settled it.
// Without a board it is the only start of the setup. A board is drawn on standard error, unless the
// results show it, so that one read in another order than it was meant does not go unnoticed.
func (s *session) position(in *interp.Interp, flat string, settings []string) (st rules.State, err error) {
	if flat == "" {
		st, err = input.OnlyStart(s.ctx, in)
	} else {
		st, err = board.Parse(in.System(), flat)
	}
	if err == nil {
		st, err = settled(in, st, settings)
	}
	if err == nil && flat != "" && !s.draws {
		s.note("the board:\n%s", board.Draw(in.System(), st, board.Options{}))
	}
	return st, err
}

// settled changes variables of a position and lets its reactions settle it.
func settled(in *interp.Interp, st rules.State, settings []string) (rules.State, error) {
	for _, setting := range settings {
		if err := board.SetVar(in.System(), &st, setting); err != nil {
			return st, err
		}
	}
	if st.Live() {
		return in.Start(st)
	}
	return st, nil
}
