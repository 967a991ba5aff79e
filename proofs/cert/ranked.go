package cert

import (
	"context"
	"slices"

	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/flow"
)

// Ranked is the evidence of a rank that becomes less with each move: for each level the weights of
// the pits, in order of declaration.
type Ranked struct {
	Weights [][]int `json:"weights" len:"1.." is:"-1099511627776..1099511627776"`
}

// mostLevels bounds the levels of a rank.
const mostLevels = 100

// mostWeight bounds weights, whose differences are compared.
const mostWeight = 1 << 40

// check checks that each step lowers the rank. With as many seeds as a play has there are
// finitely many values of a rank, so no play is infinite.
func (e *Ranked) check(_ context.Context, st *statement, r *Report) error {
	claim, is := st.says.(ends)
	switch {
	case !is:
		return st.unfit(e)
	case claim.Within >= 0:
		return reject("a rank does not say in how many moves a play ends")
	case assignsSeeds(st.sys):
		return reject("the rules assign to a pit")
	}
	if err := isRank(st.sys, e.Weights); err != nil {
		return err
	}
	rank, deepest := flow.Rank(e.Weights), -1
	for a := range st.sys.Actions {
		fallen, same, raised := rank.Falls(st.sys, flow.Of(&st.sys.Actions[a]))
		switch {
		case raised != nil:
			return st.raises(raised)
		case same:
			return reject("a move by `%s` may leave the rank as it is", st.sys.ActionName(a))
		}
		for i := range lists.Marked(fallen) {
			deepest = max(deepest, i)
		}
	}
	// What raises no level down to the deepest one that an action lowers raises no earlier one.
	if deepest >= 0 {
		for _, b := range reactions(st.sys) {
			if raised := rank.Keeps(st.sys, b, deepest); raised != nil {
				return st.raises(raised)
			}
		}
	}
	r.checked("actions, each of which lowers the rank", len(st.sys.Actions))
	return nil
}

// isRank fails unless a rank has levels, and a weight for each pit in each of them.
func isRank(sys *rules.System, rank [][]int) error {
	if len(rank) == 0 || len(rank) > mostLevels {
		return reject("a rank with %d levels", len(rank))
	}
	for _, w := range rank {
		if len(w) != len(sys.Pits) || slices.ContainsFunc(w, func(n int) bool { return n < -mostWeight || n > mostWeight }) {
			return reject("a level of the rank does not have a weight for each pit")
		}
	}
	return nil
}

func (st *statement) raises(m *flow.Move) error {
	return reject("a seed that goes from `%s` to `%s` raises the rank", st.sys.Pits[m.From].Name, st.sys.Pits[m.Into].Name)
}

// Finite is the evidence that there are finitely many positions, none of which comes back.
type Finite struct{}

// check checks that every play comes to an end because a rule ends it where a position comes back.
// All positions of a play have the same number of seeds, and each variable has finitely many
// values, so there are finitely many of them.
func (e *Finite) check(ctx context.Context, st *statement, r *Report) error {
	claim, is := st.says.(ends)
	rule := st.sys.Repetition
	switch {
	case !is || !claim.ByRepetition:
		return st.unfit(e)
	case claim.Within >= 0:
		return reject("that no position comes back shows nothing about such a claim")
	case rule == nil || rule.Offered:
		return reject("no rule ends a play that comes back to a position")
	case assignsSeeds(st.sys):
		return reject("the rules assign to a pit")
	}
	r.checked("rule of repetition", 1)
	r.Trusted = append(r.Trusted, "the argument that a play without repetition is finite")
	return ctx.Err()
}
