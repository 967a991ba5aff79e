package cert

import (
	"context"
	"errors"
	"strings"

	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/proofs/cert/internal/partial"
	"github.com/mancheck/mancheck/proofs/cert/internal/refuse"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
)

// Strategies is the evidence of strategies for the positions of a claim about best play.
type Strategies struct {
	Kept Kept       `json:"kept"`
	By   []Strategy `json:"by,omitempty"`
}

// Strategy has the live states that play by a strategy can reach, each with a number. From each of
// them the strategy's moves lead to its own states, or to finished ones that keep what it shows.
// docs/certificates.md has the conditions on the numbers.
type Strategy struct {
	Shows  string `json:"shows" is:"at least|at most|forces|prevents"`
	Bound  *int   `json:"bound,omitempty" is:"-1048576..1048576"` // for AtLeast and AtMost
	Count  int    `json:"count" is:"0..268435456"`                // the number of states packed
	Packed string `json:"packed" is:"/^[A-Za-z0-9+/]*={0,2}$/"`
}

// The things that a strategy can show.
const (
	AtLeast  = "at least" // its states are worth at least Bound to the first player
	AtMost   = "at most"
	Forces   = "forces" // the player of the claim forces its goal
	Prevents = "prevents"
)

func (e *Strategies) size() int { return lists.Sum(e.By, func(s Strategy) int { return s.Count }) }

// states returns the list of its states.
func (s *Strategy) states() *Packed { return &Packed{s.Count, s.Packed} }

// strategySet checks the states of a strategy: whatever the others do, play stays among them or
// comes to a state that is good.
type strategySet struct {
	*closedSet
	aim    aim
	player *partial.Player
	steps  int
}

// check checks a claim about best play: that each strategy shows what it says, and that together
// they show the claim for the positions that it is about.
func (e *Strategies) check(ctx context.Context, st *statement, r *Report) error {
	claim, is := st.says.(best)
	switch {
	case !is:
		return st.unfit(e)
	case len(st.sys.OpenParams()) > 0:
		return reject("strategies are evidence for one value of each parameter only")
	}
	c, err := st.coder(&e.Kept)
	if err != nil {
		return err
	}
	m := partial.New(ctx, st.sys)
	game := claim.contest(m, st.proves)
	var sets []*strategySet
	for i := range e.By {
		a, err := game.aim(&e.By[i])
		if err != nil {
			return err
		}
		states, err := readPacked(ctx, c, e.By[i].states(), true)
		if err != nil {
			return err
		}
		set := &strategySet{closedSet: states, aim: a, player: states.m.Player()}
		if err := set.each(ctx, set.shows); err != nil {
			return err
		}
		r.checked("states of a strategy that shows `"+e.By[i].Shows+"`", len(set.states))
		r.checked("moves from them that it allows", set.steps)
		sets = append(sets, set)
	}
	if err := st.positions(ctx, m, claim.place, game, sets, r); err != nil {
		return err
	}
	r.Subject = SomeSubject
	r.Trusted = append(r.Trusted, executor)
	return nil
}

// Forcing reads the evidence for a verdict on what a player can force: whether it shows that the
// others prevent it, and the states of the strategy in increasing order, with their numbers.
func (e *Strategies) Forcing(ctx context.Context, sys *rules.System) (prevents bool, states []rules.State, numbers []int, err error) {
	kept, err := keptOf(sys, &e.Kept)
	if err == nil && len(e.By) != 1 {
		err = reject("it has %d strategies instead of one", len(e.By))
	}
	if err != nil {
		return false, nil, nil, err
	}
	states, numbers, err = coder{sys, kept}.unpack(ctx, e.By[0].states(), true)
	return e.By[0].Shows == Prevents, states, numbers, err
}

// number returns the number of a state, and whether the strategy lists it.
func (s *strategySet) number(at partial.State) (number int, listed bool, err error) {
	i, err := s.place(at)
	if i < 0 {
		return 0, false, err
	}
	return s.numbers[i], true, nil
}

// shows checks one state of the strategy. It must not be bad, and unless it is good its moves must
// lead on.
func (s *strategySet) shows(i int, at partial.State) error {
	if !at.Live() {
		return reject("the strategy lists the finished state %s", s.m.Text(at))
	}
	d, err := s.aim.decides(at)
	switch {
	case err != nil:
		return refuse.LeftOut(err, "what is so in %s", s.m.Text(at))
	case d == bad:
		return reject("the strategy has the state %s, which is against it", s.m.Text(at))
	case d == good:
		return nil
	}
	steps, err := s.player.Steps(at)
	if err != nil {
		return refuse.LeftOut(err, "a move from %s", s.m.Text(at))
	}
	if len(steps) == 0 && !s.aim.stuck() {
		return reject("there is no move in the state %s of the strategy", s.m.Text(at))
	}
	return s.moves(at, i, steps)
}

