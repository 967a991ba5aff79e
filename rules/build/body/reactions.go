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
		var when ast.Expr
		var verdict *ast.Verdict // of an ending
		var block []ast.Stmt
		of, kind, r := inReaction, rules.ReactionPlace, rules.Reaction{At: item.Span()}
		switch x := item.(type) {
		case *ast.Ending:
			if is, on := a.isRepeated(x.When); is {
				a.comesBack(x, on)
				continue
			}
			of, kind, r.AtTurnEnd, when, block, verdict = inEnding, rules.EndingPlace, x.AtTurnEnd, x.When, x.Body, &x.Verdict
		case *ast.Reaction:
			r.AtTurnEnd, when, block = x.AtTurnEnd, x.When, x.Body
		case *ast.Offer:
			a.offer(x)
			continue
		default:
			continue
		}
		misplaced(&a.Game.Run, block, of)
		for player := range a.Game.Sys.Players {
			e := a.after(player, of)
			var ends []rules.Stmt
			if verdict != nil {
				ends = single(rules.Stop{Outcome: e.env.Verdict(verdict, r.At)})
			}
			asked := e.Marks.ask(e.env, when, kind, rules.None)
			e.under, _ = asked.under(e.Marks, rules.None)
			by := rules.ReactionFor{When: asked.cond, Body: append(slices.Clip(e.block(block)), ends...)}
			if e.Marks != nil {
				by.When, by.Body = rules.True, append(asked.before, ifThen(asked.cond, append(asked.yes, by.Body...), asked.no)...)
			}
			by.Locals = *e.slots
			r.By = append(r.By, by)
		}
		a.Game.Sys.Reactions = append(a.Game.Sys.Reactions, r)
	}
}

// after begins a body that is carried out after a move, with a player to move.
func (a *Actions) after(player int, of stage) body {
	e := newBody(term.NewEnv(a.Game, term.InGuard), a.Bodies, of)
	e.env.Mover, e.env.Reacts = player, true
	return e
}

// repeated is the condition of the rule.
const repeated = "repeated"

// isRepeated reports whether a condition of an ending is that of the rule: `repeated`, or `repeated
// and E`. Where E does not hold, which is known before play, the rule is not on.
func (a *Actions) isRepeated(x ast.Expr) (is, on bool) {
	if b, joined := x.(*ast.Binary); joined && b.Op == "and" {
		if is, on = a.isRepeated(b.L); !is {
			return false, false
		}
		holds, known := term.ConstOf(term.NewEnv(a.Game, term.InDeclaration).Cond(b.R))
		if !known {
			a.Game.Run.Diags.Errorf(diag.NotConstant, b.R.Span(), "what stands beside `repeated` must be known before play").
				WithHelp("a parameter can turn the rule off: `repeated and not recorded`")
		}
		return true, on && holds != 0
	}
	n, named := x.(*ast.Name)
	return named && n.Name == repeated && a.Game.Bound.Ref(n, false).Kind == bind.WordName, true
}

// comesBack resolves `VERDICT when repeated`.
func (a *Actions) comesBack(x *ast.Ending, on bool) {
	if x.AtTurnEnd || x.Body != nil {
		a.Game.Run.Diags.Errorf(diag.Misplaced, x.Range, "`when repeated` stands alone").
			WithHelp("a position that comes back is looked at when all other endings were; `score` counts what lies on its board")
	}
	a.repetition(&x.Verdict, false, on, x.Range)
}

// offer resolves `offer VERDICT when repeated`.
func (a *Actions) offer(x *ast.Offer) {
	is, on := a.isRepeated(x.When)
	if !is {
		a.Game.Run.Diags.Errorf(diag.Misplaced, x.When.Span(), "an end of the game is offered only where a position comes back").
			WithHelp("write `when repeated`; a `move` with a `when` offers other endings")
		return
	}
	a.repetition(&x.Verdict, true, on, x.Range)
}

// repetition resolves the rule. The outcome may depend on who is to move. Claims may name it also
// where the rule is not on.
func (a *Actions) repetition(v *ast.Verdict, offered, on bool, at diag.Range) {
	if before := a.Game.Sys.Repetition; on && before != nil {
		a.Game.Run.Diags.Errorf(diag.Duplicate, at, "the rules say already what follows where a position comes back").WithNote(before.At, "here")
		return
	}
	rule := &rules.Repetition{Offered: offered, At: at}
	for player := range a.Game.Sys.Players {
		e := a.after(player, inEnding)
		rule.Outcome = append(rule.Outcome, e.env.Verdict(v, at))
	}
	if on {
		a.Game.Sys.Repetition = rule
	}
}

// Endless adds the outcome of a turn that goes on for ever. Every System has it last.
func (a *Actions) Endless() {
	a.Game.Sys.Outcomes = append(a.Game.Sys.Outcomes, rules.Outcome{Label: rules.EndlessLabel, Kind: rules.EndlessOutcome})
}
