package report

import (
	"fmt"
	"strings"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"

	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/board"
)

// sarifFlow is a play as the places of the rules that it goes through: the claim, and then the move that is made, with the board it
// leads to.
func sarifFlow(t *rules.Trace, claim diag.Range) *sarif.CodeFlow {
	flow := sarif.NewThreadFlow()
	step := func(n int, at diag.Range, text string) {
		place := sarifPlace(at)
		if place == nil {
			place = sarifPlace(claim)
		}
		location := sarif.NewLocation().WithMessage(sarifMessage(text))
		if place != nil {
			location.WithPhysicalLocation(place)
		}
		flow.AddLocation(sarif.NewThreadFlowLocation().WithLocation(location).WithExecutionOrder(n))
	}
	step(0, claim, "start\n"+board.Draw(t.System, t.Start, board.Options{}))
	before := t.Start
	for n, s := range t.Steps {
		title := strings.TrimSpace(fmt.Sprintf("%d. %s  %s", n+1, s.Move, s.Label))
		step(n+1, movePlace(t.System, s.Label), title+"\n"+board.Draw(t.System, s.State, board.Options{Before: &before}))
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
