package main

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/mancheck/mancheck/cmd/internal/input"
	"github.com/mancheck/mancheck/cmd/internal/report"
	"github.com/mancheck/mancheck/cmd/internal/term"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/board"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/space"
)

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
