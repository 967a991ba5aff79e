package proofs

import (
	"fmt"

	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/resolve"
)

// patience is how many values of an open parameter are tried in search of a counterexample, and tryStates how many states the
// searches may find in all, before the tool gives up. Where the range has no upper end they can prove nothing, and fewStates have
// to do.
const (
	patience  = 16
	tryStates = 2_000_000
	fewStates = 200_000
	maxBarren = 1000          // values in a row for which the setup has no start
	maxTried  = 500           // values of a range without upper end for which a claim does not hold
	sumStates = 5 * tryStates // of the searches for them, in all
)

// quantified decides a claim about all or some values of the open parameters. Values without a start are passed over, so where there
// is no other, all is true of them and nothing for some; unless the claim is about all states of the right shape.
func (d *decision) quantified() (*Result, error) {
	decide := d.forAll
	if d.inst.Some != "" {
		decide = d.forSome
	}
	if !ofPlays(d.property) {
		return decide()
	}
	starts, err := d.startsOfAny()
	if err != nil {
		return nil, err
	}
	if starts == none {
		return d.aboutNothing(d.inst.Some != ""), nil
	}
	r, err := decide()
	if err == nil && starts == unsure && d.inst.Some == "" && r.Status == Proved {
		r.Notes = append(r.Notes, noteStarts)
	}
	return r, err
}

// aboutNothing is the verdict where no value has a start.
func (d *decision) aboutNothing(some bool) *Result {
	r := d.result(Proved, Forward, fmt.Sprintf("the setup has no start for any value of %s", d.openNames()))
	if some {
		r.Status = Refuted
	}
	r.Vacuous = true
	return r
}

// forAll decides a claim about every value of the open parameters at once.
func (d *decision) forAll() (*Result, error) {
	p, reach := d.asReach()
	switch {
	case !reach || p.Reachable:
		return d.forAllOther()
	case d.opt.Engine != Auto && d.opt.Engine != Forward:
		return d.reach(p)
	}
	counter := func() (*Result, error) { return d.counterexample() }
	if d.opt.Engine == Forward {
		return counter()
	}
	return d.firstOf(
		func() (*Result, error) { return d.orFault(d.reachBackward(p, d.few())) },
		func() (*Result, error) { return d.inductionOrLeast(p) },
		counter,
		func() (*Result, error) { return d.reachBackward(p, d.upTo(tryStates)) },
	)
}

// inductionOrLeast is induction; but where that finds a counterexample, with whatever values the solver likes, one for the least values is
// looked for.
func (d *decision) inductionOrLeast(p *resolve.Reach) (*Result, error) {
	r, err := d.reachInduction(p)
	if err != nil || r.Status != Refuted {
		return r, err
	}
	if c, err := d.counterexample(); err == nil && c.Status == Refuted {
		return c, nil
	}
	return r, nil
}

// forAllOther decides claims about steps, which the solver does for all values, and about ancestors, among which it does not matter
// who is a start; of others it looks for a value that refutes them.
func (d *decision) forAllOther() (*Result, error) {
	if p, ok := d.property.(*resolve.Count); ok && p.Set == resolve.CountAncestors {
		return d.count(p)
	}
	if p, ok := d.property.(*resolve.StrategyWins); ok {
		return d.strategyForAll(p)
	}
	if p, ok := d.property.(*resolve.EveryStep); ok && d.opt.Engine != Forward {
		if r, err := d.everyStepSMT(p); err != nil || r.Status != Unknown || d.opt.Engine == SMT {
			return r, err
		}
	}
	if !d.wants(Forward) {
		return d.none("this kind of claim for all values of a parameter"), nil
	}
	return d.counterexample()
}

func (d *decision) openNames() string {
	s := ""
	for i, p := range d.sys.OpenParams() {
		if i > 0 {
			s += ", "
		}
		s += d.sys.Params[p].Name
	}
	return s
}

// asReach is the property as one of reachability, if it is one.
func (d *decision) asReach() (*resolve.Reach, bool) {
	switch p := d.property.(type) {
	case *resolve.Reach:
		return p, true
	case *resolve.NeverStuck:
		return &resolve.Reach{Target: Holes(d.sys), Within: -1}, true
	}
	return nil, false
}

