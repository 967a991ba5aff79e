package confirm

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/mancheck/mancheck/proofs/cert"
	"github.com/mancheck/mancheck/proofs/internal/trial"
	"github.com/mancheck/mancheck/smt/obligation"
	"github.com/mancheck/mancheck/smt/solver"
	"github.com/mancheck/mancheck/smt/term"
)

// questionTime bounds a single question of a certificate to a solver.
const questionTime = time.Minute

// Certify checks a certificate: with the independent checker, and then, if spec names a solver, by
// asking it every question as well. Other solvers at hand are asked too if the checker cannot do
// it and spec names a program, which may answer anything.
func Certify(ctx context.Context, c *cert.Certificate, spec string) (*cert.Report, error) {
	r, err := cert.Check(ctx, c)
	var needs *cert.NeedsSolver
	if spec == "" || err != nil && !errors.As(err, &needs) {
		return r, err
	}
	r, err = CertifyBy(ctx, c, spec)
	if err == nil && needs != nil && solver.External(spec) {
		err = agreed(ctx, c, spec, r)
	}
	return r, err
}

// CertifyBy asks a solver every question, without the independent checker.
func CertifyBy(ctx context.Context, c *cert.Certificate, spec string) (*cert.Report, error) {
	s, err := solver.Open(ctx, spec)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	r, err := cert.CheckBy(ctx, c, &discharger{solver: s})
	if not := (*obligation.NotShownError)(nil); errors.As(err, &not) && not.Answer.Status == solver.Sat {
		return nil, &cert.Rejected{Reason: err.Error()}
	}
	return r, err
}

// discharger discharges a certificate's obligations with a solver. All of them are about one
// System.
type discharger struct {
	solver solver.Solver
	about  *obligation.Questions
}

// Discharge shows one obligation, and before the first one that the System is well behaved.
func (a *discharger) Discharge(ctx context.Context, o cert.Obligation) error {
	if !solver.Possible {
		return &solver.NotInstalled{}
	}
	first := a.about == nil
	if first {
		q, err := obligation.About(o.System, trial.Encoding)
		if err != nil {
			return err
		}
		a.about = q
		if err := a.show(ctx, q.WellBehaved); err != nil {
			return fmt.Errorf("that steps keep the right shape and the seeds, end, and meet no fault: %w", err)
		}
	}
	f, err := a.about.Path(path(o))
	if err != nil {
		return err
	}
	return a.show(ctx, f)
}

func (a *discharger) show(ctx context.Context, f *term.Term) error {
	ctx, cancel := context.WithTimeout(ctx, questionTime)
	defer cancel()
	return obligation.Shown(ctx, a.solver, f)
}

// Trusted lists what else the verdict relies on.
func (a *discharger) Trusted() []string {
	return []string{
		"the encoding of the rules as formulas (smt/encode), which is tested against the reference interpreter",
		"the solver: " + a.solver.Name(),
	}
}

func path(o cert.Obligation) obligation.Path {
	return obligation.Path{Start: o.Start, Steps: o.Steps, Actions: o.Actions, Assume: o.Assume, Show: o.Show}
}

// EmitSMT2 writes everything that a solver must show for a certificate as SMT-LIB 2 scripts: name
// and text of each. The answer to each must be unsat.
func EmitSMT2(ctx context.Context, c *cert.Certificate, write func(name string, text []byte) error) error {
	list, err := cert.Obligations(ctx, c)
	if err != nil {
		return err
	}
	if len(list) == 0 {
		return nil
	}
	q, err := obligation.About(list[0].System, trial.Encoding)
	if err != nil {
		return err
	}
	if err := emit(0, "well-behaved", q.WellBehaved, write); err != nil {
		return err
	}
	for i, o := range list {
		f, err := q.Path(path(o))
		if err != nil {
			return err
		}
		if err := emit(i+1, o.Name, f, write); err != nil {
			return err
		}
	}
	return nil
}

func emit(n int, what string, f *term.Term, write func(string, []byte) error) error {
	var text bytes.Buffer
	if err := obligation.WriteSMT2(&text, what, f); err != nil {
		return err
	}
	plain := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, what)
	return write(fmt.Sprintf("%03d-%s.smt2", n, plain), text.Bytes())
}
