package claim

import (
	"errors"
	"strings"

	"github.com/mancheck/mancheck/proofs/cert"
	"github.com/mancheck/mancheck/proofs/engines"
	"github.com/mancheck/mancheck/proofs/result"
	"github.com/mancheck/mancheck/proofs/verdict"
)

// Bounds of the decisions in all cases. What comes before a search must be cheap.
const (
	fewDecisions  = 10_000
	mostDecisions = 50_000
)

// byCases decides a claim by an induction over k states, case by case and without a solver.
func byCases(run *engines.Run, status verdict.Status, found verdict.Finding, k, most int) (*result.Result, *cert.Report, error) {
	if run.Sys != run.Inst.System {
		return nil, nil, run.Unknown(verdict.Cases, verdict.NotInductive.Of(k))
	}
	if run.Opt.Engine == verdict.Cases {
		most = 0 // only the checker has a limit
	}
	r, report, err := accepted(run, verdict.Cases, status, found, &cert.Inductive{K: k}, most)
	if refused(err) {
		why := err.Error()
		if open, is := errors.AsType[*cert.NeedsSolver](err); is {
			why = open.Reason // no solver is asked for
		}
		return nil, nil, run.Unknown(verdict.Cases, verdict.Unfit.Says(strings.TrimPrefix(why, "rejected: ")))
	}
	return r, report, err
}
