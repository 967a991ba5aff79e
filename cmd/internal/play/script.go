package play

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/mancheck/mancheck/checker/choose"
	"github.com/mancheck/mancheck/cmd/internal/term"
	"github.com/mancheck/mancheck/internal/plain"
)

// Output is what a script writes to.
type Output interface {
	io.Writer
	Flush() error
}

// Script plays a game by commands, one in a line, and returns it. What follows a `#` is a comment.
// The error is one in a line, a fault of the rules, or the context's. If complain is not nil, it is
// called for lines with errors, and the game goes on.
func (t *Table) Script(ctx context.Context, in io.Reader, out Output, complain func(error)) (*Played, error) {
	g, err := newGame(t.Sys, t.Start, t.Past)
	if err != nil {
		return nil, err
	}
	s := &script{Table: t, ctx: ctx, game: g, out: out}
	err = s.run(in, complain)
	return g.played(), err
}

// run carries out the lines.
func (s *script) run(in io.Reader, complain func(error)) error {
	fmt.Fprintln(s.out, s.Color.Paint(term.Bold, s.Title))
	s.board()
	if err := cmp.Or(s.computer(), s.out.Flush()); err != nil {
		return err
	}
	lines := bufio.NewScanner(in)
	number := 1
	for ; lines.Scan(); number++ {
		line, _, _ := strings.Cut(lines.Text(), "#")
		err := s.line(line)
		switch {
		case errors.Is(err, errQuit):
			return nil
		case err == nil || s.ctx.Err() != nil:
		case complain == nil:
			return fmt.Errorf("line %d: %w", number, err)
		default:
			complain(err)
		}
		if s.ctx.Err() != nil {
			return s.ctx.Err()
		}
		if err := s.out.Flush(); err != nil {
			return err
		}
	}
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		return fmt.Errorf("line %d: a command of more than %d bytes", number, bufio.MaxScanTokenSize)
	}
	return lines.Err()
}

// errQuit ends a script at the command quit.
var errQuit = errors.New("quit")

// script is a game played by commands.
type script struct {
	*Table
	ctx  context.Context
	game *game
	out  Output
}

// board draws the board with its status.
func (s *script) board() {
	lines, _ := s.game.grid.draw(s.game.drawn())
	for _, line := range lines {
		fmt.Fprintln(s.out, strings.TrimRight("  "+line, " "))
	}
	if status := s.game.status(); status != "" {
		fmt.Fprintln(s.out, "  "+status)
	}
}

// line carries out one line.
func (s *script) line(line string) error {
	c, err := s.parse(s.game, line)
	if err != nil {
		return err
	}
	switch c.kind {
	case nothing:
		return nil
	case quit:
		return errQuit
	case move:
		if err := s.game.step(c.step); err != nil {
			return err
		}
		s.moved("")
		return s.computer()
	case undo:
		return s.undo()
	case save, saveOver:
		return s.save(c)
	case hint:
		return s.hint()
	case claim:
		if c.arg != "" {
			return s.tell(s.Ask(s.ctx, c.arg, s.game.state()))
		}
	case showBoard:
		s.board()
	}
	return s.tell(s.reply(s.game, c.kind), nil)
}

// tell writes an answer, if there is no error.
func (s *script) tell(text string, err error) error {
	if err == nil {
		_, err = io.WriteString(s.out, text)
	}
	return err
}

// moved writes the last move and the board. why is the reason for the move, if the computer chose
// it.
func (s *script) moved(why string) {
	text := s.Color.Paint(term.Bold, s.game.last())
	if why != "" {
		text += "  " + s.Color.Paint(term.Faint, why)
	}
	fmt.Fprintln(s.out, text)
	s.board()
	if s.game.again() {
		fmt.Fprintf(s.out, "  %s moves again\n", s.Sys.Players[s.game.state().Mover])
	}
	if len(s.game.legal) == 1 {
		fmt.Fprintf(s.out, "  the only move: %s\n", s.game.legal[0].notation)
	}
	if n := s.game.repeated(); n >= 0 {
		fmt.Fprintf(s.out, "  as after move %d\n", n)
	}
}

// save saves the game.
func (s *script) save(c command) error {
	err := s.Save(c.arg, s.game.trace(), c.kind == saveOver)
	if err == nil {
		fmt.Fprintln(s.out, "saved to "+plain.Line(c.arg))
	}
	return err
}

// computer makes the computer's moves until a person is to move.
func (s *script) computer() error {
	for s.computerMoves(s.game) {
		if why := s.halt(s.game); why != "" {
			fmt.Fprintln(s.out, why)
			return nil
		}
		if err := s.out.Flush(); err != nil {
			return err
		}
		c, err := choose.Choose(s.ctx, s.Sys, s.game.state(), s.seeded(s.game))
		if err != nil {
			return err
		}
		if err := s.game.step(c.Step); err != nil {
			return err
		}
		s.moved(s.why(c))
	}
	return nil
}

// undo takes back moves up to a person's last one.
func (s *script) undo() error {
	done, err := s.game.undo(s.mayUndo, false)
	switch {
	case err != nil:
		return err
	case !done:
		return errors.New("there is no move to take back")
	}
	s.board()
	return nil
}

// hint writes what is known about each move.
func (s *script) hint() error {
	if s.game.over() {
		return errors.New("there is no legal move")
	}
	return s.tell(s.advice(s.ctx, s.game, s.seeded(s.game)))
}
