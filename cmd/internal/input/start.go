package input

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/internal/plain"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/board"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/space"
)

// OnlyStart returns the start of the setup. It fails if there are several, or none.
func OnlyStart(ctx context.Context, in *interp.Interp) (rules.State, error) {
	found, several, err := FirstStart(ctx, in)
	if several {
		err = SeveralStarts(in.System(), found)
	}
	return found, err
}

// FirstStart returns a start of the setup, which is empty if there are infinitely many, and whether
// there are several. It fails if there is none.
func FirstStart(ctx context.Context, in *interp.Interp) (first rules.State, several bool, err error) {
	n := 0
	err = space.Starts(ctx, in, func(st rules.State) error {
		switch {
		case n == 0:
			first, n = st.Clone(), 1
		case !st.Equal(first):
			n++
			return space.ErrStop
		}
		return nil
	})
	switch {
	case errors.As(err, new(*space.InfiniteError)):
		return rules.State{}, true, nil
	case err == nil && n == 0:
		return first, false, NoStart(in.System())
	}
	return first, n > 1, err
}

// SeveralStarts returns the error for a setup with several starts, with one of them as an example,
// if it is known.
func SeveralStarts(sys *rules.System, one rules.State) error {
	names := lists.Map(board.Order(sys), func(p int) string { return sys.Pits[p].Name })
	help := "give the seeds of " + strings.Join(names, " ")
	if one.Seeds != nil {
		help += fmt.Sprintf(", for example --board %q", board.Flat(sys, one))
	}
	return diag.Errorf(diag.NotFixed, sys.Start.At, "`%s` has several starts: --board must say which is meant", sys.Name).WithHelp("%s", help)
}

// Startless says why there is no game to play or to count.
const Startless = "no distribution of seeds satisfies this setup"

// NoStart returns the error for a setup without starts.
func NoStart(sys *rules.System) error {
	return diag.Errorf(diag.NoStart, sys.Start.At, Startless)
}

// MoveList is a play as people write it down: moves in their notation, and the board it starts
// from, which is empty if the list does not say.
type MoveList struct {
	Start string
	Moves []string
	Lines []int // by move: the line it stands in, from 1
}

// startWord begins the line that gives the board.
const startWord = "start:"

// ParseMoves reads moves that are separated by commas or line breaks. What follows a `#` is a
// comment; before the first move a line `start: BOARD` may stand.
func ParseMoves(text string) (MoveList, error) {
	var list MoveList
	text, err := plain.Read(text)
	if err != nil {
		return list, err
	}
	for number, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(line, "#")
		line = strings.TrimSpace(line)
		if board, ok := strings.CutPrefix(line, startWord); ok {
			if list.Start != "" || len(list.Moves) > 0 {
				return list, fmt.Errorf("line %d: `%s` comes once and before the moves", number+1, startWord)
			}
			list.Start = strings.TrimSpace(board)
			continue
		}
		for _, move := range strings.Split(line, ",") {
			if move = strings.TrimSpace(move); move == "" {
				continue
			}
			list.Moves = append(list.Moves, move)
			list.Lines = append(list.Lines, number+1)
		}
	}
	return list, nil
}
