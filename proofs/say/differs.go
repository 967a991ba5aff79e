package say

import (
	"fmt"
	"strings"

	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules"
)

// related says that a relation holds.
func related(f verdict.Related) string {
	held := map[verdict.Kind]string{
		verdict.Refines:    "every play is one of %s",
		verdict.Equivalent: "the plays are those of %s",
		verdict.Reverses:   "every step is taken back by a move of %s",
	}[f.Kind]
	more := [...]string{
		rules.InNotation: ", in its notation",
		rules.InScore:    ", as far as moves, winners and scores go",
		rules.InResult:   ", as far as moves and winners go",
		rules.InPlay:     "",
	}[f.In]
	return fmt.Sprintf(held, f.Other) + more + ": " + count(f.Steps, "step")
}

// differs says how two variants differ. Of f.Names the first is the variant that has what the other
// lacks; moves are numbered from 1.
func differs(f verdict.Differs) string {
	first, other := f.Names[0], f.Names[1]
	switch f.Is {
	case rules.StartDiffers:
		return fmt.Sprintf("a start of %s is not a start of %s", first, other)
	case rules.MoveDiffers:
		return fmt.Sprintf("%s `%s` is legal in %s and not in %s", afterMoves(f.Moves), f.Move, first, other)
	case rules.BoardsDiffer:
		return fmt.Sprintf("after move %d, `%s`, the boards differ", f.Moves+1, f.Move)
	case rules.LooksDiffer:
		return fmt.Sprintf("after move %d, `%s`, %s in %s, and %s in %s", f.Moves+1, f.Move, look(f.Looks[0]), first, look(f.Looks[1]), other)
	case rules.ScoresDiffer:
		return fmt.Sprintf("after move %d, `%s`, the scores are %s in %s, and %s in %s", f.Moves+1, f.Move, points(f.Looks[0]), first, points(f.Looks[1]), other)
	case rules.NoneAlike:
		return fmt.Sprintf("%s no move of %s leads to the board to which `%s` leads in %s", afterMoves(f.Moves), other, f.Move, first)
	case rules.WrittenDiffers:
		return fmt.Sprintf("%s the move that is written `%s` in %s is written `%s` in %s: this is a difference of notation alone", afterMoves(f.Moves), f.Move, first, f.Other, other)
	case rules.NotTakenBack:
	}
	return fmt.Sprintf("no move of %s takes back move %d, `%s`", other, f.Moves+1, f.Move)
}

// points lists scores.
func points(l verdict.Look) string {
	return strings.Trim(strings.Join(strings.Fields(fmt.Sprint(l.Points)), ", "), "[]")
}

// afterMoves says at which point of a play something is true.
func afterMoves(n int) string {
	if n == 0 {
		return "at the start"
	}
	return "after " + count(n, "move")
}

// look says how a state looks to the players.
func look(l verdict.Look) string {
	switch l.Is {
	case rules.ToMove:
		return l.Player + " is to move"
	case rules.WonBy:
		return l.Player + " has won"
	}
	return standings[l.Is]
}

// standings says how the game stands, where that needs no name of a player.
var standings = map[rules.Standing]string{
	rules.GoesOn:    "the game goes on",
	rules.NeverEnds: "the move never ends",
	rules.Over:      "the game is over",
	rules.Won:       "the game is won",
	rules.Lost:      "the game is lost",
	rules.Drawn:     "the game is drawn",
	rules.NobodyWon: "the game is over and nobody has won",
}