// counterexample tries the least values of a single open parameter forward. A value that refutes the claim refutes it for all. If these
// are all values of the range, they prove it, too.
func (d *decision) counterexample() (*Result, error) {
	open := d.sys.OpenParams()
	nothing := d.unknown(Forward, "no value of %s that was tried refutes it, and none proves it for all", d.openNames())
	if len(open) != 1 {
		return nothing, nil
	}
	par := d.sys.Params[open[0]]
	vacuous, tried, left := true, 0, int64(tryStates)
	if !par.HasHi {
		left = fewStates
	}
	for n := par.Lo; n < par.Lo+patience && (!par.HasHi || n <= par.Hi); n++ {
		c, _, err := d.close([]int{n})
		if err != nil {
			return nil, err
		}
		if barren, err := c.barren(); err != nil {
			return nil, err
		} else if barren {
			continue
		}
		c.opt.MaxStates = c.upTo(left)
		c.opt.Engine = Forward
		r, err := c.single()
		if err != nil || r.Status == Refuted {
			return r, err
		}
		if left -= r.Stats.States; r.Status != Proved || left <= 0 {
			return nothing, nil
		}
		vacuous = vacuous && r.Vacuous
		tried++
	}
	if tried == 0 || !par.HasHi || par.Hi >= par.Lo+patience {
		return nothing, nil
	}
	r := d.result(Proved, Forward, fmt.Sprintf("tried for each of %s", count(tried, "value")))
	r.Vacuous = vacuous
	return r, nil
}

// forSome looks for the least value of a parameter for which the claim holds.
func (d *decision) forSome() (*Result, error) {
	if len(d.sys.OpenParams()) > 1 {
		return d.unknown(d.opt.Engine, "a claim for all values of one parameter and for some of another is not decided"), nil
	}
	p, ok := d.asReach()
	if !ok || !p.Reachable {
		return d.leastValue(nil)
	}
	if !d.wants(Backward) {
		return d.leastValue(nil)
	}
	b, err := d.reachBackward(p, d.few())
	if err != nil {
		return nil, err
	}
	if b.Status == Refuted || d.opt.Engine == Backward && b.Status == Unknown {
		return b, nil
	}
	return d.leastValue(b)
}

// barren reports whether the claim is about plays, and the setup has no start.
func (d *decision) barren() (bool, error) {
	starts, err := d.startsFor()
	return starts == none, err
}

// startsFor looks for a start if the claim is one about plays; else it takes none to hold.
func (d *decision) startsFor() (existence, error) {
	if !ofPlays(d.property) {
		return some, nil
	}
	return d.anyStart(d.in)
}

// leastValue tries the values of the parameter in order. Those for which the setup has no start are passed over, but not for ever; nor
// are values tried for ever where the range has no end.
func (d *decision) leastValue(known *Result) (*Result, error) {
	par := d.sys.Params[d.sys.OpenParams()[0]]
	barren, tried, left := 0, 0, int64(sumStates)
	for n := par.Lo; !par.HasHi || n <= par.Hi; n++ {
		if err := d.ctx.Err(); err != nil {
			return nil, err
		}
		c, _, err := d.close([]int{n})
		if err != nil {
			return nil, err
		}
		starts, err := c.startsFor()
		if err != nil {
			return nil, err
		}
		if starts == none {
			if barren++; barren >= maxBarren {
				return d.unknown(Forward, "no start for the last %d values of %s, up to %d", barren, par.Name, n), nil
			}
			continue
		}
		barren = 0
		r, err := c.single()
		if err != nil {
			return nil, err
		}
		if r.Status == Proved && starts == unsure && r.Trace == nil {
			r = c.unknown(r.Engine, "whether the setup has a start is not known")
		}
		switch r.Status {
		case Proved:
			r.Reason = fmt.Sprintf("least %s: %d; %s", par.Name, n, r.Reason)
			return r, nil
		case Unknown, Bounded:
			return d.afterLimit(known, par, n, r), nil
		}
		left -= r.Stats.States
		if tried++; (tried >= maxTried || left <= 0) && !par.HasHi {
			none := d.unknown(Forward, "it holds for none of the least %s", count(tried, "value"))
			return d.afterLimit(known, par, n, none), nil
		}
	}
	return d.result(Refuted, Forward, fmt.Sprintf("for no %s from %d to %d", par.Name, par.Lo, par.Hi)), nil
}

// afterLimit falls back on the play that is known, though its value may not be the least.
func (d *decision) afterLimit(known *Result, par rules.Param, n int, r *Result) *Result {
	if known != nil && known.Status == Proved {
		known.Limited = true
		known.Notes = append(known.Notes, fmt.Sprintf("whether a smaller %s does is not known: at %d, %s", par.Name, n, r.Reason))
		return known
	}
	r.Status, r.Bound = Unknown, 0
	r.Reason = fmt.Sprintf("at %s = %d: %s", par.Name, n, r.Reason)
	return r
}
