package proofs

import (
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/space"
)

// patience is how many values of an open parameter are tried in search of a counterexample, and
// tryStates how many states the searches may find in all, before the tool gives up. For an
// unbounded range, where they can prove nothing, fewStates is the limit.
const (
	patience  = 16
	tryStates = 2_000_000
	fewStates = 200_000
	maxBarren = 1000          // values in a row for which the setup has no start
	maxTried  = 500           // values of an unbounded range for which a claim does not hold
	sumStates = 5 * tryStates // of the searches for them, in all
)

// quantified decides a claim about all or some values of the open parameters. Values without a
// start are skipped. If no value has a start, a claim for all values is true and one for some value
// is false, unless it is about all states of the right shape.
func (d *decision) quantified() (*Result, error) {
	decide := d.kind.decideAll
	if d.inst.Some != "" {
		decide = d.forSome
	}
	if !d.kind.ofPlays() {
		return settled(decide(d))
	}
	starts, err := d.startsOfAny()
	if err != nil {
		return nil, err
	}
	if starts == space.None {
		return d.aboutNothing(d.inst.Some != ""), nil
	}
	r, err := settled(decide(d))
	if err == nil && starts == space.Unsure && d.inst.Some == "" && r.Status == Proved {
		r.Notes = append(r.Notes, verdict.SubjectUnknown{Of: verdict.StartOfAny})
	}
	return r, err
}

// aboutNothing returns the verdict if no value has a start.
func (d *decision) aboutNothing(some bool) *Result {
	r := d.result(Proved, Forward, verdict.NoStart{Params: d.openNames()})
	if some {
		r.Status = Refuted
	}
	r.Vacuous = true
	return r
}

func (d *decision) openNames() []string {
	var names []string
	for _, p := range d.sys.OpenParams() {
		names = append(names, d.sys.Params[p].Name)
	}
	return names
}

// counterexample tries the least values of a single open parameter with the forward search, among
// at most so many states in all. A value that refutes the claim refutes it for all. If these are
// all values of the range, they also prove it.
func (d *decision) counterexample(most int64) (*Result, error) {
	open := d.sys.OpenParams()
	nothing := d.unknown(Forward, verdict.NoneDecides{Params: d.openNames()})
	if len(open) != 1 {
		return nil, nothing
	}
	par := d.sys.Params[open[0]]
	vacuous, tried, left := true, 0, most
	if !par.HasHi {
		left = min(most, fewStates)
	}
	more := left == most
	for n := par.Lo; n < par.Lo+patience && (!par.HasHi || n <= par.Hi); n++ {
		c, err := d.with([]int{n})
		if err != nil {
			return nil, err
		}
		if starts, err := c.startsFor(); err != nil {
			return nil, err
		} else if starts == space.None {
			continue
		}
		c.opt.MaxStates = c.upTo(left)
		c.opt.Engine = Forward
		r, err := c.single()
		if err != nil || r.Status == Refuted {
			return r, err
		}
		if left -= r.Stats.States; r.Status != Proved || left <= 0 {
			nothing.more = more
			return nil, nothing
		}
		vacuous = vacuous && r.Vacuous
		tried++
	}
	if tried == 0 || !par.HasHi || par.Hi >= par.Lo+patience {
		return nil, nothing
	}
	r := d.result(Proved, Forward, verdict.EachValue{Values: tried})
	r.Vacuous = vacuous
	return r, nil
}

// forSome looks for the least value of a parameter for which the claim holds.
func (d *decision) forSome(*decision) (*Result, error) {
	if len(d.sys.OpenParams()) > 1 {
		return nil, d.unknown(d.opt.Engine, verdict.MixedQuantifiers{})
	}
	return d.kind.decideSome(d)
}

// leastValue tries the values of the parameter in order. It skips those for which the setup has no
// start, within a limit, and limits the values tried in an unbounded range.
func (d *decision) leastValue(known *Result) (*Result, error) {
	par := d.sys.Params[d.sys.OpenParams()[0]]
	barren, tried, left := 0, 0, int64(sumStates)
	for n := par.Lo; !par.HasHi || n <= par.Hi; n++ {
		if err := d.ctx.Err(); err != nil {
			return nil, err
		}
		c, err := d.with([]int{n})
		if err != nil {
			return nil, err
		}
		starts, err := c.startsFor()
		if err != nil {
			return nil, err
		}
		if starts == space.None {
			if barren++; barren >= maxBarren {
				return nil, d.unknown(Forward, verdict.NoStartsLately{Param: par.Name, Values: barren, N: n})
			}
			continue
		}
		barren = 0
		r, err := c.single()
		if err != nil {
			return nil, err
		}
		if r.Status == Proved && starts == space.Unsure && r.Trace == nil {
			r = c.unknown(r.Engine, verdict.StartUnknown{}).Result
		}
		switch r.Status {
		case Proved:
			r.Least = &verdict.Least{Param: par.Name, Value: n}
			return r, nil
		case Unknown, Bounded:
			return d.afterLimit(known, par, n, r), nil
		}
		left -= r.Stats.States
		if tried++; (tried >= maxTried || left <= 0) && !par.HasHi {
			none := d.unknown(Forward, verdict.NoneOfLeast{Values: tried}).Result
			return d.afterLimit(known, par, n, none), nil
		}
	}
	return d.result(Refuted, Forward, verdict.NoValue{Param: par.Name, Lo: par.Lo, Hi: par.Hi}), nil
}

// afterLimit falls back on the known play, although its value may not be the least.
func (d *decision) afterLimit(known *Result, par rules.Param, n int, r *Result) *Result {
	if known != nil && known.Status == Proved {
		known.Limited = true
		known.Notes = append(known.Notes, verdict.SmallerUnknown{Param: par.Name, Value: n, Rest: verdict.Because(r.Open)})
		return known
	}
	r.Status, r.Bound = Unknown, 0
	r.Open = verdict.At{Param: par.Name, Value: n, Rest: verdict.Because(r.Open)}
	return r
}
