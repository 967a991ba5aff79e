// No build server runs in a browser, and the libraries for this format are large.

//go:build !js

package report

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"

	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/numeral"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/board"
)

// sarifSteps is how many moves of a play a code flow shows at either end: GitHub takes a thousand
// places of a finding, and refuses a log that has one with ten thousand.
const sarifSteps = 400

// sarifFlows are the plays that come with a verdict.
func sarifFlows(r *proofs.Result, claim diag.Range) []*sarif.CodeFlow {
	var out []*sarif.CodeFlow
	add := func(t *rules.Trace, title string) {
		if t == nil {
			return
		}
		flow := sarifFlow(t, claim)
		if title != "" {
			flow.WithMessage(sarifMessage(title))
		}
		out = append(out, flow)
	}
	add(r.Trace, "")
	if r.Other != nil {
		add(r.Other, r.Words().Pair.Other)
	}
	add(r.StepCounterexample, "why the claim is not inductive; this refutes nothing")
	return out
}

// sarifFlow is a play as the places of the rules that it goes through: the claim, and then the move
// that is made, with the board it leads to.
func sarifFlow(t *rules.Trace, claim diag.Range) *sarif.CodeFlow {
	flow := sarif.NewThreadFlow()
	step := func(n int, at diag.Range, text string) {
		place := cmp.Or(sarifPlace(at), sarifPlace(claim))
		location := sarif.NewLocation().WithMessage(sarifMessage(text))
		if place != nil {
			location.WithPhysicalLocation(place)
		}
		flow.AddLocation(sarif.NewThreadFlowLocation().WithLocation(location).WithExecutionOrder(n))
	}
	step(0, claim, "start\n"+board.Draw(t.System, t.Start, board.Options{}))
	before := t.Start
	for n, s := range t.Steps {
		if far := len(t.Steps) - sarifSteps; n == sarifSteps && n < far {
			step(n+1, claim, fmt.Sprintf("… %s", numeral.Count(int64(far-n), "more move")))
		}
		if n < sarifSteps || n >= len(t.Steps)-sarifSteps {
			title := strings.TrimSpace(fmt.Sprintf("%d. %s  %s", n+1, s.Move, s.Label))
			step(n+1, movePlace(t.System, s.Label), title+"\n"+board.Draw(t.System, s.State, board.Options{Before: &before}))
		}
		before = s.State
	}
	return sarif.NewCodeFlow().AddThreadFlow(flow)
}

// movePlace is where the move that labels a step is declared, if there is just one.
func movePlace(sys *rules.System, label string) diag.Range {
	found := -1
	for _, a := range sys.Actions {
		if a.Label != label {
			continue
		}
		if found >= 0 && found != a.Move {
			return diag.Range{}
		}
		found = a.Move
	}
	if found < 0 {
		return diag.Range{}
	}
	return sys.Moves[found].At
}
