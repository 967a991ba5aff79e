package resolve

import (
	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules"
)

// name resolves a name or a word with a meaning of its own; inner names hide outer ones.
func (e env) name(name string, at diag.Range) value {
	if l := e.find(name); l != nil {
		return e.localValue(l)
	}
	if v, ok := e.word(name, at); ok {
		return v
	}
	if ent, ok := e.names[name]; ok {
		return e.entity(ent, name, at)
	}
	for _, values := range e.enums {
		for _, v := range values {
			if v == name {
				return value{typ: typ{kind: kEnumName}, name: name}
			}
		}
	}
	if e.place == inClaim {
		return e.claimName(name, at)
	}
	return e.unknown(name, at)
}

func (e env) localValue(l *local) value {
	if l.slot < 0 {
		return l.value
	}
	v := l.value
	v.x, v.use = rules.LocalAt(l.slot), l.use
	return v
}

// word resolves the language's own words.
func (e env) word(name string, at diag.Range) (value, bool) {
	switch name {
	case "true":
		return truth(rules.True), true
	case "false":
		return truth(rules.False), true
	case "none":
		return pitValue(rules.FixedPit(rules.None)), true
	case "empty":
		return number(rules.Number(0)), true
	case "last", "origin":
		return e.sowingWord(name, at), true
	case "mover":
		return e.moverValue(at), true
	case "opponent":
		return e.opponentValue(at), true
	}
	if e.place == inClaim {
		return claimWord(name)
	}
	return value{}, false
}

func claimWord(name string) (value, bool) {
	switch name {
	case "stuck":
		return truth(rules.IsStuck), true
	case "start":
		return truth(rules.IsStart), true
	case "finished":
		return truth(rules.Not{X: rules.HasOutcome(rules.Live)}), true
	}
	return value{}, false
}

func (e env) moverValue(at diag.Range) value {
	v := value{typ: typ{kind: kPlayer}, x: rules.Mover}
	switch {
	case !e.twoPlayers():
		e.diags.Errorf(diag.Misplaced, at, "`mover` has no meaning in a solitaire")
		return bad
	case e.place == inDeclaration || e.place == inSetup:
		e.diags.Errorf(diag.Misplaced, at, "nobody is to move here")
		return bad
	case e.mover != anyMover:
		v.x = rules.FixedPlayer(e.mover)
	}
	return v
}

// sowingWord is `last` or `origin`.
func (e env) sowingWord(name string, at diag.Range) value {
	if e.inStep {
		return e.ghostWord(name, at)
	}
	e.afterSowing(name, at)
	return pitValue(register(name, at))
}

// register is a register that a word of the language stands for.
func register(name string, at diag.Range) rules.Expr {
	reg := map[string]rules.Cell{"last": rules.Last, "origin": rules.Origin, "last was": rules.LastWas}[name]
	reg.At = at
	return reg
}

// afterSowing reports a word that speaks of a sowing where nothing can have been sown.
func (e env) afterSowing(word string, at diag.Range) {
	if !e.sown {
		e.diags.Errorf(diag.Misplaced, at, "`%s` has no meaning here: nothing has been sown yet", word)
	}
}

func (e env) entity(ent entity, name string, at diag.Range) value {
	switch ent.kind {
	case entParam:
		return e.paramValue(ent.index, at)
	case entPlayer:
		return value{typ: typ{kind: kPlayer}, x: rules.FixedPlayer(ent.index)}
	case entPit:
		return spelled(rules.FixedPit(ent.index))
	case entGroup:
		return value{typ: typ{kind: kSet}, set: e.group(ent.index), spelled: true}
	case entLap:
		return e.lapNamed(name, at)
	case entDefine:
		return e.defined(ent.index, nil, &ast.Name{At: ast.At{Range: at}, Name: name})
	case entRelation:
		e.diags.Errorf(diag.Arity, at, "`%s` leads from pits to pits: say from which, `%[1]s(…)`", name)
		return bad
	}
	return e.varValue(e.vars[ent.index], nil, name, at)
}

func (e env) paramValue(i int, at diag.Range) value {
	p := e.sys.Params[i]
	switch {
	case p.Bool:
		return truth(rules.Truth(p.Value != 0))
	case !p.Open:
		return number(rules.Number(p.Value))
	case e.place == inSetup || e.place == inClaim:
		return number(rules.OpenParam{Param: i})
	}
	d := e.diags.Errorf(diag.BadClause, e.opened(p.Name, at), "`%s` is read outside the setup, so a claim cannot leave it open", p.Name).
		WithHelp("use `for %s in a..b` to check several values one by one", p.Name)
	d.Notes = []diag.Note{{Range: at, Message: "read here"}}
	return bad
}

// opened is where the claim leaves a parameter open; without a claim that does it is at.
func (b *builder) opened(param string, at diag.Range) diag.Range {
	if b.claim == nil {
		return at
	}
	for _, c := range b.claim.Clauses {
		switch c := c.(type) {
		case *ast.ForAll:
			if c.Name.Name == param {
				return c.Name.Range
			}
		case *ast.ForSome:
			if c.Name.Name == param {
				return c.Name.Range
			}
		}
	}
	return at
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
