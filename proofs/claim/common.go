package claim

import (
	"context"

	"github.com/mancheck/mancheck/proofs/cert"
	"github.com/mancheck/mancheck/proofs/confirm"
	"github.com/mancheck/mancheck/proofs/engines"
	"github.com/mancheck/mancheck/proofs/result"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/resolve"
	"github.com/mancheck/mancheck/rules/space"
)

// usual is what most kinds have in common: a claim about plays, without lists of states or evidence
// to look at.
type usual struct{}

func (usual) Listed() []resolve.Listed { return nil }

func (usual) Strategy() (name, role string) { return "", "" }

func (usual) OfPlays() bool { return true }

// decideAll looks for a value that refutes the claim.
func (usual) decideAll(run *engines.Run) (*result.Result, error) {
	if !run.Wants(verdict.Forward) {
		return nil, run.Refuses(verdict.AboutAllValues)
	}
	return counterexample(run)
}

func (usual) decideSome(run *engines.Run) (*result.Result, error) { return leastValue(run, nil) }

func (usual) Closes() (goal, where rules.Expr) { return nil, nil }

func (usual) Certified(confirm.Question, *cert.Report) error { return nil }

func (usual) Shows(*result.Result) func(context.Context) error { return nil }

// compareSets says whether each found state is listed and each listed condition is met by a found
// state. Of the states only what is kept is known.
func compareSets(run *engines.Run, found []rules.State, listed []resolve.Listed, engine verdict.Engine, keep space.Kept) (*result.Result, error) {
	diff := &result.SetDiff{Found: found, Kept: keep}
	met := make([]bool, len(listed))
	for _, s := range found {
		any := false
		for i, l := range listed {
			ok, err := run.In.HoldsOn(l.Cond, s, keep.PartsOf(s))
			if err != nil {
				return nil, run.Beyond(engine, err)
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
	r := run.Result(verdict.Proved, engine, verdict.SetFound{States: len(found), Extra: len(diff.Extra), Missing: len(diff.Missing)})
	r.Sets = diff
	r.Stats.States = int64(len(found))
	if len(diff.Extra)+len(diff.Missing) > 0 {
		r.Status = verdict.Refuted
	}
	return r, nil
}
