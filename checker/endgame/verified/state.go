package verified

import (
	"encoding/json"

	"github.com/mancheck/mancheck/checker/phase"
)

// state is what phases tell the next ones.
type state struct {
	Build     json.RawMessage `json:",omitempty"` // in assemble: the state in which the table is built
	Table     phase.Block
	Layers    []layer `json:",omitempty"` // by seeds
	Positions uint64
	NoFuture  uint64
	Followed  uint64
	Wrong     string `json:",omitempty"` // what the check has found
}

// layer is what is known of a layer.
type layer struct {
	Units  int
	Size   uint64 // positions
	Follow bool   // moves may lead back, so it is looked at on what futures rest
	Parts  []part // in the order of their units
}

// part is some units, up to Unit and not including it.
type part struct {
	Unit   int
	Left   uint64      `json:",omitempty"` // claims
	Claims phase.Block `json:"Claims,omitzero"`
	Sound  phase.Block `json:"Sound,omitzero"`
}

// left is the number of claims of a layer.
func (l *layer) left() (n uint64) {
	for _, p := range l.Parts {
		n += p.Left
	}
	return n
}

// bounds are the units of a part.
func (l *layer) bounds(i int) (from, to int) {
	if i > 0 {
		from = l.Parts[i-1].Unit
	}
	return from, l.Parts[i].Unit
}

// place says which part of which layer a task has.
type place struct{ Layer, Part int }

// written is what the task that writes the table tells: of each layer how many units and positions
// it has, and whether play may go on in it for ever.
type written struct {
	Units  []int
	Sizes  []uint64
	Cyclic []bool
}

// checked is what a task that checks tells. The claims and what is sound are its outputs, if there
// are any.
type checked struct {
	Positions uint64
	NoFuture  uint64
	Backward  bool
	Left      uint64
	Fresh     bool
	Wrong     string `json:",omitempty"`
	Circle    string `json:",omitempty"` // what to say of the first claim if none of them is accepted any more
}

func read(p *phase.Phase) (*state, error) {
	s := new(state)
	return s, json.Unmarshal(p.State, s)
}
