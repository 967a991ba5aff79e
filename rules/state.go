package rules

import (
	"cmp"
	"slices"

	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/internal/lists"
)

// State is a position: seeds by pit, values by control variable, the player to move, the outcome.
// In a finished state Mover is None; in a live one Outcome is Live.
type State struct {
	Seeds   []int
	Vars    []int
	Mover   int
	Outcome int
}

// Clone returns a state that shares nothing with s.
func (s State) Clone() State {
	cells := append(append(make([]int, 0, len(s.Seeds)+len(s.Vars)), s.Seeds...), s.Vars...)
	pits := len(s.Seeds)
	s.Seeds, s.Vars = cells[:pits:pits], cells[pits:]
	return s
}

// Equal reports whether s and t are the same state.
func (s State) Equal(t State) bool {
	return s.Mover == t.Mover && s.Outcome == t.Outcome &&
		slices.Equal(s.Seeds, t.Seeds) && slices.Equal(s.Vars, t.Vars)
}

// Compare orders states: live before finished, then by mover, variables and seeds.
func (s State) Compare(t State) int {
	if c := cmp.Or(s.Outcome-t.Outcome, s.Mover-t.Mover, slices.Compare(s.Vars, t.Vars)); c != 0 {
		return c
	}
	return slices.Compare(s.Seeds, t.Seeds)
}

// Live reports whether the game goes on.
func (s State) Live() bool { return s.Outcome == Live }

// Total returns the number of seeds on the board, or num.Inf if that is out of range: no engine
// plays such a state.
func (s State) Total() int {
	if n, ok := num.Sum(s.Seeds); ok {
		return n
	}
	return num.Inf
}

// EmptyStart returns the state of an empty board in which everything else is as at a start.
func (s *System) EmptyStart() State {
	st := s.EmptyBoard()
	st.Mover = s.Start.Mover
	for i, v := range s.Vars {
		st.Vars[i] = v.Init
	}
	return st
}

// EmptyBoard returns the state of an empty board for a position that is not laid out by the setup:
// every variable has the value of its declaration, and the first player is to move.
func (s *System) EmptyBoard() State {
	st := State{Seeds: make([]int, len(s.Pits)), Vars: make([]int, len(s.Vars)), Outcome: Live}
	for i, v := range s.Vars {
		st.Vars[i] = v.Default
	}
	return st
}

// Trace is a play: a start and the steps from it. Claim names what it is evidence for. Seed is that
// of the random numbers, if the play was dealt or guessed with some.
type Trace struct {
	System *System
	Claim  string
	Seed   *uint64
	Start  State
	Steps  []TraceStep
}

// States lists the states of the play, its start first.
func (t *Trace) States() []State {
	return append([]State{t.Start}, lists.Map(t.Steps, func(s TraceStep) State { return s.State })...)
}

// Moves lists the moves of the play in their notation.
func (t *Trace) Moves() []string {
	return lists.Map(t.Steps, func(s TraceStep) string { return s.Move })
}

// End returns the last state of the play.
func (t *Trace) End() State {
	if n := len(t.Steps); n > 0 {
		return t.Steps[n-1].State
	}
	return t.Start
}

// Loop returns the number of moves after which the play first has its last state; -1 if that state
// occurs only once, or is over.
func (t *Trace) Loop() int {
	last := t.End()
	if !last.Live() {
		return -1
	}
	return slices.IndexFunc(t.States()[:len(t.Steps)], last.Equal)
}

// TraceStep is one move in its notation, the label of its rule, and the state it leads to.
type TraceStep struct {
	Move  string
	Label string
	State State
}

// From returns the same game with a live state as its only start.
func (s *System) From(st State) *System {
	from := *s
	var cond []Expr
	from.Start.Free = make([]bool, len(s.Pits))
	for p, n := range st.Seeds {
		from.Start.Free[p] = true
		cond = append(cond, Binary{Op: Eq, L: PitAt(p), R: Number(n)})
	}
	from.Start.Cond, from.Start.Mover = Conjunction(cond...), st.Mover
	from.Vars = slices.Clone(s.Vars)
	for i := range from.Vars {
		from.Vars[i].Init = st.Vars[i]
	}
	return &from
}
