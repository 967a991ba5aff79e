package cert

import (
	"context"
	"slices"

	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/flow"
)

// Moved is the evidence of which way seeds go in a step.
type Moved struct{}

// check checks that every step that the claim is about is as it says, whatever the state before it
// is, by which way seeds may go in it.
func (e *Moved) check(_ context.Context, st *statement, r *Report) error {
	step, is := st.says.(always)
	switch {
	case !is:
		return st.unfit(e)
	case assignsSeeds(st.sys):
		return reject("the rules assign to a pit")
	}
	anywhere := &outlook{sys: st.sys, total: num.AtLeast(0), mover: players(st.sys)}
	if fails, _ := anywhere.truth(rules.Valueless(step.From), false); fails {
		return reject("`from` may have no value")
	}
	var meant []int
	for a := range st.sys.Actions {
		may, _ := st.stepBy(a, nil).truth(step.From, true)
		if may && rules.Counts(step.Actions, a) {
			meant = append(meant, a)
		}
	}
	for _, a := range meant { // what does not hold without moves of seeds does not hold with any
		if err := st.isGiven(step.Gives, a, nil); err != nil {
			return err
		}
	}
	var after moved
	if len(meant) > 0 {
		after.add(st.sys, reactions(st.sys)...)
	}
	for _, a := range meant {
		ways := slices.Clone(after)
		ways.add(st.sys, flow.Of(&st.sys.Actions[a]))
		if err := st.isGiven(step.Gives, a, ways); err != nil {
			return err
		}
	}
	if r.Subject = SubjectUnknown; len(meant) == 0 {
		r.Subject = NoSubject
	}
	r.checked("actions, and which way seeds go", len(meant))
	return nil
}

// stepBy is the outlook on a step by an action, in which seeds may go these ways.
func (st *statement) stepBy(action int, ways moved) *outlook {
	return &outlook{sys: st.sys, total: num.AtLeast(0), mover: num.Point(st.sys.Actions[action].Mover), change: ways.changes}
}

// isGiven fails unless what the claim says holds after each step by an action, if seeds may go
// these ways.
func (st *statement) isGiven(gives rules.Expr, action int, ways moved) error {
	o := st.stepBy(action, ways)
	if fails, _ := o.truth(rules.Valueless(gives), false); fails {
		return reject("after a step by `%s` the condition may have no value", st.sys.ActionName(action))
	}
	if _, mayNot := o.truth(gives, false); mayNot {
		return reject("which way seeds go in a step by `%s` does not decide the claim", st.sys.ActionName(action))
	}
	return nil
}

// moved lists pairs of pits: from the first of each seeds may go to the second.
type moved [][2]int

func (m *moved) add(sys *rules.System, list ...flow.Body) {
	seen := map[[2]int]bool{}
	for _, way := range *m {
		seen[way] = true
	}
	for _, b := range list {
		flow.Moves(sys, b, func(x flow.Move) {
			if way := [2]int{x.From, x.Into}; !seen[way] {
				seen[way], *m = true, append(*m, way)
			}
		})
	}
}

// changes bounds by how much a sum of multiples of the seeds in the pits may change.
func (m moved) changes(factors []int) num.Interval {
	all := num.Point(0)
	for _, way := range m {
		switch from, into := factors[way[0]], factors[way[1]]; {
		case into > from:
			all.Hi = num.Inf
		case into < from:
			all.Lo = -num.Inf
		}
	}
	return all
}
