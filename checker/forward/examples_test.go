package forward

import (
	"testing"

	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/rules/build/buildtest"
)

// load resolves the first variant of an example file.
func load(t *testing.T, file string, params map[string]string) (*rules.System, Starts) {
	t.Helper()
	given := build.Settings{}
	for name, text := range params {
		v, err := build.ParseValue(text)
		if err != nil {
			t.Fatal(err)
		}
		given[name] = v
	}
	sys := buildtest.System(t, buildtest.File(t, "../../examples/"+file), given)
	return sys, startsOf(sys)
}

// TestRulesFiles pins the same state spaces as TestKalah and TestSolitaire from the rules files.
func TestRulesFiles(t *testing.T) {
	sys, starts := load(t, "kalah.sow", map[string]string{"m": "4", "n": "2", "empty_capture": "false"})
	if s := explore(t, sys, starts, Query{Depth: true}, Options{}).Stats; s.States != 303314 || s.Transitions != 685555 || s.Depth != 28 {
		t.Errorf("kalah: %+v", s)
	}
	sys, starts = load(t, "kalah.sow", map[string]string{"m": "3", "n": "3", "empty_capture": "true"})
	if s := explore(t, sys, starts, Query{}, Options{}).Stats; s.States != 23104 || s.Transitions != 43115 || s.Depth != 21 {
		t.Errorf("kalah with empty capture: %+v", s)
	}
	sys, starts = load(t, "dose2015.sow", map[string]string{"n": "4", "stones": "9"})
	r := explore(t, sys, starts, Query{Goal: rules.HasOutcome(sys.OutcomeNamed("SR006"))}, Options{})
	if r.Stop != limit.Found || len(r.Trace.Actions) != 19 {
		t.Errorf("solitaire: %v, %+v, want a selection and 18 rounds", r.Stop, r.Trace)
	}
}
