// Package verified builds an endgame table in phases (package shards) and verifies it in further
// phases. The last phase has the table as its only input, and reports only what was checked.
//
// The phases after those that build the table are:
//
//   - assemble writes the table as one block;
//   - derive derives the futures of all positions again with the reference interpreter: each must
//     be the best that the moves lead to, by the table. A task has some units of a layer. If moves
//     within the layer may lead back, the task also writes what futures rest on: claims, and a bit
//     for each position whose future is already sound;
//   - settle accepts claims, given the bits of all tasks of the layer. It is repeated until nothing
//     changes. If claims are left, futures rest on each other in a cycle, and the table is wrong.
//
// Together these do the same as endgame.Verify; reasons.go has the proof.
//
//	verified.go  the Work, and the state that is passed from phase to phase
//	next.go      the next phase, and its tasks
package verified

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/mancheck/mancheck/checker/endgame"
	"github.com/mancheck/mancheck/checker/endgame/shards"
	"github.com/mancheck/mancheck/checker/phase"
	"github.com/mancheck/mancheck/checker/value"
	"github.com/mancheck/mancheck/internal/depot"
	"github.com/mancheck/mancheck/internal/file"
	"github.com/mancheck/mancheck/rules"
)

// Work is a phase.Work that builds and verifies a table.
type Work struct {
	sys    *rules.System
	payoff value.Payoff
	opts   shards.Options
	build  *shards.Work

	mu   sync.Mutex
	file *endgame.File // the table that was opened last
	open *endgame.Table
	hash string // of its block
}

// New returns the work on a table. Errors are those of shards.New.
func New(ctx context.Context, sys *rules.System, seeds int, p value.Payoff, opts shards.Options) (*Work, error) {
	b, err := shards.New(ctx, sys, seeds, p, opts)
	if err != nil {
		return nil, err
	}
	return &Work{sys: sys, payoff: p, opts: opts, build: b}, nil
}

// The names of the phases after those that build the table.
const (
	assemblePhase = "assemble"
	derivePhase   = "derive"
	settlePhase   = "settle"
	donePhase     = "done"
)

// own reports whether a phase comes after those that build the table.
func own(p *phase.Phase) bool {
	return slices.Contains([]string{assemblePhase, derivePhase, settlePhase, donePhase}, p.Name)
}

// Checks implements phase.Prover.
func (w *Work) Checks(p *phase.Phase) bool { return p.Name == derivePhase || p.Name == settlePhase }

// Keep implements phase.Keeper.
func (w *Work) Keep(ctx context.Context, p *phase.Phase) (map[string]bool, error) {
	if !own(p) {
		return w.build.Keep(ctx, p)
	}
	s := read(p)
	keep := []phase.Block{s.Table}
	for _, l := range s.Layers {
		for _, part := range l.Parts {
			keep = append(keep, part.Claims, part.Sound)
		}
	}
	return phase.Hashes(keep), nil
}

// Outcome is a table that was verified.
type Outcome struct {
	Table phase.Block
	endgame.Verification
}

// ErrUnfinished is the error for a table that has phases left.
var ErrUnfinished = errors.New("not all phases are done")

// WrongError says that the verification found the table to be wrong.
type WrongError struct{ What string }

func (e *WrongError) Error() string { return "the table is wrong: " + e.What }

// Outcome returns the result of the work. The error is ErrUnfinished or a *WrongError.
func (w *Work) Outcome(last *phase.Phase) (*Outcome, error) {
	if last == nil || last.Name != donePhase {
		return nil, ErrUnfinished
	}
	var s state
	if err := json.Unmarshal(last.State, &s); err != nil {
		return nil, err
	}
	if s.Wrong != "" {
		return nil, &WrongError{s.Wrong}
	}
	return &Outcome{s.Table, s.Verification}, nil
}

// Close closes the table that a task has opened.
func (w *Work) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.shut()
}

func (w *Work) shut() error {
	if w.file == nil {
		return nil
	}
	err := w.file.Close()
	w.file, w.open, w.hash = nil, nil, ""
	return err
}

// table opens the table, and keeps it open for other tasks.
func (w *Work) table(ctx context.Context, d depot.Depot, b phase.Block) (*endgame.Table, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.hash == b.Hash {
		return w.open, nil
	}
	if err := w.shut(); err != nil {
		return nil, err
	}
	path, remove, err := local(ctx, d, b)
	if err != nil {
		return nil, err
	}
	defer remove() // an open file stays
	f, err := endgame.OpenWithin(path, w.opts.Memory/4)
	if err != nil {
		return nil, err
	}
	t, err := f.Table(ctx, w.sys, w.payoff)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	w.file, w.open, w.hash = f, t, b.Hash
	return t, nil
}

// local returns the path of a block as a file, which was compared with its hash, and what removes
// the file if it is a copy. A block in a bucket is copied, since a table is read in no order.
func local(ctx context.Context, d depot.Depot, b phase.Block) (path string, remove func(), err error) {
	if path, is := depot.Path(d, depot.Block(b.Hash)); is {
		return path, func() {}, depot.Check(ctx, d, b.Hash, b.Size)
	}
	dir, remove, err := file.Scratch()
	if err != nil {
		return "", nil, err
	}
	path = filepath.Join(dir, "table")
	to, err := file.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err == nil {
		err = errors.Join(depot.Copy(ctx, d, b.Hash, b.Size, to), to.Close())
	}
	if err != nil {
		remove()
	}
	return path, remove, err
}

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
