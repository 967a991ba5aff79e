// Package shards builds an endgame table out of core, in phases (package phase). Each task works on
// a part of the table in limited memory, in one process or on many machines.
//
// A layer is divided into parts. A part is some rows of a block (package blocks), and each task has
// some parts. The phases of a layer are:
//
//   - base finds, once, the best of the moves of each position to lower layers;
//   - a pass replaces each value by the best of all moves. A task uses the values of other tasks
//     from before the pass, and repeats the work on its own parts until nothing changes there. A
//     part without changes keeps its block. A task is left out of a pass if nothing has changed
//     where its moves lead to. When all tasks are left out, no further pass is needed.
//
// There are passes for up to three purposes (blocks.Purpose), as in package endgame, where
// passes.go has the proof. There, positions are evaluated in any order, with the current values of
// other positions; here, the values of others may be older. In the terms of that proof, let W(t) be
// the positions that are worth t or more, and L(t) those that are worth -t or less. A position
// enters one of these sets when enough others are in them, and never leaves it. So nothing follows
// from older values that does not follow from current ones. When no value changes any more,
// evaluated with current values, the sets are the least closed sets, which are unique.
//
// The table is the same, byte by byte, as one that was built in memory, for any number of parts.
//
//	shards.go  the Work
//	layout.go  the parts of a layer, and one in memory
//	next.go    the next phase, its state and its tasks
//	pass.go    evaluation of rows: moves to lower layers, and within the layer (blocks.Pass)
//	pages.go   a page cache for blocks of a depot, as of the layers that are done
//	table.go   writes the table; builds one on one machine
package shards

import (
	"context"
	"errors"
	"sync"

	"github.com/mancheck/mancheck/checker/endgame/blocks"
	"github.com/mancheck/mancheck/checker/value"
	"github.com/mancheck/mancheck/rules"
)

// Options say how the work is divided. They change the phases, but not the table.
type Options struct {
	Shards int   // number of tasks of a large layer, unless Memory requires more
	Memory int64 // bytes that a task may use
}

// Work is a phase.Work that builds a table. Several goroutines may use it.
type Work struct {
	sys      *rules.System
	payoff   value.Payoff
	opts     Options
	division *blocks.Division // without plans
	sums     sums

	mu   sync.Mutex
	idle []*worker
}

// ErrNotDivisible is the error for a game that package blocks does not support: each of two players
// must sow from one half of the pits.
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
	return &Work{sys: sys, payoff: p, opts: opts, division: d}, nil
}

// Positions returns the positions whose futures the table has.
func (w *Work) Positions() *value.Positions { return w.division.Positions }

// divisible turns blocks.ErrNotByRows into ErrNotDivisible.
func divisible(err error) error {
	if errors.Is(err, blocks.ErrNotByRows) {
		return ErrNotDivisible
	}
	return err
}
