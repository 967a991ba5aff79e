package enumerate

import (
	"slices"

	"github.com/mancheck/mancheck/rules/build"
)

// Terminates looks for a play that never ends, or that has more than a number of moves unless that
// is negative.
func (g *Graph) Terminates(within int) (*Opinion, error) {
	if err := g.explore(); err != nil {
		return nil, err
	}
	longest, ends := g.longest(g.starts)
	return g.opinion(ends && (within < 0 || longest <= within)), nil
}

// TerminatesByRule reports whether a rule ends every play that comes back to a position. Then no
// play is infinite.
func (g *Graph) TerminatesByRule() (*Opinion, error) {
	if err := g.layOut(); err != nil {
		return nil, err
	}
	rule := g.in.System().Repetition
	return g.opinion(rule != nil && !rule.Offered), nil
}

// longest returns the greatest number of moves of a play from one of the given states. ends is
// false if some play never ends. It is a depth-first search with an explicit stack, since plays may
// be very long; a state that is reached again while it is open lies on a cycle.
func (g *Graph) longest(from []int) (moves int, ends bool) {
	const unseen, open = -2, -1
	left := slices.Repeat([]int{unseen}, len(g.states)) // moves of the longest play from a state, once that is known
	type visit struct{ state, next int }
	for _, start := range from {
		if left[start] == unseen {
			left[start] = open
			for stack := []visit{{start, 0}}; len(stack) > 0; {
				top := &stack[len(stack)-1]
				if top.next == len(g.steps[top.state]) {
					left[top.state] = 0
					for _, e := range g.steps[top.state] {
						left[top.state] = max(left[top.state], left[e.to]+1)
					}
					stack = stack[:len(stack)-1]
					continue
				}
				to := g.steps[top.state][top.next].to
				top.next++
				switch left[to] {
				case open:
					return 0, false
				case unseen:
					left[to] = open
					stack = append(stack, visit{to, 0})
				}
			}
		}
		moves = max(moves, left[start])
	}
	return moves, true
}

// StrategyWins starts where some play of the original rules wins, and then plays Followed, in which
// only the moves of the strategy are legal. Every play of it has to end, and to win.
func (g *Graph) StrategyWins(p *build.StrategyWins) (*Opinion, error) {
	winnable, err := g.winning()
	if err != nil {
		return nil, err
	}
	f := graphOf(g.ctx, p.Followed, g.budget)
	for _, n := range winnable {
		if err := f.begin(g.states[n]); err != nil {
			return nil, err
		}
	}
	if err := f.walk(-1); err != nil {
		return nil, err
	}
	for n := range len(f.states) {
		if len(f.steps[n]) > 0 {
			continue
		}
		if is, err := f.won(f.states[n]); err != nil || !is {
			return g.opinion(false), err
		}
	}
	_, ends := f.longest(f.starts)
	return g.opinion(ends), nil
}
