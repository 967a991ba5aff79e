package claim

import (
	"github.com/mancheck/mancheck/proofs/engines"
	"github.com/mancheck/mancheck/proofs/result"
	"github.com/mancheck/mancheck/proofs/verdict"
)

// neverStuck claims that every reachable live state has a legal move. It is decided as a claim that
// no reachable state is stuck or is one in which a turn goes on for ever.
type neverStuck struct{ reach }

func (neverStuck) about() verdict.Claim { return verdict.Claim{Kind: verdict.NeverStuck} }

// decide explores a few states before it asks what the text of the rules says, since a search meets
// faults of the rules, and finds a shortest play.
func (k neverStuck) decide(run *engines.Run) (*result.Result, error) {
	switch run.Opt.Engine {
	case verdict.Laws:
		return k.laws(run)
	case verdict.Auto:
		few := run.Limited(run.Few())
		r, err := engines.Settled(k.forward(few))
		if err == nil && r.Status == verdict.Unknown && few.Fault == nil {
			r, err = engines.Settled(k.laws(run))
		}
		if err == nil && r.Status != verdict.Unknown {
			return r, nil
		}
	}
	return k.reach.decide(run)
}

// decideAll asks the text of the rules first, which does not depend on the starts.
func (k neverStuck) decideAll(run *engines.Run) (*result.Result, error) {
	if run.Wants(verdict.Laws) {
		if r, err := engines.Settled(k.laws(run)); err != nil || r.Status != verdict.Unknown || run.Opt.Engine == verdict.Laws {
			return r, err
		}
	}
	return k.reach.decideAll(run)
}
