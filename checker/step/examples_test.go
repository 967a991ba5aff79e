package step_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/mancheck/mancheck/rules/build/buildtest"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/rulestest"
)

// TestExamples plays the example files at random, from their start and from any state.
func TestExamples(t *testing.T) {
	for _, sys := range buildtest.Systems(t, "../../examples/*.sow") {
		t.Run(sys.Name, func(t *testing.T) {
			in := interp.New(sys)
			start := buildtest.FirstStart(t, in)
			rapid.Check(t, func(t *rapid.T) {
				m := compile(t, sys)
				walk(t, m, in, start, 20)
				walk(t, m, in, rulestest.State(sys, start.Total()).Draw(t, "state"), 5)
			})
		})
	}
}
