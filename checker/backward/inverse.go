package backward

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/checker/residual"
	"github.com/mancheck/mancheck/checker/shape"
	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/abstract"
	"github.com/mancheck/mancheck/rules/interp"
)

// Pred is a predecessor: a state, and the action that leads from it to the target.
type Pred struct {
	State  rules.State
	Action int
}

// Predecessors lists all states of the right shape with a step to target, reachable or not, ordered
// by State.Compare and by action. Only kept parts of target matter; in the predecessors the others
// are empty, or have their initial values. keep must come from package slice. It fails with a
// *HardError if some predecessors cannot be constructed, and with a *shape.VagueError if it cannot
// be decided whether one is of the right shape. The set of a Search includes such states.
func Predecessors(ctx context.Context, in *interp.Interp, keep rules.Kept, target rules.State) ([]Pred, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	v := newInverse(ctx, in, keep)
	if err := v.trace(); err != nil {
		return nil, err
	}
	v.exactly()
	var preds []Pred
	g := newGuess(v, func(s *pack.Flat, action int) error {
		preds = append(preds, Pred{s.State(v.sys), action})
		return nil
	})
	target = keep.Project(v.sys, target)
	g.target.Set(target)
	if err := g.preimage(v.class(target)); err != nil {
		return nil, err
	}
	slices.SortFunc(preds, func(p, q Pred) int { return cmp.Or(p.State.Compare(q.State), p.Action-q.Action) })
	return slices.CompactFunc(preds, func(p, q Pred) bool { return p.Action == q.Action && p.State.Equal(q.State) }), nil
}

// inverse constructs predecessors.
type inverse struct {
	ctx       context.Context
	in        *interp.Interp
	sys       *rules.System
	keep      rules.Kept
	maxSeeds  *int // in a state in play; nil: no limit
	shape     *shape.Shape
	exact     bool // see Options.Exact
	setup     *setup
	actions   []action
	reactions []reaction
	player    *residual.Player
	live      []int // the kept cells of live states
	over      []int // and of finished ones
	fault     error // of the rules, in an action; nil if there was none
}

// action is an action with the ways its body may go, and everything that does not depend on the
// target.
type action struct {
	tracer
	index  int
	mover  int
	name   string
	ways   []way
	plans  [][]*plan     // by sowing
	before *abstract.Env // in which the body starts; nil: the guard never holds
	next   []bool        // by player: may move after it
	fails  bool          // its body may meet a fault of the rules
}

// reaction lists the ways of a Reaction, for some player to move.
type reaction []way

// newInverse prepares what is cheap of the construction. Before anything is constructed, trace is
// called.
func newInverse(ctx context.Context, in *interp.Interp, keep rules.Kept) *inverse {
	v := &inverse{ctx: ctx, in: in.Within(ctx), sys: in.System(), keep: keep, shape: shape.Of(ctx, in)}
	v.player = residual.NewPlayer(ctx, v.sys, rules.Parts{Pits: keep.Pits}, nil)
	v.setup = newSetup(ctx, v.sys, keep.Parts, nil)
	v.live = cellsOf(v.sys, keep.Parts)
	if v.over = v.live; keep.Over != nil {
		v.over = cellsOf(v.sys, rules.Parts{Pits: keep.Pits, Vars: keep.Over})
	}
	return v
}

// trace finds the ways of all actions and reactions, which may take seconds.
func (v *inverse) trace() error {
	for i := range v.sys.Actions {
		if err := v.ctx.Err(); err != nil {
			return err
		}
		v.actions = append(v.actions, v.action(i))
	}
	for _, by := range v.sys.EachReaction() {
		t := tracer{sys: v.sys}
		v.reactions = append(v.reactions, t.trace(by.Body, abstract.Everywhere(v.sys, len(by.Locals))))
	}
	return v.ctx.Err()
}

// exactly makes v construct only states that are certainly of the right shape.
func (v *inverse) exactly() { v.exact, v.shape = true, v.shape.Exactly() }

// cellsOf lists the cells of a state that belong to some parts.
func cellsOf(sys *rules.System, k rules.Parts) []int {
	pits := lists.Filter(num.Run(0, len(sys.Pits)), k.HasPit)
	vars := lists.Filter(num.Run(0, len(sys.Vars)), k.HasVar)
	return append(pits, lists.Map(vars, func(x int) int { return len(sys.Pits) + x })...)
}

