package cert

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/proofs/cert/internal/cases"
	"github.com/mancheck/mancheck/proofs/cert/internal/partial"
	"github.com/mancheck/mancheck/proofs/cert/internal/refuse"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/exec"
)

// Obligation is a statement that a solver has to show. It is about all paths of Steps steps, from a
// start if Start is set, and otherwise from any state of the right types: if all of Assume hold in
// every state but the last, and the last step is one of Actions, Show holds in the last one, where
// old asks for the state before. With no steps, the only state is the last one. Parameters without
// a value may have any value of their range, the same on the whole path.
type Obligation struct {
	Name    string
	System  *rules.System
	Start   bool
	Steps   int
	Actions []bool // nil: all
	Assume  []rules.Expr
	Show    rules.Expr
}

// Solver discharges obligations. It must return nil only if it has shown the obligation.
type Solver interface {
	Discharge(ctx context.Context, o Obligation) error
	Trusted() []string // what has to be trusted with it, in words
}

// Obligations lists what has to be shown for a certificate's verdict to be right. The statement
// comes from the text of the rules, as in Check. For sets closed under predecessors the obligations
// assume neither why parts of states are ignored nor that there are finitely many targets.
func Obligations(ctx context.Context, c *Certificate) ([]Obligation, error) {
	st, err := c.statement(ctx)
	if err != nil {
		return nil, err
	}
	return st.obligations(ctx, c.Evidence.Is)
}

// obligations returns the obligations for evidence of a kind that a solver can check.
func (st *statement) obligations(ctx context.Context, e Evidence) ([]Obligation, error) {
	if of, is := e.(asked); is {
		return of.obligations(ctx, st)
	}
	return nil, reject("evidence of the kind `%s` makes no questions for a solver", Kind(e))
}

// discharge has the solver show all obligations.
func (st *statement) discharge(ctx context.Context, e Evidence, solver Solver, r *Report) error {
	list, err := st.obligations(ctx, e)
	if err != nil {
		return err
	}
	for _, o := range list {
		if err := solver.Discharge(ctx, o); err != nil {
			return fmt.Errorf("%s: %w", o.Name, err)
		}
	}
	r.checked("obligations shown by a solver", len(list))
	r.Trusted = append(r.Trusted, solver.Trusted()...)
	return ctx.Err()
}

// obligations say that an invariant is inductive: not to be in the set, not to satisfy the
// target, and to satisfy the lemmas. There is one obligation for each state of the set.
func (e *Backward) obligations(ctx context.Context, st *statement) ([]Obligation, error) {
	b, err := e.read(ctx, st)
	if err != nil {
		return nil, err
	}
	good := rules.Not{X: b.target}
	outside := append([]rules.Expr{good}, lists.Map(b.states, func(s rules.State) rules.Expr { return rules.Not{X: b.is(s)} })...)
	assume := append([]rules.Expr(nil), outside...)
	var list []Obligation
	for i, l := range b.Lemmas {
		has := rules.Binary{Op: rules.Eq, L: rules.VarAt(l.Var), R: rules.Const{Value: l.Value}}
		live := rules.Conjunction(rules.HasOutcome(rules.Live), has)
		list = append(list, Obligation{Name: fmt.Sprintf("lemma %d", i+1), System: st.sys, Steps: 1, Show: rules.Not{X: live}})
		assume = append(assume, rules.Binary{Op: rules.Or, L: rules.Not{X: live}, R: rules.IsStart})
	}
	for i, x := range outside {
		name := fmt.Sprintf("state %d of the set", i)
		if i == 0 {
			name = "target"
		}
		list = append(list,
			Obligation{Name: name + ": no start", System: st.sys, Start: true, Show: x},
			Obligation{Name: name + ": no step from outside", System: st.sys, Steps: 1, Assume: assume, Show: x})
	}
	return list, nil
}

// is returns the condition that the kept parts of a state are those of s.
func (b *backwardSet) is(s rules.State) rules.Expr {
	conds := []rules.Expr{rules.HasOutcome(s.Outcome)}
	equals := func(l rules.Expr, n int) {
		conds = append(conds, rules.Binary{Op: rules.Eq, L: l, R: rules.Const{Value: n}})
	}
	if s.Live() {
		equals(rules.Mover, s.Mover)
	}
	for p := range lists.Marked(b.kept.Pits) {
		equals(rules.Seeds(rules.Const{Value: p}), s.Seeds[p])
	}
	for v := range lists.Marked(b.kept.VarsOf(s.Outcome)) {
		equals(rules.VarAt(v), s.Vars[v])
	}
	return rules.Conjunction(conds...)
}

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
