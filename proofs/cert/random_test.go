package cert

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/mancheck/mancheck/checker/backward"
	"github.com/mancheck/mancheck/checker/shape"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/internal/tier"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/rulestest"
	"github.com/mancheck/mancheck/rules/space"
)

// TestRandomClosedSets: on random rules, sets that the backward search closes are accepted or left
// to a solver, and are not accepted without any one of their states, unless all states say that the
// smaller set is closed, too.
func TestRandomClosedSets(t *testing.T) {
	accepted, spared := 0, 0 // spared: states that a set did not need
	rapid.Check(t, func(t *rapid.T) {
		sys := rulestest.System().Draw(t, "system")
		var pits []int
		for p := range sys.Pits {
			pits = append(pits, p)
		}
		few := rules.Binary{Op: rules.Le, L: rules.Sum{Pits: pits}, R: rules.Const{Value: rapid.IntRange(0, 3).Draw(t, "seeds")}}
		target := rules.Conjunction(rulestest.Claim(sys, false).Draw(t, "target"), few)
		in := interp.New(sys)
		res, err := backward.Search(context.Background(), in, target, backward.Options{Bounds: limit.Bounds{MaxStates: 200}})
		if err != nil || res.Stop != limit.Complete {
			return
		}
		var states []rules.State
		for i := range res.Len() {
			states = append(states, res.State(i))
		}
		lemmas := shape.Of(context.Background(), in).Lemmas
		parts := res.Kept.Kept
		evidence := NewBackward(sys, parts, lemmas, states)
		st := &statement{sys: sys, says: never{target}}
		err = evidence.check(context.Background(), st, &Report{})
		if needs := (*NeedsSolver)(nil); errors.As(err, &needs) {
			return
		}
		if err != nil {
			t.Logf("%v", err) // the search knows more, such as what a preference excludes
			return
		}
		accepted++
		judge := newJudge(t, in, target, few, parts, lemmas)
		if why := judge.open(judge.sorted(states)); why != "" {
			t.Fatalf("accepted, but %s", why)
		}
		for i := range evidence.States {
			less := *evidence
			less.States = slices.Delete(slices.Clone(evidence.States), i, i+1)
			if less.check(context.Background(), st, &Report{}) != nil {
				continue
			}
			if why := judge.open(slices.Delete(judge.sorted(states), i, i+1)); why != "" {
				t.Fatalf("accepted without state %d of %d: %v, but %s", i, len(evidence.States), evidence.States[i], why)
			}
			spared++
		}
	})
	if accepted == 0 && tier.Full() { // a short run tries few
		t.Error("nothing was ever accepted")
	}
	t.Logf("%d accepted, without %d of their states, too", accepted, spared)
}

// judge says by playing from every state whether a set is closed under predecessors.
type judge struct {
	coder
	in     *interp.Interp
	target rules.Expr
	lemmas []rules.StartOnly
	all    []rules.State
}

// newJudge makes a judge of sets without a state outside a condition that bounds the seeds.
func newJudge(t *rapid.T, in *interp.Interp, target, few rules.Expr, parts rules.Kept, lemmas []rules.StartOnly) *judge {
	j := &judge{coder: coder{in.System(), parts.SpelledOut(in.System())}, in: in, target: target, lemmas: lemmas}
	err := space.Matching(context.Background(), in, few, rules.Kept{}, func(s rules.State) error {
		j.all = append(j.all, s.Clone())
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// open returns why a set is not closed, or "". A finished state is possible if it is a start, or if
// a step leads to it.
func (j *judge) open(set []rules.State) string {
	has := func(s rules.State) bool { return slices.ContainsFunc(set, j.kept.Project(j.sys, s).Equal) }
	for _, s := range j.all {
		is := j.is(s)
		if start, err := j.in.IsStart(s); err == nil && start && (is || has(s)) { // a start with a fault is no state
			return fmt.Sprintf("%v is a start", s)
		}
		if !s.Live() || j.excluded(s) || has(s) {
			continue
		}
		if is {
			return fmt.Sprintf("%v is missing", s)
		}
		for action := range j.sys.Actions {
			to, legal, err := j.in.Do(s, action)
			if err == nil && legal && (has(to) || !to.Live() && j.is(to)) {
				return fmt.Sprintf("%v is missing, and leads to %v", s, to)
			}
		}
	}
	return ""
}

// is reports whether s satisfies the target. A fault says no.
func (j *judge) is(s rules.State) bool {
	is, err := j.in.Holds(j.target, s, nil)
	return err == nil && is
}

// excluded reports whether a lemma says that s, which is no start, is one.
func (j *judge) excluded(s rules.State) bool {
	return slices.ContainsFunc(j.lemmas, func(l rules.StartOnly) bool { return s.Vars[l.Var] == l.Value })
}
