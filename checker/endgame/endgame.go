// Package endgame makes tables of what positions of two-player games with few seeds in play are
// worth.
//
// In many games seeds leave play: what lies in a store stays there, and has no influence on the
// moves. What is still won from a position on, its future, does not depend on it either (package
// value, Positions). A table has the futures of all positions with at most some number of seeds in
// play, also of those that no play leads to, by their ranks, a byte for each. If the rules are the
// same for both players, it has only those with the first player to move.
//
// The positions with equally many seeds in play are a layer. Moves lead to the same layer or a
// lower one, so a table is built layer by layer. In a layer,
//
//   - a position has a future as soon as all positions that its moves lead to have one. If in the
//     end all have one, then no play comes back to a position of the layer: that is found by the
//     way;
//   - otherwise the others, from which play may go on for ever, get theirs by passes, over rows or
//     over positions.
//
// A position has no future if the rules leave it open: it is stuck, or a move is a fault of the
// rules or never ends; nor has one of which a move leads to such a position. As a table has many
// positions that cannot occur, that is no error. A search meets what it meets.
//
//	endgame.go the Table
//	layer.go   the parts that a layer is divided into
//	worker.go  evaluates positions, in work that several threads share
//	build.go   layer after layer
//	halves.go  rows of positions, which agree in half of the board (package blocks)
//	passes.go  layers that are evaluated by rows, in order or by passes
//	cycle.go   layers that are evaluated position by position
//	verify.go  derives futures again, by the reference interpreter
//	reasons.go what futures rest on where play may go on for ever
//	file.go    tables in files
//	create.go  builds a table in a file, or writes one that was built in parts (package shards)
//	library.go the tables in a folder; the positions of one, for exports
package endgame

import (
	"context"
	"fmt"

	"github.com/mancheck/mancheck/checker/symmetry"
	"github.com/mancheck/mancheck/checker/value"

	"github.com/mancheck/mancheck/internal/huge"
	"github.com/mancheck/mancheck/rules"
)

// Table has the futures of positions.
type Table struct {
	sys       *rules.System
	payoff    value.Payoff
	positions *value.Positions
	futures   []byte      // by entry: an int8; nil if they are in a file and not in memory
	memory    *huge.Words // that they are in, if they are not in a file
	layers    []Layer
	file      *File // nil if it was built and not read
}

// Layer is what is known of the positions with equally many seeds in play.
type Layer struct {
	Seeds     int
	Positions uint64
	// Cyclic is the number of positions from which play may go on for ever in this layer.
	Cyclic uint64
	// Sweeps is how many times moves were played throughout the layer, or how many passes were made
	// over its rows. It depends on the memory.
	Sweeps int `json:"-"`
	// ByRows says that the futures were found many at once, see halves.go.
	ByRows bool `json:"-"`
	// Checksum is the XXH3 hash of the futures, by ranks.
	Checksum string
}

// newTable returns a table without futures.
func newTable(ctx context.Context, sys *rules.System, seeds int, p value.Payoff) (*Table, error) {
	positions, err := value.NewPositions(ctx, sys, seeds, p)
	if err != nil {
		return nil, err
	}
	return &Table{sys: sys, payoff: p, positions: positions}, nil
}

// Seeds is the greatest number of seeds in play.
func (t *Table) Seeds() int { return t.positions.Seeds() }

// Layers describes the layers, by seeds in play.
func (t *Table) Layers() []Layer { return t.layers }

// Bytes is the size of the table.
func (t *Table) Bytes() int64 { return int64(t.positions.Entries()) }

// Len implements value.Tables.
func (t *Table) Len() uint64 { return t.positions.Entries() }

// Swap implements value.Tables.
func (t *Table) Swap() *symmetry.Symmetry { return t.positions.Swap() }

// Positions is the number of positions whose futures the table has.
func (t *Table) Positions() uint64 { return t.positions.Ranker.Live() }

// Futures implements value.Tables.
func (t *Table) Futures(entries []uint64, futures []int8) {
	for i, e := range entries {
		futures[i] = t.future(e)
	}
}

// Fetch implements value.Tables.
func (t *Table) Fetch(entries []uint64) {
	if t.futures == nil {
		return
	}
	for _, e := range entries {
		if at := e &^ value.Negated; at < uint64(len(t.futures)) {
			huge.Fetch(&t.futures[at])
		}
	}
}

// future returns the future of a position with this entry.
func (t *Table) future(entry uint64) int8 {
	at := entry &^ value.Negated
	if t.futures == nil {
		return negated(entry, int8(t.file.memory.Byte(t.file.begin+int64(at))))
	}
	return negated(entry, int8(t.futures[at]))
}

// each calls look with the futures of entries, piece by piece.
func (t *Table) each(first, end uint64, look func([]byte)) {
	if t.futures == nil {
		t.file.memory.Each(t.file.begin+int64(first), t.file.begin+int64(end), look)
		return
	}
	look(t.futures[first:end])
}

// negated negates a future if the entry is marked. That leaves value.NoFuture what it is.
func negated(entry uint64, future int8) int8 {
	m := int8(int64(entry) >> 63)
	return (future ^ m) - m
}

// Value returns what a live state is worth to the first player. ok is false if the table does not
// know.
func (t *Table) Value(st rules.State) (v int, ok bool) {
	in := st.Clone()
	won := 0
	for _, s := range t.positions.Sinks() {
		won += in.Seeds[s.Pit] * s.Weight
		in.Seeds[s.Pit] = 0
	}
	key, err := t.positions.Key(in)
	if err != nil || !st.Live() {
		return 0, false
	}
	var f [1]int8
	t.Futures(t.positions.Find(key, nil)[:1], f[:])
	return t.positions.Constant() + won + int(f[0]), f[0] != value.NoFuture
}

// CycleError says that play may go on for ever, and that what this is worth does not allow a table.
type CycleError struct {
	Seeds  int
	State  rules.State // a position from which play may go on for ever
	Reason string
}

func (e *CycleError) Error() string {
	return fmt.Sprintf("play may go on for ever with %d seeds in play: %s", e.Seeds, e.Reason)
}

// Refusal says why there is no table, with the position of a rank, from which play may go on for
// ever.
func Refusal(positions *value.Positions, p value.Payoff, seeds int, rank uint64) *CycleError {
	e := &CycleError{Seeds: seeds, Reason: "the rules do not say what that is worth"}
	switch {
	case p.Endless == value.Even:
		e.Reason = "that is worth 0 whatever has been won, so what is still won depends on it"
	case p.Endless == value.AsScored:
		e.Reason = "the score counts seeds in play, so it is not clear what that is worth"
	}
	key := make([]uint64, positions.Words())
	positions.Unrank(rank, key)
	e.State = positions.State(key)
	return e
}

// MemoryError says that a table, with what is needed while it is built, is larger than the memory
// allowed.
type MemoryError struct {
	Seeds int
	Need  uint64
	Have  int64
}

func (e *MemoryError) Error() string {
	return fmt.Sprintf("a table of positions with up to %d seeds in play takes %d bytes, and %d are allowed", e.Seeds, e.Need, e.Have)
}
