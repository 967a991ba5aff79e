package forward

import (
	"slices"

	"github.com/mancheck/mancheck/checker/game"
	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/checker/residual"
	"github.com/mancheck/mancheck/checker/step"
	"github.com/mancheck/mancheck/rules"
)

// asked is what a Query asks about states and steps.
type asked struct {
	*Query
	goalStuck bool // the goal depends on stuck
	badStart  bool // the bad step depends on whether the new state is a start
	fromStart bool // it depends on whether the state before is one
	ghosts    bool // states are looked up without ghosts
}

func newAsked(sys *rules.System, q *Query) asked {
	a := asked{Query: q, goalStuck: rules.AsksFor(q.Goal, rules.IsStuck)}
	if b := q.BadStep; b != nil {
		a.badStart = rules.AsksFor(b.Bad, rules.IsStart)
		a.fromStart = a.badStart || rules.AsksFor(b.From, rules.IsStart)
		a.ghosts = slices.ContainsFunc(sys.Vars, func(x rules.Var) bool { return x.Ghost })
	}
	return a
}

// looks reports whether states must be looked at when they are expanded, besides counting them.
func (a asked) looks() bool { return a.goalStuck || a.BadStep != nil || len(a.Count) > 0 }

// predicates is a Query as compiled by a worker. Those that were not asked for are nil.
type predicates struct {
	stepper   *residual.Stepper // that evaluates them; nil if there are none
	goal      *residual.Predicate
	counted   []*residual.Predicate
	from, bad *residual.Predicate
}

func compileQuery(g game.Game, sys *rules.System, codec *pack.Codec, q *Query) (p predicates, err error) {
	compile := func(x rules.Expr) *residual.Predicate {
		if x == nil || err != nil {
			return nil
		}
		if p.stepper == nil {
			p.stepper, err = evaluator(g, sys, codec)
		}
		var c *residual.Predicate
		if err == nil {
			c, err = p.stepper.Compile(x)
		}
		return c
	}
	p.goal = compile(q.Goal)
	for _, x := range q.Count {
		p.counted = append(p.counted, compile(x))
	}
	if b := q.BadStep; b != nil {
		p.from, p.bad = compile(b.From), compile(b.Bad)
	}
	return p, err
}

// evaluator returns a stepper that evaluates conditions in the states of a game: the game itself,
// if it is one.
func evaluator(g game.Game, sys *rules.System, codec *pack.Codec) (*residual.Stepper, error) {
	if c, is := g.(game.Classes); is {
		g = c.Whole()
	}
	if s, is := g.(*residual.Stepper); is {
		return s, nil
	}
	m, err := step.Compile(sys)
	if err != nil {
		return nil, err
	}
	return residual.New(m, codec), nil
}

// look evaluates the predicates in the state with this key, whose steps begin at first in w.steps.
// There are weight states like it.
// The goal was evaluated before, unless it depends on whether there are steps.
func (w *worker) look(key []uint64, first int, can bool, weight int64) {
	if err := w.judge(key, first, can, weight); err != nil {
		w.note(event{key: key, err: err})
	}
}

func (w *worker) judge(key []uint64, first int, can bool, weight int64) error {
	view := residual.View{Key: key, Start: w.depth == 0, CanMove: step.No}
	if can {
		view.CanMove = step.Yes
	}
	if w.bad != nil && len(w.steps.Actions) > first {
		if err := w.watch(key, first); err != nil {
			return err
		}
	}
	if w.asked.goalStuck {
		if yes, err := w.stepper.Holds(w.goal, view); err != nil {
			return err
		} else if yes {
			w.note(event{key: key, action: noAction})
		}
	}
	for i, p := range w.counted {
		yes, err := w.stepper.Holds(p, view)
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
		yes, err := w.stepper.Holds(w.goal, residual.View{Key: key, Start: w.depth == 0})
		if yes || err != nil {
			w.note(event{key: key, action: noAction, err: err})
		}
	}
}

// watch looks for a bad step among those of the state.
func (w *worker) watch(key []uint64, first int) error {
	watched := false
	old := residual.View{Key: key, CanMove: step.Yes}
	for i := first; i < len(w.steps.Actions); i++ {
		action := int(w.steps.Actions[i])
		if w.asked.BadStep.Actions != nil && !w.asked.BadStep.Actions[action] {
			continue
		}
		if !watched {
			watched = true
			if yes, err := w.watches(&old); err != nil || !yes {
				return err
			}
		}
		w.checked++
		bad, err := w.isBad(w.steps.Keys[i*w.words:(i+1)*w.words], old)
		if err != nil {
			return err
		}
		if bad {
			w.note(event{key: key, action: action})
			return nil
		}
	}
	return nil
}

// watches reports whether the steps of the state may be bad. It sets whether the state is a start.
func (w *worker) watches(view *residual.View) (yes bool, err error) {
	if w.asked.fromStart {
		if view.Start, err = w.isStart(view.Key); err != nil {
			return false, err
		}
	}
	if w.from == nil {
		return true, nil
	}
	return w.stepper.Holds(w.from, *view)
}

// isBad reports whether the step to this state is bad.
func (w *worker) isBad(key []uint64, from residual.View) (bool, error) {
	view := residual.View{Key: key, Old: from.Key, OldStart: from.Start}
	if w.asked.badStart {
		var err error
		if view.Start, err = w.isStart(key); err != nil {
			return false, err
		}
	}
	return w.stepper.Holds(w.bad, view)
}

// isStart reports whether a state is a start, whatever an earlier step left in its ghosts.
func (w *worker) isStart(key []uint64) (bool, error) {
	_, is := w.firsts.Find(key)
	if is || !w.asked.ghosts {
		return is, nil
	}
	flat, plain := pack.NewFlat(w.sys), make([]uint64, w.words)
	w.codec.Unpack(key, flat)
	pits := len(w.sys.Pits)
	flat.Cells = slices.Concat(flat.Cells[:pits], rules.WithoutGhosts(w.sys, flat.Cells[pits:], func(n int) int { return n }))
	if err := w.codec.Pack(flat, plain); err != nil {
		return false, err
	}
	_, is = w.firsts.Find(plain)
	return is, nil
}