// moves checks the moves of a state. Those who follow the strategy need one good move; of the
// others every move must be good.
func (s *strategySet) moves(at partial.State, i int, steps []partial.Step) error {
	stays, err := s.aim.stays(at)
	if err != nil {
		return refuse.LeftOut(err, "what is so in %s", s.m.Text(at))
	}
	follows := s.aim.follows(at.Mover)
	for _, step := range steps {
		is, err := s.leads(s.numbers[i], stays, step.To)
		switch {
		case err != nil:
			return refuse.LeftOut(err, "the move `%s` from %s", s.sys.ActionName(step.Action), s.m.Text(at))
		case is && follows:
			s.steps++
			return nil
		case !is && !follows:
			return reject("the move `%s` leads from %s to %s, where the strategy does not show what it is to show",
				s.sys.ActionName(step.Action), s.m.Text(at), s.m.Text(step.To))
		}
	}
	if follows && len(steps) > 0 {
		return reject("the strategy has no move in %s that shows what it is to show", s.m.Text(at))
	}
	s.steps += len(steps)
	return nil
}

// leads reports whether a move to a state keeps what the strategy shows.
func (s *strategySet) leads(number int, stays bool, to partial.State) (bool, error) {
	d, err := s.aim.decides(to)
	if err != nil || d != open {
		return d == good && s.aim.arrives(number), err
	}
	if s.aim.enough(number) {
		return true, nil
	}
	next, listed, err := s.number(to)
	return listed && s.aim.leads(number, stays, next), err
}

// positions checks that the strategies show the claim for all positions that it is about or, to
// refute it, that they show that it is false of one of them.
func (st *statement) positions(ctx context.Context, m *partial.Machine, place *build.Place, game contest, sets []*strategySet, r *Report) error {
	seen, refuted, whole := map[string]bool{}, false, rules.Kept{}.SpelledOut(st.sys)
	err := st.eachPosition(ctx, m, place, func(at partial.State) error {
		state, err := known(at)
		if err != nil {
			return err
		}
		key := string(partial.AppendState(nil, state, whole))
		if seen[key] {
			return nil
		}
		seen[key] = true
		p, err := game.position(at, listedIn(sets))
		if !st.proves && errors.As(err, new(*partial.Fault)) {
			return nil // another position refutes the claim, whatever this one is worth
		}
		if err != nil {
			return refuse.LeftOut(err, "the position %s", m.Text(at))
		}
		p.State = state
		is, isNot := game.judge(&p)
		if st.proves && !is {
			return reject("the strategies do not show it of the position %s", m.Text(at))
		}
		refuted = refuted || isNot
		r.Positions = append(r.Positions, p)
		return nil
	})
	switch {
	case err != nil:
		return err
	case len(r.Positions) == 0:
		return reject("there is no position that the claim is about")
	case !st.proves && !refuted:
		return reject("the strategies refute the claim in no position")
	}
	r.checked("positions that the claim is about", len(r.Positions))
	return nil
}

// listedIn returns a lister for these strategies.
func listedIn(sets []*strategySet) lister {
	return func(at partial.State) (in []entry, err error) {
		for _, s := range sets {
			n, is, err := s.number(at)
			if err != nil {
				return nil, err
			}
			if is {
				in = append(in, entry{s.aim, n})
			}
		}
		return in, nil
	}
}

// known returns a state all of whose parts are known.
func known(at partial.State) (rules.State, error) {
	for _, v := range at.Seeds {
		if n, is := v.Is(); !is || n >= num.Inf {
			return rules.State{}, refuse.Open("a position has more seeds than can be counted")
		}
	}
	return at.Numbers(), nil
}

// WorthOfEnd returns what a finished play is worth to the first player, for a claim about values.
func WorthOfEnd(ctx context.Context, sys *rules.System, claim build.Property, end rules.State) (num.Interval, error) {
	m := partial.New(ctx, sys)
	about, _ := bestOf(claim)
	p, err := about.contest(m, true).position(m.Exactly(end), nil)
	return p.Worth, err
}

// eachPosition calls yield for each position that the claim is about, and for some more than once.
func (st *statement) eachPosition(ctx context.Context, m *partial.Machine, place *build.Place, yield func(partial.State) error) error {
	played := func(start partial.State) (err error) {
		at := start
		for i := 0; i < len(place.After) && err == nil; i++ {
			at, err = follow(m, at, place.After[i])
		}
		if err != nil {
			return refuse.LeftOut(err, "what comes of the start %s", m.Text(start))
		}
		return yield(at)
	}
	if place.From == nil {
		return eachStart(ctx, m, st.tries, played)
	}
	board := m.Exactly(*place.From)
	start, err := m.Settle(board)
	if err != nil {
		return refuse.LeftOut(err, "what comes of the board %s", m.Text(board))
	}
	return played(start)
}

// follow makes a move given by its notation. All moves with that notation must lead to the same
// state.
func follow(m *partial.Machine, at partial.State, move string) (to partial.State, err error) {
	steps, err := m.Player().Steps(at)
	if err != nil {
		return at, err
	}
	whole, first := rules.Kept{}.SpelledOut(m.System()), ""
	for _, step := range steps {
		text, err := m.Notation(step.Action, at)
		if err != nil {
			return at, err
		}
		if squeeze(text) != squeeze(move) {
			continue
		}
		key, err := m.Key(step.To, whole)
		switch {
		case err != nil:
			return at, err
		case first != "" && first != key:
			return at, reject("`%s` stands for several moves that lead to different states", move)
		}
		to, first = step.To.Clone(), key
	}
	if first == "" {
		return at, reject("`%s` is not legal in %s", move, m.Text(at))
	}
	return to, nil
}

// squeeze removes all white space.
func squeeze(s string) string { return strings.Join(strings.Fields(s), "") }
