package enumerate

import (
	"math/big"
	"slices"

	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
)

// Count computes the number that a claim is about, and compares it with that of the claim.
func (g *Graph) Count(p *build.Count) (*Opinion, error) {
	n, found, err := g.size(p)
	if err != nil {
		return nil, err
	}
	is, err := rules.Apply(p.Op, n.Cmp(big.NewInt(int64(p.Value))), 0)
	out := g.opinion(is != 0)
	out.Number, out.Found = n, found
	return out, err
}

// size returns the number of members of the set that a claim counts. For winning starts it returns
// these as well.
func (g *Graph) size(p *build.Count) (*big.Int, []rules.State, error) {
	switch {
	case p.Set == build.CountPlays && p.Moves > 0:
		n, err := g.plays(p.Moves)
		return n, nil, err
	case p.Set == build.CountStarts, p.Set == build.CountPlays: // plays of no moves are starts
		if err := g.layOut(); err != nil {
			return nil, nil, err
		}
		n, _, err := g.satisfying(g.starts, p.Where)
		return n, nil, err
	case p.Set == build.CountWinning:
		won, err := g.winning()
		if err != nil {
			return nil, nil, err
		}
		return g.satisfying(won, p.Where)
	}
	if err := g.explore(); err != nil {
		return nil, nil, err
	}
	all := num.Run(0, g.number)
	if p.Set != build.CountStates {
		all = lists.Filter(all, func(n int) bool { s := g.state(n); return !s.Live() })
	}
	n, _, err := g.satisfying(all, p.Where)
	return n, nil, err
}

// satisfying returns the listed states that satisfy a condition, and their number.
func (g *Graph) satisfying(list []int, where rules.Expr) (*big.Int, []rules.State, error) {
	found := []rules.State{}
	for _, n := range list {
		is, err := g.holds(where, n)
		if err != nil {
			return nil, nil, err
		}
		if is {
			found = append(found, g.state(n))
		}
	}
	return big.NewInt(int64(len(found))), found, nil
}

// plays counts the plays of exactly the given number of moves. Level by level it finds how many
// plays lead to each state, so its time depends on the number of steps and not on that of plays.
func (g *Graph) plays(moves int) (*big.Int, error) {
	if err := g.layOut(); err != nil {
		return nil, err
	}
	if err := g.walk(moves); err != nil {
		return nil, err
	}
	level := map[int]*big.Int{}
	for _, n := range g.starts {
		level[n] = big.NewInt(1)
	}
	for ply := 0; ply < moves && len(level) > 0; ply++ { // all plays may be over long before
		if err := g.ctx.Err(); err != nil {
			return nil, err
		}
		next := map[int]*big.Int{}
		for n, plays := range level {
			if err := g.budget.step(1 + len(g.steps[n])); err != nil {
				return nil, err
			}
			for _, e := range g.steps[n] {
				if next[e.to] == nil {
					next[e.to] = new(big.Int)
				}
				next[e.to].Add(next[e.to], plays)
			}
		}
		level = next
	}
	sum := new(big.Int)
	for _, plays := range level {
		sum.Add(sum, plays)
	}
	return sum, nil
}

// winning lists the starts from which some play wins, by a search backward from the won states.
func (g *Graph) winning() ([]int, error) {
	if err := g.explore(); err != nil {
		return nil, err
	}
	into := make([][]int, g.number)
	for n, steps := range g.steps {
		for _, e := range steps {
			into[e.to] = append(into[e.to], n)
		}
	}
	wins := make([]bool, g.number)
	var open []int
	for n := range g.number {
		s := g.state(n)
		is, err := g.won(s)
		if err != nil {
			return nil, err
		}
		if is {
			wins[n] = true
			open = append(open, n)
		}
	}
	for len(open) > 0 {
		n := open[len(open)-1]
		open = open[:len(open)-1]
		for _, m := range into[n] {
			if !wins[m] {
				wins[m] = true
				open = append(open, m)
			}
		}
	}
	return lists.Filter(g.starts, func(n int) bool { return wins[n] }), nil
}

// won reports whether a game is over and somebody has won. If the ending names no winner, and
// several players have scores, the single highest score decides.
func (g *Graph) won(s rules.State) (bool, error) {
	if s.Live() {
		return false, nil
	}
	sys := g.in.System()
	if kind := sys.Outcomes[s.Outcome].Kind; kind != rules.EndOutcome || len(sys.Players) < 2 || len(sys.Scores) == 0 {
		return kind == rules.WinOutcome, nil
	}
	var scores []int
	for _, x := range sys.Scores {
		n, err := g.in.Eval(x, s, nil)
		if err != nil {
			return false, fault(err)
		}
		scores = append(scores, n)
	}
	slices.Sort(scores)
	return scores[len(scores)-1] > scores[len(scores)-2], nil
}

// WinningStarts compares the starts that can be won with those that the claim lists. Each start has
// to be listed, and each item of the list has to describe some such start.
func (g *Graph) WinningStarts(p *build.WinningStarts) (*Opinion, error) {
	won, err := g.winning()
	if err != nil {
		return nil, err
	}
	holds, err := build.EachListed(p.List, len(won), func(x rules.Expr, i int) (bool, error) { return g.holds(x, won[i]) })
	if err != nil {
		return nil, err
	}
	out := g.opinion(holds)
	_, out.Found, err = g.satisfying(won, rules.True)
	return out, err
}

// Reach looks for a state that satisfies the target, within a number of moves unless that is
// negative. reachable is whether the claim says that there is one.
func (g *Graph) Reach(target rules.Expr, within int, reachable bool) (*Opinion, error) {
	if err := g.layOut(); err != nil {
		return nil, err
	}
	for n := 0; n < g.number; n++ {
		if is, err := g.holds(target, n); err != nil || is {
			return g.opinion(reachable), err
		}
		if err := g.play(n, within); err != nil {
			return nil, err
		}
	}
	return g.opinion(!reachable), nil
}

// EveryStep looks for a step of a reachable state for which the claim is false: one from a state
// that satisfies From, by one of Actions, to a state that does not satisfy Gives.
func (g *Graph) EveryStep(p *build.EveryStep) (*Opinion, error) {
	if err := g.explore(); err != nil {
		return nil, err
	}
	for n := range g.number {
		s := g.state(n)
		concerned, err := g.holds(p.From, n)
		if err != nil {
			return nil, err
		}
		for _, e := range g.steps[n] {
			if !concerned || !rules.Counts(p.Actions, e.action) {
				continue
			}
			is, err := g.in.Holds(p.Gives, g.state(e.to), &s)
			if err != nil {
				return nil, fault(err)
			}
			if !is {
				return g.opinion(false), nil
			}
		}
	}
	return g.opinion(true), nil
}
