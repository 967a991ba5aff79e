package judge

import (
	"slices"
	"strings"

	"github.com/mancheck/mancheck/dsl/ast"
)

// The rule about a position that comes back. Under it a state has a past, the positions that the
// play was in before, and states with different pasts are different. So all that is said of states
// and plays is exact, but only small games are explored to the end.

// repetition is the rule, or what nothing says.
type repetition struct {
	verdict *ast.Verdict // nil: there is no rule
	offered bool
}

// saysRepeated tells whether a condition is that of the rule, and whether what stands beside it
// holds.
func (g *game) saysRepeated(x ast.Expr) (is, on bool) {
	if b, and := x.(*ast.Binary); and && b.Op == "and" {
		is, on = g.saysRepeated(b.L)
		return is, is && g.scope(inDeclaration).cond(b.R) && on
	}
	n, is := x.(*ast.Name)
	return is && n.Name == "repeated", true
}

// readRepetition finds the rule among the items of a variant.
func (g *game) readRepetition() {
	add := func(v *ast.Verdict, offered, on bool) {
		if on && g.repeats.verdict != nil {
			wrongf("two rules say what follows where a position comes back")
		}
		if on {
			g.repeats = repetition{v, offered}
		}
	}
	for _, item := range g.variant.Items {
		switch x := item.(type) {
		case *ast.Ending:
			is, on := g.saysRepeated(x.When)
			if !is {
				continue
			}
			if x.AtTurnEnd || x.Body != nil {
				wrongf("what follows where a position comes back depends on nothing else")
			}
			add(&x.Verdict, false, on)
		case *ast.Offer:
			is, on := g.saysRepeated(x.When)
			if !is {
				wrongf("something else is offered than an end where a position comes back")
			}
			add(&x.Verdict, true, on)
		}
	}
}

// remembers tells whether states have a past.
func (g *game) remembers() bool { return g.repeats.verdict != nil && !g.forgets }

// inPlay is what the steps of a state are to a play that has its past.
func (g *game) inPlay(s *state, steps []*step) []*step {
	if !g.remembers() {
		return steps
	}
	here := s.position()
	for _, t := range steps {
		if !t.to.live() {
			continue
		}
		if t.to.past = with(s.past, here); !g.repeats.offered && slices.Contains(t.to.past, t.to.position()) {
			g.over(t.to)
		}
	}
	if g.repeats.offered && s.live() && slices.Contains(s.past, here) {
		t := &step{to: s.clone(), last: none, origin: none}
		g.over(t.to)
		t.label = g.outcomes[t.to.outcome-1].label
		t.move, t.written = t.label, t.label
		steps = append(steps, t)
	}
	return steps
}

// over ends a game in a position that came back.
func (g *game) over(s *state) {
	s.outcome = g.outcome(g.repeats.verdict, s.mover)
	s.mover, s.past = none, nil
}

// with is a sorted list with one more member.
func with(list []string, x string) []string {
	i, found := slices.BinarySearch(list, x)
	if found {
		return list
	}
	return slices.Insert(slices.Clone(list), i, x)
}

// endlessUnder is what an endless play is worth under the rule: it is a draw if the rule says so,
// and counts by its score where the rule ends the game and leaves the winner to the score.
func (c *oneCase) endlessUnder() *ast.Endless {
	scored := len(ast.Items[*ast.Score](c.game.variant)) > 0
	switch v := c.repeats.verdict; {
	case v.Kind == ast.Draw:
		return &ast.Endless{}
	case v.Kind == ast.End && scored && !c.repeats.offered:
		return &ast.Endless{Scored: true}
	}
	return nil
}

// forgetting decides by the case without the rule, which claims about single steps leave out of
// account.
func (c *oneCase) forgetting(decide func(*oneCase) verdict) verdict {
	if !c.remembers() {
		return decide(c)
	}
	s := c.settings
	s.forgets = true
	f := c.play(c.game.variant, s)
	defer func() { c.game.faults = c.game.faults || f.game.faults }()
	return decide(f)
}

// positions keeps one of the states that differ in nothing but their pasts.
func positions(list []*state) []*state {
	seen := map[string]bool{}
	var out []*state
	for _, s := range list {
		if p := s.position(); !seen[p] {
			seen[p] = true
			out = append(out, s)
		}
	}
	return out
}

// key is the same for equal states only.
func (s *state) key() string {
	if len(s.past) == 0 {
		return s.position()
	}
	return s.position() + " after " + strings.Join(s.past, ", ")
}
