package rules

import "github.com/mancheck/mancheck/dsl/diag"

// Marked is a System that notes what it carries out. It is played as the System that it was made
// of. Besides, each step sets a mark for each place of the text that it comes to. Marks are ghosts:
// no rule reads them, and in the state before a step they have to be unset.
//
// Which guards hold is no part of a step, so a System of its own, Survey, marks that. It has a last
// action for each player, which is no move: it sets the marks of all guards of this player's moves,
// and ends the game. It does not count as a move for NoMove.
type Marked struct {
	Sys    *System
	Survey *System // nil: there are no guards
	Vars   int     // how many variables the game has; the marks are behind them
	Places []Place
}

// Place is a place of the text that is counted: a statement, a condition, or a part of one.
type Place struct {
	At   diag.Range
	Kind PlaceKind
	Yes  int // the mark for: carried out, or true
	No   int // the mark for: false; None for what is no condition
	// Under is the mark that is set wherever play comes to this place, or None: it is part of a
	// branch, or of what follows the first part of a condition.
	Under int
	// Decided says that the condition is known before play, and has the same value everywhere.
	Decided bool
}

// PlaceKind says what is at a place.
type PlaceKind string

// The kinds of places.
const (
	StatementPlace PlaceKind = "statement"
	GuardPlace     PlaceKind = "guard"    // `when` of a move, `where` of a choice
	BranchPlace    PlaceKind = "branch"   // the condition of `if` and `while`
	EndingPlace    PlaceKind = "ending"   // `when` of an ending
	ReactionPlace  PlaceKind = "reaction" // `when` of a reaction
	PartPlace      PlaceKind = "part"     // what `and` and `or` join in one of these
	GuardPart      PlaceKind = "guard part"
)

// Marks returns how many marks there are.
func (m *Marked) Marks() int { return len(m.Sys.Vars) - m.Vars }
