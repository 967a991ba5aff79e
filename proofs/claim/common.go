package claim

import (
	"context"

	"github.com/mancheck/mancheck/proofs/cert"
	"github.com/mancheck/mancheck/proofs/confirm"
	"github.com/mancheck/mancheck/proofs/engines"
	"github.com/mancheck/mancheck/proofs/result"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
)

// usual has the methods that most kinds of claims share: those of a claim about plays which lists
// no states, and whose verdicts need no checks of their own. A kind embeds it and overrides what
// differs.
type usual struct{}

// As returns the kind of what the claim asserts of another System.
func (usual) As(sys *rules.System, p build.Property) confirm.Kind { return KindOf(sys, p) }

// Listed returns nil: the claim lists no states.
func (usual) Listed() []build.Listed { return nil }

// OfPlays reports true: the claim is about plays from the starts.
func (usual) OfPlays() bool { return true }

// decideAll looks for a value of the open parameters that refutes the claim.
func (usual) decideAll(run *engines.Run) (*result.Result, error) {
	if !run.Wants(verdict.Forward) {
		return nil, run.Refuses(verdict.AllValues)
	}
	return counterexample(run)
}

// decideSome tries the values of the open parameter in increasing order.
func (usual) decideSome(run *engines.Run) (*result.Result, error) { return leastValue(run, nil) }

// Closes returns nil: the verdict relies on no set closed under predecessors.
func (usual) Closes() (goal, where rules.Expr) { return nil, nil }

// Certified accepts every certificate that package cert accepts.
func (usual) Certified(confirm.Question, *cert.Report) error { return nil }

// Shows returns nil: no single play shows the verdict.
func (usual) Shows(*result.Result) func(context.Context) error { return nil }

// compareSets returns the verdict on a claim that lists exactly the found states: every found state
// satisfies a listed condition, and every listed condition is satisfied by a found state. The
// states are known only on the parts in keep; a condition that reads other parts leaves the claim
// open.
func compareSets(run *engines.Run, found []rules.State, listed []build.Listed, engine verdict.Engine, keep rules.Kept) (*result.Result, error) {
	diff := &result.SetDiff{Found: found, Kept: keep}
	// matched says, for each listed condition, whether a found state satisfies it.
	matched := make([]bool, len(listed))
	for _, s := range found {
		any := false
		for i, l := range listed {
			ok, err := run.In.HoldsOn(l.Cond, s, keep.PartsOf(s))
			if err != nil {
				return nil, run.Beyond(engine, err)
			}
			matched[i] = matched[i] || ok
			any = any || ok
		}
		if !any {
			diff.Extra = append(diff.Extra, s)
		}
	}
	for i, ok := range matched {
		if !ok {
			diff.Missing = append(diff.Missing, listed[i])
		}
	}
	same := len(diff.Extra)+len(diff.Missing) == 0
	r := run.Result(verdict.Is(same), engine, verdict.SetFound{States: len(found), Extra: len(diff.Extra), Missing: len(diff.Missing)})
	r.Sets = diff
	r.Stats.States = int64(len(found))
	return r, nil
}
