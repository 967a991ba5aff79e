package proofs

import (
	"errors"
	"fmt"

	"github.com/mancheck/mancheck/checker/backward"
	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/resolve"
)

// size is the size of a counted set. Found lists it, where that is worth showing.
type size struct {
	n      int
	found  []rules.State
	engine Engine
	stats  Stats
	notes  []string
}

// count compares the size of a set with a number.
func (d *decision) count(p *resolve.Count) (*Result, error) {
	size, limit, err := d.size(p)
	if err != nil || limit != nil {
		return limit, err
	}
	holds := rules.Binary{Op: p.Op, L: rules.Const{Value: size.n}, R: rules.Const{Value: p.Value}}
	status := Refuted
	if rules.Simplify(holds, nil) == rules.True {
		status = Proved
	}
	r := d.result(status, size.engine, countReason(fmt.Sprint(size.n)))
	r.Stats, r.Notes = size.stats, size.notes
	if size.found != nil {
		r.Sets = &SetDiff{Found: size.found}
	}
	return r, nil
}

// countReason says how many there are.
func countReason(n string) string {
	if n == "1" {
		return "there is 1"
	}
	return "there are " + n
}

// size counts the set that p speaks of.
func (d *decision) size(p *resolve.Count) (size, *Result, error) {
	switch {
	case p.Set == resolve.CountWinning:
		return d.sizeOfWinning(p)
	case p.Set == resolve.CountAncestors:
		return d.sizeOfAncestors(p)
	case !d.wants(Forward):
		return size{}, d.none("counts of this kind"), nil
	case p.Set == resolve.CountStarts, p.Set == resolve.CountPlays && p.Moves == 0:
		return d.sizeOfStarts(p)
	case p.Set == resolve.CountPlays:
		return d.sizeOfPlays(p)
	}
	return d.sizeOfStates(p)
}

// sizeOfStates counts reachable states.
func (d *decision) sizeOfStates(p *resolve.Count) (size, *Result, error) {
	where := p.Where
	if p.Set == resolve.CountFinished {
		where = rules.Conjunction(rules.Not{X: rules.HasOutcome(rules.Live)}, where)
	}
	res, err := forward.Search(d.ctx, d.sys, d.starts(), forward.Query{Count: []rules.Expr{where}}, d.forwardOptions())
	if err != nil {
		r, err := d.startless(err)
		return size{}, r, err
	}
	if res.Stop != forward.Exhausted {
		return size{}, d.limit(res.Reason, res.Stats), nil
	}
	return size{n: int(res.Counts[0]), engine: Forward, stats: forwardStats(res.Stats)}, nil, nil
}

// sizeOfStarts counts starts without playing from them.
func (d *decision) sizeOfStarts(p *resolve.Count) (size, *Result, error) {
	out := size{engine: Forward}
	over := map[string]bool{} // an ending that sweeps may make one state of several distributions
	err := d.starts()(d.ctx, func(s rules.State) error {
		if !s.Live() {
			key := fmt.Sprint(s)
			if over[key] {
				return nil
			}
			over[key] = true
		}
		if out.stats.States++; d.opt.MaxStates > 0 && out.stats.States > d.opt.MaxStates {
			return errStop
		}
		ok, err := d.in.Holds(p.Where, s, nil)
		if ok {
			out.n++
		}
		return err
	})
	switch {
	case errors.Is(err, errStop):
		return out, d.unknown(Forward, "there are more than %d starts (the limit on states)", d.opt.MaxStates), nil
	case err != nil:
		r, err := d.beyond(Forward, err)
		return out, r, err
	}
	return out, nil, nil
}

// sizeOfPlays counts plays of a number of moves. The limit on states is one on plays here, as these are looked at one by one.
func (d *decision) sizeOfPlays(p *resolve.Count) (size, *Result, error) {
	counts, err := forward.Plays(d.ctx, d.sys, d.starts(), p.Moves, uint64(d.opt.MaxStates))
	out := size{engine: Forward, stats: Stats{Depth: p.Moves}}
	for _, n := range counts {
		out.stats.Transitions += int64(n)
	}
	if errors.Is(err, forward.ErrPlays) {
		r := d.unknown(Forward, "there are more than %d plays of up to %s (the limit on states)", d.opt.MaxStates, count(p.Moves, "move"))
		r.Stats = out.stats
		return out, r, nil
	}
	if errors.Is(err, forward.ErrPlies) {
		return out, d.unknown(Forward, "%s", err), nil
	}
	if err != nil {
		r, err := d.beyond(Forward, err)
		return out, r, err
	}
	if p.Moves <= len(counts) {
		out.n = int(counts[p.Moves-1])
	}
	return out, nil, nil
}

// sizeOfAncestors counts the states from which a play leads into a set, by closing it under predecessors. It does not matter which of
// them are starts, so the count holds for all parameters that only the setup reads.
func (d *decision) sizeOfAncestors(p *resolve.Count) (size, *Result, error) {
	if !d.wants(Backward) {
		return size{}, d.none("counts of ancestors"), nil
	}
	opt := d.backwardOptions(d.opt.MaxStates)
	opt.All, opt.Blind, opt.Exact, opt.Also = true, true, true, []rules.Expr{p.Where}
	res, err := backward.Search(d.ctx, d.in, rules.OrValueless(p.Of), opt)
	if err != nil {
		r, err := d.beyond(Backward, err)
		return size{}, r, err
	}
	d.met(res.Fault)
	if res.Stop != backward.Closed {
		return size{}, d.limitBackward(res), nil
	}
	out := size{engine: Backward, stats: statsBackward(res), notes: d.leftOut(res.Kept.Dropped)}
	if len(out.notes) > 0 {
		out.notes = append(out.notes, "states that differ only in what is left out count once")
	}
	for i := range res.Targets {
		s := res.State(i)
		if _, err := d.in.HoldsOn(p.Of, s, res.Kept.PartsOf(s)); err != nil { // it has no value
			r, err := d.beyond(Backward, err)
			return size{}, r, err
		}
	}
	for i := res.Targets; i < len(res.Nodes); i++ {
		s := res.State(i)
		ok, err := d.in.HoldsOn(p.Where, s, res.Kept.PartsOf(s))
		if err != nil {
			r, err := d.beyond(Backward, err)
			return size{}, r, err
		}
		if ok {
			out.n++
		}
	}
	return out, nil, nil
}
