package encode

import (
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/smt/term"
)

// Concrete evaluates the formulas about the steps from a given state, so that they can be compared
// with play.
type Concrete struct {
	e    *Encoder
	eval *term.Evaluator
}

// NewConcrete makes a Concrete. It takes the formulas as they were explored; all others are
// instances of them.
func (e *Encoder) NewConcrete() *Concrete {
	var roots []*term.Term
	for _, a := range e.actions {
		roots = append(roots, a.fault, a.overrun)
		for _, w := range a.cases {
			roots = append(append(roots, w.when), w.to.parts()...)
		}
	}
	return &Concrete{e: e, eval: term.NewEvaluator(roots, func(t *term.Term) (*term.Term, int, bool) {
		q, is := e.defined[t]
		return q.of, q.by, is
	})}
}

// Size is the number of terms that Steps computes.
func (c *Concrete) Size() int { return c.eval.Size() }

// Steps lists the steps from s by action, as the formulas describe them. known is false if the
// formulas say nothing about s: a step meets a fault of the rules or a loop that exceeds its
// unrolling, or a number is too large to compute with.
func (c *Concrete) Steps(s rules.State) (steps map[int][]rules.State, known bool) {
	for i, t := range c.e.any.parts() {
		c.eval.Set(t.Name, part(s, i))
	}
	value, ok := c.eval.Run()
	if !ok {
		return nil, false
	}
	steps = map[int][]rules.State{}
	root, width := 0, len(s.Seeds)+len(s.Vars)+2
	for i, a := range c.e.actions {
		turn := c.e.sys.Actions[i].Mover == s.Mover
		if turn && (value(root) != 0 || value(root+1) != 0) {
			return nil, false
		}
		root += 2
		for range a.cases {
			if turn && value(root) != 0 {
				to := rules.State{Seeds: make([]int, len(s.Seeds)), Vars: make([]int, len(s.Vars))}
				for p := range width {
					*place(&to, p) = value(root + 1 + p)
				}
				steps[i] = append(steps[i], to)
			}
			root += 1 + width
		}
	}
	return steps, true
}

// part returns a part of a state, in the order of State.parts.
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
