package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/drawing"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/scripts/internal/shipped"
)

// The picture of the README: a game of Kalah after some moves.
var shown = struct {
	id    string
	moves []string
}{"kalah", []string{"3", "6", "4", "2", "5"}}

// readme draws the picture of the README.
func readme(ctx context.Context, list []*shipped.Game) ([]byte, error) {
	i := slices.IndexFunc(list, func(g *shipped.Game) bool { return g.ID == shown.id })
	if i < 0 {
		return nil, fmt.Errorf("there is no game %s", shown.id)
	}
	sys, diags := list[i].Unit.System(list[i].Variant, nil)
	if err := diags.Err(); err != nil {
		return nil, err
	}
	before, err := firstStart(ctx, sys)
	if err != nil {
		return nil, err
	}
	in, now := interp.New(sys), before
	for _, move := range shown.moves {
		steps, _, err := in.Legal(now)
		if err != nil {
			return nil, err
		}
		k := slices.IndexFunc(steps, func(s interp.Step) bool { return in.Notation(s.Action, now) == move })
		if k < 0 {
			return nil, fmt.Errorf("%s is no move here", move)
		}
		before, now = now, steps[k].To
	}
	return picture(drawing.LayoutOf(sys), now, moved{plain{sys, now}, before}), nil
}

// moved marks what a move has changed.
type moved struct {
	plain
	before rules.State
}

func (m moved) Change(pit int) int { return m.state.Seeds[pit] - m.before.Seeds[pit] }
