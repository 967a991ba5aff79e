package proofs

import (
	"fmt"

	"github.com/mancheck/mancheck/checker/backward"
	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/resolve"
)

// strategyWins plays the strategy from each start from which some play wins, and looks for a play that does not: first for one that
// ends otherwise or gets stuck, then for one that never ends.
func (d *decision) strategyWins(p *resolve.StrategyWins) (*Result, error) {
	from, unknown, err := d.winning()
	if err != nil || unknown != nil {
		return unknown, err
	}
	f := &following{decision: d, strategy: p, winners: from, in: interp.New(p.Followed)}
	r, err := f.fails()
	if r == nil && err == nil {
		r, err = f.neverEnds()
	}
	if err != nil {
		return nil, err
	}
	r.Notes = append(r.Notes, from.notes...)
	return r, nil
}

// following is the play of a strategy from the starts that can be won.
type following struct {
	*decision
	strategy *resolve.StrategyWins
	winners  *winners
	in       *interp.Interp // plays by the strategy
}

// strategyForAll decides it for every value of the open parameters at once, or finds a value that refutes it.
func (d *decision) strategyForAll(p *resolve.StrategyWins) (*Result, error) {
	switch d.opt.Engine {
	case Auto:
		return d.firstOf(func() (*Result, error) { return d.strategyBackward(p) }, d.counterexample)
	case Backward:
		return d.strategyBackward(p)
	case Forward:
		return d.counterexample()
	}
	return d.none("claims about strategies"), nil
}

// strategyBackward closes the states from which a win can be reached, which are the same for all values. If the strategy wins from each, it
// wins from those that are starts.
func (d *decision) strategyBackward(p *resolve.StrategyWins) (*Result, error) {
	opt := d.backwardOptions(d.upTo(tryStates))
	opt.All, opt.Blind, opt.Also = true, true, ranks(p.Followed)
	res, err := backward.Search(d.ctx, d.in, won(d.sys), opt)
	if err != nil {
		return d.beyond(Backward, err)
	}
	d.met(res.Fault)
	if res.Stop != backward.Closed {
		return d.limitBackward(res), nil
	}
	from := &winners{engine: Backward}
	for i := res.Targets; i < len(res.Nodes); i++ {
		from.states = append(from.states, res.State(i))
	}
	f := &following{decision: d, strategy: p, winners: from, in: interp.New(p.Followed)}
	if wins, err := f.winsAlways(); err != nil || !wins {
		return d.unknown(Backward, "the strategy does not win from every state that leads to a win"), err
	}
	r := d.result(Proved, Backward, fmt.Sprintf("it wins wherever a win can be reached, from %s", count(len(from.states), "state")))
	r.Stats, r.Notes = statsBackward(res), d.leftOut(res.Kept.Dropped)
	r.Vacuous = len(from.states) == 0
	return r, nil
}

// ranks are the expressions by which a System prefers moves.
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

// winsAlways reports whether every play by the strategy from these states is known to win.
func (f *following) winsAlways() (bool, error) {
	res, err := f.search(f.lost())
	if err != nil || res.Stop != forward.Exhausted {
		return false, err
	}
	t, lasso, err := f.plays(f.in, forward.From(f.winners.states...))
	return err == nil && lasso == nil && t.Stop == forward.Exhausted, err
}

// lost is the condition that a game has come to an end without a win.
func (f *following) lost() rules.Expr {
	over := rules.Not{X: rules.HasOutcome(rules.Live)}
	return rules.Binary{Op: rules.Or, L: rules.IsStuck, R: rules.Conjunction(over, rules.Not{X: won(f.sys)})}
}

func (f *following) search(goal rules.Expr) (*forward.Result, error) {
	return forward.Search(f.ctx, f.strategy.Followed, forward.From(f.winners.states...), forward.Query{Goal: goal}, f.forwardOptions())
}

