package forward

import (
	"slices"

	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/checker/step"
	"github.com/mancheck/mancheck/rules"
)

// predicates is a compiled Query. Predicates that were not requested are nil.
type predicates struct {
	goal      *step.Predicate
	goalStuck bool // goal depends on stuck
	counts    []*step.Predicate
	from, bad *step.Predicate
	badStart  bool   // bad depends on whether the new state is a start
	fromStart bool   // from or bad depend on whether the state before is one
	ghosts    bool   // states are looked up without ghosts
	actions   []bool // those that may be bad; nil: all
}

func compileQuery(m *step.Machine, q *Query) (*predicates, error) {
	p := &predicates{goalStuck: rules.AsksFor(q.Goal, rules.IsStuck)}
	var err error
	compile := func(x rules.Expr) *step.Predicate {
		if x == nil || err != nil {
			return nil
		}
		var c *step.Predicate
		c, err = m.CompileExpr(x)
		return c
	}
	p.goal = compile(q.Goal)
	for _, x := range q.Count {
		p.counts = append(p.counts, compile(x))
	}
	if b := q.BadStep; b != nil {
		p.from, p.bad, p.actions = compile(b.From), compile(b.Bad), b.Actions
		p.badStart = rules.AsksFor(b.Bad, rules.IsStart)
		p.fromStart = p.badStart || rules.AsksFor(b.From, rules.IsStart)
		p.ghosts = slices.ContainsFunc(m.System().Vars, func(x rules.Var) bool { return x.Ghost })
	}
	return p, err
}

// looks reports whether states must be looked at when they are expanded, besides counting them.
func (p *predicates) looks() bool { return p.goalStuck || p.bad != nil || len(p.counts) > 0 }

// look evaluates the predicates in the state with this key, whose steps begin at first in w.steps.
// There are weight states like it.
// The goal was evaluated before, unless it depends on whether there are steps.
func (w *worker) look(key []uint64, first int, can bool, weight int64) {
	w.codec.Unpack(key, w.state)
	if err := w.judge(key, first, can, weight); err != nil {
		w.met(event{key: key, err: err})
	}
}

func (w *worker) judge(key []uint64, first int, can bool, weight int64) error {
	view := step.View{State: w.state, Start: w.depth == 0, CanMove: step.No}
	if can {
		view.CanMove = step.Yes
	}
	if w.preds.bad != nil && len(w.steps.Actions) > first {
		if err := w.watch(key, first); err != nil {
			return err
		}
	}
	if w.preds.goalStuck {
		if yes, err := w.machine.Holds(w.preds.goal, view); err != nil {
			return err
		} else if yes {
			w.met(event{key: key, action: noAction})
		}
	}
	for i, p := range w.preds.counts {
		yes, err := w.machine.Holds(p, view)
		if err != nil {
			return err
		}
		if yes {
			w.counts[i] += weight
		}
	}
	return nil
}

// checkGoal evaluates a goal that does not depend on whether there are steps.
func (w *worker) checkGoal(keys []uint64) {
	for i := 0; i < len(keys); i += w.words {
		key := keys[i : i+w.words]
		w.codec.Unpack(key, w.state)
		yes, err := w.machine.Holds(w.preds.goal, step.View{State: w.state, Start: w.depth == 0})
		if yes || err != nil {
			w.met(event{key: key, action: noAction, err: err})
		}
	}
}

// watch looks for a bad step among those of the state.
func (w *worker) watch(key []uint64, first int) error {
	watched := false
	old := step.View{State: w.state, CanMove: step.Yes}
	for i := first; i < len(w.steps.Actions); i++ {
		action := int(w.steps.Actions[i])
		if w.preds.actions != nil && !w.preds.actions[action] {
			continue
		}
		if !watched {
			watched = true
			if yes, err := w.watches(&old); err != nil || !yes {
				return err
			}
		}
		w.checked++
		bad, err := w.isBad(w.steps.Keys[i*w.words:(i+1)*w.words], old.Start)
		if err != nil {
			return err
		}
		if bad {
			w.met(event{key: key, action: action})
			return nil
		}
	}
	return nil
}

// watches reports whether the steps of the state may be bad. It sets whether the state is a start.
func (w *worker) watches(view *step.View) (yes bool, err error) {
	if w.preds.fromStart {
		if view.Start, err = w.isStart(w.state); err != nil {
			return false, err
		}
	}
	if w.preds.from == nil {
		return true, nil
	}
	return w.machine.Holds(w.preds.from, *view)
}

// isBad reports whether the step to this state is bad.
func (w *worker) isBad(key []uint64, oldStart bool) (bool, error) {
	w.codec.Unpack(key, w.next)
	view := step.View{State: w.next, Old: w.state, OldStart: oldStart}
	if w.preds.badStart {
		var err error
		if view.Start, err = w.isStart(w.next); err != nil {
			return false, err
		}
	}
	return w.machine.Holds(w.preds.bad, view)
}

// isStart reports whether a state is a start, whatever an earlier step left in its ghosts.
func (w *worker) isStart(f *pack.Flat) (bool, error) {
	key := make([]uint64, w.words)
	if err := w.codec.Pack(f, key); err != nil {
		return false, err
	}
	_, is := w.firsts.Find(key)
	if is || !w.preds.ghosts {
		return is, nil
	}
	pits := len(w.sys.Pits)
	seen := *f
	seen.Cells = slices.Concat(f.Cells[:pits], rules.WithoutGhosts(w.sys, f.Cells[pits:], func(n int) int { return n }))
	if err := w.codec.Pack(&seen, key); err != nil {
		return false, err
	}
	_, is = w.firsts.Find(key)
	return is, nil
}
