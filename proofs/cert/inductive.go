package cert

import (
	"context"
	"fmt"

	"github.com/mancheck/mancheck/proofs/cert/internal/refuse"
	"github.com/mancheck/mancheck/rules"
)

// Inductive is the evidence of a claim that is k-inductive.
type Inductive struct {
	K int `json:"k" is:"1..1000"`
}

func (e *Inductive) check(_ context.Context, st *statement, _ *Report) error {
	if _, is := st.says.(never); !is {
		return st.unfit(e)
	}
	return refuse.Open("the evidence is an inductive invariant")
}

// obligations are about the first k states of each play, and about the state after any k
// states that satisfy the claim.
func (e *Inductive) obligations(_ context.Context, st *statement) ([]Obligation, error) {
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
