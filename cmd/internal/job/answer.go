package job

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/mancheck/mancheck/checker/endgame/verified"
	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/checker/phase"
	"github.com/mancheck/mancheck/checker/sharded"
	"github.com/mancheck/mancheck/cmd/internal/fault"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/internal/numeral"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/proofs/cert"
	"github.com/mancheck/mancheck/proofs/suite"
)

// outcome returns the result of the search, which was checked.
func (j *Job) outcome(ctx context.Context, last *phase.Phase) (*sharded.Outcome, error) {
	o, err := j.search.Outcome(ctx, last)
	if err != nil || o.Fault == "" {
		return o, err
	}
	return nil, j.explain(errors.New(o.Fault), o.Trace)
}

// explain puts a fault at the end of a play, of the rules or of a condition of the claim, in the
// words of the interpreter.
func (j *Job) explain(why error, play *forward.Trace) error {
	sought, err := j.sought()
	if err != nil {
		return err
	}
	conditions := append(slices.Clone(sought.Count), sought.Never)
	return fault.Explain(j.System, &forward.PlayError{Fault: why, Trace: *play}, conditions...)
}

// Found says in words what a search has found, if a phase is one that checks that. It is empty
// otherwise. It is no answer: the check may still find a mistake.
func (j *Job) Found(p *phase.Phase) string {
	if j.search == nil {
		return ""
	}
	st, is, err := j.search.Found(p)
	if !is || err != nil {
		return ""
	}
	return fmt.Sprintf("%s and %s", numeral.Count(st.States, "state"), numeral.Count(st.Transitions, "transition"))
}

// Counted returns the result of a count. The error is sharded.ErrUnfinished, a *sharded.WrongError
// or a fault of the rules.
func (j *Job) Counted(ctx context.Context, last *phase.Phase) (*forward.Result, error) {
	o, err := j.outcome(ctx, last)
	if err != nil {
		return nil, err
	}
	return &forward.Result{End: limit.End{Stop: limit.Complete}, Stats: o.Stats}, nil
}

// Tabled returns the table that was built; all its entries were derived again. The error is
// verified.ErrUnfinished or a *verified.WrongError.
func (j *Job) Tabled(last *phase.Phase) (*verified.Outcome, error) { return j.table.Outcome(last) }

// Decided returns the verdict on a claim. Errors are those of Counted.
func (j *Job) Decided(ctx context.Context, last *phase.Phase) (*suite.Item, error) {
	o, err := j.outcome(ctx, last)
	if err != nil {
		return nil, err
	}
	item := *j.Item
	item.Result, err = proofs.Searched(ctx, item.Instance, o.Trace, o.Stats, o.Counts)
	if err != nil && o.Trace != nil {
		err = j.explain(err, o.Trace)
	}
	return &item, err
}

// Levels is the kind of evidence that consists of the levels of a search in phases. The states are
// in the depot.
const Levels = "levels"

// Certify checks a finished job, as phase.Job.Certify does, and reports what is certified.
func (j *Job) Certify(ctx context.Context, last *phase.Phase, workers int, told func(done, all int)) (*cert.Report, error) {
	prover, is := j.Work.(phase.Prover)
	if !is {
		return nil, fmt.Errorf("%s: a job of this kind cannot be certified", j.Depot)
	}
	tasks := 0
	if err := j.Job.Certify(ctx, prover, last, workers, func(done, all int) {
		tasks = all
		if told != nil {
			told(done, all)
		}
	}); err != nil {
		return nil, err
	}
	r, err := j.says(ctx, last)
	if err != nil {
		return nil, err
	}
	r.SourcesDigest, r.Evidence, r.Trusted = cert.Digest(j.Sources), Levels, Trusted()
	r.Checked = []cert.Checked{{What: "tasks that derived the levels again", N: tasks}}
	return r, nil
}

// says returns what the job says, with the number of states that were checked.
func (j *Job) says(ctx context.Context, last *phase.Phase) (*cert.Report, error) {
	if j.Kind == Check {
		item, err := j.Decided(ctx, last)
		if err != nil {
			return nil, err
		}
		status := item.Result.Status.String()
		if !cert.Certifiable(item.Instance, status) {
			return nil, fmt.Errorf("there are no certificates for a verdict like this")
		}
		r := cert.About(item.Instance)
		r.Verdict, r.States = status, int(item.Result.Stats.States)
		if item.Result.Vacuous {
			r.Subject = cert.NoSubject
		}
		return r, nil
	}
	out := &cert.Report{
		Claim: cert.Claim{Name: j.System.Name, Kind: "count of states"}, Params: j.System.Params,
		Verdict: cert.Proved, SystemHash: j.System.Hash(),
	}
	if j.Kind == Table {
		t, err := j.Tabled(last)
		if err != nil {
			return nil, err
		}
		out.Claim.Kind, out.States = "endgame table", int(t.Positions)
		out.Claim.Asserts = fmt.Sprintf("the table %s has the futures of all positions with up to %d seeds in play", t.Table.Hash, j.Seeds)
		return out, nil
	}
	r, err := j.Counted(ctx, last)
	if err != nil {
		return nil, err
	}
	out.Claim.Asserts, out.States = fmt.Sprintf("count(states) = %d", r.Stats.States), int(r.Stats.States)
	return out, nil
}

// Trusted lists what the check of a job relies on.
func Trusted() []string {
	return []string{
		"the parser and the resolver, which read the text of the rules and the claim: they are the ones that the search used",
		"the reference interpreter, and the packing of states into keys, which the search also uses",
		"the argument in docs/phases.md that these checks are sufficient",
		"the Go compiler and its libraries, SHA-256, and the machines",
	}
}
