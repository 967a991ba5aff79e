package proofs

import (
	"context"
	"errors"
	"time"

	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/proofs/claim"
	"github.com/mancheck/mancheck/proofs/confirm"
	"github.com/mancheck/mancheck/proofs/engines"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/rules/space"
)

// Decide finds the verdict on one instance of a claim. An error is a failure of the input (a rule
// that breaks in play, a setup without a start) or of the tool. A limit that is reached, a question
// beyond the engines, or the end of the context is an Unknown verdict with its reason. The engines'
// result is a verdict only after Confirm.
func Decide(ctx context.Context, inst *build.Instance, opt Options) (*Result, error) {
	if inst.Negated {
		r, err := Decide(ctx, inst.Plain(), opt)
		if err != nil {
			return nil, err
		}
		return r.Denied(inst), nil
	}
	begin := time.Now()
	run := engines.New(ctx, inst, claim.About(inst, inst.System), withEvidence(opt.For(inst), inst.System))
	r, err := run.Try(opt.Engine, claim.Decide)
	covered := r
	if err == nil {
		r.Trusted = run.Trusted
		if opt.Claimed != nil {
			opt.Claimed(r)
		}
		r, err = run.Try(opt.Engine, func(*engines.Run) (*Result, error) { return Confirm(ctx, inst, r, opt) })
	}
	if err == nil && len(run.Trusted) > 0 {
		err = opt.Tables.Err()
	}
	if ctx.Err() != nil && (err != nil || r.Status != Unknown) {
		why := verdict.Ended{Limit: limit.Ending(ctx)}
		if covered != nil && covered.Status == Bounded {
			r, err = covered, nil // a solver has answered for each number of moves so far
			r.Open = why
		} else {
			r, err = run.Unknown(run.Opt.Engine, why).Result, nil // whatever it was, it may rest on work that was not finished
		}
	}
	if err != nil {
		return nil, err
	}
	if r.Conclusive() {
		for _, p := range Foreign(ctx, inst) {
			r.Notes = append(r.Notes, verdict.NoSuchTotal.Of(p.Position))
		}
	}
	if run.Fault != nil && r.Status != Unknown {
		r.Notes = append(r.Notes, verdict.FaultMet.Says(run.Fault.Error()))
	}
	if run.Missing != nil && r.Status == Unknown && !verdict.LacksSolver(r.Open) {
		m := engines.MissingSolver(run.Missing)
		r.Missing = &m
	}
	r.Stats.Elapsed = time.Since(begin)
	return r, nil
}

// withEvidence returns the options for a decision whose verdict is checked: evidence beyond the
// budget is useless.
func withEvidence(o Options, sys *rules.System) Options {
	if o.MaxEvidence = int64(confirm.Budget(sys)); o.Certify || o.CheckAll {
		o.MaxEvidence = 0
	}
	return o
}

// Confirm makes a verdict of the claimed result of an engine, or of an entry of a cache, on inst:
// it checks the evidence, and marks the Result with how it did. This is the only way to a
// conclusive verdict. What cannot be checked, or not within the budget, is marked as unchecked. The
// error is a *RejectedError or the context's.
func Confirm(ctx context.Context, inst *build.Instance, claimed *Result, opt Options) (*Result, error) {
	if plain := inst.Plain(); plain != inst {
		r, err := Confirm(ctx, plain, claimed.Denied(plain), opt)
		if err != nil {
			return nil, err
		}
		return r.Denied(inst), nil
	}
	limits := confirm.Options{CheckAll: opt.CheckAll, Strict: opt.Strict, Solver: opt.Solver}
	return confirm.Confirm(ctx, inst, claimed, claim.KindOf(inst.System, inst.Property), limits)
}

// Undecided is the Unknown verdict on an instance about which nothing was found.
func Undecided(inst *build.Instance, engine Engine, why verdict.Reason) *Result {
	return &Result{
		Verdict:  verdict.Verdict{Claim: claim.About(inst, inst.System), Engine: engine, Open: why},
		Instance: inst, System: inst.System,
	}
}

// foreignLooks bounds the search for a start with the seeds of one position: it is a few hundred
// thousand boards, after which nothing is said of the position.
const foreignLooks = 256

// Foreign lists the drawn positions that a claim about plays names although no start has as many
// seeds, each once. No move makes or loses seeds, so no play comes to them, and the claim says
// nothing of them. With open parameters nothing is known.
func Foreign(ctx context.Context, inst *build.Instance) (list []build.Fitted) {
	if len(inst.System.OpenParams()) > 0 {
		return nil
	}
	seen := map[string]bool{}
	for _, p := range inst.Fitted {
		if seen[p.Position] {
			continue
		}
		seen[p.Position] = true
		if e, err := space.StartWith(ctx, inst.System, p.Seeds, foreignLooks); err == nil && e == space.None {
			list = append(list, p)
		}
	}
	return list
}

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
