package phase

import (
	"context"
	"fmt"
	"slices"

	"github.com/mancheck/mancheck/internal/depot"
	"github.com/mancheck/mancheck/internal/lists"
)

// Keeper is a Work that says which blocks are still needed. Blocks of other Works are never
// removed.
type Keeper interface {
	// Keep returns the hashes of the blocks of earlier phases that later phases read or that must
	// stay. It may leave out the Inputs of the phase and of its tasks. A block that is not needed
	// for a phase is not needed for later phases, unless a task writes it again.
	Keep(ctx context.Context, p *Phase) (map[string]bool, error)
}

// cleaner removes blocks that are no longer needed. If a removed block is needed after all, because
// a later one was lost, Ready returns the tasks that make it again. A new one reads all phases, so
// it also removes what an earlier one has left.
type cleaner struct {
	job  *Job
	made map[string]bool // by hash: blocks that may be there
	next int             // the first phase whose results are not in made
}

// clean removes the blocks that tasks of the phases before p wrote and that are not needed from p
// on. Blocks of running tasks stay, since no phase lists them yet.
func (c *cleaner) clean(ctx context.Context, w Work, p *Phase) error {
	keeper, ok := w.(Keeper)
	if !ok {
		return nil
	}
	keep, err := guarded(func() (map[string]bool, error) { return keeper.Keep(ctx, p) })
	if err == nil {
		err = c.look(ctx, p)
	}
	if err != nil {
		return err
	}
	needed := Hashes(slices.Concat(p.Inputs, lists.Flat(p.Tasks, func(t Task) []Block { return t.Inputs })))
	for hash := range c.made {
		if needed[hash] || keep[hash] {
			continue
		}
		if err := c.job.Depot.Remove(ctx, depot.Block(hash)); err != nil {
			return err
		}
		delete(c.made, hash)
	}
	return nil
}

// look adds the blocks that tasks of phases before p wrote.
func (c *cleaner) look(ctx context.Context, p *Phase) error {
	var there map[string]bool
	if c.next == 0 {
		names, err := c.job.Depot.List(ctx, depot.Block(""))
		if err != nil {
			return err
		}
		there = map[string]bool{}
		for _, name := range names {
			there[name] = true
		}
	}
	for ; c.next <= p.Number; c.next++ {
		q := p
		if c.next < p.Number {
			var err error
			if q, _, err = c.job.Earlier(ctx, c.next); err != nil {
				return fmt.Errorf("finding blocks that are no longer needed: %w", err)
			}
		}
		for _, r := range q.Results {
			for _, b := range r.Outputs {
				if there == nil || there[depot.Block(b.Hash)] {
					c.made[b.Hash] = true
				}
			}
		}
	}
	return nil
}
