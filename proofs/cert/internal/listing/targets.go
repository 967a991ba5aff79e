package listing

import (
	"github.com/mancheck/mancheck/proofs/cert/internal/partial"
	"github.com/mancheck/mancheck/rules"
)

// Targets returns listings that together have all states in which the target may hold: first those
// of live states, and then those of states with each outcome.
func Targets(m *partial.Machine, kept rules.Kept, target rules.Expr, tries int) []Listing {
	sys := m.System()
	var list []Listing
	add := func(mover, outcome int, conditions ...Condition) {
		base := m.Blank(mover)
		base.Outcome = outcome
		goal := Condition{X: target, Mover: mover, Outcome: outcome}
		list = append(list, Listing{
			Machine: m, Base: base, Pits: kept.Pits, Vars: kept.VarsOf(outcome),
			Conditions: append([]Condition{goal}, conditions...), Limit: tries,
		})
	}
	for mover := range sys.Players {
		add(mover, rules.Live)
	}
	for outcome := range sys.Outcomes {
		for _, produced := range produced(sys, outcome) {
			add(rules.None, outcome, produced...)
		}
	}
	return list
}

// produced says in which states a game may end with an outcome: one of the lists of conditions
// holds there. An empty list means that nothing is known, because an action may end the game this
// way, or an ending may change the board first.
func produced(sys *rules.System, outcome int) [][]Condition {
	var ways [][]Condition
	for _, a := range sys.Actions {
		if rules.EffectsOf(a.Body).MayEnd(sys, outcome) {
			return [][]Condition{nil}
		}
	}
	for mover, by := range sys.EachReaction() {
		o, plain := by.Plain()
		switch {
		case !rules.EffectsOf(by.Body).MayEnd(sys, outcome):
		case !plain || o != outcome || rules.AsksFor(by.When, rules.NoMove):
			return [][]Condition{nil}
		default:
			ways = append(ways, []Condition{{X: by.When, Mover: mover, Outcome: rules.Live}})
		}
	}
	return ways
}
