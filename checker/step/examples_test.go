package step_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"pgregory.net/rapid"

	"github.com/mancheck/mancheck/dsl"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/resolve"
	"github.com/mancheck/mancheck/rules/rulestest"
	"github.com/mancheck/mancheck/rules/space"
)

// examples resolves all variants of the example files, with their default parameters.
func examples(t *testing.T) []*rules.System {
	t.Helper()
	files, err := filepath.Glob("../../examples/*.sow")
	if err != nil || len(files) == 0 {
		t.Fatalf("no examples: %v", err)
	}
	var list []*rules.System
	for _, f := range files {
		prog, diags := dsl.Load(f, os.ReadFile)
		u, more := resolve.Collect(prog.Files)
		diags = append(diags, more...)
		for _, v := range u.Variants {
			sys, more := u.System(v, resolve.Settings{})
			diags = append(diags, more...)
			list = append(list, sys)
		}
		if diags.HasErrors() {
			t.Fatal(diags)
		}
	}
	return list
}

// firstStart returns the first start.
func firstStart(t *testing.T, in *interp.Interp) rules.State {
	t.Helper()
	var first rules.State
	err := space.Starts(context.Background(), in, func(s rules.State) error {
		first = s.Clone()
		return space.ErrStop
	})
	if err != nil {
		t.Fatal(err)
	}
	return first
}

// TestExamples plays the example files at random, from their start and from any state.
func TestExamples(t *testing.T) {
	for _, sys := range examples(t) {
		t.Run(sys.Name, func(t *testing.T) {
			in := interp.New(sys)
			start := firstStart(t, in)
			rapid.Check(t, func(t *rapid.T) {
				m := compile(t, sys)
				walk(t, m, in, start, 20)
				walk(t, m, in, rulestest.State(sys, start.Total()).Draw(t, "state"), 5)
			})
		})
	}
}
