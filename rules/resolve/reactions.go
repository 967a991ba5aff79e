package resolve

import (
	"slices"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules"
)

// What is done after a move: endings and reactions.

// reactions resolves endings and reactions, once for each player who may be to move.
func (a *actions) reactions() {
	for _, item := range a.variant.Items {
		var resolve func(*body) rules.ReactionFor
		r := rules.Reaction{At: item.Span()}
		switch x := item.(type) {
		case *ast.Ending:
			if a.isRepeated(x.When) {
				a.comesBack(x)
				continue
			}
			r.AtTurnEnd = x.AtTurnEnd
			a.misplaced(x.Body, "this has no meaning once the game is over", true)
			resolve = func(e *body) rules.ReactionFor { return e.ending(x) }
		case *ast.Reaction:
			r.AtTurnEnd = x.AtTurnEnd
			a.misplaced(x.Body, "this has no meaning outside a move", false)
			resolve = func(e *body) rules.ReactionFor { return e.reaction(x) }
		case *ast.Offer:
			a.offer(x)
			continue
		default:
			continue
		}
		for player := range a.sys.Players {
			e := newBody(newEnv(a.scope, inGuard), a.bodies)
			e.mover, e.reacts = player, true
			r.By = append(r.By, resolve(&e))
		}
		a.sys.Reactions = append(a.sys.Reactions, r)
	}
}

// misplaced reports statements that make sense only in moves or, with over, only while the game
// goes on.
func (a *actions) misplaced(body []ast.Stmt, message string, over bool) {
	for _, s := range body {
		ast.Inspect(s, func(n ast.Node) bool {
			switch n.(type) {
			case *ast.Again, *ast.Require, *ast.Prefer:
				a.diags.Errorf(diag.Misplaced, n.Span(), "%s", message)
			case *ast.Finish, *ast.MovesNext:
				if over {
					a.diags.Errorf(diag.Misplaced, n.Span(), "%s", message).
						WithHelp("a reaction, `when … { … }`, may say how the game goes on or ends")
				}
			}
			return true
		})
	}
}

// ending resolves an ending for the player to move: its body, then the outcome.
func (e *body) ending(x *ast.Ending) rules.ReactionFor {
	outcome := e.verdict(&x.Verdict, x.Range)
	out := rules.ReactionFor{When: e.cond(x.When)}
	out.Body = append(slices.Clip(e.block(x.Body)), rules.Stop{Outcome: outcome})
	out.Locals = *e.slots
	return out
}

// reaction resolves a reaction for the player to move.
func (e *body) reaction(x *ast.Reaction) rules.ReactionFor {
	out := rules.ReactionFor{When: e.cond(x.When)}
	out.Body = e.block(x.Body)
	out.Locals = *e.slots
	return out
}
