package shards

import (
	"github.com/mancheck/mancheck/checker/endgame/blocks"
	"github.com/mancheck/mancheck/checker/phase"
)

// state is the State of a phase.
type state struct {
	Layers []layer  // the layers that are done, by seeds
	Now    *current `json:",omitempty"` // nil: all layers are done
}

// layer is a layer that is done.
type layer struct {
	Parts   []phase.Block // futures, by part; without a hash: all are 0
	Unknown []bool        // by part: some positions may have no future
	Cyclic  uint64        // entries of positions from which play may go on for ever
}

// current is the layer that is being built.
type current struct {
	Base    bool           // this is the base phase, and not a pass
	Purpose blocks.Purpose // of the passes
	Round   int            // number of passes before
	Tasks   []int          // the tasks of the layout that run in this phase
	Parts   []known        // empty in the base phase
	Cyclic  uint64
}

// known is the state of a part.
type known struct {
	Base  phase.Block // the best of the moves to lower layers, by row and column
	Marks phase.Block // 1 for positions that lead to one without a future; without a hash: none
	// Values has the values for the purpose, by column and row, followed by what has changed in the
	// last pass (blocks.Pass.Changes). Without a hash, all values are initial.
	Values phase.Block
	Fresh  bool // values changed in the last pass
	found
}

// found is what a task has found out about a part.
type found struct {
	Leads   []int  `json:",omitempty"` // blocks of the layer that moves lead to
	Unknown bool   `json:",omitempty"` // some positions have no future
	Marked  uint64 `json:",omitempty"` // for blocks.Endless: number of marked positions
	First   uint64 `json:",omitempty"` // for blocks.Endless: the least rank of a marked position
}

// done is what the tally of a task says about a part.
type done struct {
	Part int
	Same bool `json:",omitempty"` // nothing changed, so there is no block
	found
}

// tally is the tally of a task.
type tally struct {
	Parts []done
	// Evaluated is the number of positions that were evaluated, and Rounds the number of passes
	// over the parts of the task.
	Evaluated uint64
	Rounds    int
}

// read reads the state of a phase.
func read(p *phase.Phase) *state {
	s := phase.Decode[state](p.State)
	return &s
}
