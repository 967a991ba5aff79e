package claim

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/mancheck/mancheck/checker/backward"
	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/checker/hunt"
	"github.com/mancheck/mancheck/checker/slice"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/proofs/cert"
	"github.com/mancheck/mancheck/proofs/cert/abstraction"
	"github.com/mancheck/mancheck/proofs/confirm"
	"github.com/mancheck/mancheck/proofs/engines"
	"github.com/mancheck/mancheck/proofs/internal/enumerate"
	"github.com/mancheck/mancheck/proofs/result"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/smt/engine"
)

// reach is a claim that a target is reachable or unreachable, perhaps within a number of moves.
type reach struct {
	usual
	*build.Reach
}

func (k reach) about() verdict.Claim {
	if k.Reachable {
		return verdict.Claim{Kind: verdict.Reachable}
	}
	return verdict.Claim{Kind: verdict.Unreachable}
}

// verdicts returns the status of the claim if a play reaches the target, and if none does.
func (k reach) verdicts() (yes, no verdict.Status) {
	return verdict.Is(k.Reachable), verdict.Is(!k.Reachable)
}

// Shows checks the play to the target. The other verdict does not rely on a play.
func (k reach) Shows(r *result.Result) func(context.Context) error {
	if yes, _ := k.verdicts(); r.Status != yes {
		return nil
	}
	return func(ctx context.Context) error { return confirm.ReplayOf(ctx, r.Trace).Reaches(k.Target, k.Within) }
}

// Closes returns the target, unless moves are limited: a closed set does not count moves.
func (k reach) Closes() (goal, where rules.Expr) {
	if k.Within >= 0 {
		return nil, nil
	}
	return k.Target, nil
}

// Again plays all plays up to the limit of the claim.
func (k reach) Again(q confirm.Question) (*enumerate.Opinion, error) {
	return q.Plays().Reach(k.Target, k.Within, k.Reachable)
}

// decide decides reachability for one System. Cheap ways come first: laws need no search, a closed
// backward set needs no starts, and induction does not depend on the number of states.
func (k reach) decide(run *engines.Run) (*result.Result, error) {
	return run.ByEngine(verdict.Reachable, map[verdict.Engine][]engines.Attempt{
		verdict.Auto:    {first(k.laws, engines.InRounds(unlessFault(run, k.backward, k.forward), k.forward, first(k.overGoingOn, k.byCases(1, fewDecisions), engines.InTurn(k.abstraction, k.induction)), k.hunt))},
		verdict.Laws:    {k.laws},
		verdict.Forward: {k.forward}, verdict.Backward: {k.backward},
		verdict.BMC: {k.bmc}, verdict.Induction: {k.induction}, verdict.SMT: {k.smt}, verdict.Hunt: {k.hunt}, verdict.Abstraction: {k.abstraction},
		verdict.Cases: {k.byCases(engines.DefaultK, mostDecisions)},
	})
}

// smallSet is how many states a closed set may have that is looked for before cases are tried.
const smallSet = 400

// decideAll decides that the target is unreachable for every value of the open parameters at once.
// No engine decides that it is reachable for every value.
func (k reach) decideAll(run *engines.Run) (*result.Result, error) {
	switch {
	case k.Reachable:
		return k.usual.decideAll(run)
	case run.Opt.Engine == verdict.Forward:
		return counterexample(run)
	case run.Opt.Engine != verdict.Auto:
		return k.decide(run)
	}
	// A small closed set is evidence that more checkers accept than what cases show.
	back := unlessFault(run, k.backward, counterexample)
	few := func(run *engines.Run) (*result.Result, error) { return back(run.Limited(run.UpTo(smallSet))) }
	rounds := engines.InRounds(back, counterexample, first(k.abstraction, k.inductionOrLeast), nil)
	return first(few, k.byCases(1, fewDecisions), rounds)(run.Limited(run.UpTo(tryStates)))
}

// decideSome first searches backward, for all values at once. A play found there shows that some
// value satisfies the claim, and values are then tried for the least one.
func (k reach) decideSome(run *engines.Run) (*result.Result, error) {
	if !k.Reachable || !run.Wants(verdict.Backward) {
		return leastValue(run, nil)
	}
	b, err := engines.Settled(k.backward(run.Limited(run.Few())))
	if err != nil || b.Status == verdict.Refuted || run.Opt.Engine == verdict.Backward && b.Status == verdict.Unknown {
		return b, err
	}
	return leastValue(run, b)
}

