// Package proofs decides claims: it chooses the engine, runs it, and turns its result into a
// verdict with evidence.
//
//	kind.go        the kinds of claims; words.go the description of a verdict
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
	"slices"
	"strings"
	"time"

	"github.com/mancheck/mancheck/proofs/cert"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/resolve"
	"github.com/mancheck/mancheck/rules/space"
)

// Status is the verdict on a claim.
type Status int

const (
	Unknown Status = iota // a limit was reached, or no engine can decide; Reason says which
	Proved                // for everything in the scope
	Refuted               // with a trace, where a trace can show it
	Bounded               // no counterexample within Bound moves: not a proof
)

// String returns the verdict's word in all output.
func (s Status) String() string { return [...]string{"unknown", "proved", "refuted", "bounded"}[s] }

// Scope says what a verdict holds for.
type Scope struct {
	Params    []ScopeParam
	Unbounded []string // unbounded parameters for all of whose values the verdict holds
}

// Text lists the parameters, each with eq between its name and its value, and says what is
// unbounded.
func (s Scope) Text(eq string) string {
	var items []string
	for _, p := range s.Params {
		if p.All {
			items = append(items, "every "+p.Name+" in "+p.Text)
		} else {
			items = append(items, p.Name+eq+p.Text)
		}
	}
	for _, name := range s.Unbounded {
		items = append(items, "any number of "+name)
	}
	return strings.Join(items, ", ")
}

// ScopeParam is a parameter's value; Ranged ones (`for all` over a bounded range) have Text only.
type ScopeParam struct {
	Name string
	Text string
	N    int
	Bool bool
	All  bool // every value of its range
}

// Stats is the work done. Fields that an engine does not count are 0.
type Stats struct {
	States      int64
	Transitions int64
	Depth       int
	Closed      int // size of the closed set of a backward search, without targets
	Bytes       int64
	Elapsed     time.Duration
}

// Result is a verdict with its evidence.
type Result struct {
	Instance *resolve.Instance
	System   *rules.System // the System of the trace; for `for some` the one with the value found
	Status   Status
	Engine   Engine
	Scope    Scope
	Bound    int      // of a bounded verdict
	Reason   string   // of an unknown verdict: the limit; otherwise the result, in one line
	Notes    []string // what was ignored in the state, what never happens, …
	Stats    Stats
	Trace    *rules.Trace   // evidence of reachability or of refutation; may be nil
	Other    *rules.Trace   // a play to compare it with: one of another System by the same moves, or one that wins; may be nil
	Sets     *SetDiff       // for claims about sets of states
	Lengths  []uint64       // for a count of plays: the number of plays of 1, 2, … moves
	Value    *Worth         // for a claim about values: what the verdict says of them; may be nil
	Tables   []Table        // for a claim about values: the tables that the verdict rests on, which nobody has checked
	Strategy []Answer       // for a claim about what can be forced: what shows the verdict; nil if it was not kept
	Evidence *cert.Evidence // for a certificate, if Options.Certify requests it and there is any
	None     string         // why there is no evidence for a certificate where some was asked for; may be empty
	K        int            // length of the induction that proves it
	// StepCounterexample shows why an invariant is not inductive: its first state need not be
	// reachable, so it refutes nothing.
	StepCounterexample *rules.Trace
	Vacuous            bool // true only because nothing matches it
	Limited            bool // a limit of memory ended it, or prevented a better result: a Note says which
	Checked            Checked
	Why                string // why it is unchecked
	Strict             bool   // an unchecked verdict is inconclusive, and a vacuous one a failure
}

// Notes that say that it is unknown whether a verdict is vacuous.
const (
	noteStart  = "whether the setup has a start is not known"
	noteStarts = "whether the setup has a start for any value is not known"
	noteStates = "whether any state matches it is not known"
	noteStep   = "whether a play comes to such a step was not asked"
)

// SubjectKnown reports whether Vacuous is known; otherwise a note says what is not.
func (r *Result) SubjectKnown() bool {
	return !slices.ContainsFunc(r.Notes, func(n string) bool {
		return n == noteStart || n == noteStarts || n == noteStates || n == noteStep
	})
}

// SetDiff compares a computed set of states with a listed one.
type SetDiff struct {
	Kept    space.Kept    // the known parts of the states
	Found   []rules.State // the computed set
	Extra   []rules.State // computed, not listed
	Missing []resolve.Listed
}

// conclusive reports whether the verdict says that the claim is true, or that it is false.
func (r *Result) conclusive() bool { return r.Status == Proved || r.Status == Refuted }

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
func (r *Result) vacuousFailure() bool { return r.Strict && r.Vacuous && r.conclusive() }

// Inconclusive reports whether the verdict neither confirms nor contradicts the expectation.
func (r *Result) Inconclusive() bool {
	return !r.conclusive() || r.Checked == NotYet || r.Status == r.Expected() && r.wanting() && !r.vacuousFailure()
}

// wanting reports whether the verdict is unchecked and that is not acceptable.
func (r *Result) wanting() bool {
	return r.Checked == NotYet || r.Strict && r.Checked == Unchecked
}
