package enumerate

import (
	"math"

	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/rules/interp"
)

// Never is the number of moves for a goal that cannot be forced. It exceeds any number in a claim.
const Never = math.MaxInt

// Force finds for each position of a claim in how many moves a player can force the goal, or Never.
// Starting with 0 for goals and Never for all else, it lowers the numbers until nothing changes,
// which gives the least fixpoint. Later states come first, since steps mostly lead to them.
func (g *Graph) Force(p *build.Force) (moves []int, err error) {
	on, err := g.beginningAt(&p.From)
	if err != nil {
		return nil, err
	}
	if err := on.walk(-1); err != nil {
		return nil, err
	}
	left, goal := make([]int, on.number), on.in.Reader(p.Goal)
	for n := range left {
		is, err := on.holds(goal, n)
		if err != nil {
			return nil, err
		}
		if left[n] = Never; is {
			left[n] = 0
		}
	}
	for changed := true; changed; {
		if err := on.ctx.Err(); err != nil {
			return nil, err
		}
		changed = false
		for n := len(left) - 1; n >= 0; n-- {
			if k := on.forced(p, left, n); k < left[n] {
				left[n], changed = k, true
			}
		}
	}
	return lists.Map(on.starts, func(n int) int { return left[n] }), nil
}

// forced returns in how many moves the goal is forced in a state, given the numbers of its
// successors: the least of them if the player is to move, and else the greatest, plus one. In a
// state without moves nothing changes any more.
func (g *Graph) forced(p *build.Force, left []int, n int) int {
	if left[n] == 0 || len(g.steps[n]) == 0 {
		return left[n]
	}
	mine := g.state(n).Mover == p.Player
	k := left[g.steps[n][0].to]
	for _, e := range g.steps[n] {
		if mine {
			k = min(k, left[e.to])
		} else {
			k = max(k, left[e.to])
		}
	}
	if k == Never {
		return Never
	}
	return k + 1
}

// Answer is what a strategy says of a state. If it is to show that the claim is true, the goal is
// reached in at most Moves. If it is to prevent the goal, that is not reached within Moves, which
// may be Never. Action is the move to make there, or -1 if the other player is to move or there is
// none.
type Answer struct {
	State  rules.State
	Moves  int
	Action int
}

// Strategy reports whether a strategy shows that the claim is true, or if prevents, that it is
// false. It checks each answer against those for the next states, which is a proof by induction on
// the number of moves, and so needs no search. It also returns the Moves of the answers for those
// positions of the claim that the strategy covers.
func (g *Graph) Strategy(p *build.Force, answers []Answer, prevents bool) (shows bool, moves []int, err error) {
	by := map[string]*Answer{}
	for i := range answers {
		if err := g.budget.state(); err != nil {
			return false, nil, err
		}
		by[key(answers[i].State)] = &answers[i]
	}
	on, err := g.beginningAt(&p.From)
	if err != nil {
		return false, nil, err
	}
	s := &strategy{Graph: g, Force: p, goal: g.in.Reader(p.Goal), answers: by, prevents: prevents}
	shows, moves = s.covers(on)
	for i := 0; i < len(answers) && shows && err == nil; i++ {
		shows, err = s.right(&answers[i])
	}
	return shows, moves, err
}

// strategy is a strategy under check.
type strategy struct {
	*Graph
	*build.Force
	goal     *interp.Reader // of the claim
	answers  map[string]*Answer
	prevents bool
}

// covers reports whether the strategy answers for enough positions of the claim: for all of them,
// or for at least one if it is to refute the claim. It returns the Moves of those answers.
func (s *strategy) covers(on *Graph) (is bool, moves []int) {
	for _, n := range on.starts {
		a := s.answers[key(on.state(n))]
		switch {
		case a == nil:
		case s.prevents && (a.Moves == Never || s.Within >= 0 && a.Moves >= s.Within),
			!s.prevents && a.Moves < Never && (s.Within < 0 || a.Moves <= s.Within):
			moves = append(moves, a.Moves)
		}
	}
	return len(moves) == len(on.starts) || s.prevents && len(moves) > 0, moves
}

// right reports whether an answer follows from the answers for the next states. The player whose
// strategy it is needs one good move, which is Action; of the moves of the other all have to be
// good.
func (s *strategy) right(a *Answer) (bool, error) {
	is, err := s.goal.Holds(a.State, nil)
	switch {
	case err != nil:
		return false, fault(err)
	case is || s.prevents && a.Moves == 0:
		return is != s.prevents, nil
	case a.Moves <= 0:
		return false, nil
	}
	steps, err := s.in.Steps(a.State)
	if err != nil {
		return false, fault(err)
	}
	if err := s.budget.step(len(steps)); err != nil {
		return false, err
	}
	if len(steps) == 0 {
		return s.prevents, nil
	}
	chooses := (a.State.Mover == s.Player) != s.prevents
	for _, st := range steps {
		next := s.answers[key(st.To)]
		good := next != nil && (s.prevents && (a.Moves == Never && next.Moves == Never || a.Moves < Never && next.Moves >= a.Moves-1) ||
			!s.prevents && next.Moves < a.Moves)
		switch {
		case chooses && st.Action == a.Action:
			return good, nil
		case !chooses && !good:
			return false, nil
		}
	}
	return !chooses, nil
}
