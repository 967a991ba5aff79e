package relate

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"strings"

	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/checker/step"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/space"
)

// side is one of the two Systems.
type side struct {
	sys     *rules.System
	name    string
	in      *interp.Interp
	machine *step.Machine
	shown   []int    // pits that are compared, by pair
	fixed   []string // by action: its notation, if that is the same in all states
	starts  []rules.State
	looks   []string // by start
	codec   *pack.Codec
	from    *pack.Flat // the current state
	legal   []move     // its moves; those after count are from other states
	count   int
}

// move is a legal move of the current state.
type move struct {
	action int
	name   string // its notation, with one blank for any white space
	to     *pack.Flat
}

func newSide(ctx context.Context, sys *rules.System, name string) (*side, error) {
	m, err := step.Compile(sys)
	if err != nil {
		return nil, err
	}
	m.Within(ctx)
	s := &side{
		sys: sys, name: name, in: interp.New(sys).Within(ctx), machine: m,
		fixed: make([]string, len(sys.Actions)), from: pack.NewFlat(sys),
	}
	for a := range sys.Actions {
		s.fixed[a] = s.fixedName(a)
	}
	return s, nil
}

// fixedName returns the notation of an action, if it is the same in all states, or "".
func (s *side) fixedName(action int) string {
	for _, w := range s.sys.Actions[action].Written {
		if w.X == nil {
			continue
		}
		if _, known := rules.Simplify(w.X, nil).(rules.Const); !known {
			return ""
		}
	}
	return squeeze(s.in.Notation(action, s.sys.EmptyStart()))
}

// written returns the notation of a move of the state in from.
func (s *side) written(action int) string { return s.in.Notation(action, s.from.State(s.sys)) }

// squeeze replaces any white space in a notation by one blank. It does not remove it: `1 12` and
// `11 2` are two moves.
func squeeze(s string) string { return strings.Join(strings.Fields(s), " ") }

// maxStarts bounds the starts: they are numbered in 32 bits.
const maxStarts = math.MaxInt32

// layOut lists the starts, and makes room for their seeds in packed states.
func (s *side) layOut(ctx context.Context, maxStates int64) error {
	most := 0
	seen := map[string]bool{}
	err := space.Starts(ctx, s.in, func(st rules.State) error {
		look, err := s.look(st)
		if err != nil || !st.Live() && seen[look] {
			return err // several distributions may be over as the same state
		}
		if maxStates > 0 && int64(len(s.starts)) >= maxStates || len(s.starts) == maxStarts {
			return &stopped{stop: StateLimit, hit: limit.Hit{Kind: limit.States, Most: maxStates}}
		}
		if !st.Live() {
			seen[look] = true
		}
		s.starts, s.looks = append(s.starts, st.Clone()), append(s.looks, look)
		most = max(most, st.Total())
		return nil
	})
	if err != nil {
		return err
	}
	s.codec, err = pack.NewCodec(s.sys, most, rules.Parts{})
	return err
}

// look returns all that is visible of a start.
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

// moves finds the legal moves of the state in from. Two with the same notation must be the same.
func (s *side) moves() error {
	s.count = 0
	var failed error
	err := s.machine.Successors(s.from, func(action int, to *pack.Flat) bool {
		if s.count == len(s.legal) {
			s.legal = append(s.legal, move{to: pack.NewFlat(s.sys)})
		}
		m := &s.legal[s.count]
		m.action, m.name = action, s.fixed[action]
		if m.name == "" {
			text, err := s.in.Written(action, s.from.State(s.sys))
			if limit := new(rules.LimitError); err != nil && !errors.As(err, &limit) {
				err = undecided("in %s, what is written for a move of `%s` has no value: %v", s.name, s.sys.Actions[action].Label, err)
			}
			failed, m.name = err, squeeze(text)
		}
		m.to.Copy(to)
		s.count++
		return failed == nil
	})
	return cmp.Or(err, failed)
}

// unlike drops moves that are the same as another one, and rejects those that only have the same
// notation.
func (s *side) unlike() error {
	n := 0
	for i := range s.legal[:s.count] {
		m := s.legal[i]
		if same := s.find(m.name, n); same == nil {
			s.legal[n], s.legal[i] = m, s.legal[n]
			n++
		} else if !equal(same.to, m.to) {
			return undecided("in %s, `%s` stands for several moves of one state", s.name, s.written(m.action))
		}
	}
	s.count = n
	return nil
}

// find returns the move with this notation among the first n.
func (s *side) find(name string, n int) *move {
	for i := range s.legal[:n] {
		if s.legal[i].name == name {
			return &s.legal[i]
		}
	}
	return nil
}

func equal(f, g *pack.Flat) bool {
	return f.Mover == g.Mover && f.Outcome == g.Outcome && slices.Equal(f.Cells, g.Cells)
}

// standing is how a game ended for a player.
type standing byte

const (
	nothing standing = iota
	wins
	loses
	draws
	endless // the rules do not say how to go on
)

// standing returns how a finished game ended for each player.
func (s *side) standing(st rules.State) ([]standing, error) {
	o := s.sys.Outcomes[st.Outcome]
	if o.Kind == rules.EndOutcome && len(s.sys.Players) > 1 && s.sys.Scores != nil {
		return s.byScore(st)
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
	return out, nil
}

// byScore gives the win to the player with the most, or a draw to all of them.
func (s *side) byScore(st rules.State) ([]standing, error) {
	out := make([]standing, len(s.sys.Players))
	best, holders := 0, 0
	points := make([]int, len(out))
	for p, x := range s.sys.Scores {
		v, err := s.in.Eval(x, st, nil)
		if limit := new(rules.LimitError); errors.As(err, &limit) {
			return nil, limit
		}
		if err != nil {
			return nil, undecided("a score of %s has no value: %v", s.name, err)
		}
		points[p] = v
		switch {
		case p == 0 || v > best:
			best, holders = v, 1
		case v == best:
			holders++
		}
	}
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
