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
	case verdict.NotWithin:
		return "not within " + count(f.Moves, "move")
	case verdict.StartIs:
		return startIs(f)
	case verdict.ClosedSet:
		if f.BySolver {
			return fmt.Sprintf("closed set of %s, by solver pre-images", count(f.States, "state"))
		}
		return "closed set of " + count(f.States, "state")
	case verdict.EverySize:
		return everySize(f)
	case verdict.SizesLaw:
		return sizesLaw(f)
	case verdict.Conserved:
		return "no move makes or loses seeds"
	case verdict.OneWay:
		return "it follows from where seeds may go"
	case verdict.Falls:
		return "each move lowers a rank, so no play comes back to a position"
	case verdict.NoneComesBack:
		return "the rules end a play in which a position comes back"
	case verdict.NoPlay:
		return noPlay(f)
	case verdict.Inductive:
		if f.K == 1 {
			return "induction"
		}
		return fmt.Sprintf("%d-induction", f.K)
	case verdict.StepsOfReachable:
		return fmt.Sprintf("every step of the %s concerned", count(f.States, "reachable state"))
	case verdict.AllSteps:
		return fmt.Sprintf("all %d steps of the %d states of the right shape", f.Steps, f.States)
	case verdict.StepsOfShape:
		return "every step from every state of the right shape"
	case verdict.BadStep:
		return "a step that breaks it, from a state that need not be reachable"
	case verdict.StepThere:
		return stepThere(f)
	case verdict.Number:
		if f.N == 1 {
			return "there is 1"
		}
		return fmt.Sprintf("there are %d", f.N)
	case verdict.SetFound:
		if f.Extra+f.Missing > 0 {
			return fmt.Sprintf("%d not listed, %d listed but not found", f.Extra, f.Missing)
		}
		return count(f.States, "state")
	case verdict.Repeats:
		return repeats(f.Moves)
	case verdict.Longest:
		if f.Beyond {
			return "the longest play has " + count(f.Moves, "move")
		}
		return "no play has more than " + count(f.Moves, "move")
	case verdict.WinsWherever:
		return "it wins wherever a win can be reached, from " + count(f.States, "state")
	case verdict.WinsFrom:
		return winsFrom(f.Starts)
	case verdict.StrategyFails:
		return strategyFails(f)
	case verdict.Valued:
		return worth(sys, f.Worth)
	case verdict.WinnerOf:
		return winner(sys, f.Worth)
	case verdict.Best:
		return best(f)
	case verdict.Forced:
		return forced(sys, f)
	case verdict.Prevented:
		return prevented(sys, f)
	case verdict.Related:
		return fmt.Sprintf(related[f.Kind]+": %s", f.Other, count(f.Steps, "step"))
	case verdict.Differs:
		return differs(f)
	case verdict.NoStart:
		return "the setup has no start for any value of " + strings.Join(f.Params, ", ")
	case verdict.EachValue:
		return "tried for each of " + count(f.Values, "value")
	case verdict.NoValue:
		return fmt.Sprintf("for no %s from %d to %d", f.Param, f.Lo, f.Hi)
	}
	panic(fmt.Sprintf("internal error: no sentence for a %T", f))
}

// startIs says whether a start satisfies what the claim asks for.
func startIs(f verdict.StartIs) string {
	if f.Target {
		return "a start is such a state"
	}
	return "no start is such a state"
}

// noPlay is used for a bounded verdict as well, as the reason.
func noPlay(f verdict.NoPlay) string { return fmt.Sprintf("no play of at most %d moves", f.Moves) }

// stepThere says whether there is such a step. Elsewhere means that a trace shows another one.
func stepThere(f verdict.StepThere) string {
	switch {
	case f.Found:
		return "there is such a step"
	case f.Elsewhere:
		return "there is no such step; this is where it leads"
	}
	return "there is no such step"
}

// repeats describes a play that never ends by the moves that it repeats.
func repeats(moves int) string {
	if moves == 1 {
		return "the last move repeats forever"
	}
	return fmt.Sprintf("the last %d moves repeat forever", moves)
}

// winsFrom says from how many starts a strategy wins, which are all that can be won.
func winsFrom(starts int) string {
	switch starts {
	case 0:
		return "no start can be won"
	case 1:
		return "it wins from the only start that can be won"
	}
	return fmt.Sprintf("it wins from all %d starts that can be won", starts)
}

// strategyFails says how a play by a strategy fails, and then by which moves a win was possible.
func strategyFails(f verdict.StrategyFails) string {
	text := fmt.Sprintf("by `%s` %s", f.Strategy, repeats(f.Moves))
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

// everySize says what decides a claim about every size.
func everySize(f verdict.EverySize) string {
	return fmt.Sprintf("closed set of %s for %s = %d and more", count(f.States, "state"), f.Size, f.At) + below(f.Size, f.Least, f.At)
}

// below says which sizes before one are decided one by one.
func below(size string, least, at int) string {
	switch at - least {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf("; %s = %d by itself", size, least)
	}
	return fmt.Sprintf("; %s = %d to %d one by one", size, least, at-1)
}

// sizesLaw says what law decides a claim about every size.
func sizesLaw(f verdict.SizesLaw) string {
	law := map[verdict.Law]string{
		verdict.RankFalls:     "each move lowers a rank",
		verdict.SeedsGoOneWay: "it follows from where seeds may go",
		verdict.SeedsAreKept:  "no move makes or loses seeds",
	}[f.Law]
	return fmt.Sprintf("%s, for %s = %d and more", law, f.Size, f.At) + below(f.Size, f.Least, f.At)
}
