package relate

import (
	"fmt"
	"slices"

	"github.com/mancheck/mancheck/checker/pack"
)

// illegal says that only one side allows a move.
func (s *search) illegal(i, action, side int) string {
	return fmt.Sprintf("%s `%s` is legal in %s and not in %s", s.when(i), s.sides[side].written(action), s.sides[side].name, s.sides[1-side].name)
}

// when describes how far the play is.
func (s *search) when(i int) string {
	switch n := s.moves(i); n {
	case 0:
		return "at the start"
	case 1:
		return "after 1 move"
	default:
		return fmt.Sprintf("after %d moves", n)
	}
}

func (s *side) toMove(f *pack.Flat) string { return s.sys.Players[f.Mover] + " is to move" }

// status describes how the game ended on one or both sides.
func (s *side) status(ended []standing) string {
	switch {
	case ended == nil:
		return "the game goes on"
	case ended[0] == endless:
		return "the move never ends"
	case len(ended) == 1:
		return [...]string{"the game is over", "the game is won", "the game is lost", "the game is drawn"}[ended[0]]
	}
	if p := slices.Index(ended, wins); p >= 0 {
		return s.sys.Players[p] + " has won"
	}
	if slices.Contains(ended, draws) {
		return "the game is drawn"
	}
	return "the game is over and nobody has won"
}
