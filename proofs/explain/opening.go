package explain

import (
	"context"
	"slices"

	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/space"
)

// opening shows the first start, if the evidence has no board: readers should see the board that a
// verdict is about.
func opening(ctx context.Context, r *proofs.Result, shown []Block) []Block {
	if len(r.System.OpenParams()) > 0 || slices.ContainsFunc(shown, drawn) {
		return nil
	}
	out := &States{Title: "A start"}
	err := space.Starts(ctx, interp.New(r.System).Within(ctx), func(s rules.State) error {
		out.States = append(out.States, Shown{Board: &Board{System: r.System, State: s.Clone()}})
		return space.ErrStop
	})
	if err != nil || len(out.States) == 0 {
		return nil
	}
	return []Block{out}
}

// drawn reports whether a block has boards.
func drawn(b Block) bool {
	switch b.(type) {
	case *Play, *Pair, *Tree, *States:
		return true
	}
	return false
}
