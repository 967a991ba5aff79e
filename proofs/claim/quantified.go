package claim

import (
	"github.com/mancheck/mancheck/proofs/engines"
	"github.com/mancheck/mancheck/proofs/result"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/space"
)

// tryStates is how many states the searches for a counterexample may find in all, before the tool
// gives up. For an unbounded range, where they can prove nothing, fewStates is the limit.
const (
	tryStates = 2_000_000
	fewStates = 200_000
	maxBarren = 1000          // values in a row for which the setup has no start
	maxTried  = 500           // values of an unbounded range for which a claim does not hold
	sumStates = 5 * tryStates // of the searches for them, in all
)

// quantified decides a claim about all or some values of the open parameters. Values without a
// start are skipped. If no value has a start, a claim for all values is true and one for some value
// is false, unless it is about all states of the right shape.
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
		r.Notes = append(r.Notes, verdict.SubjectUnknown{Of: verdict.StartOfAny})
	}
	return r, err
}

// aboutNothing returns the verdict if no value has a start.
func aboutNothing(run *engines.Run, some bool) *result.Result {
	r := run.Result(verdict.Proved, verdict.Forward, verdict.NoStart{Params: openNames(run)})
	if some {
		r.Status = verdict.Refuted
	}
	r.Vacuous = true
	return r
}

// mixed leaves open a claim for some value of one parameter and all values of others.
func mixed(run *engines.Run) (*result.Result, error) {
	return nil, run.Unknown(run.Opt.Engine, verdict.MixedQuantifiers{})
}

// forValue is the claim for one value of the open parameter, and whether there is a start, if it is
// about plays; otherwise that is assumed.
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

func openNames(run *engines.Run) []string {
	var names []string
	for _, p := range run.Sys.OpenParams() {
		names = append(names, run.Sys.Params[p].Name)
	}
	return names
}

// counterexample tries the least values of a single open parameter with the forward search, among
// at most so many states in all. A value that refutes the claim refutes it for all. If these are
// all values of the range, they also prove it.
func counterexample(run *engines.Run) (*result.Result, error) {
	open := run.Sys.OpenParams()
	nothing := run.Unknown(verdict.Forward, verdict.NoneDecides{Params: openNames(run)})
	if len(open) != 1 {
		return nil, nothing
	}
	par := run.Sys.Params[open[0]]
	most := run.UpTo(tryStates)
	vacuous, tried, left := true, 0, most
	if !par.HasHi {
		left = min(most, fewStates)
	}
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
		tried++
	}
	if tried == 0 || !par.HasHi || par.Hi >= par.Lo+engines.Patience {
		return nil, nothing
	}
	r := run.Result(verdict.Proved, verdict.Forward, verdict.EachValue{Values: tried})
	r.Vacuous = vacuous
	return r, nil
}

// leastValue tries the values of the parameter in order. It skips those for which the setup has no
// start, within a limit, and limits the values tried in an unbounded range.
func leastValue(run *engines.Run, known *result.Result) (*result.Result, error) {
	par := run.Sys.Params[run.Sys.OpenParams()[0]]
	barren, tried, left := 0, 0, int64(sumStates)
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
		if r.Status == verdict.Proved && starts == space.Unsure && r.Trace == nil {
			r = c.Unknown(r.Engine, verdict.StartUnknown{}).Result
		}
		switch r.Status {
		case verdict.Proved:
			r.Least = &verdict.Least{Param: par.Name, Value: n}
			return r, nil
		case verdict.Unknown, verdict.Bounded:
			return afterLimit(run, known, par, n, r), nil
		}
		left -= r.Stats.States
		if tried++; (tried >= maxTried || left <= 0) && !par.HasHi {
			none := run.Unknown(verdict.Forward, verdict.NoneOfLeast{Values: tried}).Result
			return afterLimit(run, known, par, n, none), nil
		}
	}
	return run.Result(verdict.Refuted, verdict.Forward, verdict.NoValue{Param: par.Name, Lo: par.Lo, Hi: par.Hi}), nil
}

// afterLimit falls back on the known play, although its value may not be the least.
func afterLimit(run *engines.Run, known *result.Result, par rules.Param, n int, r *result.Result) *result.Result {
	if known != nil && known.Status == verdict.Proved {
		known.Limited = true
		known.Notes = append(known.Notes, verdict.SmallerUnknown{Param: par.Name, Value: n, Rest: verdict.Because(r.Open)})
		return known
	}
	r.Status, r.Bound = verdict.Unknown, 0
	r.Open = verdict.At{Param: par.Name, Value: n, Rest: verdict.Because(r.Open)}
	return r
}
