package enumerate

import (
	"math"
	"slices"

	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/resolve"
)

// Worth is what a position is worth to the first player: a number from Lo to Hi, which are the same
// unless it depends on plays that never end.
type Worth struct{ Lo, Hi int }

// Lowest and Highest are bounds that nothing is known of.
const (
	Lowest  = math.MinInt32
	Highest = math.MaxInt32
)

// Valued is a position that a claim asks the value of.
type Valued struct {
	State rules.State
	Worth
	Best []string // the moves that keep its value, in their notation, once each, if its value is known
}

// payoff says what plays are worth.
type payoff struct {
	*Graph
	margin  bool
	endless resolve.EndlessPlay
}

// Values finds what the positions of a claim are worth; the margin of the scores, or only who wins.
func (g *Graph) Values(place *resolve.Place, winner bool, endless resolve.EndlessPlay) ([]Valued, error) {
	on, err := g.at(place)
	if err != nil {
		return nil, err
	}
	p := &payoff{on, !winner && on.scoresDecide(), endless}
	if err := on.walk(0, -1, func(int) error { return nil }); err != nil {
		return nil, err
	}
	worth, err := p.worths()
	if err != nil {
		return nil, err
	}
	for n := range worth {
		if !p.margin { // an endless play is a win at best, and a loss at worst
			worth[n] = Worth{max(worth[n].Lo, -1), min(worth[n].Hi, 1)}
		}
	}
	var out []Valued
	for _, n := range on.starts {
		v := Valued{State: on.states[n], Worth: worth[n]}
		if v.Lo == v.Hi {
			for _, e := range on.steps[n] {
				if text := on.in.Notation(e.action, v.State); worth[e.to] == v.Worth && !slices.Contains(v.Best, text) {
					v.Best = append(v.Best, text)
				}
			}
		}
		out = append(out, v)
	}
	return out, nil
}

// Pays returns what a finished play is worth to the first player; no finished state is asked for
// whose worth the rules leave open.
func (g *Graph) Pays(st rules.State, winner bool, endless resolve.EndlessPlay) (int, error) {
	return (&payoff{g, !winner && g.scoresDecide(), endless}).of(st)
}

// at lists the positions of a claim as the starts of a graph.
func (g *Graph) at(place *resolve.Place) (*Graph, error) {
	on := graphOf(g.ctx, g.in.System(), g.budget)
	from := []rules.State{}
	if place.From == nil {
		if err := g.layOut(); err != nil {
			return nil, err
		}
		for _, n := range g.starts {
			from = append(from, g.states[n])
		}
	} else {
		st, err := g.in.Start(*place.From)
		if err != nil {
			return nil, fault(err)
		}
		from = append(from, st)
	}
	for _, st := range from {
		t, err := g.in.Replay(st, place.After)
		if err != nil {
			return nil, fault(err)
		}
		n, isNew, err := on.add(t.End(), 0)
		if err != nil {
			return nil, err
		}
		if isNew {
			on.starts = append(on.starts, n)
		}
	}
	return on, nil
}

// scoresDecide reports whether the score alone decides who wins, however a game ends.
func (g *Graph) scoresDecide() bool {
	sys := g.in.System()
	for i, o := range sys.Outcomes {
		if i != sys.Endless() && o.Kind != rules.EndOutcome {
			return false
		}
	}
	return len(sys.Scores) > 0
}

// lead is the score of the first player less that of the second.
func (p *payoff) lead(st rules.State) (int, error) {
	total := 0
	for player, score := range p.in.System().Scores {
		n, err := p.in.Eval(score, st, nil)
		if err != nil {
			return 0, fault(err)
		}
		if player > 0 {
			n = -n
		}
		total += n
	}
	return total, nil
}

// reduced is the sign of a lead if only the winner matters.
func (p *payoff) reduced(lead int) int {
	if p.margin {
		return lead
	}
	return min(max(lead, -1), 1)
}

// of is what a finished state is worth.
func (p *payoff) of(st rules.State) (int, error) {
	sys := p.in.System()
	o := sys.Outcomes[st.Outcome]
	byScore := len(sys.Scores) > 0
	switch {
	case st.Outcome == sys.Endless() && p.endless == resolve.EndlessDraw:
		return 0, nil
	case st.Outcome == sys.Endless() && p.endless == resolve.EndlessOpen:
		return 0, &UnfitError{"a move never ends, and nothing says what that is worth"}
	case st.Outcome == sys.Endless(), p.margin:
	case o.Kind == rules.DrawOutcome:
		return 0, nil
	case o.Kind == rules.LoseOutcome:
		return -1, nil
	case o.Kind == rules.WinOutcome:
		return 1 - 2*o.Winner, nil
	default:
		byScore = byScore && len(sys.Players) == 2
	}
	if !byScore {
		return 0, &UnfitError{"the rules do not say who has won"}
	}
	n, err := p.lead(st)
	return p.reduced(n), err
}

// worths finds what all states are worth.
func (p *payoff) worths() ([]Worth, error) {
	v := &valuing{payoff: p, paid: make([]int, len(p.states)), stand: make([]int, len(p.states))}
	for n, st := range p.states {
		var err error
		switch {
		case !st.Live():
			v.paid[n], err = p.of(st)
		case len(p.steps[n]) == 0:
			err = &UnfitError{"a player has no move, and the rules do not say what that is worth"}
		case p.endless == resolve.EndlessScored && len(p.in.System().Scores) == 0:
			err = &UnfitError{"there is no score by which endless play could count"}
		case p.endless == resolve.EndlessScored:
			v.stand[n], err = p.lead(st)
			v.stand[n] = p.reduced(v.stand[n])
		}
		if err != nil {
			return nil, err
		}
	}
	if out := v.plainly(); out != nil {
		return out, nil
	}
	return v.repeatedly()
}

