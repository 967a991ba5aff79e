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
		var of stage
		var block []ast.Stmt
		r := rules.Reaction{At: item.Span()}
		switch x := item.(type) {
		case *ast.Ending:
			if a.isRepeated(x.When) {
				a.comesBack(x)
				continue
			}
			r.AtTurnEnd, block = x.AtTurnEnd, x.Body
			of = inEnding
			resolve = func(e *body) rules.ReactionFor { return e.ending(x) }
		case *ast.Reaction:
			r.AtTurnEnd, block = x.AtTurnEnd, x.Body
			of = inReaction
			resolve = func(e *body) rules.ReactionFor { return e.reaction(x) }
		case *ast.Offer:
			a.offer(x)
			continue
		default:
			continue
		}
		a.misplaced(block, of)
		for player := range a.sys.Players {
			e := newBody(newEnv(a.scope, inGuard), a.bodies, of)
			e.mover, e.reacts = player, true
			r.By = append(r.By, resolve(&e))
		}
		a.sys.Reactions = append(a.sys.Reactions, r)
	}
}

// stage is what statements are a part of, which decides what they may be.
type stage int

const (
	inMove stage = iota
	inReaction
	inEnding
)

// misplaced reports statements that make sense only in moves or only while the game goes on. Those
// of the procedures called are looked at with each call.
func (r *run) misplaced(list []ast.Stmt, of stage) {
	if of == inMove {
		return
	}
	message := "this has no meaning outside a move"
	if of == inEnding {
		message = "this has no meaning once the game is over"
	}
	for _, s := range list {
		ast.Inspect(s, func(n ast.Node) bool {
			switch n.(type) {
			case *ast.Again, *ast.Require, *ast.Prefer:
				r.diags.Errorf(diag.Misplaced, n.Span(), "%s", message)
			case *ast.Finish, *ast.MovesNext:
				if of == inEnding {
					r.diags.Errorf(diag.Misplaced, n.Span(), "%s", message).
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
