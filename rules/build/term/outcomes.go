package term

import (
	"slices"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules"
)

// Verdict is the outcome that a verdict gives.
func (e Env) Verdict(v *ast.Verdict, at diag.Range) int {
	kind, winner := endingKinds[v.Kind], rules.None
	switch {
	case v.Player == nil && e.Game.TwoPlayers() && (v.Kind == ast.Win || v.Kind == ast.Lose):
		d := e.Game.Run.Diags.Errorf(diag.Misplaced, at, "`%s` does not say who wins: there are several players", v.Kind).
			WithHelp("write `mover %ss` or `opponent %[1]ss`, or name the player", v.Kind)
		if v.Label != nil && slices.Contains(e.Game.Sys.Players, v.Label.Text) {
			d.WithHelp("the player stands before it: write `%s %ss`", v.Label.Text, v.Kind)
		}
	case v.Player == nil && v.Kind == ast.Win:
		winner = 0
	case v.Player != nil && !e.Game.TwoPlayers():
		e.Game.Run.Diags.Errorf(diag.Misplaced, v.Player.Range, "a solitaire has no player of that name").WithHelp("write `%s`", v.Kind)
	case v.Player != nil:
		kind, winner = rules.WinOutcome, e.winner(v)
	}
	return e.Game.outcome(v, kind, winner, at)
}

// winner returns the player who wins by `P wins` or `P loses`.
func (e Env) winner(v *ast.Verdict) int {
	p := rules.None
	switch who := v.Player; who.Name {
	case "mover":
		p, _ = ConstOf(e.moverValue(who.Range).X)
	case "opponent":
		p, _ = ConstOf(e.opponentValue(who.Range).X)
	default:
		p = e.Game.PlayerNamed(ast.Ident{At: who.At, Name: who.Name})
	}
	if v.Kind != ast.Lose || p == rules.None {
		return p
	}
	if len(e.Game.Sys.Players) != 2 {
		e.Game.Run.Diags.Errorf(diag.Misplaced, v.Player.Range, "`loses` does not say who wins: there are more than two players").
			WithHelp("write who `wins`")
		return rules.None
	}
	return 1 - p
}

var endingKinds = map[ast.EndingKind]rules.OutcomeKind{
	ast.Win: rules.WinOutcome, ast.Lose: rules.LoseOutcome, ast.Draw: rules.DrawOutcome, ast.End: rules.EndOutcome,
}

// outcome finds or adds an outcome and returns its index. Without a label it is named after its
// word.
func (s *Scope) outcome(v *ast.Verdict, kind rules.OutcomeKind, winner int, at diag.Range) int {
	name := v.Kind.String()
	if kind == rules.WinOutcome {
		if name = rules.WinLabel; winner == rules.None {
			return 0 // the mistake was reported
		}
	}
	if v.Label != nil {
		name, at = v.Label.Text, v.Label.Range
	}
	if name == rules.EndlessLabel || name == rules.StuckLabel {
		s.Run.Diags.Errorf(diag.Duplicate, at, "`%s` has a meaning of its own and cannot label an outcome", name)
	}
	if slices.Contains(s.Sys.Players, name) {
		s.Run.Diags.Errorf(diag.Duplicate, at, "`%s` is a player and cannot label an outcome", name).
			WithHelp("`%s wins` says that this player wins", name)
	}
	made := rules.Outcome{Label: name, Kind: kind, Winner: winner, At: at}
	for i, o := range s.Sys.Outcomes {
		switch {
		case o.Label == name && o.Kind != kind:
			s.Run.Diags.Errorf(diag.Duplicate, at, "outcome `%s` is both a `%s` and another ending", name, v.Kind).WithNote(o.At, "the other one")
			return i
		case o.Label == name && o.Winner == winner:
			return i
		case o.Label != name && s.Sys.OutcomeName(i) == nameOf(s.Sys, made):
			s.Run.Diags.Errorf(diag.Duplicate, at, "there are two outcomes that are written `%s`", s.Sys.OutcomeName(i))
		}
	}
	s.Sys.Outcomes = append(s.Sys.Outcomes, made)
	return len(s.Sys.Outcomes) - 1
}

// nameOf returns the name that an outcome would have in sys.
func nameOf(sys *rules.System, o rules.Outcome) string {
	with := rules.System{Players: sys.Players, Outcomes: []rules.Outcome{o}}
	return with.OutcomeName(0)
}
