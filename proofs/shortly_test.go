package proofs

import (
	"testing"
	"time"
)

// TestShortly: time does not matter if steps are counted.
func TestShortly(t *testing.T) {
	for _, c := range []struct{ given, want Options }{
		{Options{}, Options{SolverTimeout: shortTime}},
		{Options{SolverTimeout: time.Second}, Options{SolverTimeout: time.Second}},
		{Options{SolverTimeout: time.Hour}, Options{SolverTimeout: shortTime}},
		{Options{SolverSteps: 1}, Options{SolverSteps: 1}},
		{Options{SolverSteps: 1, SolverTimeout: time.Hour}, Options{SolverSteps: 1, SolverTimeout: time.Hour}},
	} {
		d := &decision{opt: c.given}
		if got := d.shortly().opt; got.SolverTimeout != c.want.SolverTimeout || got.SolverSteps != c.want.SolverSteps {
			t.Errorf("%+v: %+v", c.given, got)
		}
	}
}
