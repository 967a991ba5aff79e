package cert

import (
	"context"
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/mancheck/mancheck/checker/backward"
	"github.com/mancheck/mancheck/checker/shape"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/rulestest"
)

// TestRandomClosedSets: on random rules, sets that the backward search closes are accepted or left
// to a solver, and are not accepted without any one of their states, except those that a lemma
// excludes.
func TestRandomClosedSets(t *testing.T) {
	accepted := 0
	rapid.Check(t, func(t *rapid.T) {
		sys := rulestest.System().Draw(t, "system")
		var pits []int
		for p := range sys.Pits {
			pits = append(pits, p)
		}
		few := rules.Binary{Op: rules.Le, L: rules.Sum{Pits: pits}, R: rules.Const{Value: rapid.IntRange(0, 3).Draw(t, "seeds")}}
		target := rules.Conjunction(rulestest.Claim(sys, false).Draw(t, "target"), few)
		in := interp.New(sys)
		res, err := backward.Search(context.Background(), in, target, backward.Options{MaxStates: 200})
		if err != nil || res.Stop != backward.Closed {
			return
		}
		var states []rules.State
		for i := range res.Len() {
			states = append(states, res.State(i))
		}
		var lemmas []Lemma
		for _, l := range shape.Of(context.Background(), in).Lemmas {
			lemmas = append(lemmas, Lemma(l))
		}
		parts := Parts{Pits: res.Kept.Pits, Vars: res.Kept.Vars, Over: res.Kept.Over}
		evidence := NewBackward(sys, parts, lemmas, states)
		st := &statement{sys: sys, target: target}
		err = st.check(context.Background(), &evidence, &Report{})
		if needs := (*NeedsSolver)(nil); errors.As(err, &needs) {
			return
		}
		if err != nil {
			t.Logf("%v", err) // the search knows more, such as what a preference excludes
			return
		}
		accepted++
		for i := range evidence.States {
			if onlyInStarts(states[i], parts, lemmas) {
				continue
			}
			less := evidence
			less.States = slices.Delete(slices.Clone(evidence.States), i, i+1)
			if st.check(context.Background(), &less, &Report{}) == nil {
				t.Fatalf("accepted without state %d of %d: %v", i, len(evidence.States), evidence.States[i])
			}
		}
	})
	if accepted == 0 && !testing.Short() { // a short run tries few
		t.Error("nothing was ever accepted")
	}
	t.Logf("%d accepted", accepted)
}

// onlyInStarts reports whether a lemma says that s is a start. States of a closed set are none, so
// that the set is closed without s as well.
func onlyInStarts(s rules.State, parts Parts, lemmas []Lemma) bool {
	return s.Live() && slices.ContainsFunc(lemmas, func(l Lemma) bool {
		return parts.Vars[l.Var] && s.Vars[l.Var] == l.Value
	})
}
