package verified

import (
	"encoding/json"

	"github.com/mancheck/mancheck/checker/endgame"
	"github.com/mancheck/mancheck/checker/phase"
)

// state is passed from phase to phase.
type state struct {
	Build  json.RawMessage `json:",omitempty"` // in assemble: the last state of building the table
	Table  phase.Block
	Layers []layer `json:",omitempty"` // by seeds
	endgame.Verification
	Wrong string `json:",omitempty"` // why the table is wrong
}

// layer is the state of a layer.
type layer struct {
	Follow bool   // moves may lead back, so claims are collected
	Parts  []part // in the order of their units
}

// part is the units after the part before, up to but not including Unit.
type part struct {
	Unit   int
	Left   uint64      `json:",omitempty"` // number of claims
	Claims phase.Block `json:"Claims,omitzero"`
	Sound  phase.Block `json:"Sound,omitzero"`
}

// left returns the number of claims of a layer.
func (l *layer) left() (n uint64) {
	for _, p := range l.Parts {
		n += p.Left
	}
	return n
}

// bounds returns the range of the units of a part.
func (l *layer) bounds(i int) (from, to int) {
	if i > 0 {
		from = l.Parts[i-1].Unit
	}
	return from, l.Parts[i].Unit
}

// place is the part of a task.
type place struct{ Layer, Part int }

// written is the tally of the task that writes the table: for each layer, whether play may go on
// for ever in it. Nothing rests on that; it says where claims will be needed.
type written struct{ Cyclic []bool }

// checked is the tally of a task of the check. Its outputs, if there are any, are the claims and
// the bits of sound futures.
type checked struct {
	endgame.Counts
	Wrong string `json:",omitempty"` // what is; in settle: about the first claim, if none was accepted
}

func read(p *phase.Phase) *state {
	s := phase.Decode[state](p.State)
	return &s
}
