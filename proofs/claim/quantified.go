package claim

import (
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/proofs/cert"
	"github.com/mancheck/mancheck/proofs/engines"
	"github.com/mancheck/mancheck/proofs/result"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/space"
)

// Limits on the search through values of open parameters. tryStates is how many states the searches
// for a counterexample may find in all. If the range is unbounded they cannot prove the claim, and
// fewStates is the limit instead.
const (
	tryStates = 2_000_000
	fewStates = 200_000
	maxBarren = 1000          // values in a row without a start, before the search gives up
	maxTried  = 500           // values of an unbounded range that fail the claim, before the search gives up
	sumStates = 5 * tryStates // states found for the values that fail the claim, in all
)

// quantified decides a claim about all or some values of the open parameters. Values without a
// start are skipped. If no value has a start, a claim for all values is true and a claim for some
// value is false; this does not concern claims about all states of the right shape.
func quantified(run *engines.Run, kind Kind) (*result.Result, error) {
	some := run.Inst.Some != ""
	decide := kind.decideAll
	if some {
		decide = kind.decideSome
		if len(run.Sys.OpenParams()) > 1 {
			decide = mixed
		}
	}
	if !kind.OfPlays() {
		return engines.Settled(decide(run))
	}
	starts, err := engines.StartsOfAny(run)
	if err != nil {
		return nil, err
	}
	if starts == space.None {
		return aboutNothing(run, some), nil
	}
	r, err := engines.Settled(decide(run))
	if err == nil && starts == space.Unsure && !some && r.Status == verdict.Proved {
		r.Notes = append(r.Notes, verdict.AnyStartUnknown)
	}
	return r, err
}

// aboutNothing returns the vacuous verdict for a setup without a start for any value.
func aboutNothing(run *engines.Run, some bool) *result.Result {
	r := run.Result(verdict.Is(!some), verdict.Forward, verdict.NoStart.Of(openNames(run)...))
	r.Vacuous = true
	return r
}

// mixed leaves a claim open that is about some value of one parameter and all values of the others.
// No engine decides alternating quantifiers.
func mixed(run *engines.Run) (*result.Result, error) {
	return nil, run.Unknown(run.Opt.Engine, verdict.MixedQuantifiers)
}

// forValue returns the decision for one value of the open parameter, the kind of claim there, and
// whether there is a start. For a claim that is not about plays starts do not matter, and
// space.Some is returned.
func forValue(run *engines.Run, n int) (on *engines.Run, kind Kind, starts space.Existence, err error) {
	sys, p, err := run.Inst.WithValues([]int{n})
	if err != nil {
		return nil, nil, space.Unsure, err
	}
	on, kind, starts = run.On(sys), KindOf(sys, p), space.Some
	if kind.OfPlays() {
		starts, err = engines.AnyStart(on)
	}
	return on, kind, starts, err
}

// openNames returns the names of the open parameters.
func openNames(run *engines.Run) []string {
	return lists.Map(run.Sys.OpenParams(), func(p int) string { return run.Sys.Params[p].Name })
}

// counterexample tries the least values of a single open parameter with the forward search. They
// share one limit on states. A value that refutes the claim refutes it for all values. If every
// value of the range was tried, the claim is proved.
func counterexample(run *engines.Run) (*result.Result, error) {
	open := run.Sys.OpenParams()
	nothing := run.Unknown(verdict.Forward, verdict.NoneDecides.Of(openNames(run)...))
	if len(open) != 1 {
		return nil, nothing
	}
	par := run.Sys.Params[open[0]]
	most := run.UpTo(tryStates)
	vacuous, tried, left := true, 0, most
	var each []*result.Result
	if !par.HasHi {
		left = min(most, fewStates)
	}
	// A greater limit on states may help, unless fewStates applied.
	more := left == most
	for n := par.Lo; n < par.Lo+engines.Patience && (!par.HasHi || n <= par.Hi); n++ {
		c, kind, starts, err := forValue(run, n)
		if err != nil {
			return nil, err
		}
		if starts == space.None {
			continue
		}
		c.Opt.Engine, c.Opt.MaxStates = verdict.Forward, left
		r, err := engines.Settled(kind.decide(c))
		if err != nil || r.Status == verdict.Refuted {
			return r, err
		}
		if left -= r.Stats.States; r.Status != verdict.Proved || left <= 0 {
			return nil, nothing.More(more)
		}
		vacuous = vacuous && r.Vacuous
		each = withStrategies(each, r)
		tried++
	}
	if tried == 0 || !par.HasHi || par.Hi >= par.Lo+engines.Patience {
		return nil, nothing
	}
	r := run.Result(verdict.Proved, verdict.Forward, verdict.EachValue.Of(tried))
	r.Vacuous, r.Each = vacuous, each
	return r, nil
}

