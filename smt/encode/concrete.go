package encode

import (
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/smt/term"
)

// Concrete evaluates the formulas about the steps from a state where the state is given, so that they can be compared
// with play.
type Concrete struct {
	e     *Encoder
	s     State
	cases []Case
	eval  *term.Evaluator
}

// NewConcrete makes a Concrete.
func (e *Encoder) NewConcrete() *Concrete {
	c := &Concrete{e: e, s: e.State("concrete")}
	c.cases = e.cases(c.s)
	roots := []*term.Term{e.Fault(c.s), e.Overrun(c.s)}
	for _, k := range c.cases {
		roots = append(append(roots, k.When), k.To.parts()...)
	}
	c.eval = term.NewEvaluator(roots, func(t *term.Term) (*term.Term, int, bool) {
		q, is := e.defined[t]
		return q.of, q.by, is
	})
	return c
}

// Size is the number of terms that Steps computes.
func (c *Concrete) Size() int { return c.eval.Size() }

// Steps lists the steps from s by action, as the formulas have them. They say nothing about s, and known is false, where
// a step meets a fault of the rules or a loop that would have to go on, or where a number is too large to compute with.
func (c *Concrete) Steps(s rules.State) (steps map[int][]rules.State, known bool) {
	for i, t := range c.s.parts() {
		c.eval.Set(t.Name, part(s, i))
	}
	value, ok := c.eval.Run()
	if !ok || value(0) != 0 || value(1) != 0 {
		return nil, false
	}
	steps = map[int][]rules.State{}
	width := len(s.Seeds) + len(s.Vars) + 2
	for i, k := range c.cases {
		root := 2 + i*(width+1)
		if value(root) == 0 {
			continue
		}
		to := rules.State{Seeds: make([]int, len(s.Seeds)), Vars: make([]int, len(s.Vars))}
		for p := range width {
			*place(&to, p) = value(root + 1 + p)
		}
		steps[k.Action] = append(steps[k.Action], to)
	}
	return steps, true
}

// part is a part of a state in the order of State.parts.
func part(s rules.State, i int) int { return *place(&s, i) }

func place(s *rules.State, i int) *int {
	switch pits, cells := len(s.Seeds), len(s.Seeds)+len(s.Vars); {
	case i < pits:
		return &s.Seeds[i]
	case i < cells:
		return &s.Vars[i-pits]
	case i == cells:
		return &s.Mover
	}
	return &s.Outcome
}
