package relate

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/space"
)

// side is one of the two Systems, with what is visible of its plays.
type side struct {
	sys     *rules.System
	title   string // its name in messages
	in      *interp.Interp
	shown   []int            // the compared pits, by pair
	ids     map[string]int32 // numbers of the notations that do not depend on the state, common to both sides
	numbers []int32          // by action: the number of its notation, or -1
	ends    [][]standing     // by outcome: how it ends the game for each player; nil if that depends on the state
	starts  []rules.State
	looks   []string    // by start
	from    rules.State // the state that along and follow play from
}

// newSide returns a side. Notations that are new get the next numbers in ids.
func newSide(ctx context.Context, sys *rules.System, title string, ids map[string]int32) *side {
	s := &side{sys: sys, title: title, in: interp.New(sys).Within(ctx), ids: ids}
	s.numbers = lists.Map(num.Run(0, len(sys.Actions)), s.number)
	s.ends = lists.Map(num.Run(0, len(sys.Outcomes)), s.byOutcome)
	return s
}

// number returns the number of an action's notation, or -1 if the notation depends on the state.
func (s *side) number(action int) int32 {
	for _, w := range s.sys.Actions[action].Written {
		if w.X == nil {
			continue
		}
		if _, known := rules.Simplify(w.X, nil).(rules.Const); !known {
			return -1
		}
	}
	return numberOf(s.ids, squeeze(s.in.Notation(action, s.sys.EmptyStart())))
}

// numberOf returns the number of a notation, and gives a new one to a notation that has none.
func numberOf(ids map[string]int32, name string) int32 {
	id, known := ids[name]
	if !known {
		id = int32(len(ids))
		ids[name] = id
	}
	return id
}

// name returns the notation of a move. An error is a limit, or says that the question makes no
// sense.
func (s *side) name(action int, at rules.State) (string, error) {
	text, err := s.in.Written(action, at)
	if limit := new(rules.LimitError); err != nil && !errors.As(err, &limit) {
		err = undecided("in %s, what is written for a move of `%s` has no value: %v", s.title, s.sys.Actions[action].Label, err)
	}
	return squeeze(text), err
}

// squeeze replaces white space in a notation by single blanks. It does not remove it, because `1
// 12` and `11 2` are different moves.
func squeeze(s string) string { return strings.Join(strings.Fields(s), " ") }

// along plays actions from the state s.from, and returns their notations.
func (s *side) along(actions []int) ([]string, error) {
	var names []string
	for _, a := range actions {
		name, err := s.name(a, s.from)
		if err != nil {
			return nil, err
		}
		to, legal, err := s.in.Do(s.from, a)
		if err != nil || !legal {
			return nil, cmp.Or(err, fmt.Errorf("move `%s` of a play is not legal", name))
		}
		s.from = to
		names = append(names, name)
	}
	return names, nil
}

// follow plays the moves with these notations from the state s.from, and returns the actions.
func (s *side) follow(names []string) ([]int, error) {
	var actions []int
	for _, want := range names {
		action, err := s.play(want)
		if err != nil {
			return nil, err
		}
		actions = append(actions, action)
	}
	return actions, nil
}

// play plays the first move with this notation from the state s.from.
func (s *side) play(want string) (int, error) {
	steps, err := s.in.Steps(s.from)
	if err != nil {
		return rules.None, err
	}
	for _, st := range steps {
		switch name, err := s.name(st.Action, s.from); {
		case err != nil:
			return rules.None, err
		case name == want:
			s.from = st.To
			return st.Action, nil
		}
	}
	return rules.None, fmt.Errorf("no move of %s is written `%s`", s.title, want)
}

// maxStarts bounds the starts, whose numbers have 32 bits.
const maxStarts = math.MaxInt32