// withStrategies appends a verdict on one value to those that are kept as evidence: those that only
// strategies show.
func withStrategies(each []*result.Result, r *result.Result) []*result.Result {
	if _, is := r.Evidence.(*cert.Strategies); is {
		return append(each, r)
	}
	return each
}

// leastValue tries the values of the only open parameter in increasing order until the claim holds
// for one. It skips values without a start, up to maxBarren in a row. known is what another engine
// found out about some value, or nil; it is the answer if the search gives up.
func leastValue(run *engines.Run, known *result.Result) (*result.Result, error) {
	par := run.Sys.Params[run.Sys.OpenParams()[0]]
	barren, tried, left, vacuous, by := 0, 0, int64(sumStates), true, verdict.Forward
	var each []*result.Result
	for n := par.Lo; !par.HasHi || n <= par.Hi; n++ {
		if err := run.Ctx.Err(); err != nil {
			return nil, err
		}
		c, kind, starts, err := forValue(run, n)
		if err != nil {
			return nil, err
		}
		if starts == space.None {
			if barren++; barren >= maxBarren {
				return nil, run.Unknown(verdict.Forward, verdict.NoStartsLately{Param: par.Name, Values: barren, N: n})
			}
			continue
		}
		barren = 0
		r, err := engines.Settled(kind.decide(c))
		if err != nil {
			return nil, err
		}
		// A proof without a play might be vacuous here, so it does not count as a value.
		if r.Status == verdict.Proved && starts == space.Unsure && r.Trace == nil {
			r = c.Unknown(r.Engine, verdict.StartUnknown).Result
		}
		switch r.Status {
		case verdict.Proved:
			r.Least = &verdict.Least{Param: par.Name, Value: n}
			return r, nil
		case verdict.Unknown, verdict.Bounded:
			return afterLimit(known, par, n, r), nil
		}
		if vacuous = vacuous && r.Vacuous; r.Engine.BySolver() {
			by = r.Engine
		}
		each = withStrategies(each, r)
		left -= r.Stats.States
		if tried++; (tried >= maxTried || left <= 0) && !par.HasHi {
			none := run.Unknown(verdict.Forward, verdict.NoneOfLeast.Of(tried)).Result
			return afterLimit(known, par, n, none), nil
		}
	}
	r := run.Result(verdict.Refuted, by, verdict.NoValue{Param: par.Name, Lo: par.Lo, Hi: par.Hi})
	r.Vacuous, r.Each = vacuous && tried > 0, each
	return r, nil
}

// afterLimit returns the result of a search that gave up at value n, for the reason in r: the known
// play, if there is one, although its value may not be the least.
func afterLimit(known *result.Result, par rules.Param, n int, r *result.Result) *result.Result {
	if known != nil && known.Status == verdict.Proved {
		known.Limited = true
		known.Notes = append(known.Notes, verdict.SmallerUnknown{Param: par.Name, Value: n, Rest: verdict.Because(r.Open)})
		return known
	}
	r.Status, r.Bound = verdict.Unknown, 0
	r.Open = verdict.At{Param: par.Name, Value: n, Rest: verdict.Because(r.Open)}
	return r
}
