package body

import (
	"slices"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/bind"
	"github.com/mancheck/mancheck/rules/build/term"
)

// What is done after a move: endings and reactions.

// Reactions resolves endings and reactions, once for each player who may be to move.
func (a *Actions) Reactions() {
	for _, item := range a.Game.Variant.Items {
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
		misplaced(&a.Game.Run, block, of)
		for player := range a.Game.Sys.Players {
			e := newBody(term.NewEnv(a.Game, term.InGuard), a.Bodies, of)
			e.env.Mover, e.env.Reacts = player, true
			r.By = append(r.By, resolve(&e))
		}
		a.Game.Sys.Reactions = append(a.Game.Sys.Reactions, r)
	}
}

// ending resolves an ending for the player to move: its body, then the outcome.
func (e *body) ending(x *ast.Ending) rules.ReactionFor {
	outcome := e.env.Verdict(&x.Verdict, x.Range)
	out := rules.ReactionFor{When: e.env.Cond(x.When)}
	out.Body = append(slices.Clip(e.block(x.Body)), rules.Stop{Outcome: outcome})
	out.Locals = *e.slots
	return out
}

// reaction resolves a reaction for the player to move.
func (e *body) reaction(x *ast.Reaction) rules.ReactionFor {
	out := rules.ReactionFor{When: e.env.Cond(x.When)}
	out.Body = e.block(x.Body)
	out.Locals = *e.slots
	return out
}

// repeated is the condition of the rule.
const repeated = "repeated"

// isRepeated reports whether a condition of an ending is that of the rule.
func (a *Actions) isRepeated(x ast.Expr) bool {
	n, is := x.(*ast.Name)
	return is && n.Name == repeated && a.Game.Bound.Ref(n, false).Kind == bind.WordName
}

// comesBack resolves `VERDICT when repeated`.
func (a *Actions) comesBack(x *ast.Ending) {
	if x.AtTurnEnd || x.Body != nil {
		a.Game.Run.Diags.Errorf(diag.Misplaced, x.Range, "`when repeated` stands alone").
			WithHelp("a position that comes back is looked at when all other endings were; `score` counts what lies on its board")
	}
	a.repetition(&x.Verdict, false, x.Range)
}

// offer resolves `offer VERDICT when repeated`.
func (a *Actions) offer(x *ast.Offer) {
	if !a.isRepeated(x.When) {
		a.Game.Run.Diags.Errorf(diag.Misplaced, x.When.Span(), "an end of the game is offered only where a position comes back").
			WithHelp("write `when repeated`; a `move` with a `when` offers other endings")
		return
	}
	a.repetition(&x.Verdict, true, x.Range)
}

// repetition resolves the rule. The outcome may depend on who is to move.
func (a *Actions) repetition(v *ast.Verdict, offered bool, at diag.Range) {
	if before := a.Game.Sys.Repetition; before != nil {
		d := a.Game.Run.Diags.Errorf(diag.Duplicate, at, "the rules say already what follows where a position comes back")
		d.Notes = []diag.Note{{Range: before.At, Message: "here"}}
		return
	}
	rule := &rules.Repetition{Offered: offered, At: at}
	for player := range a.Game.Sys.Players {
		e := newBody(term.NewEnv(a.Game, term.InGuard), a.Bodies, inEnding)
		e.env.Mover, e.env.Reacts = player, true
		rule.Outcome = append(rule.Outcome, e.env.Verdict(v, at))
	}
	a.Game.Sys.Repetition = rule
}

// Endless adds the outcome of a turn that goes on for ever. Every System has it last.
func (a *Actions) Endless() {
	a.Game.Sys.Outcomes = append(a.Game.Sys.Outcomes, rules.Outcome{Label: rules.EndlessLabel, Kind: rules.EndlessOutcome})
}