// inductionOrLeast is induction, but with the least value that refutes the claim where there is one
// within the limits: a solver chooses values arbitrarily.
func (k reach) inductionOrLeast(run *engines.Run) (*result.Result, error) {
	r, err := k.induction(run)
	if err != nil || r.Status != verdict.Refuted {
		return r, err
	}
	if c, err := counterexample(run); err == nil && c.Status == verdict.Refuted {
		return c, nil
	}
	return r, nil
}

// unlessFault returns an attempt that searches backward. Constructing predecessors may run into a
// fault of the rules in a state that no play reaches. A closed set is then the verdict only if
// play, with the limits of whole, finds no fault, because a fault in play must be reported.
func unlessFault(whole *engines.Run, back, play engines.Attempt) engines.Attempt {
	return func(run *engines.Run) (*result.Result, error) {
		r, err := back(run)
		if err != nil || r.Trace != nil || run.Fault == nil {
			return r, err
		}
		f, err := engines.Settled(play(whole.Limited(whole.UpTo(tryStates))))
		if err != nil || f.Status != verdict.Unknown {
			return f, err
		}
		return r, nil
	}
}

// forward searches from the starts, breadth first, so the play it finds is a shortest one.
func (k reach) forward(run *engines.Run) (*result.Result, error) {
	if k.Within == 0 {
		return k.atStart(run)
	}
	opt := run.ForwardOptions()
	opt.MaxDepth = max(k.Within, 0)
	keep, dropped := keepForward(run, k.Target)
	res, err := run.Search(keep, forward.Query{Goal: k.Target, States: true, MostListed: run.Opt.MaxEvidence}, opt)
	if err != nil {
		return nil, err
	}
	yes, no := k.verdicts()
	if res.Stop == limit.Found {
		return run.Found(yes, res)
	}
	r := run.Result(no, verdict.Forward, verdict.AllReachable{States: res.Stats.States, Starts: res.Stats.Starts})
	// The search ended at the claimed number of moves with states left to expand.
	if res.Stop == limit.DepthLimit {
		r.Found = verdict.NotWithin.Of(k.Within)
	}
	r.Stats = engines.ForwardStats(res.Stats)
	r.Notes = append(engines.LeftOut(dropped), neverFired(run, res)...)
	r.Vacuous = engines.Shapeless(run, k.Target)
	// Only a complete set of reachable states is evidence, and only if all of it was kept.
	if res.States != nil && res.Stop == limit.Complete {
		r.Evidence = cert.NewForward(run.Sys, rules.Kept{Parts: keep}, res.States)
	}
	return r, nil
}

// keepForward finds the parts of states that a forward search can ignore because nothing reads
// them. The parts that a start chooses are kept, so that a trace begins with a whole start. So is
// everything that their seeds depend on, or the kept parts would not have the values that play
// gives them.
func keepForward(run *engines.Run, goals ...rules.Expr) (rules.Parts, []string) {
	sl := slice.Keep(run.Ctx, run.Sys, append(slices.Clone(goals), rules.Sum{Pits: lists.Set(run.Sys.Start.Free)})...)
	return sl.Parts, sl.Dropped
}

// neverFired names the moves that no reachable state allows. Several actions may share a label; the
// move is named once, and only if none of them was ever legal.
func neverFired(run *engines.Run, res *forward.Result) []verdict.Note {
	fired := map[string]bool{}
	var notes []verdict.Note
	for i, a := range run.Sys.Actions {
		fired[a.Label] = fired[a.Label] || res.Fired[i]
	}
	for _, a := range run.Sys.Actions {
		if on, ok := fired[a.Label]; ok && !on {
			notes = append(notes, verdict.NeverLegal.Of(a.Label))
			delete(fired, a.Label)
		}
	}
	return notes
}

// atStart decides reachability in no moves: whether some start satisfies the target. It needs no
// search, and no limit applies to the states it looks at.
func (k reach) atStart(run *engines.Run) (*result.Result, error) {
	yes, no := k.verdicts()
	var at *rules.State
	err := run.Starts()(run.Ctx, func(s rules.State) error {
		ok, err := run.In.Holds(k.Target, s, nil)
		if err == nil && ok {
			c := s.Clone()
			at, err = &c, errStop
		}
		return err
	})
	if err != nil && !errors.Is(err, errStop) {
		return nil, run.Beyond(verdict.Forward, err)
	}
	if at == nil {
		r := run.Result(no, verdict.Forward, verdict.NoStartIsTarget)
		r.Vacuous = engines.Shapeless(run, k.Target)
		return r, nil
	}
	r, err := run.Shown(yes, verdict.Forward, nil, *at, nil)
	if err != nil {
		return nil, err
	}
	r.Found = verdict.StartIsTarget
	return r, nil
}

