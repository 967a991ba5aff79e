package engines

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
		d := &Run{Opt: c.given}
		if got := d.shortly().Opt; got.SolverTimeout != c.want.SolverTimeout || got.SolverSteps != c.want.SolverSteps {
			t.Errorf("%+v: %+v", c.given, got)
		}
	}
}
