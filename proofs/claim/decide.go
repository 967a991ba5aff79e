package claim

import (
	"errors"
	"strings"

	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/proofs/engines"
	"github.com/mancheck/mancheck/proofs/result"
	"github.com/mancheck/mancheck/proofs/say"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/space"
)

// Decide decides a claim's instance. The result is a verdict only when it is confirmed.
func Decide(run *engines.Run) (*result.Result, error) {
	kind := KindOf(run.Sys, run.Inst.Property)
	if len(run.Sys.OpenParams()) > 0 {
		return quantified(run, kind)
	}
	starts, err := engines.AnyStart(run)
	if err != nil {
		return nil, err
	}
	if starts == space.None {
		return nil, noStart(run.Sys)
	}
	r, err := engines.Settled(kind.decide(run))
	if err != nil || starts == space.Some || !kind.OfPlays() || r.Trace != nil || !r.Conclusive() {
		return r, err
	}
	switch starts, err = engines.StartsOfAny(run); {
	case err != nil:
		return nil, err
	case starts == space.None:
		return nil, noStart(run.Sys)
	case starts == space.Unsure:
		r.Notes = append(r.Notes, verdict.SubjectUnknown{Of: verdict.StartOfSetup})
	}
	return r, nil
}

// errStop ends an enumeration early.
var errStop = errors.New("stop")

func noStart(sys *rules.System) error {
	var l diag.List
	var params []string
	for _, p := range sys.Params {
		params = append(params, p.Name+" = "+say.Value(verdict.ParamOf(p)))
	}
	l.Errorf(diag.NoStart, sys.Start.At, "no distribution of seeds satisfies this setup").
		WithHelp("with %s", strings.Join(params, ", "))
	return l
}
