package term

import (
	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/bind"
)

// Local is one local name, linked to those of the blocks around it.
type Local struct {
	Symbol *bind.Symbol
	Value  Value
	Slot   int     // -1 for a fixed value
	Use    *LetUse // of a pit; else nil
	Outer  *Local
}

// read returns the value of the name.
func (l *Local) read() Value {
	if l.Slot < 0 {
		return l.Value
	}
	v := l.Value
	v.X, v.use = rules.LocalAt(l.Slot), l.Use
	return v
}

// Bind gives a local name a fixed value.
func (e *Env) Bind(s *bind.Symbol, v Value) {
	v.spelled = false // using a name does not write out a pit
	e.Locals = &Local{Symbol: s, Value: v, Slot: -1, Outer: e.Locals}
}

// Find returns the local of a symbol, or nil.
func (e Env) Find(s *bind.Symbol) *Local {
	for l := e.Locals; l != nil && s != nil; l = l.Outer {
		if l.Symbol == s {
			return l
		}
	}
	return nil
}

// Ref returns what a name stands for.
func (e Env) Ref(n ast.Node) bind.Ref { return e.Game.Bound.Ref(n, e.Place == InClaim) }

// Symbol returns the symbol of a name that the node around it binds.
func (e Env) Symbol(name *ast.Ident) *bind.Symbol { return e.Ref(name).Symbol }

// Unknown reports a name that stands for nothing, or not yet.
func (e Env) Unknown(ref bind.Ref, at diag.Range) Value {
	switch {
	case ref.Mistake != nil:
		*e.Game.Run.Diags = append(*e.Game.Run.Diags, *ref.Mistake)
		return Bad
	case ref.Name == e.Game.Pending && ref.Name != "":
		e.Game.Run.Diags.Errorf(diag.Circular, at, "`%s` cannot be used here: its values depend on the choices themselves", ref.Name).
			WithHelp("restrict the choice with `where`")
		return Bad
	}
	d := e.Game.Run.Diags.Errorf(diag.Unknown, at, "unknown name `%s`", ref.Name)
	switch {
	case ref.Symbol != nil && len(ref.Symbol.Decls) > 0:
		d.WithHelp("`%s` has no meaning before its declaration", ref.Name).WithNote(ref.Symbol.Decls[0], "declared here")
	case ref.Kind == bind.WordName:
		d.WithHelp("this word has no meaning here")
	}
	return Bad
}

// fixedWords have the words of the language that always have the same value, and claimWords those
// that have one in claims.
var (
	fixedWords = map[string]Value{
		"true": truth(rules.True), "false": truth(rules.False), "none": PitValue(rules.FixedPit(rules.None)), "empty": Number(rules.Number(0)),
	}
	claimWords = map[string]Value{
		"stuck": truth(rules.IsStuck), "start": truth(rules.IsStart), "finished": truth(rules.Not{X: rules.HasOutcome(rules.Live)}),
	}
)

// word resolves the words of the language. ok is false for other names.
func (e Env) word(name string, at diag.Range) (v Value, ok bool) {
	switch name {
	case "last", "origin":
		return e.SowingWord(name, at), true
	case "mover":
		return e.moverValue(at), true
	case "opponent":
		return e.opponentValue(at), true
	}
	if v, ok = fixedWords[name]; !ok && e.Place == InClaim {
		v, ok = claimWords[name]
	}
	return v, ok
}

// moverValue is the player to move: a constant while an action of a known player is resolved.
func (e Env) moverValue(at diag.Range) Value {
	v := Value{Type: Type{Kind: PlayerKind}, X: rules.Mover}
	switch {
	case !e.Game.TwoPlayers():
		return e.mistake(diag.Misplaced, at, "`mover` has no meaning in a solitaire")
	case e.Place == InDeclaration || e.Place == InSetup:
		return e.mistake(diag.Misplaced, at, "nobody is to move here")
	case e.Mover != anyMover:
		v.X = rules.FixedPlayer(e.Mover)
	}
	return v
}

// opponentValue is the other player of two.
func (e Env) opponentValue(at diag.Range) Value {
	if len(e.Game.Sys.Players) != 2 {
		return e.mistake(diag.Misplaced, at, "`opponent` has a meaning only in games of two players")
	}
	v := e.moverValue(at)
	if v.Type.Kind == BadKind {
		return v
	}
	is := func(p int) rules.Expr { return rules.Binary{Op: rules.Eq, L: v.X, R: rules.FixedPlayer(p)} }
	v.X = Simple(rules.Cond{
		If: is(0), Then: rules.FixedPlayer(1),
		Else: rules.Cond{If: is(1), Then: rules.FixedPlayer(0), Else: rules.FixedPlayer(rules.None)},
	})
	return v
}

// SowingWord resolves `last` or `origin`: a register in a body, a ghost in a claim about steps.
func (e Env) SowingWord(name string, at diag.Range) Value {
	if e.Step != nil {
		return e.Step.word(name, at)
	}
	afterSowing(e, name, at)
	return PitValue(register(name, at))
}

// paramValue is the value of a parameter. An open one may be read only in setups and claims,
// because the rest of the System would differ with its value.
func (e Env) paramValue(i int, at diag.Range) Value {
	p := e.Game.Sys.Params[i]
	switch {
	case p.Bool:
		return truth(rules.Truth(p.Value != 0))
	case !p.Open:
		return Number(rules.Number(p.Value))
	case e.Place == InSetup || e.Place == InClaim:
		return Number(rules.OpenParam{Param: i})
	}
	e.Game.Run.Diags.Errorf(diag.BadClause, opened(e.Game, p.Name, at), "`%s` is read outside the setup, so a claim cannot leave it open", p.Name).
		WithHelp("use `for %s in a..b` to check several values one by one", p.Name).WithNote(at, "read here")
	return Bad
}

// wins resolves `P wins` in a claim: P has won by the outcome, or by the score where the outcome
// leaves it to that.
func (e Env) wins(x *ast.Wins) Value {
	if e.Place != InClaim {
		return e.mistake(diag.Misplaced, x.Range, "`%s wins` is a condition only in claims", x.Player.Name)
	}
	if !e.Game.TwoPlayers() {
		e.Game.Run.Diags.Errorf(diag.Misplaced, x.Range, "a solitaire has no players with names").
			WithHelp("an outcome's label is true in states finished with it")
		return Bad
	}
	p := e.Game.PlayerNamed(x.Player)
	if p == rules.None {
		return Bad
	}
	return truth(e.Game.Sys.HasWon(p))
}

// noMove resolves `no move` or `no other move`.
func (e Env) noMove(x *ast.NoMove) Value {
	switch {
	case x.Other && !e.Falls:
		e.Game.Run.Diags.Errorf(diag.Misplaced, x.Range, "`no other move` has a meaning only in the `when` of a move").
			WithHelp("elsewhere it is `no move`")
	case !x.Other && e.Falls:
		e.Game.Run.Diags.Errorf(diag.Misplaced, x.Range, "a move cannot ask whether there is a move").
			WithHelp("write `no other move` for one that is made only where there is no other")
	case !x.Other && !e.Reacts && e.Place != InClaim:
		e.Game.Run.Diags.Errorf(diag.Misplaced, x.Range, "`no move` has a meaning only in endings, reactions and claims")
	}
	return truth(rules.NoMove)
}
