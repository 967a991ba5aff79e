package build

import (
	"slices"

	"github.com/mancheck/mancheck/rules"
)

// The rule about a play that comes back to a position, and what claims mean under it. The rule is
// about plays, and engines search states. Package claim decides claims about the states and steps
// that there are without the rule; this file says what such a verdict is worth.

// Lost says which verdicts about the states and steps without the rule of repetition say nothing of
// plays under it.
type Lost struct{ Proved, Refuted bool }

// under makes a property of plays of sys one of the states and steps without the rule of
// repetition, and says what a verdict on that is worth. Every state that is not over by the rule is
// reached by a play in which no position comes back, so the rule matters only where a claim asks
// for states that are over by it.
func (i *Instance) under(sys *rules.System) {
	rule := sys.Repetition
	if r, is := i.Property.(*Relation); is {
		if rule != nil || r.Other != nil && r.Other.Repetition != nil {
			i.Lost = Lost{true, true}
		}
		return
	}
	if rule == nil {
		return
	}
	o := over{sys}
	switch p := i.Property.(type) {
	case *Reach:
		i.reachUnder(o, p)
	case *Force:
		i.Lost = o.lost(p.Goal, Lost{true, true})
	case *Count:
		i.Lost = o.counts(p)
	case *WinningStarts, *StrategyWins:
		if o.wins() {
			i.Lost = Lost{true, true}
		}
	case *Terminates:
		switch {
		case rule.Offered: // nobody has to end the game
		case p.Within >= 0: // no play has more moves than without the rule
			i.Lost = Lost{Refuted: true}
		default:
			i.Property = &Terminates{Within: -1, ByRepetition: true}
		}
	case *NeverStuck, *Neighbours, *StepTo, *EveryStep, *Relation, *ValueOf, *WinnerOf, *BestMoves:
	}
}

// reachUnder is under for the reachability of a state. The rule ends some play just where some play
// can go on for ever without it, since the states that a start leads to are finitely many.
func (i *Instance) reachUnder(o over, p *Reach) {
	if p.Within < 0 && o.onlyByRule(p.Target) {
		i.Property = &Terminates{Within: -1}
		i.Negated = i.Negated != p.Reachable
		return
	}
	i.Lost = o.lost(p.Target, Lost{Proved: !p.Reachable, Refuted: p.Reachable})
}

// over is what conditions say of states that are over by the rule of repetition.
type over struct{ sys *rules.System }

// lost returns nothing if a condition holds in a state that is over by the rule only where it holds
// in the live state that came back, or in no such state, and otherwise unsure.
func (o over) lost(x rules.Expr, unsure Lost) Lost {
	if o.blind(x) || o.never(x) {
		return Lost{}
	}
	return unsure
}

// blind reports whether a condition does not ask whether the game is over or who is to move.
func (o over) blind(x rules.Expr) bool {
	return !rules.Mentions(x, func(x rules.Expr) bool {
		_, asks := x.(rules.Question)
		c, is := x.(rules.Cell)
		return asks || is && (c.IsRegister(rules.OutcomeReg) || c.IsRegister(rules.MoverReg))
	})
}

// never reports whether a condition holds in no state that is over by the rule.
func (o over) never(x rules.Expr) bool {
	return !slices.ContainsFunc(o.sys.Repetition.Outcome, func(outcome int) bool { return o.when(x, outcome) != rules.False })
}

// onlyByRule reports whether a condition holds in all states that are over by the rule and in no
// others.
func (o over) onlyByRule(x rules.Expr) bool {
	for outcome := rules.Live; outcome < len(o.sys.Outcomes); outcome++ {
		by := slices.Contains(o.sys.Repetition.Outcome, outcome)
		if o.when(x, outcome) != rules.Truth(by) || by && o.elsewhere(outcome) {
			return false
		}
	}
	return true
}

// when returns what a condition asks of states with an outcome.
func (o over) when(x rules.Expr, outcome int) rules.Expr {
	return rules.Simplify(x, func(x rules.Expr) (rules.Const, bool) {
		switch x := any(x).(type) { // others stay
		case rules.Cell:
			switch {
			case x.IsRegister(rules.OutcomeReg):
				return rules.Const{Value: outcome, Type: rules.OutcomeType}, true
			case x.IsRegister(rules.MoverReg) && outcome != rules.Live:
				return rules.Const{Value: rules.None, Type: rules.PlayerType}, true
			}
		case rules.Question:
			return rules.Const{Type: rules.TruthType}, outcome != rules.Live && x != rules.IsStart
		}
		return rules.Const{}, false
	})
}

// elsewhere reports whether moves, endings or reactions give an outcome, too.
func (o over) elsewhere(outcome int) bool {
	stops := func(body []rules.Stmt) bool { return slices.Contains(rules.EffectsOf(body).Stops, outcome) }
	for _, by := range o.sys.EachReaction() {
		if stops(by.Body) {
			return true
		}
	}
	return slices.ContainsFunc(o.sys.Actions, func(a rules.Action) bool { return stops(a.Body) })
}

// wins reports whether somebody may have won a game that is over by the rule.
func (o over) wins() bool { return !o.never(o.sys.SomebodyHasWon()) }

// counts is lost for a count. Nothing is known of which positions come back as the first
// ones of their plays, nor of how many plays there are.
func (o over) counts(p *Count) Lost {
	var known bool
	switch p.Set {
	case CountStarts, CountAncestors:
		known = true
	case CountStates, CountFinished:
		known = o.never(p.Where)
	case CountWinning:
		known = !o.wins()
	case CountPlays:
	}
	return Lost{Proved: !known, Refuted: !known}
}

// EndlessUnder returns what an endless play is worth where a rule of repetition takes its place.
// Whoever can win by force can do so without repetition, so a draw is as good as a draw of the
// endless play. A score that is counted in the position that comes back lies between the least and
// the greatest score of the play's cycle, which is what counting an endless play as scored assumes.
// All else is left open, and an open end has any worth.
func EndlessUnder(sys *rules.System) EndlessPlay {
	draw, scored := true, !sys.Repetition.Offered && sys.Scores != nil
	for _, o := range sys.Repetition.Outcome {
		draw = draw && sys.Outcomes[o].Kind == rules.DrawOutcome
		scored = scored && sys.Outcomes[o].Kind == rules.EndOutcome
	}
	switch {
	case draw:
		return EndlessDraw
	case scored:
		return EndlessScored
	}
	return EndlessOpen
}
