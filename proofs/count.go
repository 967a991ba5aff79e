package proofs

import (
	"errors"
	"math/big"

	"github.com/mancheck/mancheck/checker/backward"
	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/proofs/cert"
	"github.com/mancheck/mancheck/proofs/internal/enumerate"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/resolve"
)

// counted is a claim about the size of a set.
type counted struct {
	usual
	*resolve.Count
}

func (k counted) about() verdict.Claim {
	if k.Set == resolve.CountPlays {
		return verdict.Claim{Kind: verdict.CountPlays}
	}
	return verdict.Claim{Kind: verdict.Count}
}

func (k counted) ofPlays() bool { return k.Set != resolve.CountAncestors }

func (k counted) closes() (goal, where rules.Expr) {
	if k.Set != resolve.CountAncestors {
		return nil, nil
	}
	return k.Of, k.Where
}

func (k counted) again(q question) (*enumerate.Opinion, error) {
	if k.Set != resolve.CountAncestors {
		return q.plays().Count(k.Count)
	}
	n, _, err := q.near(rules.OrValueless(k.Of), k.Where)
	if err != nil {
		return nil, err
	}
	number, err := n.Ancestors(k.Count)
	return &enumerate.Opinion{Holds: k.holds(number), Number: big.NewInt(int64(number))}, err
}

// holds compares a size with the claimed number.
func (k counted) holds(n int) bool {
	is := rules.Binary{Op: k.Op, L: rules.Const{Value: n}, R: rules.Const{Value: k.Value}}
	return rules.Simplify(is, nil) == rules.True
}

// decide counts the set that the claim is about.
func (k counted) decide(d *decision) (*Result, error) {
	switch {
	case k.Set == resolve.CountWinning:
		return k.winning(d)
	case k.Set == resolve.CountAncestors:
		return k.ancestors(d)
	case !d.wants(Forward):
		return nil, d.refuses(verdict.AboutCounts)
	case k.Set == resolve.CountStarts, k.Set == resolve.CountPlays && k.Moves == 0:
		return k.starts(d)
	case k.Set == resolve.CountPlays:
		return k.plays(d)
	}
	return k.states(d)
}

// decideAll counts ancestors, for which starts do not matter.
func (k counted) decideAll(d *decision) (*Result, error) {
	if k.Set == resolve.CountAncestors {
		return k.ancestors(d)
	}
	return k.usual.decideAll(d)
}

// result returns the verdict if there are n.
func (k counted) result(d *decision, engine Engine, n int, stats verdict.Stats) *Result {
	status := Refuted
	if k.holds(n) {
		status = Proved
	}
	r := d.result(status, engine, verdict.Number{N: n})
	r.Stats = stats
	return r
}

// states counts reachable states.
func (k counted) states(d *decision) (*Result, error) {
	where := k.Where
	if k.Set == resolve.CountFinished {
		where = rules.Conjunction(rules.Not{X: rules.HasOutcome(rules.Live)}, where)
	}
	res, err := d.search(forward.Query{Count: []rules.Expr{where}}, d.forwardOptions(d.opt.MaxStates))
	if err != nil {
		return nil, err
	}
	return k.result(d, Forward, int(res.Counts[0]), forwardStats(res.Stats)), nil
}

// starts counts starts without playing from them.
func (k counted) starts(d *decision) (*Result, error) {
	n, stats := 0, verdict.Stats{}
	err := d.starts()(d.ctx, func(s rules.State) error {
		if stats.States++; d.opt.MaxStates > 0 && stats.States > d.opt.MaxStates {
			return d.unknown(Forward, verdict.TooMany{Of: verdict.Starts, Most: d.opt.MaxStates})
		}
		ok, err := d.in.Holds(k.Where, s, nil)
		if ok {
			n++
		}
		return err
	})
	if err != nil {
		return nil, d.beyond(Forward, err)
	}
	return k.result(d, Forward, n, stats), nil
}

// plays counts plays of a number of moves. The limit on states limits plays here, as these are
// examined one by one.
func (k counted) plays(d *decision) (*Result, error) {
	counts, err := forward.Plays(d.ctx, d.sys, d.starts(), k.Moves, uint64(d.opt.MaxStates))
	stats := verdict.Stats{Depth: k.Moves}
	for _, n := range counts {
		stats.Transitions += int64(n)
	}
	switch {
	case errors.Is(err, forward.ErrPlays):
		left := d.unknown(Forward, verdict.TooMany{Of: verdict.Plays, Most: d.opt.MaxStates, Moves: k.Moves})
		left.Stats = stats
		return nil, left
	case errors.Is(err, forward.ErrPlies):
		return nil, d.unknown(Forward, verdict.TooMany{Of: verdict.PlayMoves, Most: forward.MaxPlies})
	case err != nil:
		return nil, d.beyond(Forward, err)
	}
	n := 0
	if k.Moves <= len(counts) {
		n = int(counts[k.Moves-1])
	}
	r := k.result(d, Forward, n, stats)
	r.Lengths = counts
	return r, nil
}

// ancestors counts the states from which a play leads into a set, by closing it under predecessors.
// It does not matter which of them are starts, so the count holds for all parameters that only the
// setup reads.
func (k counted) ancestors(d *decision) (*Result, error) {
	if !d.wants(Backward) {
		return nil, d.refuses(verdict.AboutAncestors)
	}
	opt := backward.Options{All: true, Blind: true, Exact: true, Also: []rules.Expr{k.Where}}
	res, err := d.searchBack(rules.OrValueless(k.Of), d.opt.MaxStates, opt)
	if err != nil {
		return nil, err
	}
	n := 0
	for i := range res.Len() {
		asked, s := k.Where, res.State(i)
		if i < res.Targets {
			asked = k.Of // which must have a value
		}
		ok, err := d.in.HoldsOn(asked, s, res.Kept.PartsOf(s))
		if err != nil {
			return nil, d.beyond(Backward, err)
		}
		if ok && i >= res.Targets {
			n++
		}
	}
	r := k.result(d, Backward, n, verdict.Stats{})
	d.tellBackward(r, res)
	if len(r.Notes) > 0 {
		r.Notes = append(r.Notes, verdict.CountedOnce{})
	}
	d.closedSet(r, res)
	return r, nil
}

// winning counts the starts that can be won.
func (k counted) winning(d *decision) (*Result, error) {
	all, err := d.winning()
	if err != nil {
		return nil, err
	}
	found := []rules.State{}
	for _, s := range all.states {
		ok, err := d.in.Holds(k.Where, s, nil)
		if err != nil {
			return nil, err
		}
		if ok {
			found = append(found, s)
		}
	}
	r := k.result(d, all.engine, len(found), all.stats)
	r.Notes, r.Sets, r.Evidence = all.notes, &SetDiff{Found: found}, all.evidence()
	return r, nil
}

// certified compares the starts, and their number, with those that the certificate has shown.
func (k counted) certified(q question, report *cert.Report) error {
	if n, is := q.r.Found.(verdict.Number); !is || n.N != len(report.Found) {
		return refuse("by the certificate there are %d", len(report.Found))
	}
	return q.sameStarts(report)
}
