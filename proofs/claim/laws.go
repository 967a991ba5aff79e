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

// lawTries bounds the possibilities that are tried to list the starts.
const lawTries = 20_000

// lawsFirst decides a claim by laws where that is possible, and otherwise in another way.
func (k reach) lawsFirst(other engines.Attempt) engines.Attempt {
	return func(run *engines.Run) (*result.Result, error) {
		if r, err := engines.Settled(k.laws(run)); err != nil || r.Status != verdict.Unknown {
			return r, err
		}
		return other(run)
	}
}

// laws decides that no state satisfies the target since all have as many seeds as a start. What
// decides it is the check of the certificate, which says nothing else.
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
	case mayFault(run.Sys): // asked last, since it reads all rules
		return nil, noLaw(run, "a move may meet an error in the rules, and laws do not play")
	}
	r := run.Result(no, verdict.Laws, verdict.Conserved{})
	r.Vacuous, r.Evidence = report.Subject == cert.NoSubject, &e
	return r, nil
}

func noLaw(run *engines.Run, why string) error {
	return run.Unknown(verdict.Laws, verdict.Obstacle{Is: verdict.Unfit, Words: verdict.Words(why)})
}

// mayFault reports whether a move or a reaction may meet a fault of the rules. One in play is
// reported, and laws do not play.
func mayFault(sys *rules.System) bool {
	for i := range sys.Actions {
		a := &sys.Actions[i]
		guarded := a.Body
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
