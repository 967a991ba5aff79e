package say

import (
	"fmt"
	"strings"

	"github.com/mancheck/mancheck/proofs/verdict"
)

// facts has the sentences of facts.
var facts = map[verdict.Fact]string{
	verdict.StartIsTarget:   "a start is such a state",
	verdict.NoStartIsTarget: "no start is such a state",
	verdict.Conserved:       "no move makes or loses seeds",
	verdict.OneWay:          "it follows from where seeds may go",
	verdict.RankFalls:       rankFalls + ", so no play comes back to a position",
	verdict.NoDeadEnd:       "where a player has no move the game ends or he passes, and every loop ends",
	verdict.OverAtOnce:      "where that is so the rules end the game before anybody moves",
	verdict.NoneComesBack:   "the rules end a play in which a position comes back",
	verdict.StepsOfShape:    "every step from every state of the right shape",
	verdict.BadStep:         "a step that breaks it, from a state that need not be reachable",
	verdict.StepThere:       "there is such a step",
	verdict.StepNotThere:    "there is no such step",
	verdict.StepElsewhere:   "there is no such step; this is where it leads",
	verdict.NoneToWin:       "no start can be won",

	verdict.HoldsStart:       "the set of states that lead there holds a start",
	verdict.ComesBack:        "the rules end a play in which a position comes back, and which positions do is not decided",
	verdict.NotEverywhere:    "the strategy does not win from every state that leads to a win",
	verdict.MixedQuantifiers: "a claim for all values of one parameter and for some of another is not decided",
	verdict.NoMoveBound:      "this engine knows no bound on the moves",

	verdict.CountedOnce:     "states that differ only in what is left out count once",
	verdict.MayFault:        "an action that meets a fault of the rules has no step; whether one does was not asked",
	verdict.StartUnknown:    "whether the setup has a start is not known",
	verdict.AnyStartUnknown: "whether the setup has a start for any value is not known",
	verdict.MatchUnknown:    "whether any state matches it is not known",
	verdict.ReachedUnknown:  "whether a play comes to such a step was not asked",

	verdict.NoCertificate: "no certificate for this kind of verdict",
}

const rankFalls = "each move lowers a rank"

// figures has the sentences of figures. Some are written otherwise for the number 1.
var figures = map[verdict.Measure]struct{ many, noun, one string }{
	verdict.NotWithin:        {many: "not within %s", noun: "move"},
	verdict.NoPlay:           {many: "no play of at most %d moves"},
	verdict.ClosedSet:        {many: "closed set of %s", noun: "state"},
	verdict.PartlyKnown:      {many: "closed set of %s", noun: "partly known state"},
	verdict.SolverSet:        {many: "closed set of %s, by solver pre-images", noun: "state"},
	verdict.Inductive:        {many: "%d-induction", one: "induction"},
	verdict.StepsOfReachable: {many: "every step of the %s concerned", noun: "reachable state"},
	verdict.Number:           {many: "there are %d", one: "there is 1"},
	verdict.Repeats:          {many: "the last %d moves repeat forever", one: "the last move repeats forever"},
	verdict.Longest:          {many: "no play has more than %s", noun: "move"},
	verdict.TooLong:          {many: "the longest play has %s", noun: "move"},
	verdict.WinsWherever:     {many: "it wins wherever a win can be reached, from %s", noun: "state"},
	verdict.WinsFrom:         {many: "it wins from all %d starts that can be won", one: "it wins from the only start that can be won"},
	verdict.EachValue:        {many: "tried for each of %s", noun: "value"},

	verdict.NotInductive:  {many: "not inductive for k up to %d: the counterexample to the induction step need not be reachable"},
	verdict.NoneOfLeast:   {many: "it holds for none of the least %s", noun: "value"},
	verdict.ManyPositions: {many: "there are more than %d positions to look at"},
	verdict.ManyStarts:    {many: "there are more than %d starts (the limit on states)"},
	verdict.ManyMoves:     {many: "plays go on after %d moves, and longer ones are not counted"},
	verdict.ManyShapes:    {many: "more than %d states of the right shape fit"},
	verdict.ManyAncestors: {many: "the set of states that lead there has more than %d"},

	verdict.OverBudget: {many: "it would take more than the budget of %d states"},
}

// figure returns the sentence of a figure.
func figure(f verdict.Figure) string {
	text := figures[f.Is]
	switch {
	case f.N == 1 && text.one != "":
		return text.one
	case text.noun != "":
		return fmt.Sprintf(text.many, count(f.N, text.noun))
	}
	return fmt.Sprintf(text.many, f.N)
}

// quotes has the sentences of quotes, with %s for the words.
var quotes = map[verdict.Subject]string{
	verdict.Unfit:          "%s",
	verdict.RulesFault:     "the rules have a fault in some state of the right shape: %s",
	verdict.InfiniteStarts: "the starts are not finitely many: %s",
	verdict.LeftOut:        "left out: %s",
	verdict.FaultMet:       "an action that meets a fault of the rules has no step; in some state of the right shape one does: %s",
	verdict.Uncertified:    "%s; --certify asks for a certificate",
	verdict.NotChecked:     "%s",
}

// mentions has the sentences of mentions, with %s for the names.
var mentions = map[verdict.Topic]string{
	verdict.NoStart:     "the setup has no start for any value of %s",
	verdict.NoneDecides: "no value of %s that was tried refutes it, and none proves it for all",
	verdict.NeverLegal:  "`%s` is never legal in a reachable state",
	verdict.KnownParts:  "known of each state: %s; and who is to move, or how it ended",
	verdict.Ignored:     "left out by the claim: %s",
	verdict.NoSuchTotal: "no start has as many seeds as the position `%s`, so no play comes to it",
}

// said returns the sentence of what is a fact, a figure, a quote or a mention.
func said(x any) string {
	switch x := x.(type) {
	case verdict.Fact:
		return facts[x]
	case verdict.Figure:
		return figure(x)
	case verdict.Quote:
		return fmt.Sprintf(quotes[x.Is], x.Words.ForSentence())
	case verdict.Mention:
		return fmt.Sprintf(mentions[x.Is], strings.Join(x.Names, ", "))
	}
	panic(fmt.Sprintf("internal error: no sentence for a %T", x))
}
