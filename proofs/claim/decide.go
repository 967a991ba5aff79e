package claim

import (
	"errors"
	"strings"

	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/proofs/engines"
	"github.com/mancheck/mancheck/proofs/result"
	"github.com/mancheck/mancheck/proofs/say"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/space"
)

// Decide decides the instance of a claim that run is about. The result is what the engines claim,
// with their evidence; it is a verdict only after package confirm has checked it. A question that
// no engine decides gives an Unknown result, not an error. A setup without any start is an error of
// the text, unless its parameters are open.
//
// Engines know no rule of repetition. A verdict of theirs that says nothing of plays under it
// leaves the claim open.
func Decide(run *engines.Run) (*result.Result, error) {
	lost := run.Inst.Lost
	open := run.Unknown(run.Opt.Engine, verdict.ComesBack)
	if lost.Proved && lost.Refuted {
		return open.Result, nil
	}
	r, err := decided(run)
	if err == nil && (lost.Proved && r.Status != verdict.Refuted || lost.Refuted && r.Status != verdict.Proved) && r.Status != verdict.Unknown {
		return open.Result, nil
	}
	return r, err
}

// decided is Decide by the engines.
func decided(run *engines.Run) (*result.Result, error) {
	if run.Inst.Size != "" {
		return everySize(run, decided)
	}
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
	// Engines found the claim true or false without looking at a start. A closed set or an
	// induction says nothing if there is none, so look harder before the verdict is returned.
	switch starts, err = engines.StartsOfAny(run); {
	case err != nil:
		return nil, err
	case starts == space.None:
		return nil, noStart(run.Sys)
	case starts == space.Unsure:
		r.Notes = append(r.Notes, verdict.StartUnknown)
	}
	return r, nil
}

// errStop is returned by callbacks to end an enumeration early. It never leaves this package.
var errStop = errors.New("stop")

// noStart returns the diagnostic for a setup without starts, with the values of its parameters.
func noStart(sys *rules.System) error {
	l := diag.Errorf(diag.NoStart, sys.Start.At, "no distribution of seeds satisfies this setup")
	if len(sys.Params) > 0 {
		params := lists.Map(sys.Params, func(p rules.Param) string { return p.Name + " = " + say.Value(verdict.ParamOf(p)) })
		l.WithHelp("with %s", strings.Join(params, ", "))
	}
	return l
}
