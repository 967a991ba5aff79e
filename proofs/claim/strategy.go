package claim

import (
	"context"
	"errors"
	"fmt"

	"github.com/mancheck/mancheck/checker/backward"
	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/checker/shape"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/proofs/cert"
	"github.com/mancheck/mancheck/proofs/confirm"
	"github.com/mancheck/mancheck/proofs/engines"
	"github.com/mancheck/mancheck/proofs/internal/enumerate"
	"github.com/mancheck/mancheck/proofs/result"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/rules/interp"
)

// strategyWins claims that a strategy wins from every start from which some play wins.
type strategyWins struct {
	usual
	*build.StrategyWins
}

func (k strategyWins) about() verdict.Claim {
	return verdict.Claim{Kind: verdict.StrategyWins, Strategy: k.Strategy}
}

var (
	errElsewhere = errors.New("the plays are not of the variants, or not from the start, that the claim is about")
	errNoFailure = errors.New("the play by the strategy does not fail")
)

// Shows checks that the trace is a play by the strategy that does not win, and that the other play
// wins from the same start.
func (k strategyWins) Shows(r *result.Result) func(context.Context) error {
	if r.Status != verdict.Refuted || r.Other == nil {
		return nil
	}
	return func(ctx context.Context) error {
		if !confirm.SameSystem(r.Trace.System, r.System) || !confirm.SameSystem(r.Other.System, r.System) || !r.Trace.Start.Equal(r.Other.Start) {
			return errElsewhere
		}
		if err := confirm.ReplayOf(ctx, r.Other).Reaches(r.System.SomebodyHasWon(), -1); err != nil {
			return err
		}
		if _, _, err := confirm.ReplayOf(ctx, r.Trace).States(true); err != nil {
			return err
		}
		by := confirm.ReplayIn(ctx, k.Followed, r.Trace)
		if _, _, err := by.States(false); err != nil {
			return err
		}
		if by.Holds(lost(r.System), r.Trace.End(), nil) != nil && r.Trace.Loop() < 0 {
			return errNoFailure
		}
		return nil
	}
}

// Again plays all plays, and all plays by the strategy.
func (k strategyWins) Again(q confirm.Question) (*enumerate.Opinion, error) {
	return q.Plays().StrategyWins(k.StrategyWins)
}

// lost is the condition that a play has stopped without a win: it is over or stuck.
func lost(sys *rules.System) rules.Expr {
	over := rules.Not{X: rules.HasOutcome(rules.Live)}
	return rules.Binary{Op: rules.Or, L: rules.IsStuck, R: rules.Conjunction(over, rules.Not{X: sys.SomebodyHasWon()})}
}

// decide plays the strategy from each start from which some play wins, and looks for a play that
// does not win. A play that ends without a win, or gets stuck, comes before one that never ends,
// since a person can check it more easily.
func (k strategyWins) decide(run *engines.Run) (*result.Result, error) {
	from, err := winning(run)
	if err != nil {
		return nil, err
	}
	f := k.following(run, from)
	r, err := f.fails()
	// A nil result without an error means that no play fails this way.
	if r == nil && err == nil {
		r, err = f.neverEnds()
	}
	if r, err = engines.Settled(r, err); err == nil {
		r.Notes = append(r.Notes, from.Notes...)
	}
	return r, err
}

// decideAll decides the claim for every value of the open parameters at once, or finds a value that
// refutes it.
func (k strategyWins) decideAll(run *engines.Run) (*result.Result, error) {
	return run.ByEngine(verdict.StrategyWins, map[verdict.Engine][]engines.Attempt{
		verdict.Auto: {k.backward, counterexample}, verdict.Backward: {k.backward}, verdict.Forward: {counterexample},
	})
}

