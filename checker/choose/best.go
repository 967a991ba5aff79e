// Package choose says which moves of a position are best, if values are known, and
// chooses one.
//
//	best.go      which moves are best by what is known of their values
//	choose.go    the choice of a move
//	memory.go    what one choice leaves for the next
//	searcher.go  a player of many games who looks ahead
package choose

import "github.com/mancheck/mancheck/checker/value"

// Standing says whether a move is one of the best.
type Standing int

const (
	// Unsure says that the bounds do not tell.
	Unsure Standing = iota
	// Best moves are at least as good as any other.
	Best
	// Worse moves are not as good as some other.
	Worse
)

// Standings says which moves of a state are best for the player to move, by what is known of their
// values: in the order of the moves.
func Standings(moves []value.MoveValue, mover int) []Standing {
	list := make([]Standing, len(moves))
	for i, m := range moves {
		lo, hi := forMover(m, mover)
		list[i] = Best
		for j, other := range moves {
			least, most := forMover(other, mover)
			if least > hi {
				list[i] = Worse
				break
			}
			if j != i && most > lo {
				list[i] = Unsure
			}
		}
	}
	return list
}

// forMover returns bounds of what a move is worth to the player who makes it.
func forMover(m value.MoveValue, mover int) (lo, hi int) {
	if mover == value.First {
		return m.Lo, m.Hi
	}
	return -m.Hi, -m.Lo
}
