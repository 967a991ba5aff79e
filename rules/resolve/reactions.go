package resolve

import (
	"slices"

	"github.com/mancheck/mancheck/dsl/ast"
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
