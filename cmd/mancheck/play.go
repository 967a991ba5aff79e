package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mancheck/mancheck/checker/choose"
	"github.com/mancheck/mancheck/checker/endgame"
	"github.com/mancheck/mancheck/cmd/internal/ask"
	"github.com/mancheck/mancheck/cmd/internal/fault"
	"github.com/mancheck/mancheck/cmd/internal/input"
	"github.com/mancheck/mancheck/cmd/internal/play"
	"github.com/mancheck/mancheck/cmd/internal/report"
	"github.com/mancheck/mancheck/cmd/internal/term"
	"github.com/mancheck/mancheck/dsl/spell"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/proofs/suite"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
)

type playCmd struct {
	File     string   `arg:"" help:"Rules file."`
	Computer []string `sep:"none" placeholder:"PLAYER|none|all" help:"A player for whom the computer moves. May be repeated. By default that is all but the first, and none in a solitaire."`
	MoveTime duration `default:"5s" placeholder:"DURATION" help:"Longest time in which the computer looks for the values of moves, for each move and each hint, and in which a claim is decided: 500ms, 30s. 5s by default. Where it finds none it goes by an estimate of the positions some moves ahead."`
	Seed     uint64   `default:"1" placeholder:"N" help:"Seed of the random games. 1 by default."`
	State    []string `sep:"none" placeholder:"NAME=VALUE" help:"Value of a state variable, or of mover. May be repeated."`
	gameFlags
	boardFlags
	payoffFlags
	tablesFlag
	workFlags
}

// Defaults of the computer's play.
const (
	guessGames = 1000    // random games played for each move when guessing
	guessSize  = 1 << 30 // bytes for values, unless --max-memory is given
	longGame   = 1000    // number of moves without a person's after which the computer stops
)

// Run plays a game on the whole screen, or by commands if input or output is not a terminal.
func (c *playCmd) Run(s *session) error {
	if c.File == input.Stdin {
		return usageError{errors.New("play reads moves from standard input, so the rules have to be in a file")}
	}
	in, st, err := s.placed(c.File, c.gameFlags, c.Board, c.State)
	if err != nil {
		return err
	}
	sys := in.System()
	computer, err := computers(sys, c.Computer)
	if err != nil {
		return err
	}
	asking, err := c.newAsking(s, in)
	if err != nil {
		return err
	}
	if asking.tables, err = c.openTables(s); err != nil {
		return err
	}
	table, err := s.largest(asking.tables, sys, c.of(sys))
	if err != nil {
		return err
	}
	memory := int64(guessSize)
	if c.MaxMemory.size > 0 {
		memory = int64(c.MaxMemory.size)
	}
	t := &play.Table{
		Sys: sys, Title: strings.TrimSpace(sys.Name + " " + report.Params(sys)), Start: st, Computer: computer,
		Choose: choose.Options{
			Payoff: c.of(sys), Time: time.Duration(c.MoveTime), Bounds: limit.Bounds{MaxStates: int64(c.MaxStates), MaxMemory: memory, Threads: int(c.Threads)}, Games: guessGames, Seed: c.Seed, Memory: &choose.Memory{},
		},
		MaxMoves: longGame, Claims: asking.Claims(), Ask: asking.ask, Color: s.color,
	}
	defer t.Choose.Memory.Close()
	if table != nil {
		t.Choose.Tables = table
	}
	return fault.Explain(sys, c.play(s, t))
}

// play plays on the screen if there is one. Otherwise, a mistake in a command ends a script, but
// not a session at a terminal.
func (c *playCmd) play(s *session, t *play.Table) error {
	typed := term.IsTerminal(s.in)
	switch {
	case typed && term.HasScreen(s.terminal):
		moves, err := t.Screen(s.ctx, s.in, s.terminal)
		if moves != "" {
			fmt.Fprintln(s.out, "moves: "+moves)
		}
		return err
	case typed: // a person may make a mistake
		return t.Script(s.ctx, s.in, s.out, func(err error) { s.note("%v", err) })
	}
	return t.Script(s.ctx, s.in, s.out, nil)
}

// computers returns for each player whether the computer moves. Later names add to earlier ones,
// and none clears them.
func computers(sys *rules.System, given []string) ([]bool, error) {
	list := make([]bool, len(sys.Players))
	if len(given) == 0 {
		for i := range list {
			list[i] = i > 0
		}
		return list, nil
	}
	for _, name := range given {
		i := slices.Index(sys.Players, name)
		switch {
		case name == "all":
			for i := range list {
				list[i] = true
			}
		case name == "none":
			clear(list)
		case i >= 0 && name != "":
			list[i] = true
		default:
			names := append([]string{"all", "none"}, sys.Players...)
			help := "write a player, all or none"
			if near := spell.Nearest(name, names); near != "" {
				help = fmt.Sprintf("did you mean `%s`?", near)
			}
			return nil, usageError{fmt.Errorf("--computer: there is no player `%s`; %s", name, help)}
		}
	}
	return list, nil
}

// asking decides claims of the file from positions of the game.
type asking struct {
	*ask.Asker
	s *session
	c *playCmd

	tables *endgame.Library
}

// newAsking reads the claims of the file.
func (c *playCmd) newAsking(s *session, in *interp.Interp) (*asking, error) {
	f, diags := s.reader.File(c.File)
	if err := diags.Err(); err != nil {
		return nil, err
	}
	return &asking{Asker: &ask.Asker{File: f, Game: in}, s: s, c: c}, nil
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
	inst := item.Instance
	within, stop := context.WithTimeout(ctx, time.Duration(a.c.MoveTime))
	defer stop()
	opts := proofs.Options{Bounds: limit.Bounds{MaxStates: int64(a.c.MaxStates), MaxMemory: int64(a.c.MaxMemory.size), Threads: int(a.c.Threads)}, Tables: a.tables}
	item = suite.Run(within, []*suite.Item{item}, suite.Options{Decide: opts}).Items[0]
	// Only the time for this claim may have run out, which gives a verdict; but if play itself was
	// ended there is none.
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	if item.Err != nil {
		return "", a.s.fault(inst, item.Err)
	}
	var text bytes.Buffer
	table := report.Table{W: &text, Sources: a.s.reader.Sources}
	table.Begin([]*suite.Item{item})
	table.Item(item)
	_, lines, _ := strings.Cut(text.String(), "\n") // the first line is the name of the file
	return "from this position:\n" + lines, nil
}
