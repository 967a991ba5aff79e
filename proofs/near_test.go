package proofs_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/mancheck/mancheck/checker/shape"
	"github.com/mancheck/mancheck/internal/tier"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/rulestest"
	"github.com/mancheck/mancheck/rules/space"
)

// small holds all live states of the right shape with the given number of seeds, and their steps.
type small struct {
	in     *interp.Interp
	seeds  int
	states []rules.State
	steps  map[string][]interp.Step
}

func smallStates(t *testing.T, sys *rules.System, seeds int) (*small, error) {
	w := &small{in: interp.New(sys), seeds: seeds, steps: map[string][]interp.Step{}}
	sh := shape.Of(t.Context(), w.in)
	err := space.MatchingUpTo(t.Context(), w.in, rules.HasOutcome(rules.Live), everything(sys), &seeds, func(s rules.State) error {
		ok, err := sh.Allows(s, everything(sys))
		if err != nil || !ok || s.Total() != seeds {
			return err
		}
		if len(w.states) == maxVertices {
			return errHuge
		}
		steps, _, err := w.in.Legal(s)
		w.states = append(w.states, s.Clone())
		w.steps[fmt.Sprint(s)] = steps
		return err
	})
	return w, err
}

// alike returns the condition that the number of seeds is the given one, and x holds.
func (w *small) alike(x rules.Expr) rules.Expr {
	sum := rules.Sum{}
	for p := range w.in.System().Pits {
		sum.Pits = append(sum.Pits, p)
	}
	return rules.Conjunction(rules.Binary{Op: rules.Eq, L: sum, R: rules.Const{Value: w.seeds}}, x)
}

// those returns the steps from states of one condition to states of another.
func (w *small) those(from, to rules.Expr) (list [][2]rules.State, err error) {
	for _, s := range w.states {
		if is, e := w.in.Holds(from, s, nil); e != nil || !is {
			err = errors.Join(err, e)
			continue
		}
		for _, st := range w.steps[fmt.Sprint(s)] {
			is, e := w.in.Holds(to, st.To, &s)
			if err = errors.Join(err, e); is {
				list = append(list, [2]rules.State{s, st.To})
			}
		}
	}
	return list, err
}

// claims returns claims about possibly unreachable states, with the verdict by definition.
func (w *small) claims(f, g rules.Expr) (map[build.Property]bool, error) {
	of := w.alike(f)
	all, err := w.those(of, rules.True)
	good, err2 := w.those(of, g)
	into, err3 := w.those(rules.True, of)
	ok, err4 := w.those(g, of)
	ancestors, err5 := w.ancestors(of)
	if err := errors.Join(err, err2, err3, err4, err5); err != nil {
		return nil, err
	}
	where := ancestorsLike(w.in.System(), rules.State{}).Where
	return map[build.Property]bool{
		&build.StepTo{From: of, To: g}:                                                                len(good) > 0,
		&build.StepTo{From: g, To: of}:                                                                len(ok) > 0,
		&build.StepTo{From: of, To: g, Not: true}:                                                     len(good) == 0,
		&build.EveryStep{From: of, Gives: g, All: true}:                                               len(good) == len(all),
		&build.EveryStep{From: g, Gives: rules.Not{X: of}, All: true}:                                 len(ok) == 0,
		&build.Neighbours{Of: of, List: []build.Listed{{Cond: g}}}:                                    len(good) > 0 && len(good) == len(all),
		&build.Neighbours{Of: of, Pre: true, List: []build.Listed{{Cond: g}}}:                         len(ok) > 0 && len(ok) == len(into),
		&build.Count{Set: build.CountAncestors, Of: of, Where: where, Op: rules.Eq, Value: ancestors}: true,
	}, nil
}

// ancestors counts the states outside a set from which plays lead into it.
func (w *small) ancestors(of rules.Expr) (int, error) {
	in, leads := map[string]bool{}, map[string]bool{}
	is := func(s rules.State) (bool, error) {
		holds, err := w.in.Holds(of, s, nil)
		if holds {
			in[fmt.Sprint(s)], leads[fmt.Sprint(s)] = true, true
		}
		return holds, err
	}
	for _, s := range w.states {
		if _, err := is(s); err != nil {
			return 0, err
		}
		for _, st := range w.steps[fmt.Sprint(s)] {
			if _, err := is(st.To); err != nil {
				return 0, err
			}
		}
	}
	n := 0
	for more := true; more; {
		more = false
		for _, s := range w.states {
			next := func(st interp.Step) bool { return leads[fmt.Sprint(st.To)] }
			if k := fmt.Sprint(s); !leads[k] && slices.ContainsFunc(w.steps[k], next) {
				leads[k], more = true, true
				n++
			}
		}
	}
	return n, nil
}

