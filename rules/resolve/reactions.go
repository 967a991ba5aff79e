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

// noMove is `no move` or `no other move`.
func (e env) noMove(x *ast.NoMove) value {
	switch {
	case x.Other && !e.falls:
		e.diags.Errorf(diag.Misplaced, x.Range, "`no other move` has a meaning only in the `when` of a move").
			WithHelp("elsewhere it is `no move`")
	case !x.Other && e.falls:
		e.diags.Errorf(diag.Misplaced, x.Range, "a move cannot ask whether there is a move").
			WithHelp("write `no other move` for one that is made only where there is no other")
	case !x.Other && !e.reacts && e.place != inClaim:
		e.diags.Errorf(diag.Misplaced, x.Range, "`no move` has a meaning only in endings, reactions and claims")
	}
	return truth(rules.NoMove)
}

// opponentValue is the other one of two players.
func (e env) opponentValue(at diag.Range) value {
	if len(e.sys.Players) != 2 {
		e.diags.Errorf(diag.Misplaced, at, "`opponent` has a meaning only in games of two players")
		return bad
	}
	v := e.moverValue(at)
	if v.typ.kind == kBad {
		return v
	}
	is := func(p int) rules.Expr { return rules.Binary{Op: rules.Eq, L: v.x, R: rules.FixedPlayer(p)} }
	v.x = simple(rules.Cond{
		If: is(0), Then: rules.FixedPlayer(1),
		Else: rules.Cond{If: is(1), Then: rules.FixedPlayer(0), Else: rules.FixedPlayer(rules.None)},
	})
	return v
}

// movesNext says who is to move, in one case for each player.
func (e env) movesNext(s *ast.MovesNext) []rules.Stmt {
	v := e.expr(s.Player)
	if v.typ.kind != kPlayer {
		e.mismatch(s.Player.Span(), "a player", v)
		return nil
	}
	var out []rules.Stmt
	if _, known := constOf(v.x); !known {
		v.x = e.settle(v.typ, v.x, &out)
	}
	var chain rules.Stmt
	for p := range slices.Backward(e.sys.Players) {
		next := rules.Again(p)
		is := simple(rules.Binary{Op: rules.Eq, L: v.x, R: rules.FixedPlayer(p)})
		switch {
		case is == rules.True:
			return one(next)
		case is == rules.False:
		case chain == nil:
			chain = next
		default:
			chain = rules.If{Cond: is, Then: one(next), Else: one(chain)}
		}
	}
	return append(out, chain)
}

// verdict is the outcome that a verdict gives.
func (e env) verdict(v *ast.Verdict, at diag.Range) int {
	kind, winner := endingKinds[v.Kind], rules.None
	switch {
	case v.Player == nil && e.twoPlayers() && (v.Kind == ast.Win || v.Kind == ast.Lose):
		e.diags.Errorf(diag.Misplaced, at, "`%s` does not say who wins: there are several players", v.Kind).
			WithHelp("write `mover %ss` or `opponent %[1]ss`, or name the player", v.Kind)
	case v.Player == nil && v.Kind == ast.Win:
		winner = 0
	case v.Player != nil && !e.twoPlayers():
		e.diags.Errorf(diag.Misplaced, v.Player.Range, "a solitaire has no player of that name").WithHelp("write `%s`", v.Kind)
	case v.Player != nil:
		kind, winner = rules.WinOutcome, e.winner(v)
	}
	return e.outcome(v, kind, winner, at)
}

// winner is the player who wins by `P wins` or `P loses`.
func (e env) winner(v *ast.Verdict) int {
	p := rules.None
	switch who := v.Player; who.Name {
	case "mover":
		p, _ = constOf(e.moverValue(who.Range).x)
	case "opponent":
		p, _ = constOf(e.opponentValue(who.Range).x)
	default:
		p = e.playerNamed(ast.Ident{At: who.At, Name: who.Name})
	}
	if v.Kind != ast.Lose || p == rules.None {
		return p
	}
	if len(e.sys.Players) != 2 {
		e.diags.Errorf(diag.Misplaced, v.Player.Range, "`loses` does not say who wins: there are more than two players").
			WithHelp("write who `wins`")
		return rules.None
	}
	return 1 - p
}

var endingKinds = map[ast.EndingKind]rules.OutcomeKind{
	ast.Win: rules.WinOutcome, ast.Lose: rules.LoseOutcome, ast.Draw: rules.DrawOutcome, ast.End: rules.EndOutcome,
}

// outcome finds or makes an outcome. Without a label it is named after its word.
func (b *builder) outcome(v *ast.Verdict, kind rules.OutcomeKind, winner int, at diag.Range) int {
	name := v.Kind.String()
	if kind == rules.WinOutcome {
		if name = rules.WinLabel; winner == rules.None {
			return 0 // reported
		}
	}
	if v.Label != nil {
		name, at = v.Label.Text, v.Label.Range
	}
	if name == rules.EndlessLabel || name == rules.StuckLabel {
		b.diags.Errorf(diag.Duplicate, at, "`%s` has a meaning of its own and cannot label an outcome", name)
	}
	if slices.Contains(b.sys.Players, name) {
		b.diags.Errorf(diag.Duplicate, at, "`%s` is a player and cannot label an outcome", name).
			WithHelp("`%s wins` says that this player wins", name)
	}
	made := rules.Outcome{Label: name, Kind: kind, Winner: winner, At: at}
	for i, o := range b.sys.Outcomes {
		switch {
		case o.Label == name && o.Kind != kind:
			d := b.diags.Errorf(diag.Duplicate, at, "outcome `%s` is both a `%s` and another ending", name, v.Kind)
			d.Notes = append(d.Notes, diag.Note{Range: o.At, Message: "the other one"})
			return i
		case o.Label == name && o.Winner == winner:
			return i
		case o.Label != name && b.sys.OutcomeName(i) == nameOf(b.sys, made):
			b.diags.Errorf(diag.Duplicate, at, "there are two outcomes that are written `%s`", b.sys.OutcomeName(i))
		}
	}
	b.sys.Outcomes = append(b.sys.Outcomes, made)
	return len(b.sys.Outcomes) - 1
}

func nameOf(sys *rules.System, o rules.Outcome) string {
	with := rules.System{Players: sys.Players, Outcomes: []rules.Outcome{o}}
	return with.OutcomeName(0)
}

// wins is `P wins` in a claim: P has won by the outcome, or by the score where that decides.
func (e env) wins(x *ast.Wins) value {
	if e.place != inClaim {
		e.diags.Errorf(diag.Misplaced, x.Range, "`%s wins` is a condition only in claims", x.Player.Name)
		return bad
	}
	if !e.twoPlayers() {
		e.diags.Errorf(diag.Misplaced, x.Range, "a solitaire has no players with names").
			WithHelp("an outcome's label is true in states finished with it")
		return bad
	}
	p := e.playerNamed(x.Player)
	if p == rules.None {
		return bad
	}
	return truth(e.sys.HasWon(p))
}

// hasLabel holds in the states finished with some outcome of this label.
func (b *builder) hasLabel(label string) (x rules.Expr, known bool) {
	x = rules.False
	for _, o := range b.sys.OutcomesLabelled(label) {
		x, known = rules.Join(rules.Or, x, rules.HasOutcome(o)), true
	}
	return x, known
}
