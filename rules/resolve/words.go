package resolve

import (
	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules"
)

// words resolves local names, and words of the language that are values by themselves.
type words struct {
	laps
	locals *local
	reacts bool // `no move` has a meaning
	falls  bool // `no other move` has a meaning
}

// local is one local name, linked to those of the blocks around it.
type local struct {
	name  string
	value value
	slot  int     // -1 for a fixed value
	use   *letUse // of a pit; else nil
	outer *local
}

// read returns the value of the name.
func (l *local) read() value {
	if l.slot < 0 {
		return l.value
	}
	v := l.value
	v.x, v.use = rules.LocalAt(l.slot), l.use
	return v
}

// bind gives a name a fixed value.
func (e *words) bind(name string, v value) {
	e.locals = &local{name: name, value: named(v), slot: -1, outer: e.locals}
}

// find returns the local called name, or nil.
func (e words) find(name string) *local {
	for l := e.locals; l != nil; l = l.outer {
		if l.name == name {
			return l
		}
	}
	return nil
}

// reach lists every name that may have been meant, for suggestions.
func (e words) reach() []string {
	var names []string
	for n := range e.names {
		names = append(names, n)
	}
	for l := e.locals; l != nil; l = l.outer {
		names = append(names, l.name)
	}
	for _, values := range e.enums {
		names = append(names, values...)
	}
	names = append(names, namesOf(e.spareLaps)...)
	for _, r := range e.spareRelations {
		names = append(names, r.Name)
	}
	if e.place == inClaim {
		for _, o := range e.sys.Outcomes {
			names = append(names, o.Label)
		}
		for _, p := range e.unit.Positions {
			names = append(names, p.Name.Name)
		}
		names = append(names, "stuck", "finished", "start")
	}
	return names
}

// unknown reports an unknown name.
func (e words) unknown(name string, at diag.Range) value {
	if name == e.pending && name != "" {
		e.diags.Errorf(diag.Circular, at, "`%s` cannot be used here: its values depend on the choices themselves", name).
			WithHelp("restrict the choice with `where`")
		return bad
	}
	d := e.diags.Errorf(diag.Unknown, at, "unknown name `%s`", name)
	if help := foreignNames[name]; help != "" {
		d.WithHelp("%s", help)
		return bad
	}
	suggest(d, name, e.reach())
	return bad
}

// foreignNames has names of other languages, with what to write instead.
var foreignNames = map[string]string{
	"all": "`capture p into Q` and `sow p along LAP` take all seeds of p", "everything": "`capture p into Q` takes all seeds of p",
	"null": "write `none`", "nil": "write `none`", "nothing": "write `none` for no pit, 0 for no seeds", "zero": "write 0",
	"me": "write `mover`", "player": "write `mover`, or `P in player` for each player", "self": "write `mover`", "current": "write `mover`", "other": "write `opponent`",
	"yes": "write `true`", "no": "write `false`", "board": "all pits are `pit`",
}

// word resolves the words of the language. ok is false for other names.
func (e words) word(name string, at diag.Range) (value, bool) {
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

// claimWord resolves the words that have a meaning only in claims.
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

// moverValue is the player to move: a constant while an action of a known player is resolved.
func (e words) moverValue(at diag.Range) value {
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

// opponentValue is the other player of two.
func (e words) opponentValue(at diag.Range) value {
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

// sowingWord resolves `last` or `origin`: a register in a body, a ghost in a claim about steps.
func (e words) sowingWord(name string, at diag.Range) value {
	if e.step != nil {
		return e.step.word(name, at)
	}
	e.afterSowing(name, at)
	return pitValue(register(name, at))
}

// paramValue is the value of a parameter. An open one may be read only in setups and claims,
// because the rest of the System would differ with its value.
func (e words) paramValue(i int, at diag.Range) value {
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

// wins resolves `P wins` in a claim: P has won by the outcome, or by the score where the outcome
// leaves it to that.
func (e words) wins(x *ast.Wins) value {
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

// noMove resolves `no move` or `no other move`.
func (e words) noMove(x *ast.NoMove) value {
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
