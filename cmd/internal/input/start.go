package input

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/board"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/space"
)

// OnlyStart returns the start of the setup. It fails if there are several, or none.
func OnlyStart(ctx context.Context, in *interp.Interp) (rules.State, error) {
	sys := in.System()
	var found []rules.State
	err := space.Starts(ctx, in, func(st rules.State) error {
		if len(found) > 0 && st.Equal(found[0]) {
			return nil
		}
		if found = append(found, st.Clone()); len(found) == 2 {
			return space.ErrStop
		}
		return nil
	})
	var infinite *space.InfiniteError
	switch {
	case errors.As(err, &infinite), len(found) == 2:
		return rules.State{}, severalStarts(sys, found)
	case err != nil:
		return rules.State{}, err
	case len(found) == 0:
		return rules.State{}, NoStart(sys)
	}
	return found[0], nil
}

// severalStarts returns the error for a setup with several starts, with one of them as an example.
func severalStarts(sys *rules.System, found []rules.State) error {
	var diags diag.List
	var names []string
	for _, p := range board.Order(sys) {
		names = append(names, sys.Pits[p].Name)
	}
	help := "give the seeds of " + strings.Join(names, " ")
	if len(found) > 0 {
		help += fmt.Sprintf(", for example --board %q", board.Flat(sys, found[0]))
	}
	diags.Errorf(diag.NotFixed, sys.Start.At, "`%s` has several starts: --board must say which is meant", sys.Name).WithHelp("%s", help)
	return diags
}

// Startless says why there is no game to play or to count.
const Startless = "no distribution of seeds satisfies this setup"

// NoStart returns the error for a setup without starts.
func NoStart(sys *rules.System) error {
	var diags diag.List
	diags.Errorf(diag.NoStart, sys.Start.At, Startless)
	return diags
}
