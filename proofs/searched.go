package proofs

import (
	"context"
	"errors"

	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/proofs/claim"
	"github.com/mancheck/mancheck/proofs/engines"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/resolve"
)

// Sought returns what a search of all states has to look for, to decide an instance; ok is false if
// the claim is another question. The claim must be about one System and about single states,
// without a limit on moves.
func Sought(inst *resolve.Instance) (goal rules.Expr, ok bool) {
	if r, is := inst.Property.(*resolve.Reach); is && r.Within >= 0 {
		return nil, false
	}
	if inst.Negated || len(inst.Open) > 0 || inst.Some != "" || inst.Size != "" || inst.Lost != (resolve.Lost{}) {
		return nil, false
	}
	safe, is := inst.Property.(resolve.Safe)
	if !is {
		return nil, false
	}
	goal = safe.Safety(inst.System).Never
	return goal, goal != nil
}

// Searched makes a verdict of what a search for Sought has come to that was done elsewhere: a play
// to such a state, or, if there is none, the figures of all states, from each of which the
// reference interpreter has derived again that there is none. A play is replayed here.
func Searched(ctx context.Context, inst *resolve.Instance, play *forward.Trace, stats forward.Stats) (*Result, error) {
	if _, ok := Sought(inst); !ok {
		return nil, errors.New("the claim is none that a search decides")
	}
	run := engines.New(ctx, inst, claim.About(inst, inst.System), Options{})
	yes, no := verdict.Refuted, verdict.Proved
	if inst.Property.(resolve.Safe).Safety(inst.System).Refutes {
		yes, no = no, yes
	}
	if play != nil {
		r, err := run.Shown(yes, verdict.Forward, nil, play.Start, play.Actions)
		if err != nil {
			return nil, err
		}
		r.Stats = engines.ForwardStats(stats)
		return Confirm(ctx, inst, r, Options{})
	}
	r := run.Result(no, verdict.Forward, verdict.AllReachable{States: stats.States, Starts: stats.Starts})
	r.Stats, r.Checked = engines.ForwardStats(stats), verdict.ByEnumeration
	r.Vacuous = engines.Shapeless(run, inst.Property.(resolve.Safe).Safety(inst.System).Never)
	return r, nil
}
