package proofs

import (
	"context"
	"errors"

	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/proofs/claim"
	"github.com/mancheck/mancheck/proofs/engines"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
)

// Search is what a search of all states has to find out.
type Search struct {
	Never rules.Expr   // look for a state that satisfies it; nil: for none
	Count []rules.Expr // count the states that satisfy each
}

// Sought returns the search that decides an instance; ok is false if the claim is another question.
// The claim must be about one System, and about single states or their number, without a limit on
// moves.
func Sought(inst *build.Instance) (s Search, ok bool) {
	if r, is := inst.Property.(*build.Reach); is && r.Within >= 0 {
		return s, false
	}
	if inst.Negated || len(inst.Open) > 0 || inst.Some != "" || inst.Size != "" || inst.Lost != (build.Lost{}) {
		return s, false
	}
	if where, ok := claim.CountedStates(inst.Property); ok {
		return Search{Count: []rules.Expr{where}}, true
	}
	safe, is := inst.Property.(build.Safe)
	if !is {
		return s, false
	}
	s.Never = safe.Safety(inst.System).Never
	return s, s.Never != nil
}

// Searched makes a verdict of the outcome of a search for Sought that ran elsewhere: a play to a
// state that was looked for, or the figures of all states, which the reference interpreter has
// derived again. counts are those of Search.Count. A play is replayed here.
func Searched(ctx context.Context, inst *build.Instance, play *forward.Trace, stats forward.Stats, counts []int64) (*Result, error) {
	s, ok := Sought(inst)
	if !ok || len(s.Count) != len(counts) {
		return nil, errors.New("the claim is none that this search decides")
	}
	run := engines.New(ctx, inst, claim.About(inst, inst.System), Options{})
	if s.Never == nil {
		r := claim.Counted(run, counts[0], engines.ForwardStats(stats))
		r.Checked = verdict.ByEnumeration
		return r, nil
	}
	safety := inst.Property.(build.Safe).Safety(inst.System)
	yes, no := verdict.Is(safety.Refutes), verdict.Is(!safety.Refutes)
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
	r.Vacuous = engines.Shapeless(run, safety.Never)
	return r, nil
}
