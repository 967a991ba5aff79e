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
	"github.com/mancheck/mancheck/cmd/internal/input"
	"github.com/mancheck/mancheck/cmd/internal/play"
	"github.com/mancheck/mancheck/cmd/internal/report"
	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/proofs/suite"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/resolve"
)

// asking decides claims of the file from positions of the game.
type asking struct {
	s    *session
	c    *playCmd
	in   *interp.Interp
	file *input.File

	tables *endgame.Library
}

// claims lists the names of the claims about the variant that is played. It reads the file.
func (a *asking) claims() ([]string, error) {
	f, diags := a.s.reader.File(a.c.File)
	if err := diags.Err(); err != nil {
		return nil, err
	}
	a.file = f
	var names []string
	for _, c := range f.Unit.Claims {
		if c.Of == nil || c.Of.Name == a.in.System().Name {
			names = append(names, c.Name.Name)
		}
	}
	return names, nil
}

// claim returns the claim called name, or nil.
func (a *asking) claim(name string) *ast.Claim {
	for _, c := range a.file.Unit.Claims {
		if c.Name.Name == name {
			return c
		}
	}
	return nil
}

// ask decides whether a claim holds if play begins at a state, and returns the verdict as text.
func (a *asking) ask(ctx context.Context, name string, st rules.State) (string, error) {
	if err := a.begins(st); err != nil {
		return "", err
	}
	claim, diags := a.file.Unit.Claim(a.claim(name))
	if diags.HasErrors() {
		return "", diags
	}
	if others := claim.Elsewhere(a.in.System()); others != "" {
		return fmt.Sprintf("the claim is about %s, and is not asked of this board, which has %s\n", others, report.Params(a.in.System())), nil
	}
	inst, err := a.instance(claim, st)
	if err != nil {
		return "", err
	}
	within, stop := context.WithTimeout(ctx, time.Duration(a.c.MoveTime))
	defer stop()
	item := &suite.Item{File: a.c.File, Program: a.file.Program, Claim: name, Instance: inst}
	item = suite.Run(within, []*suite.Item{item}, suite.Options{Decide: a.options()}).Items[0]
	// Only the time for this claim may have run out, which gives a verdict; but if play itself was
	// ended there is none.
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	if item.Err != nil {
		return "", a.s.fault(inst, item.Err)
	}
	if usual := claim.Unnamed(a.in.System()); usual != "" && item.Outcome() == suite.NotAsExpected {
		does := map[bool]string{true: "holds", false: "does not hold"}[item.Result.Status == proofs.Proved]
		return fmt.Sprintf("the claim has the numbers of %s, which it does not name; from this position, with %s, it %s\n", usual, report.Params(a.in.System()), does), nil
	}
	var text bytes.Buffer
	table := report.Table{W: &text, Sources: a.s.reader.Sources}
	table.Begin([]*suite.Item{item})
	table.Item(item)
	_, lines, _ := strings.Cut(text.String(), "\n") // the first line is the name of the file
	return "from this position:\n" + lines, nil
}

// begins fails if no play can begin at st.
func (a *asking) begins(st rules.State) error {
	if !st.Live() {
		return errors.New("the game is over: no play begins here")
	}
	if settled, err := a.in.Start(st); err != nil || !settled.Equal(st) {
		return errors.New("the rules would change this position if a game began here, so no claim can be asked of it")
	}
	return nil
}

// instance returns the claim about plays from st, with the parameters of the game.
func (a *asking) instance(claim *resolve.Claim, st rules.State) (*resolve.Instance, error) {
	sys := a.in.System()
	given := resolve.Settings{}
	for _, p := range sys.Params {
		given[p.Name] = resolve.Value{N: p.Value, Bool: p.Bool, At: diag.Range{File: "-p"}}
	}
	var diags diag.List
	list := claim.From(sys, st).Instances(given, &diags)
	if err := diags.Err(); err != nil {
		return nil, err
	}
	if len(list) != 1 || list[0].System.Name != sys.Name {
		return nil, fmt.Errorf("the claim is not about %s", sys.Name)
	}
	return list[0], nil
}

// options returns how claims are decided.
func (a *asking) options() proofs.Options {
	return proofs.Options{Bounds: limit.Bounds{MaxStates: int64(a.c.MaxStates), MaxMemory: int64(a.c.MaxMemory.size), Threads: int(a.c.Threads)}, Tables: a.tables}
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
	if err := a.begins(st); err != nil {
		return &play.Way{Why: err.Error()}, nil
	}
	sys := a.in.System()
	inst := &resolve.Instance{
		Claim:    &resolve.Claim{Name: "hint", File: a.c.File},
		System:   sys.From(st),
		Property: &resolve.Reach{Target: sys.HasWon(0), Reachable: true, Within: -1},
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
