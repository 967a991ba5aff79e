package forward

import (
	"context"
	"slices"

	"github.com/mancheck/mancheck/checker/game"
	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/checker/residual"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
)

// asked is a Query with what it depends on.
type asked struct {
	*Query
	goalStuck bool // the goal depends on whether the state is stuck
	badStart  bool // the bad step depends on whether the new state is a start
	fromStart bool // the bad step depends on whether the state before is a start
	ghosts    bool // states have ghosts, which starts must be looked up without
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

// looks reports whether the query has to be evaluated when states are expanded.
func (a asked) looks() bool { return a.goalStuck || a.BadStep != nil || len(a.Count) > 0 }

// watcher evaluates a Query for one worker. Predicates that the query lacks are nil.
type watcher struct {
	asked
	sys       *rules.System
	codec     *pack.Codec
	firsts    func() *pack.Set  // returns the set of starts
	stepper   *residual.Stepper // evaluates the predicates; nil if there are none
	goal      *residual.Predicate
	counted   []*residual.Predicate
	from, bad *residual.Predicate
	answers   *Figures // in which the answers are counted
}

func newWatcher(a asked, g game.Game, sys *rules.System, codec *pack.Codec, firsts func() *pack.Set, answers *Figures) *watcher {
	w := &watcher{asked: a, sys: sys, codec: codec, firsts: firsts, answers: answers}
	if a.Goal == nil && !a.looks() {
		return w
	}
	w.stepper = evaluator(g, sys, codec)
	w.goal = w.stepper.Compile(a.Goal)
	w.counted = lists.Map(a.Count, w.stepper.Compile)
	if b := a.BadStep; b != nil {
		w.from, w.bad = w.stepper.Compile(b.From), w.stepper.Compile(b.Bad)
	}
	return w
}

// evaluator returns a stepper that evaluates conditions in the states of a game: the game itself,
// if it is one.
func evaluator(g game.Game, sys *rules.System, codec *pack.Codec) *residual.Stepper {
	if c, is := g.(game.Classes); is {
		g = c.Whole()
	}
	if s, is := g.(*residual.Stepper); is {
		return s
	}
	return residual.New(context.Background(), sys, codec)
}

// examined is a state that was expanded.
type examined struct {
	key     []uint64
	start   bool     // it may be a start, because no move was made yet
	can     bool     // it has legal moves
	weight  int64    // number of states that it stands for
	actions []int32  // of its steps, if they were computed
	to      []uint64 // the keys that the steps lead to
}

// goalIn reports whether a state satisfies a goal that does not depend on its steps.
func (w *watcher) goalIn(key []uint64, start bool) (bool, error) {
	return w.stepper.Holds(w.goal, residual.View{Key: key, Start: start})
}

// watch evaluates the query in a state, and passes what ends the search to note. A goal that does
// not depend on the steps of the state was evaluated earlier, with goalIn.
func (w *watcher) watch(s examined, note func(Find)) error {
	view := residual.View{Key: s.key, Start: s.start, CanMove: residual.No}
	if s.can {
		view.CanMove = residual.Yes
	}
	if w.bad != nil && len(s.actions) > 0 {
		if err := w.watchSteps(s, note); err != nil {
			return err
		}
	}
	if w.goalStuck {
		if yes, err := w.stepper.Holds(w.goal, view); err != nil {
			return err
		} else if yes {
			note(Find{Key: s.key, action: noAction})
		}
	}
	for i, p := range w.counted {
		yes, err := w.stepper.Holds(p, view)
		if err != nil {
			return err
		}
		if yes {
			w.answers.Counts[i] += s.weight
		}
	}
	return nil
}

// watchSteps looks for a bad step from the state.
func (w *watcher) watchSteps(s examined, note func(Find)) error {
	watched := false
	old := residual.View{Key: s.key, CanMove: residual.Yes}
	words := len(s.key)
	for i, a := range s.actions {
		if !rules.Counts(w.BadStep.Actions, int(a)) {
			continue
		}
		if !watched {
			watched = true
			if yes, err := w.watches(&old); err != nil || !yes {
				return err
			}
		}
		w.answers.Checked++
		bad, err := w.isBad(s.to[i*words:(i+1)*words], old)
		if err != nil {
			return err
		}
		if bad {
			note(Find{Key: s.key, action: int(a)})
			return nil
		}
	}
	return nil
}

// watches reports whether steps from the state may be bad. It fills in whether the state is a
// start.
func (w *watcher) watches(view *residual.View) (yes bool, err error) {
	if w.fromStart {
		if view.Start, err = w.isStart(view.Key); err != nil {
			return false, err
		}
	}
	if w.from == nil {
		return true, nil
	}
	return w.stepper.Holds(w.from, *view)
}

// isBad reports whether the step to the state with this key is bad.
func (w *watcher) isBad(key []uint64, from residual.View) (bool, error) {
	view := residual.View{Key: key, Old: from.Key, OldStart: from.Start}
	if w.badStart {
		var err error
		if view.Start, err = w.isStart(key); err != nil {
			return false, err
		}
	}
	return w.stepper.Holds(w.bad, view)
}

// isStart reports whether a state is a start, whatever values its ghosts have.
func (w *watcher) isStart(key []uint64) (bool, error) {
	_, is := w.firsts().Find(key)
	if is || !w.ghosts {
		return is, nil
	}
	flat, plain := pack.NewFlat(w.sys), make([]uint64, w.codec.Words())
	w.codec.Unpack(key, flat)
	pits := len(w.sys.Pits)
	flat.Cells = slices.Concat(flat.Cells[:pits], rules.WithoutGhosts(w.sys, flat.Cells[pits:], func(n int) int { return n }))
	if err := w.codec.Pack(flat, plain); err != nil {
		return false, err
	}
	_, is = w.firsts().Find(plain)
	return is, nil
}
