package cert

import "context"

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
