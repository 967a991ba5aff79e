package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/mancheck/mancheck/cmd/internal/input"
	"github.com/mancheck/mancheck/cmd/internal/report"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/board"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/rules/interp"
)

type replayCmd struct {
	File        string   `arg:"" optional:"" help:"Rules file; - is standard input."`
	Trace       string   `arg:"" optional:"" help:"Trace file (JSON), or a list of moves; - is standard input."`
	Moves       string   `placeholder:"MOVES" help:"The moves, separated by commas, instead of a file."`
	State       []string `sep:"none" placeholder:"NAME=VALUE" help:"Value of a state variable at the start, or of mover. May be repeated."`
	Record      string   `placeholder:"FILE" help:"Replay the recorded games of this file instead of a trace: moves, or tables with boards. --map says by which rules; moves in the notation of a rules file do without."`
	Map         string   `placeholder:"FILE" help:"Which rules file belongs to each recorded game, which pits its sites are, and what its moves are called."`
	Game        []string `sep:"none" placeholder:"NAME" help:"Only the recorded games of this name. May be repeated."`
	gameFlags   `group:"game"`
	boardFlags  `group:"game"`
	budgetFlags `group:"limits"`
	Format      string `enum:"text,json,itf,sow" default:"text" help:"text for people; json: a trace, one object on standard output; itf: a trace for the tools of Apalache and Quint; sow: positions, for a file of rules."`
}

// AfterApply makes the session report failures as JSON if the play is written as JSON.
func (c *replayCmd) AfterApply(s *session) error {
	s.json = c.Format == "json"
	return nil
}

// Run replays a trace, a list of moves, or recorded games, whichever the options give.
func (c *replayCmd) Run(s *session) error {
	s.draws = true
	if c.Record != "" {
		if c.Trace != "" || c.Moves != "" || c.Board != "" || len(c.State) > 0 {
			return usageError{errors.New("--record replays whole games: it goes with no trace, --moves, --board or --state")}
		}
		return c.records(s)
	}
	if c.Map != "" || len(c.Game) > 0 {
		return usageError{errors.New("--map and --game need --record")}
	}
	if c.File == "" {
		return usageError{errors.New("replay needs a rules file, or --record")}
	}
	if (c.Trace == "") == (c.Moves == "") {
		return usageError{errors.New("replay needs a trace file or --moves, and not both")}
	}
	if c.File == input.Stdin && c.Trace == input.Stdin {
		return usageError{errors.New("the rules and the trace cannot both be standard input")}
	}
	data := []byte(c.Moves)
	if c.Trace != "" {
		var err error
		if data, err = s.reader.Open(c.Trace); err != nil {
			return unreadable(c.Trace, err)
		}
	}
	if isTrace(data) {
		return c.trace(s, data)
	}
	return c.list(s, string(data))
}

// isTrace tells a trace from a list of moves.
func isTrace(data []byte) bool { return bytes.HasPrefix(bytes.TrimSpace(data), []byte("{")) }

// trace replays a trace file, and checks that the rules lead to the states that it has.
func (c *replayCmd) trace(s *session, data []byte) error {
	if c.Board != "" || len(c.State) > 0 {
		return usageError{errors.New("a trace has its own start: --board and --state are for lists of moves")}
	}
	in, t, err := readTrace(s, c.Trace, data, c.File, c.gameFlags)
	if err != nil {
		return err
	}
	played, err := c.play(s, in, t.Start, t.Moves())
	if err != nil {
		return err
	}
	if err := sameStates(in.System(), t, played); err != nil {
		return err
	}
	played.Claim, played.Seed = t.Claim, t.Seed
	c.write(s, in, played)
	return nil
}

