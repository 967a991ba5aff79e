// Package result has what a decision finds: a verdict with its evidence, and the evidence as a
// certificate. What finds verdicts, what confirms them and what shows them have this in common.
package result

import (
	"slices"

	"github.com/mancheck/mancheck/proofs/cert"
	"github.com/mancheck/mancheck/proofs/say"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
)

// Result is a verdict with its evidence.
type Result struct {
	verdict.Verdict
	Instance *build.Instance
	System   *rules.System // the System of the trace; for `for some` the one with the value found
	Trace    *rules.Trace  // evidence of reachability or of refutation; may be nil
	Other    *rules.Trace  // a play to compare it with: one of another System by the same moves, or one that wins; may be nil
	Others   *Others       // more plays like the trace; nil if none were asked for
	Sets     *SetDiff      // for claims about sets of states
	Lengths  []uint64      // for a count of plays: the number of plays of 1, 2, … moves
	Each     []*Result     // verdicts on single values of a quantified parameter that show this one
	Evidence cert.Evidence // about System; nil if there is none, or it would be too large
	None     string        // why there is no evidence for a certificate where some was asked for; may be empty
	// StepCounterexample shows why an invariant is not inductive: its first state need not be
	// reachable, so it refutes nothing.
	StepCounterexample *rules.Trace
	Strict             bool   // an unchecked verdict is inconclusive, and a vacuous one a failure
	sentence           string // after Shed
}

// Others are plays that show a verdict as its trace does, and differ in the first move or in the
// rule of the last one.
type Others struct {
	Plays []*rules.Trace
	All   bool // there are no others
}

// Denied is r as a verdict on inst, of which one denies what the other says.
func (r *Result) Denied(inst *build.Instance) *Result {
	d := *r
	d.Instance, d.Status = inst, r.Status.Denied()
	d.Claim.Some, d.Claim.Negated = inst.Some, inst.Negated
	return &d
}

// SetDiff compares a computed set of states with a listed one.
type SetDiff struct {
	Kept    rules.Kept    // the known parts of the states
	Found   []rules.State // the computed set
	Extra   []rules.State // computed, not listed
	Missing []build.Listed
}

// Printed returns the evidence if reports print it, as they do strategies by which something is
// forced, and nil otherwise.
func (r *Result) Printed() cert.Evidence {
	if _, is := r.Instance.Property.(*build.Force); is {
		return r.Evidence
	}
	return nil
}

// Expected returns the verdict that the claim's author expects.
func (r *Result) Expected() verdict.Status {
	return verdict.Is(!r.Instance.Claim.Refuted)
}

// AsExpected reports whether the verdict is the expected one, and good enough.
func (r *Result) AsExpected() bool {
	return r.Status == r.Expected() && !r.wanting() && !r.vacuousFailure()
}

// OfNothing is that of the verdict, but a verdict that a play from a start shows is about that
// play, even if the claim also names a position to which no play can come.
func (r *Result) OfNothing() bool {
	if r.Vacuous || r.Trace == nil {
		return r.Verdict.OfNothing()
	}
	total := r.Trace.Start.Total()
	return slices.ContainsFunc(r.Notes, func(n verdict.Note) bool {
		no, is := n.(verdict.Mention)
		return is && no.Is == verdict.NoSuchTotal && slices.ContainsFunc(r.Instance.Fitted, func(p build.Fitted) bool {
			return slices.Contains(no.Names, p.Position) && p.Seeds.Has(total)
		})
	})
}

// vacuousFailure reports whether the verdict is vacuous, and that makes the claim fail.
func (r *Result) vacuousFailure() bool { return r.Strict && r.OfNothing() && r.Conclusive() }

// Inconclusive reports whether the verdict neither confirms nor contradicts the expectation.
func (r *Result) Inconclusive() bool {
	return !r.Conclusive() || r.Checked == verdict.NotYet || r.Status == r.Expected() && r.wanting() && !r.vacuousFailure()
}

// wanting reports whether the verdict is unchecked and that is not acceptable.
func (r *Result) wanting() bool {
	return r.Checked == verdict.NotYet || r.Strict && r.Checked == verdict.Unchecked
}

// Words describes the verdict.
func (r *Result) Words() say.Words {
	p := say.Plays{System: r.System, Trace: r.Trace, Other: r.Other}
	if k, ok := r.Instance.Property.(*build.Relation); ok {
		p.Variant, p.Compared = k.Other, k.Pairs
	}
	return say.Describe(&r.Verdict, p)
}

// Sentence says in one line what the verdict rests on.
func (r *Result) Sentence() string {
	if r.System == nil {
		return r.sentence
	}
	return say.Sentence(r.System, &r.Verdict)
}

// Shed forgets the System, plays and evidence of a verdict, which neither a table shows if it is as
// expected nor a summary of any verdicts. Of the play it keeps the start and the number of moves.
func (r *Result) Shed() {
	r.sentence = r.Sentence()
	if r.Trace != nil {
		r.Trace = &rules.Trace{Start: r.Trace.Start, Steps: make([]rules.TraceStep, len(r.Trace.Steps))}
	}
	r.System, r.Other, r.Others, r.Sets, r.Lengths, r.Each, r.Evidence, r.StepCounterexample = nil, nil, nil, nil, nil, nil, nil, nil
}

// Distinct sorts states and leaves each once, in place.
func Distinct(list []rules.State) []rules.State {
	slices.SortFunc(list, rules.State.Compare)
	return slices.CompactFunc(list, rules.State.Equal)
}

// SameStates reports whether two lists have the same states, in any order and number.
func SameStates(l, r []rules.State) bool {
	return slices.EqualFunc(Distinct(slices.Clone(l)), Distinct(slices.Clone(r)), rules.State.Equal)
}
