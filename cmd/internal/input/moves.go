package input

import (
	"fmt"
	"strings"

	"github.com/mancheck/mancheck/internal/plain"
)

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
