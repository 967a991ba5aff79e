package main

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/mancheck/mancheck/checker/choose"
	"github.com/mancheck/mancheck/cmd/internal/ask"
	"github.com/mancheck/mancheck/cmd/internal/fault"
	"github.com/mancheck/mancheck/cmd/internal/input"
	"github.com/mancheck/mancheck/cmd/internal/output"
	"github.com/mancheck/mancheck/cmd/internal/play"
	"github.com/mancheck/mancheck/cmd/internal/term"
	"github.com/mancheck/mancheck/dsl/spell"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/rules"
)

type playCmd struct {
	File        string   `arg:"" help:"Rules file."`
	Computer    []string `sep:"none" placeholder:"PLAYER|none|all" help:"A player for whom the computer moves. May be repeated. By default that is all but the first, and none in a solitaire."`
	MoveTime    duration `default:"5s" placeholder:"DURATION" help:"Longest time in which the computer looks for the values of moves, for each move and each hint, and in which a claim is decided: 500ms, 30s. 5s by default. Where it finds none it goes by an estimate of the positions some moves ahead."`
	Seed        *uint64  `placeholder:"N" help:"Seed of the random numbers with which a start is dealt, if the setup leaves several, and random games are played. On a screen another one is taken each time and shown; otherwise it is 1."`
	State       []string `sep:"none" placeholder:"NAME=VALUE" help:"Value of a state variable, or of mover. May be repeated."`
	From        string   `placeholder:"PATH" help:"Go on with this game: a trace, as save writes it, or a list of moves."`
	Save        string   `placeholder:"PATH" help:"Save the game to this file when it ends or is left."`
	Force       bool     `help:"With --save: replace the file if it exists."`
	NoMotion    bool     `env:"MANCHECK_NO_MOTION" help:"Show moves at once, and not seed by seed. So does MANCHECK_NO_MOTION=1 in the environment."`
	gameFlags   `group:"game"`
	boardFlags  `group:"game"`
	payoffFlags `group:"values"`
	tablesFlag  `group:"values"`
	workFlags   `group:"limits"`
}

// Defaults of the computer's play.
const (
	guessGames = 1000    // random games played for each move when guessing
	guessSize  = 1 << 30 // bytes for values, unless --max-memory is given
	longGame   = 1000    // number of moves without a person's after which the computer stops
)

// Run plays a game on the whole screen, or by commands if input or output is not a terminal.
func (c *playCmd) Run(s *session) error {
	s.draws = true
	if c.File == input.Stdin {
		return usageError{errors.New("play reads moves from standard input, so the rules have to be in a file")}
	}
	save := output.File{Path: c.Save, Force: c.Force}
	if err := save.Free(); err != nil {
		return err
	}
	at, past, err := c.begun(s)
	if err != nil {
		return err
	}
	sys := at.in.System()
	computer, err := computers(sys, c.Computer)
	if err != nil {
		return err
	}
	f, diags := s.reader.File(c.File)
	if err := diags.Err(); err != nil {
		return err
	}
	asking := &asking{Asker: &ask.Asker{File: f, Game: at.in}, s: s, c: c}
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
	kept := &keeping{s: s, c: c, at: at}
	t := &play.Table{
		Sys: sys, Title: at.heading(term.Palette{}), Start: at.st, Past: past, Computer: computer,
		Choose: choose.Options{
			Payoff: c.of(sys), Time: time.Duration(c.MoveTime), Bounds: limit.Bounds{MaxStates: int64(c.MaxStates), MaxMemory: memory, Threads: int(c.Threads)}, Games: guessGames, Seed: at.seed, Memory: &choose.Memory{},
		},
		MaxMoves: longGame, Claims: asking.Claims(), Ask: asking.ask, Save: kept.save, Color: s.color, Motion: !c.NoMotion,
	}
	if at.dealer != nil {
		t.Title += fmt.Sprintf("   --seed %d", at.seed)
	}
	if solitaire(sys) {
		t.Way = asking.way
	}
	defer t.Choose.Memory.Close()
	if table != nil {
		t.Choose.Tables = table
	}
	game, err := c.play(s, t)
	if game == nil || len(game.Trace.Steps) == 0 {
		return fault.Explain(sys, err)
	}
	if c.Save != "" {
		err = errors.Join(err, kept.save(c.Save, game.Trace, true))
	}
	if term.IsTerminal(s.in) {
		fmt.Fprintln(s.out, game.Status)
		fmt.Fprintln(s.out, kept.replay(game.Trace))
	}
	return fault.Explain(sys, err)
}

// screen reports whether the game is played on the whole screen.
func screen(s *session) bool { return term.IsTerminal(s.in) && term.HasScreen(s.terminal) }

// begun returns the position that the game begins at, and the moves made already.
func (c *playCmd) begun(s *session) (*placement, []string, error) {
	seed := uint64(1)
	switch {
	case c.Seed != nil:
		seed = *c.Seed
	case screen(s):
		seed = rand.Uint64N(1_000_000)
	}
	if c.From == "" {
		at, err := place(s, c.File, c.gameFlags, c.Board, c.State, seed)
		return at, nil, err
	}
	data, err := s.reader.Open(c.From)
	if err != nil {
		return nil, nil, unreadable(c.From, err)
	}
	if !isTrace(data) {
		moves, err := input.ParseMoves(string(data))
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", c.From, err)
		}
		at, err := place(s, c.File, c.gameFlags, cmp.Or(c.Board, moves.Start), c.State, seed)
		if err != nil {
			return nil, nil, err
		}
		_, err = at.in.Replay(at.st, moves.Moves)
		return at, moves.Moves, err
	}
	if c.Board != "" || len(c.State) > 0 {
		return nil, nil, usageError{errors.New("a trace has its own start: --board and --state do not go with it")}
	}
	in, t, err := readTrace(s, c.From, data, c.File, c.gameFlags)
	if err != nil {
		return nil, nil, err
	}
	played, err := in.Replay(t.Start, t.Moves())
	if err == nil {
		err = sameStates(in.System(), t, played)
	}
	if err != nil {
		return nil, nil, err
	}
	if t.Seed != nil && c.Seed == nil {
		seed = *t.Seed
	}
	is, err := in.IsStart(t.Start)
	if err != nil {
		return nil, nil, err
	}
	at := &placement{in: in, st: t.Start, seed: seed, claim: t.Claim}
	g := gameFlags{Variant: in.System().Name, Param: c.Param}
	at.params, err = shownParams(s, c.File, g, in.System(), !is)
	return at, t.Moves(), err
}

// play plays on the screen if there is one. Otherwise, a mistake in a command ends a script, but
// not a session at a terminal.
func (c *playCmd) play(s *session, t *play.Table) (*play.Played, error) {
	switch {
	case screen(s):
		return t.Screen(s.ctx, s.in, s.terminal)
	case term.IsTerminal(s.in): // a person may make a mistake
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
