package say

import (
	"fmt"
	"strings"

	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules"
)

// Finding returns the sentence for what was found about sys. It is empty for nil. It begins in
// lower case and has no full stop, as tables and reports put it after other words.
func Finding(sys *rules.System, f verdict.Finding) string {
	switch f := f.(type) {
	case nil:
		return ""
	case verdict.Play:
		if f.Shortest {
			return "shortest play: " + count(f.Moves, "move")
		}
		return "a play of " + count(f.Moves, "move")
	case verdict.AllReachable:
		return fmt.Sprintf("all %s from %s", count(f.States, "reachable state"), count(f.Starts, "start"))
	case verdict.EverySize:
		return everySize(f)
	case verdict.AllSteps:
		return fmt.Sprintf("all %d steps of the %d states of the right shape", f.Steps, f.States)
	case verdict.SetFound:
		if f.Extra+f.Missing > 0 {
			return fmt.Sprintf("%d not listed, %d listed but not found", f.Extra, f.Missing)
		}
		return count(f.States, "state")
	case verdict.StrategyFails:
		return strategyFails(f)
	case verdict.Valued:
		if f.Winner {
			return winner(sys, f.Worth)
		}
		return worth(sys, f.Worth)
	case verdict.Best:
		return best(f)
	case verdict.Forced:
		return forced(sys, f)
	case verdict.Prevented:
		return prevented(sys, f)
	case verdict.Related:
		return related(f)
	case verdict.Differs:
		return differs(f)
	case verdict.NoValue:
		return fmt.Sprintf("for no %s from %d to %d", f.Param, f.Lo, f.Hi)
	case verdict.Fact, verdict.Figure, verdict.Mention:
	}
	return said(f)
}

// strategyFails says how a play by a strategy fails, and then by which moves a win was possible.
func strategyFails(f verdict.StrategyFails) string {
	text := fmt.Sprintf("by `%s` %s", f.Strategy, said(verdict.Repeats.Of(f.Moves)))
	switch f.End {
	case verdict.EndsUnwon:
		text = fmt.Sprintf("a play by `%s` ends without a win after %s", f.Strategy, count(f.Moves, "move"))
	case verdict.EndsStuck:
		text = fmt.Sprintf("a play by `%s` reaches a state without a legal move after %s", f.Strategy, count(f.Moves, "move"))
	case verdict.EndsNever:
	}
	return text + "; " + winning(f.Win)
}

// shownMoves is how many moves of a winning play are listed; of a longer play the rest is left out.
const shownMoves = 12

// winning says by which moves a start can be won. A nil list means that the play is not known, an
// empty one that the start is already won.
func winning(moves []string) string {
	switch n := len(moves); {
	case moves == nil:
		return "some other play wins"
	case n == 0:
		return "it is won at the start"
	case n > shownMoves:
		return fmt.Sprintf("%s, … wins in %s", quoted(moves[:shownMoves]), count(n, "move"))
	}
	return quoted(moves) + " wins"
}

// worth says what a position is worth, and to whom unless the game has only one player.
func worth(sys *rules.System, w verdict.Worth) string {
	switch {
	case w.Positions > 1:
		return fmt.Sprintf("%s, worth %s", count(w.Positions, "position"), Worth(w))
	case len(sys.Players) < 2:
		return "it is worth " + Worth(w)
	}
	return fmt.Sprintf("it is worth %s to %s", Worth(w), player(sys, w.Player))
}

// Worth returns a value, or the bounds within which it lies.
func Worth(w verdict.Worth) string {
	lo, above := w.AtLeast()
	hi, below := w.AtMost()
	switch {
	case w.Known():
		return fmt.Sprint(w.Lo)
	case !above && !below:
		return "not known"
	case !above:
		return fmt.Sprintf("at most %d", hi)
	case !below:
		return fmt.Sprintf("at least %d", lo)
	}
	return fmt.Sprintf("%d to %d", lo, hi)
}

// winner says who wins, if the bounds on the value for the first player decide that.
func winner(sys *rules.System, w verdict.Worth) string {
	switch {
	case w.Positions > 1:
		return count(w.Positions, "position")
	case w.Lo == 1:
		return player(sys, 0) + " wins"
	case w.Hi == -1:
		return player(sys, 1) + " wins"
	case w.Lo == 0 && w.Hi == 0:
		return "nobody wins"
	case w.Lo == 0:
		return player(sys, 1) + " does not win"
	}
	return player(sys, 0) + " does not win"
}

// best lists the best moves of a single position.
func best(f verdict.Best) string {
	switch {
	case f.Positions > 1:
		return count(f.Positions, "position")
	case len(f.Moves) == 0:
		return "the game is over there"
	case len(f.Moves) == 1:
		return "the best move is " + quoted(f.Moves)
	}
	return "the best moves are " + quoted(f.Moves)
}

// forced says within how many moves a player forces the goal.
func forced(sys *rules.System, f verdict.Forced) string {
	if f.Moves == 0 {
		return "it is so there"
	}
	text := fmt.Sprintf("%s forces it in at most %s", player(sys, f.Player), count(f.Moves, "move"))
	if f.Positions > 1 {
		text += " from each of " + count(f.Positions, "position")
	}
	return text
}

// prevented says who can prevent the goal. In games of two players that is the other one.
func prevented(sys *rules.System, f verdict.Prevented) string {
	others := "the others"
	if len(sys.Players) == 2 {
		others = player(sys, 1-f.Player)
	}
	if f.Within >= 0 {
		return fmt.Sprintf("%s can prevent it for %s", others, count(f.Within, "move"))
	}
	return others + " can prevent it"
}

// player returns a player's name. The number may be out of range, because verdicts are also read
// from cache files.
func player(sys *rules.System, n int) string {
	if n < 0 || n >= len(sys.Players) {
		return "nobody"
	}
	return sys.Players[n]
}

// everySize says what decides a claim about every size, and which sizes are decided one by one.
func everySize(f verdict.EverySize) string {
	by := facts[f.Law] + ","
	switch f.Law {
	case 0:
		by = said(verdict.ClosedSet.Of(f.States))
	case verdict.RankFalls:
		by = rankFalls + ","
	}
	text := fmt.Sprintf("%s for %s = %d and more", by, f.Size, f.At)
	switch f.At - f.Least {
	case 0:
		return text
	case 1:
		return fmt.Sprintf("%s; %s = %d by itself", text, f.Size, f.Least)
	}
	return fmt.Sprintf("%s; %s = %d to %d one by one", text, f.Size, f.Least, f.At-1)
}

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
