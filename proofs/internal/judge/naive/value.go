package naive

import (
	"context"
	"math"
	"slices"

	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
)

// Worth is what a position is worth to the first player: a number from Lo to Hi, which are the same
// unless it depends on open ends.
//
// A play comes to an open end if a player has no move, if it ends and the rules do not say who has
// won, or if it never ends and nothing says what that is worth. It may be worth anything. Lo is the
// value if that is as little as can be, and Hi the value if it is as much as can be.
type Worth struct{ Lo, Hi int }

// Lowest and Highest are the bounds of a value of which nothing is known.
const (
	Lowest  = math.MinInt32
	Highest = math.MaxInt32
)

// Valued is a position that a claim asks the value of.
type Valued struct {
	State rules.State
	Worth
	Best []string // the moves that keep its value, in their notation, once each; nil if that is not known
}

// payoff says what plays are worth: the margin of the scores, or only who wins.
type payoff struct {
	*graph
	margin  bool
	endless build.EndlessPlay
}

// Values finds what the positions of a claim are worth, by playing from at most so many states. If
// winner, only who wins counts, and otherwise the margin of the scores if these decide.
func Values(ctx context.Context, sys *rules.System, most int, place *build.Place, winner bool, endless build.EndlessPlay) ([]Valued, error) {
	on, err := explore(ctx, sys, most, place)
	if err != nil {
		return nil, err
	}
	p := &payoff{on, !winner && on.scoresDecide(), endless}
	worth, err := p.worths()
	if err != nil {
		return nil, err
	}
	return lists.Map(on.starts, func(n int) Valued {
		return Valued{State: on.states[n], Worth: worth[n], Best: on.best(n, worth)}
	}), nil
}

// best lists the moves that keep a known value, in their notation. It is nil if the value is not
// known, or if it is not known of some move whether it keeps the value.
func (g *graph) best(n int, worth []Worth) []string {
	v, list := worth[n], []string{}
	if v.Lo < v.Hi {
		return nil
	}
	for _, e := range g.steps[n] {
		switch w := worth[e.to]; {
		case w == v:
			if text := g.in.Notation(e.action, g.states[n]); !slices.Contains(list, text) {
				list = append(list, text)
			}
		case w.Lo <= v.Lo && v.Hi <= w.Hi:
			return nil
		}
	}
	return list
}

// scoresDecide reports whether the score alone decides who wins, however a game ends.
func (g *graph) scoresDecide() bool {
	saysWho := func(o rules.Outcome) bool { return o.Kind != rules.EndOutcome && o.Kind != rules.EndlessOutcome }
	sys := g.in.System()
	return len(sys.Scores) > 0 && !slices.ContainsFunc(sys.Outcomes, saysWho)
}

// lead returns the score of the first player minus that of the second.
func (p *payoff) lead(st rules.State) (int, error) {
	total := 0
	for player, score := range p.in.System().Scores {
		n, err := p.in.Eval(score, st, nil)
		if err != nil {
			return 0, err
		}
		if player > 0 {
			n = -n
		}
		total += n
	}
	return total, nil
}

// open returns the worth of a play that comes to an open end: anything that the claim can tell
// apart.
func (p *payoff) open() Worth {
	if p.margin {
		return Worth{Lowest, Highest}
	}
	return Worth{-1, 1}
}

// scored returns the worth of a play by the scores of its last state: the lead, or its sign if only
// the winner matters.
func (p *payoff) scored(st rules.State) (Worth, error) {
	n, err := p.lead(st)
	if !p.margin {
		n = min(max(n, -1), 1)
	}
	return Worth{n, n}, err
}

// of returns the worth of a finished state.
func (p *payoff) of(st rules.State) (Worth, error) {
	sys := p.in.System()
	switch o := sys.Outcomes[st.Outcome]; {
	case st.Outcome == sys.Endless():
		return p.forEver(st)
	case p.margin, o.Kind == rules.EndOutcome && len(sys.Scores) > 0 && len(sys.Players) == 2:
		return p.scored(st)
	case o.Kind == rules.DrawOutcome:
		return Worth{0, 0}, nil
	case o.Kind == rules.LoseOutcome:
		return Worth{-1, -1}, nil
	case o.Kind == rules.WinOutcome:
		return Worth{1 - 2*o.Winner, 1 - 2*o.Winner}, nil
	}
	return p.open(), nil
}

// forEver returns the worth of a play that comes back to a state for ever. If the scores count, it
// is that of the scores in this state.
func (p *payoff) forEver(st rules.State) (Worth, error) {
	switch {
	case p.endless == build.EndlessDraw:
		return Worth{0, 0}, nil
	case p.endless == build.EndlessOpen, len(p.in.System().Scores) == 0:
		return p.open(), nil
	}
	return p.scored(st)
}