// hunt looks for a play to the target where there are too many states to examine all of them.
func (k reach) hunt(run *engines.Run) (*result.Result, error) {
	if k.Within == 0 {
		return k.atStart(run)
	}
	yes, _ := k.verdicts()
	return engines.Hunting(yes, hunt.Aim{Goal: k.Target, Within: k.Within, Beyond: -1})(run)
}

// abstraction looks for a closed set of states that are known in part.
func (k reach) abstraction(run *engines.Run) (*result.Result, error) {
	if k.Within >= 0 {
		return nil, run.Unknown(verdict.Abstraction, verdict.NoMoveBound)
	}
	yes, no := k.verdicts()
	return engines.Abstracting(yes, no, abstraction.Aim{Bad: k.Target})(run)
}

// backward closes the target under predecessors until a start is found or nothing is added.
func (k reach) backward(run *engines.Run) (*result.Result, error) {
	if k.Within == 0 {
		return k.atStart(run)
	}
	opt := backward.Options{}
	if k.Within > 0 {
		opt.MaxDepth = &k.Within
	}
	res, err := run.SearchBack(rules.OrValueless(k.Target), opt) // a target without a value is a fault to report, not a state outside the target
	if err != nil {
		return nil, err
	}
	yes, no := k.verdicts()
	var r *result.Result
	switch res.Stop {
	case limit.Found:
		start := res.Starts[0]
		if r, err = run.Shown(yes, verdict.Backward, start.Open, start.State, start.Actions); err != nil {
			return nil, err
		}
		if len(start.Open) == 0 { // otherwise it is found out when the play is checked
			if _, err := run.In.Holds(k.Target, r.Trace.End(), nil); err != nil {
				return nil, run.Beyond(verdict.Forward, err)
			}
		}
	case limit.Complete:
		r = run.Result(no, verdict.Backward, verdict.ClosedSet.Of(res.Others()))
		r.Vacuous, r.Notes = res.Vacuous(), faultNotes(run.Sys)
		run.ClosedSet(r, res)
	// The search ended at the claimed number of moves.
	default:
		r = run.Result(no, verdict.Backward, verdict.NotWithin.Of(k.Within))
		r.Vacuous = engines.Shapeless(run, k.Target)
	}
	engines.TellBackward(r, res)
	return r, nil
}

// bmc looks for a play with at most bound moves. Without one the verdict is only bounded, unless
// the claim itself is limited to that many moves.
func (k reach) bmc(run *engines.Run) (*result.Result, error) {
	yes, no := k.verdicts()
	bound := engines.DefaultBound
	switch {
	case k.Within >= 0:
		bound = k.Within
	case run.Opt.Bound > 0:
		bound = run.Opt.Bound
	}
	solver := engines.Solver{Run: run}
	res, err := engine.Reach(run.Ctx, run.Sys, k.Target, bound, solver.Options())
	if err == nil && res.Status == engine.Holds && k.Within >= 0 {
		r := run.Result(no, verdict.BMC, verdict.NoPlay.Of(bound))
		engines.Subject(run, r, nil, k.Target)
		return r, nil
	}
	return solver.Bounded(res, err, yes)
}

// induction proves that the target is unreachable by k-induction, with the negated target as
// invariant. It cannot use a limit on moves.
func (k reach) induction(run *engines.Run) (*result.Result, error) {
	if k.Within >= 0 {
		return nil, run.Unknown(verdict.Induction, verdict.NoMoveBound)
	}
	yes, no := k.verdicts()
	most := engines.DefaultK
	if run.Opt.Bound > 0 {
		most = run.Opt.Bound
	}
	solver := engines.Solver{Run: run}
	res, bare, err := solver.Induct(rules.Simplify(rules.Not{X: k.Target}, nil), most)
	if err != nil {
		return nil, err
	}
	switch res.Status {
	case engine.Holds:
		r := run.Result(no, verdict.Induction, verdict.Inductive.Of(res.K))
		r.K = res.K
		engines.Subject(run, r, nil, k.Target)
		// A certificate needs an invariant that is inductive by itself. One that relies on other
		// known facts would have to prove these as well.
		if bare {
			r.Evidence = &cert.Inductive{K: res.K}
		}
		r.Notes = append(r.Notes, verdict.Asked{Solver: res.Solver})
		return r, nil
	case engine.Fails:
		return solver.Played(yes, verdict.Induction, res.Play)
	}
	left, err := solver.NotInductive(res)
	return nil, cmp.Or(err, error(left))
}

