package proofs

import (
	"github.com/mancheck/mancheck/checker/backward"
	"github.com/mancheck/mancheck/checker/shape"
	"github.com/mancheck/mancheck/checker/slice"
	"github.com/mancheck/mancheck/proofs/internal/enumerate"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/resolve"
	"github.com/mancheck/mancheck/rules/space"
)

// neighbours is a claim about the predecessors or successors of states.
type neighbours struct {
	usual
	*resolve.Neighbours
}

func (neighbours) about() verdict.Claim { return verdict.Claim{Kind: verdict.Neighbours} }

// Listed are the neighbours that the claim lists.
func (k neighbours) Listed() []resolve.Listed { return k.List }

func (k neighbours) ofPlays() bool { return false }

func (k neighbours) goals() []rules.Expr {
	goals := []rules.Expr{k.Of}
	for _, l := range k.List {
		goals = append(goals, l.Cond)
	}
	return goals
}

func (k neighbours) again(q question) (*enumerate.Opinion, error) {
	n, keep, err := q.near(k.goals()...)
	if err != nil {
		return nil, err
	}
	found, holds, err := n.Neighbours(k.Neighbours)
	if err != nil || q.r.Sets == nil {
		return &enumerate.Opinion{Holds: holds}, err
	}
	var claimed []rules.State
	for _, s := range q.r.Sets.Found {
		claimed = append(claimed, keep.Project(q.sys, s))
	}
	if !sameStates(found, claimed) {
		return nil, refuse("by playing these steps there are %d states, and not those found", len(found))
	}
	return &enumerate.Opinion{Holds: holds}, nil
}

// decide compares the computed predecessors or successors with the listed ones.
func (k neighbours) decide(d *decision) (*Result, error) {
	engine := Forward
	if k.Pre {
		engine = Backward
	}
	keep := slice.Keep(d.ctx, d.sys, k.goals()...).Kept
	if d.opt.Engine == SMT {
		return k.smt(d, keep)
	}
	if !d.wants(engine) {
		return nil, d.refuses(verdict.AboutNeighbours)
	}
	of, err := d.matching(k.Of, keep)
	if err != nil {
		return nil, d.beyond(engine, err)
	}
	found, err := k.oneStepFrom(d, of, keep)
	if err != nil {
		return nil, d.beyond(engine, err)
	}
	r, err := d.compareSets(found, k.List, engine, keep)
	if err == nil {
		r.Vacuous = len(of) == 0
	}
	return r, err
}

// oneStepFrom collects the predecessors or successors of states, each once.
func (k neighbours) oneStepFrom(d *decision, states []rules.State, keep space.Kept) ([]rules.State, error) {
	var found []rules.State
	for _, s := range states {
		if k.Pre {
			preds, err := backward.Predecessors(d.ctx, d.in, keep, s)
			if err != nil {
				return nil, err
			}
			for _, p := range preds {
				found = append(found, p.State)
			}
			continue
		}
		steps, err := d.legal(s, nil)
		if err != nil {
			return nil, err
		}
		for _, st := range steps {
			found = append(found, keep.Project(d.sys, st.To))
		}
	}
	return distinct(found), nil
}

// smt computes predecessors with the solver; successors of the states that it finds are played.
func (k neighbours) smt(d *decision, keep space.Kept) (*Result, error) {
	f, err := d.finder(keep, maxListed)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var found []rules.State
	if k.Pre {
		found, err = f.PredecessorsOf(k.Of)
	} else if found, err = f.Matching(k.Of); err == nil {
		found, err = k.oneStepFrom(d, found, keep)
	}
	if err != nil {
		return nil, d.undecided(SMT, err)
	}
	r, err := d.compareSets(distinct(found), k.List, SMT, keep)
	if err == nil && len(found) == 0 {
		d.subject(r, shape.Of(d.ctx, d.in), k.Of)
	}
	return r, err
}