// worths finds what all states are worth: by recursion if all plays end, and otherwise by
// fixpoints, which are slower.
func (p *payoff) worths() ([]Worth, error) {
	v := &valuing{payoff: p}
	for n := range len(p.states) {
		st := p.states[n]
		w, err := p.open(), error(nil)
		switch {
		case !st.Live():
			w, err = p.of(st)
		case len(p.steps[n]) > 0:
			w, err = p.forEver(st)
		}
		if err != nil {
			return nil, err
		}
		v.pays = append(v.pays, w)
	}
	if out := v.plainly(); out != nil {
		return out, nil
	}
	return v.repeatedly()
}

// valuing finds the values of a graph. pays has, for a state that is finished or stuck, the worth
// of a play that ends there, and for any other that of a play that comes back to it for ever.
type valuing struct {
	*payoff
	pays []Worth
}

// plainly computes values by recursion over the moves, with a table of what is known. It returns
// nil if some play comes back to a state, where the recursion would not end.
func (v *valuing) plainly() []Worth {
	if !v.ends() {
		return nil
	}
	out, known := make([]Worth, len(v.states)), make([]bool, len(v.states))
	var value func(n int) Worth
	value = func(n int) Worth {
		if known[n] {
			return out[n]
		}
		best := v.pays[n]
		for i, e := range v.steps[n] {
			switch w := value(e.to); {
			case i == 0:
				best = w
			case v.states[n].Mover == 0:
				best = Worth{max(best.Lo, w.Lo), max(best.Hi, w.Hi)}
			default:
				best = Worth{min(best.Lo, w.Lo), min(best.Hi, w.Hi)}
			}
		}
		out[n], known[n] = best, true
		return best
	}
	for n := range len(v.states) {
		value(n)
	}
	return out
}

// repeatedly finds, for every number that some play pays, the states in which the first player gets
// at least that, by going over all states until nothing changes. If the score of a play that never
// ends counts, and changes during the play, its worth may be any from the least of the scores that
// it comes back to, to the greatest. So the first player surely gets at least x unless the second
// can bring play back to a lower score again and again, and possibly gets it if the first can bring
// play back to a score of at least x again and again.
func (v *valuing) repeatedly() ([]Worth, error) {
	out := make([]Worth, len(v.states))
	var numbers []int
	for n, w := range v.pays {
		numbers = append(numbers, w.Lo, w.Hi)
		out[n] = Worth{Lowest, Lowest}
	}
	slices.Sort(numbers)
	for _, x := range slices.Compact(numbers) {
		possibly, err := v.brings(0, func(w Worth) bool { return w.Hi >= x })
		if err != nil {
			return nil, err
		}
		prevented, err := v.brings(1, func(w Worth) bool { return w.Lo < x })
		if err != nil {
			return nil, err
		}
		for n := range out {
			if possibly[n] {
				out[n].Hi = x
			}
			if !prevented[n] {
				out[n].Lo = x
			}
		}
	}
	return out, nil
}

// brings finds the states from which a player can bring play to an end that is good, or to good
// states again and again (a Büchi game). gets is the least fixpoint of reaching a good end or a
// good state from which again holds; again is the greatest fixpoint of that.
func (v *valuing) brings(player int, good func(Worth) bool) ([]bool, error) {
	again := slices.Repeat([]bool{true}, len(v.states))
	for {
		gets := make([]bool, len(v.states))
		for changed := true; changed; {
			if err := v.ctx.Err(); err != nil {
				return nil, err
			}
			changed = false
			for n := len(gets) - 1; n >= 0; n-- {
				if !gets[n] && v.moves(n, player, good, func(to int) bool { return gets[to] || again[to] && v.live(to) && good(v.pays[to]) }) {
					gets[n], changed = true, true
				}
			}
		}
		if slices.Equal(gets, again) {
			return gets, nil
		}
		again = gets
	}
}

// live reports whether play goes on in a state.
func (v *valuing) live(n int) bool { return len(v.steps[n]) > 0 }

// moves reports whether a state is a good end, or one more move leads to a state that will accepts:
// some move if the player chooses, and else every move.
func (v *valuing) moves(n, player int, good func(Worth) bool, will func(to int) bool) bool {
	if !v.live(n) {
		return good(v.pays[n])
	}
	mine := v.states[n].Mover == player
	return mine == slices.ContainsFunc(v.steps[n], func(e edge) bool { return will(e.to) == mine })
}
