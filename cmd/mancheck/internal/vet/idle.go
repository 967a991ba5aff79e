package vet

import (
	"context"
	"errors"

	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/space"
)

// maxStates is how many states Idle looks at.
const maxStates = 200_000

// Idle reports the moves and outcomes that no play of sys meets. If the search does not come to its
// end within a modest number of states nothing can be said, and why says so.
func Idle(ctx context.Context, sys *rules.System) (diags diag.List, why string, err error) {
	in := interp.New(sys)
	starts := func(ctx context.Context, yield func(rules.State) error) error { return space.Starts(ctx, in, yield) }
	res, err := forward.Search(ctx, sys, starts, forward.Query{}, forward.Options{MaxStates: maxStates})
	var infinite *space.InfiniteError
	switch {
	case errors.As(err, &infinite):
		return nil, err.Error(), nil
	case err != nil:
		return nil, "", err
	case res.Stop != forward.Exhausted:
		return nil, res.Reason, nil
	}
	return append(idleMoves(sys, res.Fired), idleOutcomes(sys, res.Ended)...), "", nil
}

// idleMoves reports the labels under which no action of a move was ever carried out.
func idleMoves(sys *rules.System, fired []bool) diag.List {
	type rule struct {
		move  int
		label string
	}
	met := map[rule]bool{}
	for i, a := range sys.Actions {
		r := rule{a.Move, a.Label}
		met[r] = met[r] || fired[i]
	}
	var diags diag.List
	for _, a := range sys.Actions {
		if r := (rule{a.Move, a.Label}); !met[r] {
			met[r] = true // reported once
			diags.Warnf(diag.NeverFires, sys.Moves[a.Move].At, "no play carries out the move `%s`", a.Label)
		}
	}
	return diags
}

func idleOutcomes(sys *rules.System, ended []bool) diag.List {
	var diags diag.List
	met := map[diag.Range]bool{} // `mover wins` gives several outcomes
	for i, o := range sys.Outcomes {
		met[o.At] = met[o.At] || ended[i]
	}
	for i, o := range sys.Outcomes {
		if i != sys.Endless() && !met[o.At] {
			met[o.At] = true // reported once
			diags.Warnf(diag.NeverFires, o.At, "no play ends with the outcome `%s`", o.Label)
		}
	}
	return diags
}
