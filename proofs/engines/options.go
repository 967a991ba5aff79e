package engines

import (
	"cmp"
	"time"

	"github.com/mancheck/mancheck/checker/endgame"
	"github.com/mancheck/mancheck/checker/value"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/proofs/result"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/smt/engine"
)

// Options are the limits of one decision. The zero value means no limit but the machine's memory.
type Options struct {
	limit.Bounds
	Engine        verdict.Engine // "" or Auto: the claim's hint, or else the tool's choice
	Bound         int
	Solver        string               // as for smt/solver.Open
	SolverTimeout time.Duration        // for each question to the solver; 0: a minute, or no limit if SolverSteps is set
	SolverSteps   uint32               // for each question, in the solver's own unit; 0: no limit
	Shortest      bool                 // plays are to be shortest ones: no hunt
	Whole         bool                 // forward search stores every state, also where the rules have symmetries
	Disk          string               // folder for the states of forward searches that do not fit in memory; empty: none
	Certify       bool                 // keep all evidence for certificates, whatever its size
	CheckAll      bool                 // check all evidence, whatever it costs: there is no budget
	Strict        bool                 // an unchecked verdict is inconclusive, and a vacuous one a failure
	MaxEvidence   int64                // states: no evidence with more states is kept; 0: no limit
	Tables        *endgame.Library     // for values; believed. nil: none
	Common        *Common              // with other decisions; nil: nothing
	Claimed       func(*result.Result) // called with an engine's result before it is checked; may be nil. Tests falsify it
	Observer      func(Progress)       // may be nil; called from one goroutine at a time
}

// Common is what decisions about the same games share, to do it once. They may go on at the same
// time. No verdict depends on it. The zero value is ready for use.
type Common struct {
	encodings engine.Encodings
	Positions value.Recall
}

// For returns the options for one instance: options that are not set come from its claim.
func (o Options) For(inst *build.Instance) Options {
	if o.Engine == "" || o.Engine == verdict.Auto {
		o.Engine = verdict.Engine(inst.Claim.Engine)
	}
	o.Engine = cmp.Or(o.Engine, verdict.Auto)
	o.Bound = cmp.Or(o.Bound, inst.Claim.Bound)
	return o
}

// Progress reports on a running search.
type Progress struct {
	Claim  string
	Engine verdict.Engine
	limit.Progress
}
