package claim

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/mancheck/mancheck/checker/value"
	"github.com/mancheck/mancheck/proofs/cert"
	"github.com/mancheck/mancheck/proofs/engines"
	"github.com/mancheck/mancheck/proofs/result"
	"github.com/mancheck/mancheck/rules"
)

// Strategies are the evidence of claims about values. The search for a value does not keep them,
// and finding them again takes as long. So unless certificates are asked for, or all evidence is
// checked, that is done only where the search was short.

// MostCertified bounds the states in a certificate about best play. MostExplored bounds the states
// visited to build one. A verdict that needs more states has no certificate.
const (
	MostCertified = 1_000_000
	MostExplored  = 20_000_000
)

// limitsOf bounds strategies as evidence.
func limitsOf(run *engines.Run) value.Limits {
	switch most := run.Opt.MaxEvidence; {
	case most > 0:
		return value.Limits{Kept: int(most), Explored: most}
	case run.Opt.Certify:
		return value.Limits{Kept: MostCertified, Explored: MostExplored}
	}
	return value.Limits{Kept: math.MaxInt, Explored: math.MaxInt64}
}

// bound finds strategies that guarantee the bounds known for the positions, and makes them the
// evidence of r. If there are none within the limits, r.None says why; that is not an error,
// because the verdict does not depend on them.
func (k *worth) bound(run *engines.Run, r *result.Result, list []*position) error {
	most := limitsOf(run)
	if run.Opt.MaxEvidence > 0 && r.Stats.States > run.Opt.MaxEvidence {
		return nil
	}
	if run.Opt.MaxEvidence > 0 && len(run.Trusted) > 0 { // with tables, few states say nothing of the plays
		most.Kept, most.Explored = most.Kept/10, most.Explored/10
	}
	pay, opts := k.payoff(run.Sys), valueOptions(run, false, 0)
	if table, err := run.Opt.Tables.Find(run.Ctx, run.Sys, k.tablePayoff(run.Sys)); err != nil {
		return err
	} else if table != nil {
		opts.Tables = table
	}
	sides := sidesOf(pay, list, k.moves)
	parts, found, err := value.Guarantees(run.Ctx, run.Sys, sides, pay, opts, most)
	if none, is := errors.AsType[*value.NoStrategyError](err); is {
		if !none.Limit || run.Opt.MaxEvidence == 0 {
			r.None = "the strategies that show it are not written down: " + none.Reason
		}
		return nil
	}
	if err != nil {
		return err
	}
	var plays []cert.Followed
	for i, g := range found {
		if g == nil {
			// value.Guarantees returns one strategy for each side, in the same order, and a nil one
			// if the bound is wrong. The bounds come from the same package, so a nil one is a bug.
			return fmt.Errorf("internal error: no strategy shows that a position is worth %s %d", showsOf(sides[i].Below), sides[i].Bound)
		}
		plays = append(plays, cert.Followed{Shows: showsOf(sides[i].Below), Bound: sides[i].Bound, States: g.States, Numbers: g.Numbers})
	}
	r.Evidence = cert.NewStrategies(run.Sys, rules.Kept{Parts: parts}, plays...)
	return nil
}

// sidesOf lists the bounds to prove, each with the states it is proved for. These are the
// positions, or, if the claim is about best moves, the states after each of their moves. Finished
// states need no strategy, nor do bounds that hold for every play. For a move that is not best, it
// is enough to show that it is worth less than the best one.
func sidesOf(pay value.Payoff, list []*position, moves bool) []value.Side {
	var sides []value.Side
	add := func(below bool, bound int, st rules.State) {
		if !st.Live() || bound == value.NoLower || bound == value.NoUpper ||
			// A result lies between -1 and 1 whatever is played.
			pay.Kind == value.Result && (below && bound >= 1 || !below && bound <= -1) {
			return
		}
		// Positions that share a bound share one strategy.
		at := slices.IndexFunc(sides, func(s value.Side) bool { return s.Below == below && s.Bound == bound })
		if at < 0 {
			at = len(sides)
			sides = append(sides, value.Side{Below: below, Bound: bound})
		}
		sides[at].From = append(sides[at].From, st)
	}
	for _, p := range list {
		if !moves {
			add(false, p.Lo, p.state)
			add(true, p.Hi, p.state)
			continue
		}
		for _, m := range p.after {
			switch best := p.Lo; { // the value of the position; best moves are compared only where it is known
			case m.Lo > best:
				add(false, best+1, m.To)
			case m.Hi < best:
				add(true, best-1, m.To)
			default:
				add(false, best, m.To)
				add(true, best, m.To)
			}
		}
	}
	return sides
}

// showsOf returns the name that certificates give to a lower or an upper bound.
func showsOf(below bool) string {
	if below {
		return cert.AtMost
	}
	return cert.AtLeast
}
