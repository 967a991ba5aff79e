package rules

import (
	"cmp"
	"slices"
)

// Agreement is what has to be the same in the plays of two Systems. Who is to move, and whether
// that player is stuck, always is.
type Agreement int

const (
	InPlay     Agreement = iota // boards and winners; a move is known by where it leads
	InNotation                  // the same, and a move is known by what is written for it
	InScore                     // winners and scores; a move is known by what is written for it
	InResult                    // winners; a move is known by what is written for it
)

// agreements has the words for them in the language.
var agreements = []string{"play", "play and notation", "score", "result"}

// AgreementNamed returns the agreement with these words, which are some.
func AgreementNamed(words string) Agreement { return Agreement(slices.Index(agreements, words)) }

// String returns the words for it.
func (a Agreement) String() string { return agreements[a] }

// Boards reports whether boards have to be the same.
func (a Agreement) Boards() bool { return a <= InNotation }

// Difference is a way in which the plays of two Systems differ.
type Difference int

const (
	StartDiffers   Difference = iota // a start of the one is none of the other
	MoveDiffers                      // a move is legal in the one alone
	BoardsDiffer                     // after the move
	LooksDiffer                      // after the move: who is to move, or how the game ended
	ScoresDiffer                     // after the move, with which the game ends
	NoneAlike                        // no move of the other leads to a board like that after the move
	WrittenDiffers                   // the move is written otherwise in the other, and nothing else differs
	NotTakenBack                     // no move of the other takes the move back
)

// Standing is how a game stands, as far as that is seen without the board.
type Standing int

const (
	ToMove Standing = iota
	GoesOn
	NeverEnds
	Over
	Won
	Lost
	Drawn
	WonBy
	NobodyWon
)

// PairPits pairs the pits of two Systems whose boards are compared: first those that have the same
// name, then those of the rest that are at the same place of the picture. Ignored pits are left out
// before that. unpaired lists, for each System, the other pits without a counterpart.
//
// The pairs are in the order of the first lap of a, behind them those off it. That decides only
// which of several differences is found first.
func PairPits(a, b *System, leftOut [2][]bool) (pairs [][2]int, unpaired [2][]int) {
	out := func(side, pit int) bool { return leftOut[side] != nil && leftOut[side][pit] }
	var taken [2][]int
	pair := func(p, q int) {
		pairs = append(pairs, [2]int{p, q})
		taken[0], taken[1] = append(taken[0], p), append(taken[1], q)
	}
	for p := range a.Pits {
		if q := b.PitNamed(a.Pits[p].Name); q != None && !out(0, p) && !out(1, q) {
			pair(p, q)
		}
	}
	free := func(side, pit int) bool { return !out(side, pit) && !slices.Contains(taken[side], pit) }
	for r, row := range a.Picture {
		for k, part := range row {
			for i, p := range part {
				if q := b.drawnAt(r, k, i); q != None && free(0, p) && free(1, q) {
					pair(p, q)
				}
			}
		}
	}
	slices.SortStableFunc(pairs, func(x, y [2]int) int { return cmp.Compare(a.along(x[0]), a.along(y[0])) })
	for side, s := range [2]*System{a, b} {
		for p := range s.Pits {
			if free(side, p) {
				unpaired[side] = append(unpaired[side], p)
			}
		}
	}
	return pairs, unpaired
}

// along returns the place of a pit on the first lap, or a greater number if it is not there.
func (s *System) along(pit int) int {
	if len(s.Laps) > 0 {
		if i := slices.Index(s.Laps[0].Pits, pit); i >= 0 {
			return i
		}
	}
	return len(s.Pits) + pit
}

// drawnAt returns the pit at a place of the picture, or None.
func (s *System) drawnAt(row, part, place int) int {
	if row < len(s.Picture) && part < len(s.Picture[row]) && place < len(s.Picture[row][part]) {
		return s.Picture[row][part][place]
	}
	return None
}
