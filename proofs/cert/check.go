package cert

import "context"

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
