package shards

import (
	"encoding/json"

	"github.com/mancheck/mancheck/checker/endgame/blocks"
	"github.com/mancheck/mancheck/checker/phase"
)

// state is what a phase knows.
type state struct {
	Layers []layer  // that are done, by seeds
	Now    *current `json:",omitempty"` // nil: all are
}

// layer is a layer that is done.
type layer struct {
	Parts   []phase.Block // futures by part; no hash: all are 0
	Unknown []bool        // by part: some positions may have no future
	Cyclic  uint64        // entries of positions from which play may go on for ever
}

// current is the layer in hand.
type current struct {
	Base    bool           // the bases are being found, or else passes are made
	Purpose blocks.Purpose // of these
	Round   int            // passes before
	Tasks   []int          // of the layout, that this phase has
	Parts   []known        // empty while the bases are being found
	Cyclic  uint64
}

// known is what is known of a part.
type known struct {
	Base    phase.Block // what moves to other layers are worth, by row and column
	Leads   []int       // blocks of the layer that moves lead to
	Unknown bool        // some positions have no future
	Marks   phase.Block // has 1 for positions that lead to one without a future; no hash: none
	// Values are those of the purpose, by column and row, and then which columns and which rows
	// changed in the last pass, as bits. No hash: all are as they were at first.
	Values phase.Block
	Fresh  bool   // they changed in the last pass
	Marked uint64 // for blocks.Endless
	First  uint64 // for blocks.Endless: the least rank of those that are marked
}

// done is what a task says of a part, besides its block.
type done struct {
	Part    int
	Same    bool   `json:",omitempty"` // nothing changed, and there is no block
	Leads   []int  `json:",omitempty"`
	Unknown bool   `json:",omitempty"`
	Marked  uint64 `json:",omitempty"`
	First   uint64 `json:",omitempty"`
}

// tally is what a task says.
type tally struct {
	Parts []done
	// Evaluated is the number of positions that were evaluated, and Rounds that of passes over the
	// parts of the task.
	Evaluated uint64
	Rounds    int
}

// read reads the state of a phase.
func read(p *phase.Phase) (s *state, err error) {
	s = new(state)
	return s, json.Unmarshal(p.State, s)
}