// listStarts lists the starts with their looks.
func (s *side) listStarts(ctx context.Context, maxStates int64) error {
	seen := map[string]bool{}
	return space.Starts(ctx, s.in, func(st rules.State) error {
		look, err := s.look(st)
		if err != nil || !st.Live() && seen[look] {
			return err // several distributions may lead to the same finished state
		}
		if maxStates > 0 && int64(len(s.starts)) >= maxStates || len(s.starts) == maxStarts {
			return &limit.Early{End: limit.Reach(limit.Hit{Kind: limit.States, Most: maxStates})}
		}
		if !st.Live() {
			seen[look] = true
		}
		s.starts, s.looks = append(s.starts, st.Clone()), append(s.looks, look)
		return nil
	})
}

// look returns everything that is visible of a start.
func (s *side) look(st rules.State) (string, error) {
	var key []byte
	for _, p := range s.shown {
		key = binary.AppendVarint(key, int64(st.Seeds[p]))
	}
	key = binary.AppendVarint(key, int64(st.Mover))
	if st.Live() {
		return string(key), nil
	}
	ended, err := s.standing(st)
	for _, r := range ended {
		key = append(key, byte(r))
	}
	return string(key), err
}

// byLook returns the numbers of the starts by their looks, which must differ.
func (s *side) byLook() (map[string]int, error) {
	numbers := map[string]int{}
	for i, look := range s.looks {
		if _, twice := numbers[look]; twice {
			return nil, undecided("two starts of %s look alike: they differ in what is not compared", s.title)
		}
		numbers[look] = i
	}
	return numbers, nil
}

// standing is how a game ended for one player.
type standing byte

const (
	nothing standing = iota // it ended, but nobody has won
	wins
	loses
	draws
	endless // a turn that goes on for ever
)

// standing returns how a finished game ended for each player.
func (s *side) standing(st rules.State) ([]standing, error) {
	if fixed := s.ends[st.Outcome]; fixed != nil {
		return fixed, nil
	}
	return s.byScore(st)
}

// byOutcome returns how an outcome ends the game for each player, or nil if the scores decide that.
func (s *side) byOutcome(outcome int) []standing {
	o := s.sys.Outcomes[outcome]
	if o.Kind == rules.EndOutcome && len(s.sys.Players) > 1 && s.sys.Scores != nil {
		return nil
	}
	out := make([]standing, len(s.sys.Players))
	for p := range out {
		switch {
		case o.Kind == rules.DrawOutcome:
			out[p] = draws
		case o.Kind == rules.EndlessOutcome:
			out[p] = endless
		case o.Kind == rules.WinOutcome && p == o.Winner:
			out[p] = wins
		case o.Kind == rules.WinOutcome || o.Kind == rules.LoseOutcome:
			out[p] = loses
		}
	}
	return out
}

// byScore returns how the scores end the game: the player with the most has won, and if there are
// several they have drawn.
func (s *side) byScore(st rules.State) ([]standing, error) {
	out := make([]standing, len(s.sys.Players))
	points := make([]int, len(out))
	for p, x := range s.sys.Scores {
		v, err := s.in.Eval(x, st, nil)
		if limit := new(rules.LimitError); errors.As(err, &limit) {
			return nil, limit
		}
		if err != nil {
			return nil, undecided("a score of %s has no value: %v", s.title, err)
		}
		points[p] = v
	}
	best := slices.Max(points)
	holders := lists.Count(points, func(v int) bool { return v == best })
	for p, v := range points {
		switch {
		case v < best:
			out[p] = loses
		case holders > 1:
			out[p] = draws
		default:
			out[p] = wins
		}
	}
	return out, nil
}

// look describes a finished game, given how it ended for each player, or for the only one. A nil
// list means that the game goes on.
func look(ended []standing) Look {
	switch {
	case ended == nil:
		return Look{Is: rules.GoesOn}
	case ended[0] == endless:
		return Look{Is: rules.NeverEnds}
	case len(ended) == 1:
		return Look{Is: [...]rules.Standing{rules.Over, rules.Won, rules.Lost, rules.Drawn}[ended[0]]}
	}
	if p := slices.Index(ended, wins); p >= 0 {
		return Look{Is: rules.WonBy, Player: p}
	}
	if slices.Contains(ended, draws) {
		return Look{Is: rules.Drawn}
	}
	return Look{Is: rules.NobodyWon}
}
