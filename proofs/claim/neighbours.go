package claim

import (
	"github.com/mancheck/mancheck/checker/backward"
	"github.com/mancheck/mancheck/checker/shape"
	"github.com/mancheck/mancheck/checker/slice"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/proofs/confirm"
	"github.com/mancheck/mancheck/proofs/engines"
	"github.com/mancheck/mancheck/proofs/internal/enumerate"
	"github.com/mancheck/mancheck/proofs/result"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/smt/solver"
)

// neighbours is a claim that lists the predecessors or the successors of the states that satisfy a
// condition.
type neighbours struct {
	usual
	*build.Neighbours
}

func (neighbours) about() verdict.Claim { return verdict.Claim{Kind: verdict.Neighbours} }

// Listed are the neighbours that the claim lists.
func (k neighbours) Listed() []build.Listed { return k.List }

// OfPlays reports false: the states need not be reachable.
func (k neighbours) OfPlays() bool { return false }

// goals returns the conditions of the claim. What they read must be kept in states.
func (k neighbours) goals() []rules.Expr {
	return append([]rules.Expr{k.Of}, lists.Map(k.List, func(l build.Listed) rules.Expr { return l.Cond })...)
}

// Again finds the neighbours with the interpreter, and compares them with those of the result.
func (k neighbours) Again(q confirm.Question) (*enumerate.Opinion, error) {
	n, keep, err := q.Near(k.goals()...)
	if err != nil {
		return nil, err
	}
	found, holds, err := n.Neighbours(k.Neighbours)
	if err != nil || q.Result.Sets == nil {
		return &enumerate.Opinion{Holds: holds}, err
	}
	// The other side compares states by their kept parts.
	claimed := lists.Map(q.Result.Sets.Found, func(s rules.State) rules.State { return keep.Project(q.Sys, s) })
	if !result.SameStates(found, claimed) {
		return nil, confirm.Refuse("by playing these steps there are %d states, and not those found", len(found))
	}
	return &enumerate.Opinion{Holds: holds}, nil
}

// decide compares the computed predecessors or successors with the listed ones.
func (k neighbours) decide(run *engines.Run) (*result.Result, error) {
	engine := verdict.Forward
	if k.Pre {
		engine = verdict.Backward
	}
	keep := slice.Keep(run.Ctx, run.Sys, k.goals()...).Kept
	if run.Opt.Engine == verdict.SMT {
		return k.smt(run, keep)
	}
	if !run.Wants(engine) {
		return nil, run.Refuses(verdict.Neighbours)
	}
	of, err := engines.Matching(run, k.Of, keep)
	if err != nil {
		return nil, run.Beyond(engine, err)
	}
	found, err := k.oneStepFrom(run, of, keep)
	if err != nil {
		return nil, run.Beyond(engine, err)
	}
	r, err := compareSets(run, found, k.List, engine, keep)
	if err == nil {
		r.Vacuous = len(of) == 0
	}
	return r, err
}

// oneStepFrom returns the predecessors or successors of states on the parts in keep, without
// duplicates.
func (k neighbours) oneStepFrom(run *engines.Run, states []rules.State, keep rules.Kept) ([]rules.State, error) {
	var found []rules.State
	for _, s := range states {
		if k.Pre {
			preds, err := backward.Predecessors(run.Ctx, run.In, keep, s)
			if err != nil {
				return nil, err
			}
			found = append(found, lists.Map(preds, func(p backward.Pred) rules.State { return p.State })...)
			continue
		}
		steps, err := run.Legal(s, nil)
		if err != nil {
			return nil, err
		}
		found = append(found, lists.Map(steps, func(st interp.Step) rules.State { return keep.Project(run.Sys, st.To) })...)
	}
	return result.Distinct(found), nil
}

// smt finds predecessors with the solver. For successors the solver finds only the states they come
// from, and these are played.
func (k neighbours) smt(run *engines.Run, keep rules.Kept) (*result.Result, error) {
	asked := engines.Solver{Run: run}
	if !solver.Possible {
		return nil, asked.Undecided(verdict.SMT, &solver.NotInstalled{})
	}
	f, err := asked.Finder(keep, engines.MaxListed)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var found []rules.State
	if k.Pre {
		found, err = f.PredecessorsOf(k.Of)
	} else if found, err = f.Matching(k.Of); err == nil {
		found, err = k.oneStepFrom(run, found, keep)
	}
	if err != nil {
		return nil, asked.Undecided(verdict.SMT, err)
	}
	r, err := compareSets(run, result.Distinct(found), k.List, verdict.SMT, keep)
	if err == nil && len(found) == 0 {
		engines.Subject(run, r, shape.Of(run.Ctx, run.In), k.Of)
	}
	return r, err
}