func (v *inverse) action(i int) action {
	a := &v.sys.Actions[i]
	out := action{
		tracer: tracer{sys: v.sys}, index: i, mover: a.Mover, name: v.sys.Moves[a.Move].Label,
		before: abstract.Before(v.sys, a), next: movers(v.sys, a),
	}
	out.fails = out.before.MayFail(a.Body)
	out.ways = out.trace(a.Body, out.before)
	for n, s := range out.sowings {
		plans, reason := plansOf(v.ctx, v.sys, a.Mover, s)
		for _, p := range plans {
			p.allowed(a.Guard)
			p.follow(v.sys, v.keep.Parts)
		}
		out.plans = append(out.plans, plans)
		for w := range out.ways {
			if reason != "" && out.ways[w].sowing == n {
				out.ways[w] = out.ways[w].block(reason)
			}
		}
	}
	return out
}

// movers marks the players who may move after an action, as far as the bodies that choose one name
// them.
func movers(sys *rules.System, a *rules.Action) []bool {
	next := make([]bool, len(sys.Players))
	next[(a.Mover+1)%len(next)] = true
	choose := func(s rules.Stmt) {
		set, is := s.(rules.Set)
		if !is || !set.To.IsRegister(rules.NextReg) {
			return
		}
		for p := range next {
			c, known := set.X.(rules.Const)
			next[p] = next[p] || !known || c.Value == p
		}
	}
	rules.WalkStmts(a.Body, choose)
	for _, by := range sys.GoingOn() {
		rules.WalkStmts(by.Body, choose)
	}
	return next
}

// leads reports whether an action leads from s to a state that agrees with t on the kept parts. A
// fault of the rules is no step.
func (v *inverse) leads(a *action, s, t *pack.Flat) (bool, error) {
	cells := v.live
	if t.Outcome != rules.Live {
		cells = v.over
	}
	leads, err := v.player.Leads(s, a.index, t, cells)
	if err != nil && errors.As(err, new(*interp.RuleError)) {
		v.fault, err = cmp.Or(v.fault, err), nil
	}
	return leads, err
}

// reactionsTo marks the variables of a target whose values say nothing about those before the
// reactions: what a reaction on the way may set, and what does not matter once the game is over.
// Such a reaction must not move seeds.
func (v *inverse) reactionsTo(target rules.State) ([]bool, error) {
	set := make([]bool, len(v.sys.Vars))
	for x := range set {
		set[x] = !v.keep.PartsOf(target).HasVar(x)
	}
	for _, e := range v.reactions {
		for _, w := range e {
			if w.over && w.result != target.Outcome {
				continue
			}
			if w.sowing != noSowing || w.hard != "" {
				if w.over {
					return nil, hard("the ending `%s` moves seeds: its predecessors cannot be constructed", v.sys.OutcomeName(w.result))
				}
				return nil, hard("a reaction moves seeds: predecessors cannot be constructed")
			}
			set = either(set, w.assigned)
		}
	}
	return set, nil
}

// leadsTo reports whether a run that goes by w may end with this outcome.
func (v *inverse) leadsTo(w way, outcome int) bool {
	if w.over {
		return w.result == outcome
	}
	return outcome == rules.Live || slices.ContainsFunc(v.reactions, func(e reaction) bool {
		return slices.ContainsFunc(e, func(by way) bool { return by.over && by.result == outcome })
	})
}

// inPlay reports whether a live state may be in play, as far as that is known quickly: see package
// shape.
func (v *inverse) inPlay(s *pack.Flat) answer {
	for _, l := range v.shape.Lemmas {
		if v.keep.HasVar(l.Var) && s.Cells[len(v.sys.Pits)+l.Var] == l.Value {
			is := v.setup.isStart(s)
			if v.setup.vague && v.exact && is == yes {
				return unknown
			}
			return is
		}
	}
	return yes
}

func (a *action) hard(reason string) error {
	return hard("move `%s` %s: its predecessors cannot be constructed", a.name, reason)
}
