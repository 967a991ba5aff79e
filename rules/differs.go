package rules

// Difference is a way in which the plays of two Systems differ.
type Difference int

const (
	StartDiffers Difference = iota // a start of the one is none of the other
	MoveDiffers                    // a move is legal in the one alone
	BoardsDiffer                   // after the move
	LooksDiffer                    // after the move: who is to move, or how the game ended
	NotTakenBack                   // no move of the other takes the move back
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
