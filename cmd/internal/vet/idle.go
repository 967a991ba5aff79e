package vet

import (
	"context"
	"errors"
	"slices"

	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/space"
)

// Limits on the states that Search visits: for the game with its default parameters, and for each
// smaller one that is searched instead.
const (
	MaxStates      = 200_000
	MaxStatesTried = 30_000
)

// Occurred has the moves and outcomes that occur in plays of a variant, of one game or of several
// with different parameters. Its zero value is ready to use.
type Occurred struct {
	moves    map[rule]bool
	outcomes map[rules.Outcome]bool
}

// rule is a move with one of its labels.
type rule struct {
	move  int
	label string
}

// Search adds what occurs in the plays of sys. complete reports whether all of them were searched;
// if not, why says what was in the way. starts is 0 for a game without a start, and -1 if starts
// were not counted.
func (seen *Occurred) Search(ctx context.Context, sys *rules.System, maxStates int64) (starts int64, complete bool, why string, err error) {
	in := interp.New(sys)
	list := func(ctx context.Context, yield func(rules.State) error) error { return space.Starts(ctx, in, yield) }
	res, err := forward.Search(ctx, sys, list, forward.Query{}, forward.Options{Bounds: limit.Bounds{MaxStates: maxStates}})
	var infinite *space.InfiniteError
	switch {
	case errors.As(err, &infinite):
		return -1, false, err.Error(), nil
	case err != nil:
		return -1, false, "", err
	}
	seen.add(sys, res)
	return res.Stats.Starts, res.Stop == limit.Complete, res.Reason, nil
}

// add adds what a search has found. Outcomes are identified by their contents, because their
// numbers may differ between games.
func (seen *Occurred) add(sys *rules.System, res *forward.Result) {
	if seen.moves == nil {
		seen.moves, seen.outcomes = map[rule]bool{}, map[rules.Outcome]bool{}
	}
	for i, fired := range res.Fired {
		if a := sys.Actions[i]; fired {
			seen.moves[rule{a.Move, a.Label}] = true
		}
	}
	for i, ended := range res.Ended {
		if ended {
			seen.outcomes[named(sys.Outcomes[i])] = true
		}
	}
}

// named returns an outcome without its place in the text.
func named(o rules.Outcome) rules.Outcome {
	o.At = diag.Range{}
	return o
}

// Known returns the labels of outcomes that some claim says are unreachable. Their authors know
// that they do not occur, so they need no warning.
func Known(all []*ast.File) map[string]bool {
	labels := map[string]bool{}
	for _, f := range all {
		for _, reach := range ast.All[*ast.Reach](f) {
			if reach.Kind != "unreachable" {
				continue
			}
			for _, n := range ast.All[*ast.Name](reach) {
				labels[n.Name] = true
			}
			for _, t := range ast.All[*ast.Text](reach) {
				labels[t.Value] = true
			}
		}
	}
	return labels
}

// Missing reports the moves and outcomes of sys that occurred in no play. tried says which games
// were searched, if not just sys. Outcomes whose labels are in known are left out.
func (seen *Occurred) Missing(sys *rules.System, tried string, known map[string]bool) diag.List {
	var diags diag.List
	help := func(d *diag.Diagnostic) {
		if tried != "" {
			d.WithHelp("%s", tried)
		}
	}
	reported := map[rule]bool{}
	for _, a := range sys.Actions {
		if r := (rule{a.Move, a.Label}); !seen.moves[r] && !reported[r] {
			reported[r] = true
			help(diags.Warnf(diag.NeverFires, sys.Moves[a.Move].At, "no play carries out the move `%s`", a.Label))
		}
	}
	for i, o := range sys.Outcomes {
		if rule := sys.Repetition; rule != nil && slices.Contains(rule.Outcome, i) {
			continue // it is a matter of plays, and states were looked at
		}
		if i != sys.Endless() && !known[o.Label] && !seen.outcomes[named(o)] {
			help(diags.Warnf(diag.NeverFires, o.At, "no play ends with the outcome `%s`", o.Label))
		}
	}
	return diags
}
