package cert

import (
	"context"
	"slices"
)

// Check reads the rules in a certificate and checks its evidence without a solver. The error is a
// *Rejected, a *NeedsSolver or the context's.
func Check(ctx context.Context, c *Certificate) (*Report, error) { return CheckWith(ctx, c, nil) }

// CheckWith is Check, but asks solver about what it cannot check itself. solver may be nil.
func CheckWith(ctx context.Context, c *Certificate, solver Solver) (*Report, error) {
	st, err := c.statement(ctx)
	if err != nil {
		return nil, err
	}
	r := c.report()
	if err := st.checkWith(ctx, &c.Evidence, solver, r); err != nil {
		return nil, err
	}
	return r, c.agreesOn(r)
}

// check checks the evidence. Evidence of a kind that cannot show such a claim is rejected first.
func (st *statement) check(ctx context.Context, e *Evidence, r *Report) error {
	able := []string{Backward, Forward, Inductive, Seeds, Groups, Moved}
	if only := st.evidence(); only != "" {
		able = []string{only}
	}
	if st.ends != nil {
		able = append(able, Ranked)
	}
	if st.sizes != nil {
		able = append(able, sizeLaws...)
	}
	if !slices.Contains(able, e.Kind) {
		return reject("evidence of the kind `%s` shows nothing about such a claim", e.Kind)
	}
	switch e.Kind {
	case Winning:
		return st.checkWinning(ctx, e, r)
	case Plan:
		return st.checkPlan(ctx, e, r)
	case Backward:
		return st.checkBackward(ctx, e, r)
	case Forward, Falling, Depths:
		return st.checkForward(ctx, e, r)
	case Product:
		return st.checkProduct(ctx, e, r)
	case Seeds, Groups:
		return st.checkConserved(ctx, e, r)
	case Moved:
		return st.checkMoved(r)
	case Ranked:
		return st.checkRank(e, r)
	case Finite:
		return st.checkFinite(ctx, r)
	case Shown:
		return st.checkPlay(ctx, e, r)
	case Strategies:
		return st.checkStrategies(ctx, e, r)
	case Sizes:
		return st.checkSizes(ctx, e, r, (*statement).check)
	case SizesRank, SizesMoves, SizesSeeds:
		return st.checkSizesLaw(ctx, e, r, (*statement).check)
	}
	return &NeedsSolver{"the evidence is an inductive invariant"}
}

// CheckBy asks the solver everything, including what Check can check itself.
func CheckBy(ctx context.Context, c *Certificate, solver Solver) (*Report, error) {
	st, err := c.statement(ctx)
	if err != nil {
		return nil, err
	}
	r := c.report()
	if err := st.discharge(ctx, &c.Evidence, solver, r); err != nil {
		return nil, err
	}
	r.Trusted = append(r.Trusted, trusted...)
	return r, nil
}
