package sharded

import (
	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/checker/phase"
)

// state is passed from phase to phase.
type state struct {
	Room      int             `json:",omitempty"` // seeds that a pit has room for in a key
	Sizes     []int64         `json:",omitempty"` // by level
	At        []int           `json:",omitempty"` // by level: the phase whose Results have its blocks
	Known     []run           `json:",omitempty"` // together they have the keys of all levels
	Figures   forward.Figures // of the levels that were examined
	Path      [][]uint64      `json:",omitempty"` // keys, backward from the state that ended the search
	IntoStuck int64           `json:",omitempty"` // steps into stuck states
	Led       []int           `json:",omitempty"` // in confirm, by level, from beforeAll on: the number of blocks with its successors
	Levels    []int           `json:",omitempty"` // in confirm, by level: the number of its blocks
	Wrong     string          `json:",omitempty"` // what the check found
}

// run is a sorted list of keys. Each block has greater keys than the one before.
type run struct {
	Keys   int64
	Blocks []phase.Block
}

// depth is the number of moves to the states of the last level.
func (s *state) depth() int { return len(s.Sizes) - 1 }

// newPhase returns a phase with a state.
func newPhase(name string, s *state, tasks []phase.Task, inputs ...phase.Block) *phase.Phase {
	return &phase.Phase{Name: name, State: phase.Encode(s), Tasks: tasks, Inputs: inputs}
}
