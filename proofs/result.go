// Package proofs decides claims: it chooses the engine, runs it, and turns its result into a
// verdict with evidence.
//
//	kind.go        the kinds of claims; words.go what a verdict is about
//	reach.go       reachability: the choice between forward and backward search; neverstuck.go
//	terminates.go  termination
//	neighbours.go  predecessors, successors; stepto.go single steps; everystep.go all steps
//	count.go       counts
//	winning.go     winning starts; strategy.go strategies that win wherever anything wins
//	value.go       what positions are worth; force.go what a player can force
//	relation.go    variants that refine, equal or reverse another
//
//	load.go        rules files to the instances of their claims
//	result.go      verdicts and what comes with them
//	decide.go      a claim's instance to its result
//	forward.go, backward.go, solver.go  the parts of the engines that the kinds share
//	rounds.go      the order of the searches and of questions to a solver
//	quantified.go  `for all` and `for some`: open parameters
//	starts.go      whether there is a start, or a state; sets.go lists of states
//	closed.go      closed sets as evidence, laid out
//	plays.go       plays as traces, and their replay by the reference interpreter
//	checked.go     the check of the evidence, which makes an engine's result a verdict
//	certify.go     evidence to certificates (package cert), and their check by solvers
//
// The folder also contains proof files (*.sow): documents about sowing games, claim by claim.
package proofs

import (
	"github.com/mancheck/mancheck/proofs/cert"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/resolve"
	"github.com/mancheck/mancheck/rules/space"
)

// Status is the verdict on a claim, and Checked how its evidence was checked.
type (
	Status  = verdict.Status
	Checked = verdict.Checked
)

// Their values, which package verdict describes.
const (
	Unknown = verdict.Unknown
	Proved  = verdict.Proved
	Refuted = verdict.Refuted
	Bounded = verdict.Bounded

	NotYet        = verdict.NotYet
	Unchecked     = verdict.Unchecked
	ByCertificate = verdict.ByCertificate
	ByReplay      = verdict.ByReplay
	ByEnumeration = verdict.ByEnumeration
)

// Result is a verdict with its evidence.
type Result struct {
	verdict.Verdict
	Instance *resolve.Instance
	System   *rules.System  // the System of the trace; for `for some` the one with the value found
	Trace    *rules.Trace   // evidence of reachability or of refutation; may be nil
	Other    *rules.Trace   // a play to compare it with: one of another System by the same moves, or one that wins; may be nil
	Sets     *SetDiff       // for claims about sets of states
	Lengths  []uint64       // for a count of plays: the number of plays of 1, 2, … moves
	Strategy []Answer       // for a claim about what can be forced: what shows the verdict; nil if it was not kept
	Evidence *cert.Evidence // for a certificate, if Options.Certify requests it and there is any
	None     string         // why there is no evidence for a certificate where some was asked for; may be empty
	// StepCounterexample shows why an invariant is not inductive: its first state need not be
	// reachable, so it refutes nothing.
	StepCounterexample *rules.Trace
	Strict             bool // an unchecked verdict is inconclusive, and a vacuous one a failure
}

// Undecided is the Unknown verdict on an instance about which nothing was found.
func Undecided(inst *resolve.Instance, engine Engine, why verdict.Reason) *Result {
	return &Result{
		Verdict:  verdict.Verdict{Claim: ClaimOf(inst, inst.System), Engine: engine, Open: why},
		Instance: inst, System: inst.System,
	}
}

// SetDiff compares a computed set of states with a listed one.
type SetDiff struct {
	Kept    space.Kept    // the known parts of the states
	Found   []rules.State // the computed set
	Extra   []rules.State // computed, not listed
	Missing []resolve.Listed
}

// Expected returns the verdict that the claim's author expects.
func (r *Result) Expected() Status {
	if r.Instance.Claim.Refuted {
		return Refuted
	}
	return Proved
}

// AsExpected reports whether the verdict is the expected one, and good enough.
func (r *Result) AsExpected() bool {
	return r.Status == r.Expected() && !r.wanting() && !r.vacuousFailure()
}

// vacuousFailure reports whether the verdict is vacuous, and that makes the claim fail.
func (r *Result) vacuousFailure() bool { return r.Strict && r.Vacuous && r.Conclusive() }

// Inconclusive reports whether the verdict neither confirms nor contradicts the expectation.
func (r *Result) Inconclusive() bool {
	return !r.Conclusive() || r.Checked == NotYet || r.Status == r.Expected() && r.wanting() && !r.vacuousFailure()
}

// wanting reports whether the verdict is unchecked and that is not acceptable.
func (r *Result) wanting() bool {
	return r.Checked == NotYet || r.Strict && r.Checked == Unchecked
}
