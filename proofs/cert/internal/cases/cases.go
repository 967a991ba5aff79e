// Package cases shows what is true of all steps from states of the right shape, whatever the number
// of seeds, or of all starts. It plays with unknowns instead of numbers, one case after another: at
// each decision that depends on an unknown it goes one of the ways, takes down what that says of
// the unknowns, and comes back for the others. A sowing of an unknown number of seeds round the
// board is a number of rounds, which is another unknown, and one of few remainders. So each case is
// a straight line, in which numbers are linear in the unknowns.
//
//	form.go    numbers that are linear in unknowns
//	path.go    what is known of the unknowns in a case
//	domain.go  the domain of these numbers, for package exec
package cases

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/proofs/cert/internal/script"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/exec"
)

// Goal is what is to be shown of all paths of Steps steps, from a start, or from any live state of
// the right shape: if all of Assume hold in every state but the last, and the last step is one of
// Actions, then Show holds in the last state. In it old asks for the state before. With no steps,
// the path is a start.
type Goal struct {
	Start   bool
	Steps   int
	Actions []bool // nil: all
	Assume  []rules.Expr
	Show    rules.Expr
}

// mostChoices bounds the decisions of one case.
const mostChoices = 1 << 8

// Shown is what the cases of a goal were like.
type Shown struct {
	Cases int          // in which all of Assume may hold, and the path goes on to its end
	First *rules.State // perhaps the first state of such a path; nil: none is proposed
}

// Show shows a Goal about a System. It fails if more decisions than most depend on unknowns, in all
// cases together. The error is an *OpenError or the context's.
func Show(ctx context.Context, sys *rules.System, g Goal, most int) (*Shown, error) {
	w := &world{ctx: ctx, sys: sys, program: exec.Read(sys), show: exec.ReadExpr(g.Show)}
	w.assume = lists.Map(g.Assume, exec.ReadExpr)
	w.Most = mostChoices
	for {
		if w.asked > most {
			return nil, open("there are more than %d decisions in all cases together", most)
		}
		if err := cmp.Or(ctx.Err(), w.try(g)); errors.Is(err, script.ErrLong) {
			return nil, open("a case %v", err)
		} else if err != nil && !errors.Is(err, script.ErrNoWay) {
			return nil, err
		}
		if !w.Next() {
			return &w.shown, nil
		}
	}
}

// world is what the runs of a case share.
type world struct {
	ctx     context.Context
	sys     *rules.System
	program *exec.Program
	assume  []*exec.Expr // of the goal, as show
	show    *exec.Expr
	path
	params []form // by parameter; of those without a value
	shown  Shown
}

// try shows the goal in the next case.
func (w *world) try(g Goal) error {
	first, err := w.first(g.Start)
	s := first
	var old *exec.State[form]
	for i := 0; i < g.Steps && err == nil; i++ {
		for _, x := range w.assume {
			if is, err := w.run(s, 0).run.Holds(x); err != nil || !is {
				return cmp.Or(err, script.ErrNoWay)
			}
		}
		var by []bool
		if i == g.Steps-1 {
			by = g.Actions
		}
		before := s
		old = &before
		s, err = w.step(s, by)
	}
	if err != nil {
		return err
	}
	last := w.run(s, 0)
	last.old = old
	if is, err := last.run.Holds(w.show); err != nil || !is {
		return cmp.Or(err, open("there is a case in which it seems to be false"))
	}
	if w.shown.Cases++; w.shown.First == nil {
		w.shown.First = w.example(first)
	}
	return nil
}

// example gives the unknowns of a state their least values. It returns nil if these do not fit.
func (w *world) example(s exec.State[form]) *rules.State {
	out := &rules.State{}
	out.Mover, _ = s.Mover.is()
	out.Outcome, _ = s.Outcome.is()
	value := func(f form) int {
		f, _ = w.now(f)
		n := f.c
		for _, t := range f.terms {
			n += t.times * max(w.bounds[t.unknown].Lo, -num.Most) // a number that does not fit is no example
		}
		return n
	}
	out.Seeds, out.Vars = lists.Map(s.Seeds, value), lists.Map(s.Vars, value)
	negative := func(f form) bool { return value(f) < 0 }
	if slices.ContainsFunc(s.Seeds, negative) || slices.ContainsFunc(w.facts, negative) {
		return nil
	}
	for v, n := range out.Vars {
		if !w.sys.Vars[v].Contains(n) {
			return nil
		}
	}
	return out
}

// first is the first state of a path.
func (w *world) first(start bool) (s exec.State[form], err error) {
	w.begin()
	w.params = lists.Map(w.sys.Params, func(p rules.Param) form {
		if !p.Open {
			return form{}
		}
		return w.unknown(p.Range())
	})
	if start {
		return w.start()
	}
	s.Mover, s.Outcome = constant(w.Choose(len(w.sys.Players))), constant(rules.Live)
	s.Seeds = lists.Map(w.sys.Pits, func(rules.Pit) form { return w.unknown(num.AtLeast(0)) })
	s.Vars = lists.Map(w.sys.Vars, func(x rules.Var) form {
		return w.unknown(num.Range(slices.Min(x.Domain), slices.Max(x.Domain)))
	})
	return s, nil
}

// start is a start after what is done before the first move.
func (w *world) start() (exec.State[form], error) {
	empty := w.sys.EmptyStart()
	s := exec.State[form]{
		Seeds: lists.Map(empty.Seeds, constant), Vars: lists.Map(empty.Vars, constant),
		Mover: constant(empty.Mover), Outcome: constant(empty.Outcome),
	}
	for p := range lists.Marked(w.sys.Start.Free) {
		s.Seeds[p] = w.unknown(num.AtLeast(0))
	}
	d := w.run(s, 0)
	if is, err := d.run.Holds(w.program.Setup()); err != nil || !is {
		return s, cmp.Or(err, script.ErrNoWay)
	}
	err := d.run.Settle(empty.Mover, false)
	return d.run.S, err
}

// step makes one of the steps from s by some actions. Those that are not preferred are among them.
func (w *world) step(s exec.State[form], by []bool) (exec.State[form], error) {
	var list []*exec.Action
	for i := range w.sys.Actions {
		if mover, _ := s.Mover.is(); w.sys.Actions[i].Mover == mover && rules.Counts(by, i) {
			list = append(list, w.program.Action(i))
		}
	}
	if outcome, _ := s.Outcome.is(); outcome != rules.Live || len(list) == 0 {
		return s, script.ErrNoWay
	}
	a := list[w.Choose(len(list))]
	d := w.run(s, len(a.Locals))
	if legal, err := d.run.Perform(a); err != nil || !legal {
		return s, cmp.Or(err, script.ErrNoWay)
	}
	err := d.run.Conclude(a.Mover)
	return d.run.S, err
}

// run makes a run in a copy of s.
func (w *world) run(s exec.State[form], locals int) *domain {
	d := &domain{world: w}
	s.Seeds, s.Vars = slices.Clone(s.Seeds), slices.Clone(s.Vars)
	d.run.Init(d, w.program, s, locals, nil)
	return d
}
