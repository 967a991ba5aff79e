package claim

import (
	"errors"
	"math/big"

	"github.com/mancheck/mancheck/checker/backward"
	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/proofs/cert"
	"github.com/mancheck/mancheck/proofs/confirm"
	"github.com/mancheck/mancheck/proofs/engines"
	"github.com/mancheck/mancheck/proofs/internal/enumerate"
	"github.com/mancheck/mancheck/proofs/result"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/rules/space"
)

// counted is a claim that compares the size of a set with a number: of reachable or finished
// states, starts, plays, ancestors of a condition, or starts that can be won.
type counted struct {
	usual
	*build.Count
}

func (k counted) about() verdict.Claim {
	if k.Set == build.CountPlays {
		return verdict.Claim{Kind: verdict.CountPlays}
	}
	return verdict.Claim{Kind: verdict.Count}
}

// OfPlays reports whether the set depends on the starts. Ancestors do not: they are all states of
// the right shape from which a play leads to the condition.
func (k counted) OfPlays() bool { return k.Set != build.CountAncestors }

// Closes returns the condition whose ancestors are counted, and which of them count.
func (k counted) Closes() (goal, where rules.Expr) {
	if k.Set != build.CountAncestors {
		return nil, nil
	}
	return k.Of, k.Where
}

// Again counts by playing all plays, or, for ancestors, by stepping from every state of the right
// shape.
func (k counted) Again(q confirm.Question) (*enumerate.Opinion, error) {
	if k.Set != build.CountAncestors {
		return q.Plays().Count(k.Count)
	}
	n, _, err := q.Near(rules.OrValueless(k.Of), k.Where)
	if err != nil {
		return nil, err
	}
	number, err := n.Ancestors(k.Count)
	return &enumerate.Opinion{Holds: k.holds(number), Number: big.NewInt(int64(number))}, err
}

// holds compares a size with the claimed number. It goes through rules.Simplify so that the
// comparison means the same as in the language.
func (k counted) holds(n int) bool {
	is := rules.Binary{Op: k.Op, L: rules.Const{Value: n}, R: rules.Const{Value: k.Value}}
	return rules.Simplify(is, nil) == rules.True
}

// decide counts the set that the claim is about.
func (k counted) decide(run *engines.Run) (*result.Result, error) {
	switch {
	case k.Set == build.CountWinning:
		return k.winning(run)
	case k.Set == build.CountAncestors:
		return k.ancestors(run)
	case !run.Wants(verdict.Forward):
		return nil, run.Refuses(verdict.Count)
	case k.Set == build.CountStarts, k.Set == build.CountPlays && k.Moves == 0:
		return k.starts(run)
	case k.Set == build.CountPlays:
		return k.plays(run)
	}
	return k.states(run)
}

// decideAll counts ancestors, for which starts do not matter.
func (k counted) decideAll(run *engines.Run) (*result.Result, error) {
	if k.Set == build.CountAncestors {
		return k.ancestors(run)
	}
	return k.usual.decideAll(run)
}

// result returns the verdict on the claim if the set has n members.
func (k counted) result(run *engines.Run, engine verdict.Engine, n int, stats verdict.Stats) *result.Result {
	r := run.Result(verdict.Is(k.holds(n)), engine, verdict.Number.Of(n))
	r.Stats = stats
	return r
}

// CountedStates returns the condition that reachable states satisfy which a property counts; ok is
// false if it counts something else.
func CountedStates(p build.Property) (where rules.Expr, ok bool) {
	c, is := p.(*build.Count)
	switch {
	case is && c.Set == build.CountStates:
		return c.Where, true
	case is && c.Set == build.CountFinished:
		return rules.Conjunction(rules.Not{X: rules.HasOutcome(rules.Live)}, c.Where), true
	}
	return nil, false
}

// Counted is the verdict on an instance with CountedStates if there are n such states.
func Counted(run *engines.Run, n int64, stats verdict.Stats) *result.Result {
	k := counted{Count: run.Inst.Property.(*build.Count)}
	return k.result(run, verdict.Forward, int(n), stats)
}

// states counts reachable states.
func (k counted) states(run *engines.Run) (*result.Result, error) {
	where, _ := CountedStates(k.Count)
	query := forward.Query{Count: []rules.Expr{where}, States: true, MostListed: run.Opt.MaxEvidence}
	res, err := run.Search(rules.Parts{}, query, run.ForwardOptions())
	if err != nil {
		return nil, err
	}
	r := k.result(run, verdict.Forward, int(res.Counts[0]), engines.ForwardStats(res.Stats))
	if res.States != nil {
		r.Evidence = &cert.Depths{Packed: cert.NewNumbered(run.Sys, res.States, res.Moves)}
	}
	return r, nil
}

// mostStarts is how many starts are looked at one by one before they are counted by what is left of
// the setup. That is for rules without faults, which only looking at each start would meet.
const mostStarts = 50_000

