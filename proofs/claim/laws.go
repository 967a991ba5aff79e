package claim

import (
	"errors"

	"github.com/mancheck/mancheck/proofs/cert"
	"github.com/mancheck/mancheck/proofs/engines"
	"github.com/mancheck/mancheck/proofs/result"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/abstract"
)

// lawTries bounds how many possibilities the certificate checker tries to list the starts. Laws
// come before every search, so they must be cheap.
const lawTries = 20_000

// lawsFirst returns an attempt that tries laws and, if they do not decide the claim, the other
// attempt.
func (k reach) lawsFirst(other engines.Attempt) engines.Attempt {
	return func(run *engines.Run) (*result.Result, error) {
		if r, err := engines.Settled(k.laws(run)); err != nil || r.Status != verdict.Unknown {
			return r, err
		}
		return other(run)
	}
}

// laws decides that no reachable state satisfies the target because every state has as many seeds
// as some start. The certificate checker does all of the work: the certificate has no content, so
// accepting it is the decision.
func (k reach) laws(run *engines.Run) (*result.Result, error) {
	if len(run.Sys.OpenParams()) > 0 || run.Sys != run.Inst.System {
		return nil, noLaw(run, "the number of seeds is not the same for all values of a parameter")
	}
	_, no := k.verdicts()
	e := cert.NewConserved()
	report, err := cert.Verify(run.Ctx, run.Inst, no.String(), &e, lawTries, nil)
	switch {
	case errors.As(err, new(*cert.Rejected)), errors.As(err, new(*cert.NeedsSolver)):
		return nil, noLaw(run, "it does not follow from the number of seeds alone")
	case err != nil:
		return nil, err
	}
	r := run.Result(no, verdict.Laws, verdict.Conserved{})
	r.Vacuous, r.Evidence = report.Subject == cert.NoSubject, &e
	r.Notes = append(r.Notes, faultNotes(run.Sys)...)
	return r, nil
}

// faultNotes says of a System whose rules may be at fault somewhere that no law tells whether they
// are. A law holds all the same: an action that meets a fault has no step.
func faultNotes(sys *rules.System) []verdict.Note {
	if mayFault(sys) {
		return []verdict.Note{verdict.MayFault{}}
	}
	return nil
}

// noLaw returns the error for a claim that laws do not decide.
func noLaw(run *engines.Run, why string) error {
	return run.Unknown(verdict.Laws, verdict.Obstacle{Is: verdict.Unfit, Words: verdict.Words(why)})
}

// mayFault reports whether a move or a reaction may violate the rules in some state of the right
// shape, say by taking a seed from an empty pit.
func mayFault(sys *rules.System) bool {
	for i := range sys.Actions {
		a := &sys.Actions[i]
		guarded := a.Body // what is judged is the body where its guard holds
		if a.Guard != nil {
			guarded = []rules.Stmt{rules.If{Cond: a.Guard, Then: a.Body}}
		}
		if abstract.Everywhere(sys, len(a.Locals)).MayFail(guarded) {
			return true
		}
	}
	for i := range sys.Reactions {
		for _, by := range sys.Reactions[i].By {
			guarded := []rules.Stmt{rules.If{Cond: by.When, Then: by.Body}}
			if abstract.Everywhere(sys, len(by.Locals)).MayFail(guarded) {
				return true
			}
		}
	}
	return false
}
