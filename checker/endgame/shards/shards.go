// Package shards builds an endgame table in phases (package phase): by tasks that need a part of it
// each, and little memory, in one process or on many machines.
//
// A layer is divided into parts, some rows of a block (package blocks), and each task has some
// parts. The phases of a layer are these:
//
//   - base finds the best of the moves of each position to lower layers, once;
//   - a pass replaces values by the best of all moves, given those of the other tasks as they were
//     before. In its own parts a task goes on until nothing changes there. What it has not changed
//     stays the block that it was, and a task rests as long as nothing has changed where its moves
//     lead to. When all rest, it is done.
//
// There are passes for up to three purposes (blocks.Purpose), as in package endgame, where
// passes.go has the argument. There positions are evaluated in any order, with the values that
// others have at that moment; here these may be older. In the terms of that argument, let W(t) be
// the positions that are worth t or more, and L(t) those that are worth -t or less. A position
// comes into one of these sets when enough others are in them, and never leaves. So from older
// values nothing follows that does not follow from later ones; and where nothing changes any more,
// with the values of now, these are the least sets that are closed, which are unique.
//
// A table is the same as one that was built in memory, byte by byte, for any number of parts.
//
//	shards.go  the Work
//	state.go   what a phase knows
//	layout.go  the parts of a layer
//	next.go    which phase follows
//	do.go      does tasks
//	task.go    a task
//	worker.go  who evaluates rows
//	base.go    moves to lower layers
//	pass.go    moves within the layer
//	links.go   which moves these are
//	held.go    a part in memory
//	lines.go   lines of layers
//	bytes.go   values as bytes
//	pages.go   blocks of a depot, in pages
//	table.go   makes the table
//	local.go   builds a table on one machine
package shards

import (
	"context"
	"errors"
	"sync"

	"github.com/mancheck/mancheck/checker/endgame/blocks"
	"github.com/mancheck/mancheck/checker/value"
	"github.com/mancheck/mancheck/rules"
)

// Options say how the work is divided. Phases depend on them, the table does not.
type Options struct {
	Shards int   // into how many tasks a large layer is divided, if that suffices
	Memory int64 // bytes that a task may take
}

// Work is a phase.Work that builds a table. Several goroutines may use it.
type Work struct {
	sys       *rules.System
	payoff    value.Payoff
	opts      Options
	positions *value.Positions
	division  *blocks.Division // without plans
	sums      sums

	mu   sync.Mutex
	idle []*worker
}

// ErrNotDivisible says that a game is none where each player sows from one half of the pits, so
// that its positions are no blocks, or that a move is not as those have to be.
var ErrNotDivisible = errors.New("the table cannot be built in parts: that needs two players, each of whom sows from one half of the pits")

// New returns the work of building a table. The error is ErrNotDivisible, or one of
// value.NewPositions.
func New(ctx context.Context, sys *rules.System, seeds int, p value.Payoff, opts Options) (*Work, error) {
	positions, err := value.NewPositions(ctx, sys, seeds, p)
	if err != nil {
		return nil, err
	}
	d, err := blocks.Divide(ctx, sys, positions)
	if err != nil {
		return nil, divisible(err)
	}
	return &Work{sys: sys, payoff: p, opts: opts, positions: positions, division: d}, nil
}

// divisible makes ErrNotDivisible of blocks.ErrNotByRows.
func divisible(err error) error {
	if errors.Is(err, blocks.ErrNotByRows) {
		return ErrNotDivisible
	}
	return err
}
