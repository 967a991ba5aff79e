package proofs

import (
	"slices"

	"github.com/mancheck/mancheck/checker/step"
	"github.com/mancheck/mancheck/proofs/internal/trial"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/resolve"
	"github.com/mancheck/mancheck/rules/space"
)

// compareSets says whether each found state is listed and each listed condition is met by a found
// state. Of the states only what is kept is known.
func (d *decision) compareSets(found []rules.State, listed []resolve.Listed, engine Engine, keep space.Kept) (*Result, error) {
	diff := &SetDiff{Found: found, Kept: keep}
	met := make([]bool, len(listed))
	for _, s := range found {
		any := false
		for i, l := range listed {
			ok, err := d.in.HoldsOn(l.Cond, s, keep.PartsOf(s))
			if err != nil {
				return nil, d.beyond(engine, err)
			}
			met[i] = met[i] || ok
			any = any || ok
		}
		if !any {
			diff.Extra = append(diff.Extra, s)
		}
	}
	for i, ok := range met {
		if !ok {
			diff.Missing = append(diff.Missing, listed[i])
		}
	}
	r := d.result(Proved, engine, verdict.SetFound{States: len(found), Extra: len(diff.Extra), Missing: len(diff.Missing)})
	r.Sets = diff
	r.Stats.States = int64(len(found))
	if len(diff.Extra)+len(diff.Missing) > 0 {
		r.Status = Refuted
	}
	return r, nil
}

// counts reports whether a step by an action is one that a claim speaks of.
func counts(actions []bool, a int) bool { return actions == nil || actions[a] }

// legal lists the steps of a state that need not be in play, by these actions; nil: all. The
// interpreter and the stepper have to agree on them. An action that meets a fault of the rules has
// no step; the verdict notes it.
func (d *decision) legal(s rules.State, actions []bool) ([]interp.Step, error) {
	steps, fault, err := d.in.Legal(s)
	if fault != nil {
		d.met(fault)
	}
	if err != nil {
		return nil, err
	}
	if d.stepper == nil {
		if d.stepper, err = step.Compile(d.sys); err != nil {
			return nil, err
		}
		d.stepper.Within(d.ctx)
	}
	if err := trial.Steps(d.stepper, s, steps); err != nil {
		return nil, err
	}
	return slices.DeleteFunc(steps, func(st interp.Step) bool { return !counts(actions, st.Action) }), nil
}

func distinct(list []rules.State) []rules.State {
	slices.SortFunc(list, rules.State.Compare)
	return slices.CompactFunc(list, rules.State.Equal)
}

func sameStates(l, r []rules.State) bool {
	return slices.EqualFunc(distinct(slices.Clone(l)), distinct(slices.Clone(r)), rules.State.Equal)
}
