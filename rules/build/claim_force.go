package build

import (
	"fmt"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules"
)

// Force asserts that a player can bring play to a state that satisfies Goal, whatever the others
// do. If Within is not negative, it must take no more than that many moves, counting those of all
// players.
type Force struct {
	Player int
	Goal   rules.Expr
	Within int
	From   Place
}

// Kind implements Property.
func (*Force) Kind() string { return "can force" }

// Asserts implements Property. It spells out the position, whose name may mean other states in
// other rules.
func (f *Force) Asserts(sys *rules.System) string {
	text := playerName(sys, f.Player) + " can force " + rules.ExactString(sys, f.Goal)
	if f.Within >= 0 {
		text += fmt.Sprintf(" within %d", f.Within)
	}
	return text + " from " + f.From.text(sys)
}

// force resolves `P can force E`.
func (e *assertion) force(p *ast.Force) Property {
	out := &Force{Goal: e.env.Cond(p.Goal), Within: e.optional(p.Within)}
	if !e.env.Game.TwoPlayers() {
		e.env.Game.Run.Diags.Errorf(diag.BadClause, p.Player.Range, "in a solitaire there is nobody to force anything on").WithHelp("write `reachable …`")
		return out
	}
	out.Player = e.env.Game.PlayerNamed(p.Player)
	if p.From != nil {
		out.From = e.place(p.From)
	}
	// A state is a start or not only in games that begin at the setup.
	if !out.From.Starts() && rules.AsksFor(out.Goal, rules.IsStart) {
		e.env.Game.Run.Diags.Errorf(diag.BadClause, p.Goal.Span(), "`start` has no meaning in what is forced from another position")
	}
	return out
}
