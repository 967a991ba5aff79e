package cert

import (
	"context"

	"github.com/mancheck/mancheck/rules/resolve"
)

// Check reads the rules in a certificate and checks its evidence, without a solver. The error is a
// *Rejected, a *NeedsSolver or the context's.
func Check(ctx context.Context, c *Certificate) (*Report, error) { return CheckWith(ctx, c, nil) }

// CheckWith is Check, but leaves what it cannot check itself to a solver.
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

func (st *statement) check(ctx context.Context, e *Evidence, r *Report) error {
	if (st.best != nil) != (e.Kind == Strategies) {
		return reject("evidence of the kind `%s` shows nothing about such a claim", e.Kind)
	}
	if r := st.relation; r != nil && e.Kind != map[bool]string{true: Forward, false: Product}[r.Relates == resolve.Reverses] {
		return reject("evidence of the kind `%s` shows nothing about such a claim", e.Kind)
	}
	if (st.winners != nil) != (e.Kind == Winning) || (st.plan != nil) != (e.Kind == Plan) {
		return reject("evidence of the kind `%s` shows nothing about such a claim", e.Kind)
	}
	switch e.Kind {
	case Winning:
		return st.checkWinning(ctx, e, r)
	case Plan:
		return st.checkPlan(ctx, e, r)
	case Backward:
		return st.checkBackward(ctx, e, r)
	case Forward:
		return st.checkForward(ctx, e, r)
	case Product:
		if st.relation == nil {
			return reject("pairs of states show nothing about such a claim")
		}
		return st.checkProduct(ctx, e, r)
	case Strategies:
		return st.checkStrategies(ctx, e, r)
	case Inductive:
		return &NeedsSolver{"the evidence is an inductive invariant"}
	}
	return reject("unknown evidence `%s`", e.Kind)
}

// CheckBy leaves everything to a solver, even what Check can do itself.
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
