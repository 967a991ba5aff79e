package resolve

import (
	"slices"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules"
)

// What is done after a move: endings, reactions, and who wins.

// passLabel is the label of `pass when E`.
const passLabel = "pass"

// asMove is the move that an item stands for, or nil.
func asMove(item ast.Item) *ast.Move {
	switch x := item.(type) {
	case *ast.Move:
		return x
	case *ast.Pass:
		return &ast.Move{At: x.At, Documented: x.Documented, Label: &ast.Label{At: x.At, Text: passLabel}, When: x.When}
	}
	return nil
}

// reactions resolves endings and reactions, for each player who may be to move.
func (b *builder) reactions() {
	for _, item := range b.variant.Items {
		var resolve func(env) rules.ReactionFor
		r := rules.Reaction{At: item.Span()}
		switch x := item.(type) {
		case *ast.Ending:
			r.AtTurnEnd = x.AtTurnEnd
			b.misplaced(x.Body, "this has no meaning once the game is over", true)
			resolve = func(e env) rules.ReactionFor { return e.ending(x) }
		case *ast.Reaction:
			r.AtTurnEnd = x.AtTurnEnd
			b.misplaced(x.Body, "this has no meaning outside a move", false)
			resolve = func(e env) rules.ReactionFor { return e.reaction(x) }
		default:
			continue
		}
		for player := range b.sys.Players {
			e := b.env(inGuard)
			e.mover, e.reacts = player, true
			r.By = append(r.By, resolve(e))
		}
		b.sys.Reactions = append(b.sys.Reactions, r)
	}
}

// misplaced reports statements that have a meaning only in moves, or only while the game goes on.
func (b *builder) misplaced(body []ast.Stmt, message string, over bool) {
	for _, s := range body {
		ast.Inspect(s, func(n ast.Node) bool {
			switch n.(type) {
			case *ast.Again, *ast.Require, *ast.Prefer:
				b.diags.Errorf(diag.Misplaced, n.Span(), "%s", message)
			case *ast.Finish, *ast.MovesNext:
				if over {
					b.diags.Errorf(diag.Misplaced, n.Span(), "%s", message).
						WithHelp("a reaction, `when … { … }`, may say how the game goes on or ends")
				}
			}
			return true
		})
	}
}

func (e env) ending(x *ast.Ending) rules.ReactionFor {
	outcome := e.verdict(&x.Verdict, x.Range)
	out := rules.ReactionFor{When: e.cond(x.When)}
	out.Body = append(slices.Clip(e.block(x.Body)), rules.Stop{Outcome: outcome})
	out.Locals = *e.slots
	return out
}

func (e env) reaction(x *ast.Reaction) rules.ReactionFor {
	out := rules.ReactionFor{When: e.cond(x.When)}
	out.Body = e.block(x.Body)
	out.Locals = *e.slots
	return out
}