// TestNearAtRandom: claims about possibly unreachable states are decided as by trying all states
// with the given number of seeds. The second opinion agrees, and it rejects any other verdict.
func TestNearAtRandom(t *testing.T) {
	n := 60
	if tier.Every(2, 2) > 1 {
		n = 40
	}
	checked, lies := map[string]int{}, map[string]int{}
	randomly(t, n, func(sys *rules.System, rnd *rand.Rand) error {
		if from, err := starts(interp.New(sys)); err != nil || len(from) == 0 {
			return nil
		}
		w, err := smallStates(t, sys, 1+rnd.IntN(3))
		if err != nil {
			return nil // more states, or a limit of computation
		}
		f := rulestest.Claim(sys, false).Example(rnd.IntN(1 << 20))
		g := rulestest.Claim(sys, false).Example(rnd.IntN(1 << 20))
		claims, err := w.claims(f, g)
		if err != nil {
			return nil // the claim has no value somewhere
		}
		for p, holds := range claims {
			inst := of(sys, p)
			r, err := proofs.Decide(t.Context(), inst, proofs.Options{Engine: explicit(p)})
			if err != nil {
				return fmt.Errorf("%T: %w", p, err)
			}
			if r.Status == proofs.Unknown {
				continue
			}
			if (r.Status == proofs.Proved) != holds {
				return fmt.Errorf("%T %+v: %s, %s, with %d seeds", p, p, r.Status, r.Sentence(), w.seeds)
			}
			kind := fmt.Sprintf("%T", p)
			checked[kind+" "+r.Checked.String()]++
			if r.Checked == proofs.Unchecked {
				continue
			}
			for name, lie := range liesAbout(r) {
				confirmed, err := proofs.Confirm(t.Context(), inst, lie, proofs.Options{})
				if r.Checked != proofs.ByEnumeration && err == nil && confirmed.Checked == proofs.Unchecked {
					continue // a play showed the truth, and nothing can be decided without it
				}
				if !errors.As(err, new(*proofs.RejectedError)) {
					return fmt.Errorf("%T %+v: %s is believed: %v", p, p, name, err)
				}
				lies[kind+" "+name]++
			}
		}
		return nil
	})
	t.Logf("checked: %v, lies: %v", checked, lies)
	for _, kind := range []string{"*build.StepTo", "*build.EveryStep", "*build.Neighbours", "*build.Count"} {
		if checked[kind+" enumeration"] < 5 || lies[kind+" the other verdict"] < 5 {
			t.Errorf("too few claims of kind %s: %v, %v", kind, checked, lies)
		}
	}
}

// explicit returns an engine other than a solver for claims of a kind.
func explicit(p build.Property) proofs.Engine {
	switch p := p.(type) {
	case *build.Count:
		return proofs.Backward
	case *build.Neighbours:
		if p.Pre {
			return proofs.Backward
		}
	}
	return proofs.Forward
}

// liesAbout makes false results from a right one.
func liesAbout(r *proofs.Result) map[string]*proofs.Result {
	other := *r
	other.Status = proofs.Proved + proofs.Refuted - r.Status
	lies := map[string]*proofs.Result{"the other verdict": &other}
	if r.Sets != nil && len(r.Sets.Found) > 0 {
		fewer := *r
		fewer.Sets = &proofs.SetDiff{Found: r.Sets.Found[1:]}
		if _, sized := r.Found.(verdict.SetFound); sized {
			fewer.Found = verdict.SetFound{States: len(fewer.Sets.Found)}
		}
		lies["a state less"] = &fewer
	}
	if _, counts := r.Instance.Property.(*build.Count); counts {
		more := *r
		number, _ := verdict.NumberOf(r.Found)
		more.Found = verdict.Number.Of(number + 1)
		lies["another number"] = &more
	}
	return lies
}
