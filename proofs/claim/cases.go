package claim

import (
	"errors"

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

// byCases decides a claim by an induction over k states, case by case and without a solver. The
// certificate checker does all of the work: accepting the certificate is the decision.
func byCases(run *engines.Run, status verdict.Status, found verdict.Finding, k, most int) (*result.Result, *cert.Report, error) {
	if run.Sys != run.Inst.System {
		return nil, nil, run.Unknown(verdict.Cases, verdict.NotInductive.Of(k))
	}
	if run.Opt.Engine == verdict.Cases {
		most = 0 // only the checker has a limit
	}
	e := &cert.Inductive{K: k}
	report, err := cert.Verify(run.Ctx, run.Inst, status.String(), e, most, nil)
	if open, is := errors.AsType[*cert.NeedsSolver](err); is {
		return nil, nil, run.Unknown(verdict.Cases, verdict.Unfit.Says(open.Reason))
	}
	if no, is := errors.AsType[*cert.Rejected](err); is {
		return nil, nil, run.Unknown(verdict.Cases, verdict.Unfit.Says(no.Reason))
	}
	if err != nil {
		return nil, nil, err
	}
	r := run.Result(status, verdict.Cases, found)
	r.Evidence, r.Notes = e, faultNotes(run.Sys)
	return r, report, nil
}
