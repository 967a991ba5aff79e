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
