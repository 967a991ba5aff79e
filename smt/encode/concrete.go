package encode

import (
	"math/rand/v2"

	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/smt/term"
)

// Concrete evaluates the formulas about the steps from a given state, so that they can be compared
// with play.
type Concrete struct {
	e    *explored
	eval *term.Evaluator
}

// NewConcrete makes a Concrete. It takes the formulas as they were explored; all others are
// instances of them.
func (e *explored) NewConcrete() *Concrete {
	var roots []*term.Term
	for _, a := range e.actions {
		roots = append(roots, a.fault, a.overrun)
		for _, w := range a.cases {
			roots = append(append(roots, w.when), w.to.Parts()...)
		}
	}
	return e.concrete(roots)
}

// concrete is for evaluating some terms.
func (e *explored) concrete(roots []*term.Term) *Concrete {
	return &Concrete{e: e, eval: term.NewEvaluator(roots, func(t *term.Term) (*term.Term, int, bool) {
		q, is := e.defined[t]
		return q.dividend, q.divisor, is
	})}
}

// in returns the values of the terms in a state, by their places. It fails if a number is too
// large.
func (c *Concrete) in(s rules.State) (value func(root int) int, ok bool) {
	for i, t := range c.e.any.Parts() {
		c.eval.Set(t.Name, *place(&s, i))
	}
	return c.eval.Run()
}

// Size is the number of terms that Steps computes.
func (c *Concrete) Size() int { return c.eval.Size() }

// Steps lists the steps from s by action, as the formulas describe them. known is false if the
// formulas say nothing about s: a step meets a fault of the rules or a loop that exceeds its
// unrolling, or a number is too large to compute with.
func (c *Concrete) Steps(s rules.State) (steps map[int][]rules.State, known bool) {
	value, ok := c.in(s)
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

// place is where a state has a part, in the order of State.Parts.
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

// LongLoop looks for a state in which a loop exceeds its unrolling, among some states of the right
// shape with few seeds. A solver may take very long to find one, since a relay over any number of
// seeds is a long formula.
func (e *explored) LongLoop() (s rules.State, found bool) {
	c := e.concrete(lists.Map(e.actions, func(a action) *term.Term { return a.overrun }))
	random := rand.New(rand.NewPCG(1, 1))
	for range 2000 {
		s := e.someState(random)
		value, ok := c.in(s)
		for i, a := range e.sys.Actions {
			if ok && a.Mover == s.Mover && value(i) != 0 {
				return s, true
			}
		}
	}
	return s, false
}

// someState draws a live state of the right shape.
func (e *layout) someState(random *rand.Rand) rules.State {
	s := rules.State{Mover: random.IntN(len(e.sys.Players)), Outcome: rules.Live}
	most := 4 << random.IntN(8)
	s.Seeds = lists.Map(e.sys.Pits, func(rules.Pit) int { return random.IntN(most) })
	s.Vars = lists.Map(e.sys.Vars, func(v rules.Var) int { return v.Domain[random.IntN(len(v.Domain))] })
	return s
}
