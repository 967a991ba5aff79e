package claim

import (
	"errors"
	"fmt"
	"slices"

	"github.com/mancheck/mancheck/checker/value"
	"github.com/mancheck/mancheck/proofs/cert"
	"github.com/mancheck/mancheck/proofs/engines"
	"github.com/mancheck/mancheck/proofs/result"
	"github.com/mancheck/mancheck/rules"
)

// Strategies as evidence for certificates. They are looked for only if certificates are asked for,
// or all evidence is to be checked: the strategies of a search are not kept, and finding them again
// takes as long.

// MostCertified bounds the states of a certificate about best play, and MostExplored those that are
// looked at to make it. A verdict that needs more has no certificate.
const (
	MostCertified = 1_000_000
	MostExplored  = 20_000_000
)

// certifies reports whether evidence for a certificate is wanted.
func certifies(run *engines.Run) bool { return run.Opt.MaxEvidence == 0 }

// bound finds strategies that show what is known of the positions, as the evidence of a verdict.
func (k *worth) bound(run *engines.Run, r *result.Result, list []*position) error {
	if !certifies(run) {
		return nil
	}
	pay, opts := k.payoff(run.Sys), valueOptions(run, false, 0)
	if table, err := run.Opt.Tables.Find(run.Ctx, run.Sys, k.tablePayoff(run.Sys)); err != nil {
		return err
	} else if table != nil {
		opts.Tables = table
	}
	sides := sidesOf(pay, list, k.moves)
	parts, found, err := value.Guarantees(run.Ctx, run.Sys, sides, pay, opts, value.Limits{Kept: MostCertified, Explored: MostExplored})
	var none *value.NoStrategyError
	if errors.As(err, &none) {
		r.None = "the strategies that show it are not written down: " + none.Reason
		return nil
	}
	if err != nil {
		return err
	}
	var plays []cert.Play
	for i, g := range found {
		if g == nil {
			return fmt.Errorf("internal error: no strategy shows that a position is worth %s %d", showsOf(sides[i].Below), sides[i].Bound)
		}
		plays = append(plays, cert.Play{Shows: showsOf(sides[i].Below), Bound: sides[i].Bound, States: g.States, Numbers: g.Numbers})
	}
	r.Evidence = new(cert.NewStrategies(run.Sys, cert.Parts{Pits: parts.Pits, Vars: parts.Vars}, plays...))
	return nil
}

// sidesOf lists the bounds that are to be shown, and the states of each: the positions, or if the
// best moves are asked for, the states after all moves. Those that are not best need only be worth
// less. Finished states, and bounds that every play keeps, need no strategy.
func sidesOf(pay value.Payoff, list []*position, moves bool) []value.Side {
	var sides []value.Side
	add := func(below bool, bound int, st rules.State) {
		if !st.Live() || bound == value.NoLower || bound == value.NoUpper ||
			pay.Kind == value.Result && (below && bound >= 1 || !below && bound <= -1) {
			return
		}
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
			switch best := p.Lo; { // all that it may be worth, as the best moves are known
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

func showsOf(below bool) string {
	if below {
		return cert.AtMost
	}
	return cert.AtLeast
}
