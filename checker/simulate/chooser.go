package simulate

import (
	"context"

	"github.com/mancheck/mancheck/rules"
)

// Chooser chooses the moves of a player, one game after another. What it chooses may not depend on
// the games before.
type Chooser interface {
	// Begin is called when a game begins.
	Begin()
	// Choose returns the action to take in a state that has several.
	Choose(ctx context.Context, st rules.State) (action int, err error)
	// Close gives memory back.
	Close()
}