// backward closes the wins under predecessors. The closed set is the same for all values of the
// open parameters. If the strategy wins from every state of it, it wins from those that are starts.
func (k strategyWins) backward(run *engines.Run) (*result.Result, error) {
	opt := backward.Options{All: true, Blind: true, Also: ranks(k.Followed)}
	res, err := run.Limited(run.UpTo(tryStates)).SearchBack(run.Sys.SomebodyHasWon(), opt)
	if err != nil {
		return nil, err
	}
	// The first res.Targets states are the wins themselves.
	from := &winners{back: res}
	for i := res.Targets; i < res.Len(); i++ {
		from.states = append(from.states, res.State(i))
	}
	f := k.following(run, from)
	wins, err := f.winsAlways()
	if err != nil {
		return nil, err
	}
	if !wins {
		// The strategy may fail only from states that are no starts, so this refutes nothing.
		return nil, run.Unknown(verdict.Backward, verdict.NotEverywhere)
	}
	r := run.Result(verdict.Proved, verdict.Backward, verdict.WinsWherever.Of(len(from.states)))
	engines.TellBackward(r, res)
	r.Vacuous = len(from.states) == 0
	r.Evidence = f.plan()
	return r, nil
}

// ranks returns the expressions by which the actions of a System are preferred. What they read has
// to be kept in states, or the strategy could not be followed.
func ranks(sys *rules.System) []rules.Expr {
	var list []rules.Expr
	for _, a := range sys.Actions {
		rules.WalkStmts(a.Body, func(s rules.Stmt) {
			if set, ok := s.(rules.Set); ok && set.To.IsRegister(rules.RankReg) {
				list = append(list, set.X)
			}
		})
	}
	return list
}

// following plays a strategy from states from which some play wins.
type following struct {
	*engines.Run
	strategy string
	winners  *winners
	follower *engines.Run // plays by the strategy
}

func (k strategyWins) following(run *engines.Run, from *winners) *following {
	return &following{Run: run, strategy: k.Strategy, winners: from, follower: run.On(k.Followed)}
}

// winsAlways reports whether every play by the strategy from these states is known to win: none
// ends without a win, and none goes on for ever. A search that hits a limit knows nothing.
func (f *following) winsAlways() (bool, error) {
	res, err := f.losing()
	if err != nil || res.Stop != limit.Complete {
		return false, err
	}
	t, lasso, err := plays(f.Run, f.follower.Sys, f.from())
	return err == nil && lasso == nil && t.Stop == limit.Complete, err
}

// from returns the states from which the strategy is played, as the starts of a search.
func (f *following) from() forward.Starts { return forward.From(f.winners.states...) }

// losing looks for a play by the strategy that ends without a win.
func (f *following) losing() (*forward.Result, error) {
	return forward.Search(f.Ctx, f.follower.Sys, f.from(), forward.Query{Goal: lost(f.Sys)}, f.ForwardOptions())
}

// fails returns the verdict if a play by the strategy ends without a win, and nil if there is none.
func (f *following) fails() (*result.Result, error) {
	res, err := f.losing()
	switch {
	case err != nil:
		return nil, err
	case res.Stop == limit.Found:
		t, err := f.byBoth(func(run *engines.Run) (*rules.Trace, error) { return run.Replay(res.Trace.Start, res.Trace.Actions) })
		if err != nil {
			return nil, err
		}
		// The search and the interpreter may not disagree about a refutation.
		if err := confirm.ReplayIn(f.Ctx, f.follower.Sys, t).Holds(lost(f.Sys), t.End(), nil); err != nil {
			return nil, fmt.Errorf("internal error: the search found a play of %s that does not fail: %w", t.Claim, err)
		}
		end := verdict.EndsUnwon
		if t.End().Live() {
			end = verdict.EndsStuck
		}
		return f.refuted(t, verdict.StrategyFails{Strategy: f.strategy, End: end, Moves: len(t.Steps)}, res.Stats)
	case res.Stop != limit.Complete:
		return nil, f.Ended(res.End, res.Stats)
	}
	return nil, nil
}

// neverEnds looks for a play by the strategy that never ends. If there is none, the claim is
// proved, as fails has excluded the others.
func (f *following) neverEnds() (*result.Result, error) {
	t, lasso, err := plays(f.Run, f.follower.Sys, f.from())
	switch {
	case err != nil:
		return nil, err
	case lasso != nil:
		trace, err := f.byBoth(func(run *engines.Run) (*rules.Trace, error) { return run.ReplayLasso(lasso) })
		if err != nil {
			return nil, err
		}
		return f.refuted(trace, verdict.StrategyFails{Strategy: f.strategy, End: verdict.EndsNever, Moves: len(lasso.Cycle)}, t.Stats)
	case t.Stop != limit.Complete:
		return nil, f.Ended(t.End, t.Stats)
	}
	n := len(f.winners.states)
	r := f.Result(verdict.Proved, f.winners.Engine, verdict.WinsFrom.Of(n))
	r.Stats = engines.ForwardStats(t.Stats)
	r.Vacuous = n == 0
	if f.winners.back != nil {
		r.Evidence = f.plan()
	}
	return r, nil
}

