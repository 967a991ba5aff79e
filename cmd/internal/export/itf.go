package export

import (
	"strconv"

	"github.com/mancheck/mancheck/cmd/internal/report"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/board"
)

// Names of what a trace in ITF has besides pits, variables and the player to move. No pit has such
// a name.
const (
	itfMove    = "mancheck::move"    // that led to the state; empty in the first one
	itfOutcome = "mancheck::outcome" // empty while the game goes on
	itfMover   = "mover"             // in games of several players
)

// ITF returns a play as a trace in the Informal Trace Format of Apalache and Quint (ADR 015 of
// Apalache). Each pit is a variable. If the last state is an earlier one, the play goes round from
// there: the trace has it once, and its `loop` says where it goes on.
func ITF(t *rules.Trace) report.Object {
	sys := t.System
	vars := []string{}
	vars = append(vars, lists.Map(sys.Pits, func(p rules.Pit) string { return p.Name })...)
	vars = append(vars, lists.Map(sys.Vars, func(v rules.Var) string { return v.Name })...)
	if len(sys.Players) > 1 {
		vars = append(vars, itfMover)
	}
	list, loop := t.States(), t.Loop()
	if loop >= 0 {
		list = list[:len(list)-1]
	}
	states := []report.Object{}
	for i, s := range list {
		move := ""
		if i > 0 {
			move = t.Steps[i-1].Move
		}
		states = append(states, itfState(sys, s, i, move))
	}
	meta := report.Object{
		{Name: "format", Value: "ITF"},
		{Name: "format-description", Value: "https://apalache-mc.org/docs/adr/015adr-trace.html"},
		{Name: "description", Value: "a play of " + sys.Name},
		{Name: "variant", Value: sys.Name},
		{Name: "params", Value: board.ParamsJSON(sys)},
	}
	return report.Object{
		{Name: "#meta", Value: meta.If(t.Claim != "", "claim", t.Claim)},
		{Name: "vars", Value: append(vars, itfOutcome, itfMove)},
		{Name: "states", Value: states},
	}.If(loop >= 0, "loop", loop)
}

func itfState(sys *rules.System, s rules.State, index int, move string) report.Object {
	out := report.Object{{Name: "#meta", Value: report.Object{{Name: "index", Value: index}}}}
	for i, p := range sys.Pits {
		out = out.With(p.Name, itfNumber(s.Seeds[i]))
	}
	for i := range sys.Vars {
		v := board.Value(sys, &sys.Vars[i], s.Vars[i])
		if n, is := v.(int); is {
			v = itfNumber(n)
		}
		out = out.With(sys.Vars[i].Name, v)
	}
	if len(sys.Players) > 1 {
		out = out.With(itfMover, sys.ValueName(rules.PlayerType, s.Mover))
	}
	outcome := ""
	if !s.Live() {
		outcome = sys.OutcomeName(s.Outcome)
	}
	return out.With(itfOutcome, outcome).With(itfMove, move)
}

// itfNumber is a number as ITF has it, of any size.
func itfNumber(n int) report.Object {
	return report.Object{{Name: "#bigint", Value: strconv.Itoa(n)}}
}
