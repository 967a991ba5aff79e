package rules

import "slices"

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
