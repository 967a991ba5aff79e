package cert

import (
	"context"
	"errors"

	"github.com/mancheck/mancheck/proofs/cert/internal/listing"
	"github.com/mancheck/mancheck/proofs/cert/internal/partial"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
)

// Check reads the rules in a certificate and checks its evidence without a solver. The error is a
// *Rejected, a *NeedsSolver or the context's.
func Check(ctx context.Context, c *Certificate) (*Report, error) {
	return c.checkBy(ctx, func(st *statement, r *Report) error {
		if err := st.checkWith(ctx, c.Evidence.Is, nil, r); err != nil {
			return err
		}
		return c.agreesOn(r)
	})
}

// CheckBy asks the solver everything, including what Check can check itself.
func CheckBy(ctx context.Context, c *Certificate, solver Solver) (*Report, error) {
	return c.checkBy(ctx, func(st *statement, r *Report) error {
		err := st.discharge(ctx, c.Evidence.Is, solver, r)
		r.Trusted = append(r.Trusted, trusted...)
		return err
	})
}

// checkBy reads the rules, and reports what check has checked.
func (c *Certificate) checkBy(ctx context.Context, check func(st *statement, r *Report) error) (*Report, error) {
	st, err := c.statement(ctx)
	if err != nil {
		return nil, err
	}
	r := st.reportOn(c.Evidence.Is)
	r.Verdict, r.SourcesDigest = c.Verdict, c.SourcesDigest
	if err := check(st, r); err != nil {
		return nil, err
	}
	return r, nil
}

// Verify checks evidence for a verdict on an instance in the same way as Check, but takes the
// instance as resolved instead of reading a file. tries bounds the possibilities tried when states
// are listed; 0 means the limit of Check. What the checker cannot check itself is left to solver,
// which may be nil.
func Verify(ctx context.Context, inst *build.Instance, verdict string, e Evidence, tries int, solver Solver) (*Report, error) {
	st, err := stated(inst, verdict)
	if err != nil {
		return nil, err
	}
	if tries > 0 {
		st.tries = tries
	}
	r := st.reportOn(e)
	r.Verdict = verdict
	return r, st.checkWith(ctx, e, solver, r)
}

// checkWith checks the evidence, asking the solver about everything if the checker alone cannot
// decide.
func (st *statement) checkWith(ctx context.Context, e Evidence, solver Solver, r *Report) error {
	err := e.check(ctx, st, r)
	if needs, is := errors.AsType[*NeedsSolver](err); is && solver != nil {
		r.Checked, r.Notes = nil, []string{needs.Reason}
		err = st.discharge(ctx, e, solver, r)
	}
	if err != nil {
		return err
	}
	r.Trusted = append(r.Trusted, trusted...)
	return ctx.Err()
}

// Subject says whether anything matches a claim. A claim that nothing matches is vacuous.
type Subject int

// Values of Subject.
const (
	SubjectUnknown Subject = iota // the states in question cannot be listed
	SomeSubject
	NoSubject // the claim holds only because nothing matches it
)

func subject(found bool) Subject {
	if found {
		return SomeSubject
	}
	return NoSubject
}

// fewTries bounds the possibilities tried to find out whether anything matches a claim.
const fewTries = 100_000

// errFound ends a listing that has found what was looked for.
var errFound = errors.New("found")

// hasSubject looks for any state of the right types, reachable or not, that satisfies a target.
func (st *statement) hasSubject(ctx context.Context, target rules.Expr, c coder, m *partial.Machine) Subject {
	for _, l := range listing.Targets(m, c.kept, target, min(st.tries, fewTries)) {
		err := l.Each(ctx, func(partial.State) error { return errFound })
		switch {
		case errors.Is(err, errFound):
			return SomeSubject
		case err != nil:
			return SubjectUnknown
		}
	}
	return NoSubject
}
