package cert

import (
	"context"
	"fmt"

	"github.com/mancheck/mancheck/rules"
)

// Obligation is a statement for a solver to show: on each path of Steps steps, from a start if
// Start and otherwise from any state of the right types, if all of Assume hold in every state but
// the last, Show holds in the last. With no steps the only state is the last. Parameters without a
// value may have any value of their range, the same on the whole path.
type Obligation struct {
	Name   string
	System *rules.System
	Start  bool
	Steps  int
	Assume []rules.Expr
	Lemmas []string // names of facts about the states of the path that the solver must show first and may then use
	Show   rules.Expr
}

// Solver discharges obligations: it returns nil only if the obligation is shown.
type Solver interface {
	Discharge(ctx context.Context, o Obligation) error
	Trusted() []string // what must be trusted with it
}

// Obligations lists what must be shown for a certificate's verdict to be right. The statement comes
// from the text of the rules, as in Check. For sets closed under predecessors no reason is assumed
// why parts of states are ignored, and targets need not be finitely many.
func Obligations(ctx context.Context, c *Certificate) ([]Obligation, error) {
	st, err := c.statement(ctx)
	if err != nil {
		return nil, err
	}
	return st.obligations(ctx, &c.Evidence)
}

func (st *statement) obligations(ctx context.Context, e *Evidence) ([]Obligation, error) {
	switch {
	case st.target == nil:
	case e.Kind == Backward:
		return st.backwardObligations(ctx, e)
	case e.Kind == Inductive:
		return st.inductiveObligations(e)
	}
	return nil, reject("evidence of the kind `%s` makes no questions for a solver about this claim", e.Kind)
}

// discharge leaves all obligations to the solver.
func (st *statement) discharge(ctx context.Context, e *Evidence, solver Solver, r *Report) error {
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

// inductiveObligations concern the first k states of each play, and the steps after k states that
// satisfy the claim.
func (st *statement) inductiveObligations(e *Evidence) ([]Obligation, error) {
	if e.K < 1 || e.K > 1000 {
		return nil, reject("an induction over %d states", e.K)
	}
	good := rules.Not{X: st.target}
	var list []Obligation
	for i := range e.K {
		list = append(list, Obligation{Name: fmt.Sprintf("base %d", i), System: st.sys, Start: true, Steps: i, Lemmas: e.Lemmas, Show: good})
	}
	return append(list, Obligation{Name: "step", System: st.sys, Steps: e.K, Assume: []rules.Expr{good}, Lemmas: e.Lemmas, Show: good}), nil
}

// backwardObligations say that it is an inductive invariant not to be in the set, not to satisfy
// the target and to satisfy the lemmas. The step is asked about one state of the set at a time.
func (st *statement) backwardObligations(ctx context.Context, e *Evidence) ([]Obligation, error) {
	b, err := st.readBackward(ctx, e)
	if err != nil {
		return nil, err
	}
	good := rules.Not{X: st.target}
	outside := []rules.Expr{good}
	for _, s := range b.states {
		outside = append(outside, rules.Not{X: b.is(s)})
	}
	assume := append([]rules.Expr(nil), outside...)
	var list []Obligation
	for i, l := range b.lemmas {
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

// is returns the condition that the kept parts are those of s.
func (b *backwardSet) is(s rules.State) rules.Expr {
	conds := []rules.Expr{rules.HasOutcome(s.Outcome)}
	equals := func(l rules.Expr, n int) {
		conds = append(conds, rules.Binary{Op: rules.Eq, L: l, R: rules.Const{Value: n}})
	}
	if s.Live() {
		equals(rules.Mover, s.Mover)
	}
	for p, kept := range b.kept.Pits {
		if kept {
			equals(rules.Seeds(rules.Const{Value: p}), s.Seeds[p])
		}
	}
	for v, kept := range b.kept.VarsOf(s.Outcome) {
		if kept {
			equals(rules.VarAt(v), s.Vars[v])
		}
	}
	return rules.Conjunction(conds...)
}
