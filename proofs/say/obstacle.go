package say

import (
	"fmt"

	"github.com/mancheck/mancheck/proofs/verdict"
)

// obstacles has what comes before the engine's own words about what it cannot deal with.
var obstacles = map[verdict.ObstacleKind]string{
	verdict.Unfit:          "",
	verdict.NotEncodable:   "",
	verdict.RulesFault:     "the rules have a fault in some state of the right shape: ",
	verdict.InfiniteStarts: "the starts are not finitely many: ",
}

// questions names the kinds of questions that an engine may refuse.
var questions = map[verdict.Question]string{
	verdict.AboutReachability:  "claims about reachability",
	verdict.AboutTermination:   "termination",
	verdict.AboutNeighbours:    "claims about predecessors and successors",
	verdict.AboutSteps:         "claims about single steps",
	verdict.AboutEveryStep:     "claims about every step",
	verdict.AboutCounts:        "counts of this kind",
	verdict.AboutAncestors:     "counts of ancestors",
	verdict.AboutWinningStarts: "claims about winning starts",
	verdict.AboutStrategies:    "claims about strategies",
	verdict.AboutRelations:     "relations between variants",
	verdict.AboutValues:        "claims about values",
	verdict.AboutForce:         "claims about what can be forced",
	verdict.AboutAllValues:     "this kind of claim for all values of a parameter",
}

// refused says that an engine does not decide such a question.
func refused(r verdict.Refused) string {
	if r.What == verdict.AboutWithinMoves {
		return fmt.Sprintf("%s knows no bound on the moves", r.Engine)
	}
	return fmt.Sprintf("the engine %s does not decide %s", r.Engine, questions[r.What])
}
