package main

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/cmd/internal/input"
	"github.com/mancheck/mancheck/cmd/internal/report"
	"github.com/mancheck/mancheck/cmd/internal/term"
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

// seedFlag selects random numbers.
type seedFlag struct {
	Seed uint64 `default:"1" placeholder:"N" help:"Seed of the random numbers with which a start is dealt, if the setup leaves several: the same one deals the same. 1 by default."`
}

// placement is a position of a game that was given, is its only start or, if the setup leaves
// several, was dealt at random.
type placement struct {
	in     *interp.Interp
	st     rules.State
	params string        // the parameters that matter to the position
	dealer *space.Dealer // nil if the position was not dealt
	seed   uint64        // that it was dealt with
	claim  string        // that the play is evidence for which it is the start of; may be empty
}

// place returns the position that the flags select, or deals one.
func place(s *session, path string, g gameFlags, flat string, settings []string, seed uint64) (*placement, error) {
	in, err := s.game(path, g)
	if err != nil {
		return nil, err
	}
	p := &placement{in: in, seed: seed}
	if flat == "" {
		_, several, err := input.FirstStart(s.ctx, in)
		if err == nil && several {
			p.dealer, err = space.NewDealer(s.ctx, in)
		}
		if err != nil {
			return nil, err
		}
	}
	if p.params, err = shownParams(s, path, g, in.System(), flat != ""); err != nil {
		return nil, err
	}
	if p.dealer == nil {
		p.st, err = s.position(in, flat, settings)
		return p, err
	}
	p.st, err = p.deal(s.ctx, settings, 0)
	return p, err
}

// deal deals a start, of which each number has its own, and changes variables of it.
func (p *placement) deal(ctx context.Context, settings []string, number uint64) (rules.State, error) {
	sys := p.in.System()
	st, err := p.dealer.Deal(ctx, space.Random(p.seed, number))
	switch {
	case errors.Is(err, space.ErrNoDeal):
		return st, input.SeveralStarts(sys, rules.State{})
	case err != nil || len(settings) == 0:
		return st, err
	}
	return settled(interp.New(sys).Within(ctx), st, settings)
}

// start returns members that say which start was dealt, if one was.
func (p *placement) start() report.Object {
	if p.dealer == nil {
		return nil
	}
	return report.Object{{Name: "seed", Value: p.seed}, {Name: "start", Value: board.StateJSON(p.in.System(), p.st)}}
}

// tell says on standard error which start was dealt, if one was.
func (p *placement) tell(s *session) {
	if p.dealer != nil {
		s.note("the setup leaves several starts; this one was dealt with --seed %d:\n%s", p.seed, board.Rows(p.in.System(), p.st, board.Options{}))
	}
}

// heading returns the name of the variant with the parameters that matter.
func (p *placement) heading(color term.Palette) string {
	return strings.TrimSpace(color.Paint(term.Bold, p.in.System().Name) + " " + p.params)
}

// shownParams writes the parameters of a game. Of a board that was given those say nothing that
// only the setup asks for.
func shownParams(s *session, path string, g gameFlags, sys *rules.System, given bool) (string, error) {
	if !given {
		return report.Params(sys), nil
	}
	f, diags := s.reader.File(path)
	settings, more := input.Settings(g.Param)
	if err := append(diags, more...).Err(); err != nil {
		return "", err
	}
	shown := *sys
	shown.Params = slices.DeleteFunc(slices.Clone(sys.Params), func(p rules.Param) bool {
		return !p.Bool && f.SetupOnly(sys.Name, settings, p.Name)
	})
	return report.Params(&shown), nil
}