// starts counts starts without playing from them. MaxStates limits the starts that are looked at,
// not those that are counted.
func (k counted) starts(run *engines.Run) (*result.Result, error) {
	n, stats, where := 0, verdict.Stats{}, run.In.Reader(k.Where)
	var many *result.Result
	err := run.Starts()(run.Ctx, func(s rules.State) error {
		if stats.States++; run.Opt.MaxStates > 0 && stats.States > run.Opt.MaxStates {
			return run.Unknown(verdict.Forward, verdict.ManyStarts.Of(int(run.Opt.MaxStates)))
		}
		if stats.States == mostStarts && !mayFault(run.Sys) {
			number, ok, err := space.Number(run.Ctx, run.Sys, k.Where)
			if ok && number.IsInt64() {
				many, err = k.result(run, verdict.Forward, int(number.Int64()), verdict.Stats{}), space.ErrStop
			}
			if err != nil {
				return err
			}
		}
		ok, err := where.Holds(s, nil)
		if ok {
			n++
		}
		return err
	})
	switch {
	case err != nil:
		return nil, run.Beyond(verdict.Forward, err)
	case many != nil:
		return many, nil
	}
	return k.result(run, verdict.Forward, n, stats), nil
}

// plays counts the plays of exactly k.Moves moves. MaxStates limits the plays here, because each is
// played by itself: equal states on different plays are not merged.
func (k counted) plays(run *engines.Run) (*result.Result, error) {
	counts, err := forward.Plays(run.Ctx, run.Sys, run.Starts(), k.Moves, uint64(run.Opt.MaxStates))
	stats := verdict.Stats{Depth: k.Moves}
	for _, n := range counts {
		stats.Transitions += int64(n)
	}
	switch {
	case errors.Is(err, forward.ErrPlays):
		left := run.Unknown(verdict.Forward, verdict.ManyPlays{Most: run.Opt.MaxStates, Moves: k.Moves})
		left.Stats = stats
		return nil, left
	case errors.Is(err, forward.ErrPlies):
		return nil, run.Unknown(verdict.Forward, verdict.ManyMoves.Of(int(forward.MaxPlies)))
	case err != nil:
		return nil, run.Beyond(verdict.Forward, err)
	}
	// counts[i] is the number of plays of i+1 moves. It ends early if no play is that long.
	n := 0
	if k.Moves <= len(counts) {
		n = int(counts[k.Moves-1])
	}
	r := k.result(run, verdict.Forward, n, stats)
	r.Lengths = counts
	return r, nil
}

// ancestors counts the states from which a play leads into a set, by closing it under predecessors.
// It does not matter which of them are starts, so the count holds for all parameters that only the
// setup reads.
func (k counted) ancestors(run *engines.Run) (*result.Result, error) {
	if !run.Wants(verdict.Backward) {
		return nil, run.Refuses(verdict.CountAncestors)
	}
	opt := backward.Options{All: true, Blind: true, Exact: true, Also: []rules.Expr{k.Where}}
	res, err := run.SearchBack(rules.OrValueless(k.Of), opt)
	if err != nil {
		return nil, err
	}
	n, of, where := 0, run.In.Reader(k.Of), run.In.Reader(k.Where)
	// The targets come first in the result. They are not counted, but their condition must have a
	// value in each of them.
	for i := range res.Len() {
		asked, s := where, res.State(i)
		if i < res.Targets {
			asked = of
		}
		ok, err := asked.HoldsOn(s, res.Kept.PartsOf(s))
		if err != nil {
			return nil, run.Beyond(verdict.Backward, err)
		}
		if ok && i >= res.Targets {
			n++
		}
	}
	r := k.result(run, verdict.Backward, n, verdict.Stats{})
	engines.TellBackward(r, res)
	// Notes tell what the backward search ignored. States that differ only there count as one.
	if len(r.Notes) > 0 {
		r.Notes = append(r.Notes, verdict.CountedOnce)
	}
	run.ClosedSet(r, res)
	return r, nil
}

// winning counts the starts from which some play wins.
func (k counted) winning(run *engines.Run) (*result.Result, error) {
	all, err := winning(run)
	if err != nil {
		return nil, err
	}
	found, where := []rules.State{}, run.In.Reader(k.Where)
	for _, s := range all.states {
		ok, err := where.Holds(s, nil)
		if err != nil {
			return nil, err
		}
		if ok {
			found = append(found, s)
		}
	}
	r := k.result(run, all.Engine, len(found), all.Stats)
	r.Sets = &result.SetDiff{Found: found}
	all.tell(run, r)
	return r, nil
}

// Certified compares the claimed number with the one that the certificate shows. For starts that
// can be won it also compares the starts.
func (k counted) Certified(q confirm.Question, report *cert.Report) error {
	number := report.Number
	if k.Set == build.CountWinning {
		number = len(report.Found)
	}
	if n, is := verdict.NumberOf(q.Result.Found); !is || n != number {
		return confirm.Refuse("by the certificate there are %d", number)
	}
	if k.Set == build.CountWinning {
		return sameStarts(q, report)
	}
	return nil
}