// byBoth plays with the moves of the strategy, and then again with those of the rules. The trace it
// returns is of the rules alone, so it can be followed without the strategy.
func (f *following) byBoth(play func(*engines.Run) (*rules.Trace, error)) (*rules.Trace, error) {
	if _, err := play(f.follower); err != nil {
		return nil, err
	}
	return play(f.Run)
}

// refuted returns the verdict with a play by the strategy that fails, and, if one is found within
// the limits, a play that wins from the same start.
func (f *following) refuted(t *rules.Trace, found verdict.StrategyFails, stats forward.Stats) (*result.Result, error) {
	r := f.Result(verdict.Refuted, f.winners.Engine, found)
	r.Trace, r.Stats = t, engines.ForwardStats(stats)
	actions, wins, err := f.winFrom(t.Start)
	if err != nil {
		return nil, err
	}
	if !wins {
		return r, nil
	}
	if r.Other, err = f.Replay(t.Start, actions); err != nil {
		return nil, err
	}
	found.Win = append([]string{}, r.Other.Moves()...)
	r.Found = found
	return r, nil
}

// winFrom returns the actions of a shortest play that wins from a start. The backward search has
// kept it; after a forward search it is searched again, within a limit.
func (f *following) winFrom(start rules.State) (actions []int, found bool, err error) {
	if f.winners.back != nil {
		actions, err := f.winners.play(start)
		return actions, err == nil, err
	}
	res, err := forward.Search(f.Ctx, f.Sys, forward.From(start), forward.Query{Goal: f.Sys.SomebodyHasWon()}, f.Limited(f.UpTo(tryStates)).ForwardOptions())
	if err != nil || res.Stop != limit.Found {
		return nil, false, err
	}
	return res.Trace.Actions, true, nil
}

// plan returns the states from which a win can be reached, each with the number of moves after
// which the strategy has won at the latest, as evidence. It returns nil if there are too many
// states or if the strategy does not win from all of them.
func (f *following) plan() cert.Evidence {
	res := f.winners.back
	if f.Opt.MaxEvidence > 0 && int64(res.Len()) > f.Opt.MaxEvidence {
		return nil
	}
	p := &plan{in: f.follower.In, kept: res.Kept.Kept, place: map[string]int{}}
	for i := range res.Len() {
		p.add(res.State(i))
	}
	for i := range p.states {
		if !p.solve(i) {
			return nil
		}
	}
	return &cert.Plan{Winning: *cert.NewWinning(f.Sys, p.kept, shape.Of(f.Ctx, f.In).Lemmas, f.winners.most, p.states, p.moves)}
}

// plan computes, for each state, how long the strategy may take to win.
type plan struct {
	in     *interp.Interp // by the strategy
	kept   rules.Kept
	states []rules.State
	place  map[string]int // of each state, by its kept parts
	moves  []int          // by state: the longest play by the strategy; or unsolved or solving
}

// Marks of states without a number of moves. A state is solving while the states after it are
// solved, so meeting it again is a cycle.
const (
	unsolved = -1
	solving  = -2
)

// key identifies a state by its kept parts.
func (p *plan) key(s rules.State) string { return fmt.Sprint(p.kept.Project(p.in.System(), s)) }

// add appends an unsolved state.
func (p *plan) add(s rules.State) {
	p.place[p.key(s)] = len(p.states)
	p.states, p.moves = append(p.states, s), append(p.moves, unsolved)
}

// solve computes the number of moves from a state. It reports false if the strategy leaves the
// states of the plan, has no move, or comes back to an earlier state.
func (p *plan) solve(i int) bool {
	if p.moves[i] != unsolved {
		return p.moves[i] != solving
	}
	p.moves[i] = solving
	steps, err := p.in.Steps(p.states[i])
	if err != nil || p.states[i].Live() && len(steps) == 0 {
		return false
	}
	longest := 0
	for _, st := range steps {
		to, known := p.place[p.key(st.To)]
		if !known || !p.solve(to) {
			return false
		}
		longest = max(longest, 1+p.moves[to])
	}
	p.moves[i] = longest
	return true
}
