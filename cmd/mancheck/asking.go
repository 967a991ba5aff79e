package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mancheck/mancheck/checker/endgame"
	"github.com/mancheck/mancheck/cmd/internal/ask"
	"github.com/mancheck/mancheck/cmd/internal/play"
	"github.com/mancheck/mancheck/cmd/internal/report"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/proofs/suite"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
)

// asking decides claims of the file from positions of the game.
type asking struct {
	*ask.Asker
	s *session
	c *playCmd

	tables *endgame.Library
}

// ask decides whether a claim holds if play begins at a state, and returns the verdict as text.
func (a *asking) ask(ctx context.Context, name string, st rules.State) (string, error) {
	item, err := a.Item(name, st)
	if elsewhere := (*ask.ElsewhereError)(nil); errors.As(err, &elsewhere) {
		return elsewhere.Error() + "\n", nil
	}
	if err != nil {
		return "", err
	}
	within, stop := context.WithTimeout(ctx, time.Duration(a.c.MoveTime))
	defer stop()
	item = suite.Run(within, []*suite.Item{item}, suite.Options{Decide: a.options()}).Items[0]
	// Only the time for this claim may have run out, which gives a verdict; but if play itself was
	// ended there is none.
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	if item.Err != nil {
		return "", a.s.fault(item.Instance, item.Err)
	}
	if text := a.Misread(item); text != "" {
		return text + "\n", nil
	}
	var text bytes.Buffer
	table := report.Table{W: &text, Sources: a.s.reader.Sources}
	table.Begin([]*suite.Item{item})
	table.Item(item)
	_, lines, _ := strings.Cut(text.String(), "\n") // the first line is the name of the file
	return "from this position:\n" + lines, nil
}

// options returns how claims are decided.
func (a *asking) options() proofs.Options {
	return proofs.Options{Bounds: a.c.bounds(), Tables: a.tables}
}

// solitaire reports whether a hint can be the shortest way to win: there is one player, who can
// win. Where a position that comes back ends the game, what a way leads to depends on the play so
// far.
func solitaire(sys *rules.System) bool {
	return len(sys.Players) == 1 && sys.Repetition == nil &&
		slices.ContainsFunc(sys.Outcomes, func(o rules.Outcome) bool { return o.Kind == rules.WinOutcome })
}

// way looks for a shortest play that wins, as a claim that a win can be reached is decided: with
// the same evidence, checked in the same way.
func (a *asking) way(ctx context.Context, st rules.State) (*play.Way, error) {
	if err := a.Begins(st); err != nil {
		return &play.Way{Why: err.Error()}, nil
	}
	sys := a.Game.System()
	inst := &build.Instance{
		Claim:    &build.Claim{Name: "hint", File: a.c.File},
		System:   sys.From(st),
		Property: &build.Reach{Target: sys.HasWon(0), Reachable: true, Within: -1},
	}
	within, stop := context.WithTimeout(ctx, time.Duration(a.c.MoveTime))
	defer stop()
	r, err := proofs.Decide(within, inst, a.options())
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, a.s.fault(inst, err)
	case r.Status == proofs.Proved && r.Trace != nil:
		return &play.Way{Moves: r.Trace.Moves()}, nil
	case r.Status == proofs.Refuted:
		return &play.Way{Lost: true}, nil
	case within.Err() != nil:
		return &play.Way{Why: fmt.Sprintf("not found within %v", time.Duration(a.c.MoveTime))}, nil
	}
	return &play.Way{Why: r.Sentence()}, nil
}
