package pack

import "errors"

// Batch collects steps to packed states: the keys of the states, one after another, and the actions
// that lead to them. A stepper appends to it what it finds.
//
// A state of a wide board has many steps, each a long key. So a stepper that has appended another
// CheckEvery steps of one state calls Check, and ends with its error.
type Batch struct {
	Keys    []uint64 // Words words each
	Actions []int32
	Ends    int          // further steps, to finished states that the game does not list
	Check   func() error // may be nil
}

// ErrWide is an error of Check: the steps of one state do not fit in memory.
var ErrWide = errors.New("too many steps")

// CheckEvery is the number of steps after which a stepper calls Check.
const CheckEvery = 1024

// Reset empties the batch.
func (b *Batch) Reset() { b.Keys, b.Actions, b.Ends = b.Keys[:0], b.Actions[:0], 0 }
