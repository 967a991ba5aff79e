package engines

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mancheck/mancheck/proofs/result"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
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

// TestLittleMemory: a solver that would take the memory of a search is asked after all rounds, and
// a search that it would come between goes on to its end.
func TestLittleMemory(t *testing.T) {
	for _, c := range []struct {
		memory int64
		want   string
	}{{forSolver, "forward 3200, forward 25600, forward 204800, solver, forward 0"}, {forSolver - 1, "forward 3200, forward 0, solver"}} {
		var order []string
		run := &Run{Ctx: t.Context(), Inst: &build.Instance{}, Sys: &rules.System{}, Incidents: new(Incidents)}
		run.Opt.MaxMemory, run.Opt.SolverSteps = c.memory, 1
		back := func(run *Run) (*result.Result, error) {
			return nil, run.Unknown(verdict.Backward, nil)
		}
		forth := func(run *Run) (*result.Result, error) {
			order = append(order, fmt.Sprintf("forward %d", run.Opt.MaxStates))
			return nil, run.Unknown(verdict.Forward, nil).More(run.Opt.MaxStates > 0)
		}
		solve := func(run *Run) (*result.Result, error) {
			order = append(order, "solver")
			return nil, run.Unknown(verdict.Induction, nil)
		}
		if _, err := InRounds(back, forth, solve, nil)(run); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(order, ", "); got != c.want {
			t.Errorf("%d bytes: %s", c.memory, got)
		}
	}
}
