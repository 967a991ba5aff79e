package claim

import (
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
