package cert

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/mancheck/mancheck/proofs/cert/internal/cases"
	"github.com/mancheck/mancheck/proofs/cert/internal/partial"
	"github.com/mancheck/mancheck/proofs/cert/internal/refuse"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/exec"
)

// Inductive is the evidence of a claim that is k-inductive, or that holds of every step from any
// state.
type Inductive struct {
	K int `json:"k" is:"1..1000"`
}

// mostDecisions bounds the decisions that depend on the state, in all cases of an obligation.
const mostDecisions = 200_000

// check shows the obligations case by case.
func (e *Inductive) check(ctx context.Context, st *statement, r *Report) error {
	list, err := e.obligations(ctx, st)
	if err != nil {
		return err
	}
	for _, o := range list {
		goal := cases.Goal{Start: o.Start, Steps: o.Steps, Actions: o.Actions, Assume: o.Assume, Show: o.Show}
		shown, err := cases.Show(ctx, o.System, goal, min(st.tries, mostDecisions))
		if open, is := errors.AsType[*cases.OpenError](err); is {
			return refuse.Open("%s is not shown case by case: %s", o.Name, open.Reason)
		}
		if err != nil {
			return err
		}
		if step, is := st.says.(always); is {
			r.Subject = concerned(partial.New(ctx, st.sys), step, shown)
		}
	}
	r.checked("obligations shown case by case", len(list))
	r.Trusted = append(r.Trusted, executor)
	return nil
}

// concerned says whether a claim about single steps is about any, as far as one example shows.
func concerned(m *partial.Machine, step always, shown *cases.Shown) Subject {
	if shown.Cases == 0 {
		return NoSubject
	}
	if shown.First == nil {
		return SubjectUnknown
	}
	s := m.Exactly(*shown.First)
	if is, err := m.Reader().Decide(exec.ReadExpr(step.From), s, nil); err != nil || !is {
		return SubjectUnknown
	}
	steps, err := m.Player().Steps(s)
	if err == nil && slices.ContainsFunc(steps, func(to partial.Step) bool { return rules.Counts(step.Actions, to.Action) }) {
		return SomeSubject
	}
	return SubjectUnknown
}

// obligations are about the first k states of each play, and about the state after any k
// states that satisfy the claim; or about single steps, if these are what the claim is about.
func (e *Inductive) obligations(_ context.Context, st *statement) ([]Obligation, error) {
	if step, is := st.says.(always); is && e.K == 1 {
		return []Obligation{{Name: "step", System: st.sys, Steps: 1, Actions: step.Actions, Assume: []rules.Expr{step.From}, Show: step.Gives}}, nil
	}
	claim, is := st.says.(never)
	if !is {
		return nil, st.unfit(e)
	}
	if e.K < 1 || e.K > 1000 {
		return nil, reject("an induction over %d states", e.K)
	}
	good := rules.Not{X: claim.target}
	var list []Obligation
	for i := range e.K {
		list = append(list, Obligation{Name: fmt.Sprintf("base %d", i), System: st.sys, Start: true, Steps: i, Show: good})
	}
	return append(list, Obligation{Name: "step", System: st.sys, Steps: e.K, Assume: []rules.Expr{good}, Show: good}), nil
}
