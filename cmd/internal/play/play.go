// Package play lets people play a game in the terminal, with each other or with a computer. The
// computer finds the values of moves where it can, and guesses elsewhere.
//
//	play.go      what a game is played with
//	labels.go, grid.go   the board with the numbers of pits
//	game.go, result.go   the moves made so far, and how a game ended
//	command.go   what can be typed
//	words.go     what is said of moves and values, and of those made
//	script.go    commands from a pipe, one a line
//
// A full screen is in these files:
//
//	layout.go    what there is room for: parts of a size that the window alone determines
//	motion.go    a move shown seed by seed
//	model.go     the state of the screen, and work in the background
//	choice.go    how moves are chosen
//	update.go    keys, clicks and results of work
//	view.go      the lines of the screen
package play

import (
	"context"
	"fmt"
	"slices"

	"github.com/mancheck/mancheck/checker/choose"
	"github.com/mancheck/mancheck/cmd/internal/term"
	"github.com/mancheck/mancheck/cmd/internal/worth"
	"github.com/mancheck/mancheck/internal/numeral"
	"github.com/mancheck/mancheck/internal/plain"
	"github.com/mancheck/mancheck/rules"
)

// Table is everything that a game needs.
type Table struct {
	Sys      *rules.System
	Title    string // the game with its parameters
	Start    rules.State
	Past     []string // moves made already
	Computer []bool   // by player
	Choose   choose.Options
	MaxMoves int      // the computer stops after this many moves of its own in a row
	Claims   []string // names of the claims that can be decided
	// Ask decides a claim in a state. It returns the verdict and its evidence as text.
	Ask func(ctx context.Context, claim string, st rules.State) (string, error)
	// Way looks for the shortest way to win a solitaire from a state. It is nil where a hint is
	// about the values of moves.
	Way func(ctx context.Context, st rules.State) (*Way, error)
	// Save saves a game to a file. Only with replace may it replace one, and else the error is an
	// *ExistsError.
	Save   func(path string, game *rules.Trace, replace bool) error
	Color  term.Palette
	Motion bool // moves are shown seed by seed, on a screen
}

// ExistsError says that a file is there already.
type ExistsError struct{ Path string }

func (e *ExistsError) Error() string {
	return fmt.Sprintf("%s exists; `save! %s` replaces it", plain.Line(e.Path), plain.Line(e.Path))
}

// person reports whether a person moves for the player.
func (t *Table) person(player int) bool { return player != rules.None && !t.Computer[player] }

// people reports whether any person plays.
func (t *Table) people() bool {
	return slices.Contains(t.Computer, false)
}

// mayUndo reports whether undo may stop where this player is to move: a person or, if only the
// computer plays, anyone.
func (t *Table) mayUndo(player int) bool { return t.person(player) || !t.people() }

// scale returns what the values of moves mean.
func (t *Table) scale() worth.Scale { return worth.Scale{Sys: t.Sys, Kind: t.Choose.Payoff.Kind} }

// computerMoves reports whether the computer is to move.
func (t *Table) computerMoves(g *game) bool {
	return !g.over() && !t.person(g.state().Mover)
}

// halt returns why the computer, which is to move, does not go on, or an empty string. It counts
// only moves that the computer has made since a person's last one.
func (t *Table) halt(g *game) string {
	alone := 0
	for alone < len(g.moves) && !t.person(g.moves[len(g.moves)-1-alone].player) {
		alone++
	}
	switch n := g.repeated(); {
	case n >= 0 && len(g.moves)-n <= alone:
		return fmt.Sprintf("the computer stops: the play comes back to the position after move %d", n)
	case alone >= t.MaxMoves:
		return fmt.Sprintf("the computer stops after %s", numeral.Count(int64(alone), "move"))
	}
	return ""
}
