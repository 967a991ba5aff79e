package vet

import (
	"slices"

	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules"
)

// Labels reports outcomes that are labelled with the name of a player, as in `win North when …`:
// that does not make North the winner.
func Labels(sys *rules.System) diag.List {
	var diags diag.List
	for _, o := range sys.Outcomes {
		if slices.Contains(sys.Players, o.Label) {
			diags.Warnf(diag.PlayerLabel, o.At, "`%s` is the label of this outcome, and does not say who wins", o.Label).
				WithHelp("a `win` is for the player who made the move; `score` makes the winner depend on the seeds")
		}
	}
	return diags
}