// valuing finds the values of a graph. paid is what finished states are worth, and stand what a
// play is worth that stays where the score is as in this state.
type valuing struct {
	*payoff
	paid, stand []int
}

// plainly goes from a state to what its moves lead to, and remembers. It returns nil if some play
// comes back to a state.
func (v *valuing) plainly() []Worth {
	if _, ends := v.longest(v.starts); !ends {
		return nil
	}
	out, known := make([]Worth, len(v.states)), make([]bool, len(v.states))
	var value func(n int) int
	value = func(n int) int {
		if known[n] {
			return out[n].Lo
		}
		best := v.paid[n]
		for i, e := range v.steps[n] {
			if x := value(e.to); i == 0 || v.better(n, x, best) {
				best = x
			}
		}
		out[n], known[n] = Worth{best, best}, true
		return best
	}
	for n := range v.states {
		value(n)
	}
	return out
}

// better reports whether the player to move in state n wants x more than y.
func (v *valuing) better(n, x, y int) bool {
	if v.states[n].Mover == 0 {
		return x > y
	}
	return x < y
}

// repeatedly finds, for every number, the states in which the first player gets at least that, by
// going over all states until nothing changes.
func (v *valuing) repeatedly() ([]Worth, error) {
	if v.endless == resolve.EndlessScored {
		if !v.steady() {
			return nil, &UnfitError{"the score changes while play goes on for ever"}
		}
	}
	lo, err := v.atLeast(Lowest)
	if err != nil || v.endless != resolve.EndlessOpen {
		out := make([]Worth, len(lo))
		for n := range lo {
			out[n] = Worth{lo[n], lo[n]}
		}
		return out, err
	}
	hi, err := v.atLeast(Highest)
	out := make([]Worth, len(lo))
	for n := range hi {
		out[n] = Worth{lo[n], hi[n]}
	}
	return out, err
}

// atLeast finds the values where a play that never ends is worth the given number, unless the claim
// says what it is worth.
func (v *valuing) atLeast(open int) ([]int, error) {
	endless := func(n int) int {
		if v.endless == resolve.EndlessOpen {
			return open
		}
		return v.stand[n]
	}
	var numbers []int
	for n, st := range v.states {
		if st.Live() {
			numbers = append(numbers, endless(n))
		} else {
			numbers = append(numbers, v.paid[n])
		}
	}
	slices.Sort(numbers)
	numbers = slices.Compact(numbers)
	value := make([]int, len(v.states))
	for n := range value {
		value[n] = numbers[0]
	}
	for _, x := range numbers[1:] {
		gets, err := v.gets(x, endless)
		if err != nil {
			return nil, err
		}
		for n, is := range gets {
			if is {
				value[n] = x
			}
		}
	}
	return value, nil
}

// gets finds the states in which the first player gets at least x. Of a play that never ends the
// states that it comes back to decide, and it is good if they are: so the states are those from
// which play can be brought to a good one, again and again.
func (v *valuing) gets(x int, endless func(int) int) ([]bool, error) {
	again := make([]bool, len(v.states))
	for n := range again {
		again[n] = true
	}
	for {
		gets := make([]bool, len(v.states))
		for changed := true; changed; {
			if err := v.ctx.Err(); err != nil {
				return nil, err
			}
			changed = false
			for n := len(gets) - 1; n >= 0; n-- {
				if !gets[n] && v.brings(n, x, func(to int) bool { return gets[to] || again[to] && v.states[to].Live() && endless(to) >= x }) {
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

// brings reports whether the first player can get at least x in a state, with one more move or none
// to a state that will do.
func (v *valuing) brings(n, x int, will func(to int) bool) bool {
	st := v.states[n]
	if !st.Live() {
		return v.paid[n] >= x
	}
	mine := st.Mover == 0
	for _, e := range v.steps[n] {
		if will(e.to) == mine {
			return mine
		}
	}
	return !mine
}

// steady reports whether the score stays as it is wherever play can come back.
func (v *valuing) steady() bool {
	from := make([][]int, len(v.states))
	for n, steps := range v.steps {
		for _, e := range steps {
			from[e.to] = append(from[e.to], n)
		}
	}
	// States are left in the order in which plays from them end, as S. Kosaraju does, and those
	// that lead to the last one form one circle with it.
	var order []int
	seen := make([]bool, len(v.states))
	var leave func(n int)
	leave = func(n int) {
		seen[n] = true
		for _, e := range v.steps[n] {
			if !seen[e.to] {
				leave(e.to)
			}
		}
		order = append(order, n)
	}
	for n := range v.states {
		if !seen[n] {
			leave(n)
		}
	}
	done := make([]bool, len(v.states))
	for _, n := range slices.Backward(order) {
		circle := []int{n}
		for ; len(circle) > 0; circle = circle[1:] {
			m := circle[0]
			if done[m] {
				continue
			}
			if done[m] = true; v.states[m].Live() && v.stand[m] != v.stand[n] {
				return false
			}
			for _, k := range from[m] {
				if !done[k] {
					circle = append(circle, k)
				}
			}
		}
	}
	return true
}
