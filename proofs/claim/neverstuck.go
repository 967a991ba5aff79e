package claim

import (
	"github.com/mancheck/mancheck/checker/laws"
	"github.com/mancheck/mancheck/proofs/cert"
	"github.com/mancheck/mancheck/proofs/engines"
	"github.com/mancheck/mancheck/proofs/result"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
)

// neverStuck claims that every reachable live state has a legal move. It is decided as a claim that
// no reachable state is stuck or is one in which a turn goes on for ever.
type neverStuck struct{ reach }

func newNeverStuck(sys *rules.System) Kind {
	holes := rules.Binary{Op: rules.Or, L: rules.IsStuck, R: rules.HasOutcome(sys.Endless())}
	return neverStuck{reach{Reach: &build.Reach{Target: holes, Within: -1}}}
}

func (neverStuck) about() verdict.Claim { return verdict.Claim{Kind: verdict.NeverStuck} }

// decide explores a few states before it asks what the text of the rules says, since a search meets
// faults of the rules, and finds a shortest play.
func (k neverStuck) decide(run *engines.Run) (*result.Result, error) {
	switch run.Opt.Engine {
	case verdict.Laws:
		return k.laws(run)
	case verdict.Auto:
		r, err := engines.Settled(k.forward(run.Limited(run.Few())))
		if err != nil || r.Status != verdict.Unknown || run.Fault != nil {
			return r, err
		}
		if r, err := engines.Settled(k.laws(run)); err != nil || r.Status != verdict.Unknown {
			return r, err
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

// laws decides the claim because a state without a move is over or allows a pass, and each loop ends.
func (k neverStuck) laws(run *engines.Run) (*result.Result, error) {
	if run.Sys != run.Inst.System {
		return nil, noLaw(run, "laws are about plays")
	}
	ranks := laws.Loops(run.Sys)
	tried := []cert.Evidence{&cert.NoDeadEnd{Ranks: ranks}}
	if v := laws.Going(run.Sys); v != "" {
		tried = append(tried, &cert.NoDeadEnd{Follows: v, Ranks: ranks})
	}
	return lawful(run, verdict.Proved, verdict.NoDeadEnd, nil, "", tried...)
}
