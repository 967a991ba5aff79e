package relate

import (
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
	as      rules.Agreement
	title   string // its name in messages
	in      *interp.Interp
	shown   []int            // the compared pits, by pair
	ids     map[string]int32 // numbers of the notations that do not depend on the state, common to both sides
	numbers []int32          // by action: the number of its notation, or -1
	ends    [][]standing     // by outcome: how it ends the game for each player; nil if that depends on the state
	starts  []rules.State
	looks   []string    // by start
	from    rules.State // the state that is played from
}

// newSide returns a side. Notations that are new get the next numbers in ids.
func newSide(ctx context.Context, sys *rules.System, o Options, i int, ids map[string]int32) *side {
	s := &side{sys: sys, as: o.In, title: o.Names[i], in: interp.New(sys).Within(ctx), ids: ids}
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

// mark is what a step from s.from is known by: what is visible after it, or what is written for it.
func (s *side) mark(step interp.Step) (string, error) {
	if s.as == rules.InPlay {
		return s.look(step.To)
	}
	return s.name(step.Action, s.from)
}

// marked returns the step from s.from with a mark. All with this mark must lead to one state.
func (s *side) marked(want string) (interp.Step, error) {
	found := interp.Step{Action: rules.None}
	steps, err := s.in.Steps(s.from)
	if err != nil {
		return found, err
	}
	for _, st := range steps {
		switch mark, err := s.mark(st); {
		case err != nil:
			return found, err
		case mark != want:
		case found.Action == rules.None:
			found = st
		case st.To.Live() && !st.To.Equal(found.To):
			return found, undecided("the plays part behind several moves of %s that lead to the same board, and differ in what is not compared", s.title)
		}
	}
	if found.Action == rules.None {
		err = fmt.Errorf("%s lacks a move of a play", s.title)
	}
	return found, err
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
	ended, points, err := s.end(st)
	for _, r := range ended {
		key = append(key, byte(r))
	}
	for _, n := range points {
		key = binary.AppendVarint(key, int64(n))
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

// end returns how a finished game ended for each player and, if scores are compared, theirs.
func (s *side) end(st rules.State) (ended []standing, points []int, err error) {
	ended = s.ends[st.Outcome]
	if ended == nil || s.as == rules.InScore {
		if points, err = s.points(st); err != nil {
			return nil, nil, err
		}
	}
	if ended == nil {
		ended = byScore(points)
	}
	if s.as != rules.InScore {
		points = nil
	}
	return ended, points, nil
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

// points returns the scores of the players; none if the rules have no score.
func (s *side) points(st rules.State) ([]int, error) {
	points := make([]int, len(s.sys.Scores))
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
	return points, nil
}

// byScore returns how the scores end the game: the player with the most has won, and if there are
// several they have drawn.
func byScore(points []int) []standing {
	out := make([]standing, len(points))
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
	return out
}
