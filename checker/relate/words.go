package relate

import (
	"fmt"
	"slices"

	"github.com/mancheck/mancheck/rules"
)

// words describes a difference after a play of so many moves, whose last states the sides hold.
func (s *search) words(u *unlike, moves int) string {
	l, r := s.sides[0], s.sides[1]
	left, right := u.actions[0], u.actions[1]
	switch {
	case s.kind == Reverses:
		return fmt.Sprintf("no move of %s takes back move %d, `%s`", r.title, moves+1, l.written(left))
	case right == rules.None:
		return fmt.Sprintf("%s `%s` is legal in %s and not in %s", when(moves), l.written(left), l.title, r.title)
	case left == rules.None:
		return fmt.Sprintf("%s `%s` is legal in %s and not in %s", when(moves), r.written(right), r.title, l.title)
	}
	return fmt.Sprintf("after move %d, `%s`, %s", moves+1, l.written(left), u.what)
}

// when describes how far a play is.
func when(moves int) string {
	switch moves {
	case 0:
		return "at the start"
	case 1:
		return "after 1 move"
	default:
		return fmt.Sprintf("after %d moves", moves)
	}
}

// ended describes what an end is on one side, or that there is none.
func (s *side) ended(end []standing) string {
	switch {
	case end == nil:
		return "the game goes on"
	case end[0] == endless:
		return "the move never ends"
	case len(end) == 1:
		return [...]string{"the game is over", "the game is won", "the game is lost", "the game is drawn"}[end[0]]
	}
	if p := slices.Index(end, wins); p >= 0 {
		return s.sys.Players[p] + " has won"
	}
	if slices.Contains(end, draws) {
		return "the game is drawn"
	}
	return "the game is over and nobody has won"
}