// fails looks for a play by the strategy that comes to an end without a win. Nil is: there is none.
func (f *following) fails() (*Result, error) {
	goal := f.lost()
	res, err := f.search(goal)
	switch {
	case err != nil:
		return nil, err
	case res.Stop == forward.GoalFound:
		t, err := f.replay(res.Trace.Start, res.Trace.Actions)
		if err != nil {
			return nil, err
		}
		if err := reaches(f.in, t, goal); err != nil {
			return nil, err
		}
		how := "ends without a win"
		if end(t).Live() {
			how = "comes to no legal move"
		}
		return f.refuted(t, fmt.Sprintf("a play by `%s` %s after %s", f.strategy.Strategy, how, count(len(t.Steps), "move")), res.Stats)
	case res.Stop != forward.Exhausted:
		return f.limit(res.Reason, res.Stats), nil
	}
	return nil, nil
}

// neverEnds looks for a play by the strategy that never ends, and if there is none has the verdict.
func (f *following) neverEnds() (*Result, error) {
	t, lasso, err := f.plays(f.in, forward.From(f.winners.states...))
	switch {
	case err != nil:
		return nil, err
	case lasso != nil:
		trace, err := replayLasso(f.decision.in, f.inst.Claim.Name, lasso)
		if err != nil {
			return nil, err
		}
		if _, err := replayLasso(f.in, f.inst.Claim.Name, lasso); err != nil {
			return nil, err
		}
		why := fmt.Sprintf("by `%s` %s", f.strategy.Strategy, goesRound(lasso))
		return f.refuted(trace, why, t.Stats)
	case t.Stop != forward.Exhausted:
		return f.limit(t.Reason, t.Stats), nil
	}
	n := len(f.winners.states)
	why := fmt.Sprintf("it wins from all %d starts that can be won", n)
	if n < 2 {
		why = [...]string{"no start can be won", "it wins from the only start that can be won"}[n]
	}
	r := f.result(Proved, f.winners.engine, why)
	r.Stats = forwardStats(t.Stats)
	r.Vacuous = n == 0
	return r, nil
}

// replay plays by the strategy, and then by the rules alone, of which that is a play too: so anybody can follow it.
func (f *following) replay(start rules.State, actions []int) (*rules.Trace, error) {
	if _, err := replay(f.in, f.inst.Claim.Name, start, actions); err != nil {
		return nil, err
	}
	return replay(f.decision.in, f.inst.Claim.Name, start, actions)
}

// refuted is the verdict with a play by the strategy, and one that wins from the same start.
func (f *following) refuted(t *rules.Trace, why string, stats forward.Stats) (*Result, error) {
	r := f.result(Refuted, f.winners.engine, why)
	r.Trace, r.Stats = t, forwardStats(stats)
	actions, found, err := f.winFrom(t.Start)
	if err != nil {
		return nil, err
	}
	if !found {
		r.Reason += "; some other play wins"
		return r, nil
	}
	if r.Other, err = replay(f.decision.in, f.inst.Claim.Name, t.Start, actions); err != nil {
		return nil, err
	}
	r.Reason += "; " + winsBy(r.Other)
	return r, reaches(f.decision.in, r.Other, won(f.sys))
}

// winFrom finds a shortest play that wins. Where the winners were found forward it looks for one anew, within reason.
func (f *following) winFrom(start rules.State) (actions []int, found bool, err error) {
	if f.winners.play != nil {
		return f.winners.play(start), true, nil
	}
	opt := f.forwardOptions()
	opt.MaxStates = f.upTo(tryStates)
	res, err := forward.Search(f.ctx, f.sys, forward.From(start), forward.Query{Goal: won(f.sys)}, opt)
	if err != nil || res.Stop != forward.GoalFound {
		return nil, false, err
	}
	return res.Trace.Actions, true, nil
}

// shownMoves is how many moves of a play are named in a line.
const shownMoves = 12

func winsBy(t *rules.Trace) string {
	s := ""
	for i, step := range t.Steps {
		if i == shownMoves {
			return fmt.Sprintf("%s, … wins in %s", s, count(len(t.Steps), "move"))
		}
		if i > 0 {
			s += ", "
		}
		s += "`" + step.Move + "`"
	}
	if s == "" {
		return "it is won at the start"
	}
	return s + " wins"
}