// readTrace returns the play of a trace file, with the game that the trace says it belongs to. -p
// and --variant have precedence.
func readTrace(s *session, path string, data []byte, file string, g gameFlags) (*interp.Interp, *rules.Trace, error) {
	head, err := board.ReadHead(data)
	if err != nil {
		return nil, nil, err
	}
	given, diags := input.Settings(g.Param)
	if err := diags.Err(); err != nil {
		return nil, nil, err
	}
	for name, text := range head.Params {
		if _, set := given[name]; set {
			continue
		}
		v, err := build.ParseValue(text)
		if err != nil {
			return nil, nil, fmt.Errorf("trace: parameter `%s`: %w", name, err)
		}
		v.At = diag.Range{File: path}
		given[name] = v
	}
	in, err := s.gameWith(file, cmp.Or(g.Variant, head.Variant), given)
	if err != nil {
		return nil, nil, err
	}
	if in.System().Hash() != head.SystemHash {
		if sys := s.claimed(file, head, given); sys != nil {
			in = interp.New(sys).Within(s.ctx)
		}
	}
	t, err := board.ReadTrace(in.System(), data)
	return in, t, err
}

// claimed returns the System of the claim that a trace names, if it has the trace's hash. The
// variant alone has another hash if the claim follows a strategy, begins at a position, or records
// the latest seed. It returns nil if there is no such System.
func (s *session) claimed(path string, head board.Head, given build.Settings) *rules.System {
	f, diags := s.reader.File(path)
	if diags.HasErrors() {
		return nil
	}
	list, diags := f.Items([]string{head.Claim}, given)
	if diags.HasErrors() {
		return nil
	}
	for _, i := range list {
		for _, sys := range i.Instance.Systems() {
			if sys.Name == head.Variant && sys.Hash() == head.SystemHash {
				return sys
			}
		}
	}
	return nil
}

// sameStates compares the states that a trace has with those of its replay.
func sameStates(sys *rules.System, recorded, played *rules.Trace) error {
	for i, st := range recorded.Steps {
		got := played.Steps[i]
		if st.State.Equal(got.State) && st.Label == got.Label {
			continue
		}
		return fmt.Errorf("trace: step %d, `%s`: the rules lead to `%s`, %s %s, not to `%s`, %s %s", i+1, st.Move,
			got.Label, board.Flat(sys, got.State), board.Status(sys, got.State),
			st.Label, board.Flat(sys, st.State), board.Status(sys, st.State))
	}
	return nil
}

// list replays a list of moves.
func (c *replayCmd) list(s *session, text string) error {
	moves, err := input.ParseMoves(text)
	if err != nil {
		return fmt.Errorf("%s: %w", cmp.Or(c.Trace, "--moves"), err)
	}
	in, start, err := s.placed(c.File, c.gameFlags, cmp.Or(c.Board, moves.Start), c.State)
	if err != nil {
		return err
	}
	t, err := c.play(s, in, start, moves.Moves)
	if illegal, is := errors.AsType[*interp.MoveError](err); is && c.Trace != "" {
		return fmt.Errorf("%s:%d: %w", c.Trace, moves.Lines[illegal.Number-1], err)
	}
	if err != nil {
		return err
	}
	c.write(s, in, t)
	return nil
}

// play replays moves. If one is illegal, the play up to it is written before the error is returned.
func (c *replayCmd) play(s *session, in *interp.Interp, start rules.State, moves []string) (*rules.Trace, error) {
	t, err := in.Replay(start, moves)
	var illegal *interp.MoveError
	if errors.As(err, &illegal) && !s.json {
		if before, err := in.Replay(start, moves[:illegal.Number-1]); err == nil {
			c.write(s, in, before)
			s.out.Flush()
		}
	}
	if illegal != nil && !illegal.Many {
		if words := strings.Fields(illegal.Move); len(words) > 1 && slices.Contains(illegal.Legal, words[0]) {
			return t, fmt.Errorf("%w; moves are separated by commas: %s", err, strings.Join(words, ", "))
		}
	}
	return t, err
}

// write writes a play in the format that is asked for.
func (c *replayCmd) write(s *session, in *interp.Interp, t *rules.Trace) {
	if s.json {
		s.object(report.Trace(t))
		return
	}
	if is, err := in.IsStart(t.Start); err == nil && !is {
		s.note("the play does not begin with a start of the game")
	}
	_, _ = s.out.Write(playText(t, c.Format)) // finish reports an error of the stream
}