// byCases returns an attempt to show that the target is unreachable, by an induction over at most n
// states.
func (k reach) byCases(n, most int) engines.Attempt {
	return func(run *engines.Run) (r *result.Result, err error) {
		if k.Within >= 0 {
			return nil, run.Unknown(verdict.Cases, verdict.NoMoveBound)
		}
		_, no := k.verdicts()
		for i := 1; i <= n; i++ {
			if r, _, err = byCases(run, no, verdict.Inductive.Of(i), i, most); err == nil {
				r.K, r.Vacuous = i, engines.Shapeless(run, k.Target)
				return r, nil
			}
			if !errors.As(err, new(*engines.Open)) {
				return nil, err
			}
		}
		return nil, err
	}
}

// smt tries everything that a solver can do: induction, then a set closed by pre-images, then a
// bounded search.
func (k reach) smt(run *engines.Run) (*result.Result, error) {
	r, err := engines.Settled(k.induction(run))
	if err != nil || r.Status != verdict.Unknown {
		return r, err
	}
	if k.Within < 0 && r.StepCounterexample == nil {
		return r, nil // the rules cannot be encoded, or the solver does not answer, so the other methods fail as well
	}
	if k.Within < 0 {
		c, err := engines.Settled(k.preimages(run))
		if err != nil || c.Status != verdict.Unknown {
			return c, err
		}
	}
	b, err := engines.Settled(k.bmc(run))
	if err == nil && b.StepCounterexample == nil {
		b.StepCounterexample = r.StepCounterexample
	}
	return b, err
}

// preimages is the backward search with pre-images computed by the solver. It has only one
// conclusive answer: that the target is unreachable.
func (k reach) preimages(run *engines.Run) (*result.Result, error) {
	_, no := k.verdicts()
	keep := slice.Keep(run.Ctx, run.Sys, k.Target).Kept
	list, solver, err := engines.Solver{Run: run}.CloseBack(k.Target, keep)
	if err != nil {
		return nil, err
	}
	r := run.Result(no, verdict.SMT, verdict.SolverSet.Of(len(list)))
	r.Stats.States, r.Stats.Closed = int64(len(list)), len(list)
	r.Notes = append(r.Notes, verdict.Asked{Solver: solver})
	r.Vacuous = len(list) == 0
	// The certificate needs the target states too, and lists them only if they are few enough.
	if targets, err := engines.Matching(run, k.Target, keep); err == nil {
		r.Evidence = run.ClosedUnderPredecessors(keep, append(targets, list...))
	}
	return r, nil
}

// neverStuck claims that every reachable live state has a legal move. It is decided as a claim that
// no reachable state is stuck or is one in which a turn goes on for ever.
type neverStuck struct{ reach }

func (neverStuck) about() verdict.Claim { return verdict.Claim{Kind: verdict.NeverStuck} }

// decide explores a few states before it asks what the text of the rules says, since a search meets
// faults of the rules, and finds a shortest play.
func (k neverStuck) decide(run *engines.Run) (*result.Result, error) {
	switch run.Opt.Engine {
	case verdict.Laws:
		return k.laws(run)
	case verdict.Auto:
		few := run.Limited(run.Few())
		r, err := engines.Settled(k.forward(few))
		if err == nil && r.Status == verdict.Unknown && few.Fault == nil {
			r, err = engines.Settled(k.laws(run))
		}
		if err == nil && r.Status != verdict.Unknown {
			return r, nil
		}
	}
	return k.reach.decide(run)
}

// decideAll asks the text of the rules first, which does not depend on the starts.
func (k neverStuck) decideAll(run *engines.Run) (*result.Result, error) {
	if run.Wants(verdict.Laws) {
		if r, err := engines.Settled(k.laws(run)); err != nil || r.Status != verdict.Unknown || run.Opt.Engine == verdict.Laws {
			return r, err
		}
	}
	return k.reach.decideAll(run)
}
