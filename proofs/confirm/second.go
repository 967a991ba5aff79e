package confirm

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/mancheck/mancheck/proofs/cert"
	"github.com/mancheck/mancheck/proofs/result"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/smt/obligation"
	"github.com/mancheck/mancheck/smt/solver"
)

// askWhoFound sets the finder, if the verdict is one of a solver.
func (c *checking) askWhoFound() (err error) {
	if c.r.Engine.BySolver() {
		c.finder, err = solver.Version(c.ctx, c.opt.Solver)
	}
	return err
}

// trustsOne reports whether an unchecked verdict rests on one solver that is not enough: a program,
// which may answer anything, or a solver that another one contradicts.
func (c *checking) trustsOne() bool {
	return c.finder != "" && (c.denied || solver.External(c.opt.Solver))
}

// undecided is the verdict instead of one that only the finder shows.
func (c *checking) undecided(gap verdict.Gap) *result.Result {
	r := &result.Result{Verdict: c.r.Verdict, Instance: c.inst, System: c.inst.System, Strict: c.r.Strict}
	r.Status, r.Open = verdict.Unknown, verdict.OneSolver{Solver: c.finder, Gap: verdict.Box[verdict.Gap]{Is: gap}}
	r.Found, r.Least, r.Value, r.K, r.Vacuous, r.Notes, r.Trusted = nil, nil, nil, 0, false, nil, nil
	r.Checked, r.Gap = verdict.NotYet, nil
	return r
}

// second leaves the evidence to a solver other than the finder. needs is why the checker cannot do
// it.
func (c *checking) second(inst *build.Instance, e cert.Evidence, needs error) (*cert.Report, error) {
	var report *cert.Report
	o, err := askOthers(c.ctx, c.finder, c.opt.Solver, func(s cert.Solver) (err error) {
		report, err = cert.Verify(c.ctx, inst, c.r.Status.String(), e, 0, s)
		return err
	})
	c.denied = o.denied
	switch {
	case err != nil:
		return nil, err
	case o.shown != "":
		c.r.Notes = slices.DeleteFunc(c.r.Notes, func(n verdict.Note) bool { _, is := n.(verdict.Asked); return is })
		c.r.Notes = append(c.r.Notes, verdict.Asked{Solver: c.finder, Second: o.shown})
		return report, nil
	case o.denied && c.finder == "":
		return nil, &cert.Rejected{Reason: o.words}
	case c.finder == "":
		return nil, fmt.Errorf("%w; %s", needs, o.words)
	}
	return nil, errors.New(o.words)
}

// agreed asks others about a certificate that the checker cannot check and that a program, which
// spec names, has shown. It notes in r who was asked.
func agreed(ctx context.Context, ct *cert.Certificate, spec string, r *cert.Report) error {
	first, err := solver.Version(ctx, spec)
	if err != nil {
		return err
	}
	o, err := askOthers(ctx, first, "", func(s cert.Solver) error {
		_, err := cert.CheckBy(ctx, ct, s)
		return err
	})
	switch {
	case o.denied:
		return &cert.Rejected{Reason: o.words + ", though " + first + " says that it is true"}
	case o.shown != "":
		r.Notes = append(r.Notes, o.shown+" agrees with "+first)
	default:
		r.Notes = append(r.Notes, "only "+first+" shows it: "+o.words)
	}
	return err
}

// opinion is what other solvers say of evidence.
type opinion struct {
	shown  string // the solver that has shown it, or empty
	denied bool   // one has a counterexample
	words  string // why none has shown it
}

// askOthers asks the solvers at hand but the first one, and that of spec, until one shows evidence
// or denies it. ask fails with what keeps a solver from showing it.
func askOthers(ctx context.Context, first, spec string, ask func(cert.Solver) error) (o opinion, err error) {
	var words []string
	for s := range solver.Others(ctx, first, spec) {
		err := ask(&discharger{solver: s})
		var not *obligation.NotShownError
		if err != nil && !errors.As(err, &not) {
			return o, err
		}
		if err == nil {
			o.shown = s.Name()
			return o, nil
		}
		words = append(words, err.Error())
		if o.denied = not.Answer.Status == solver.Sat; o.denied {
			break
		}
	}
	if o.words = strings.Join(words, "; "); words == nil {
		o.words = "no other solver is at hand"
	}
	return o, nil
}
