package resolve

import (
	"slices"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/bind"
)

// The kernel knows only fixed laps. A lap that depends on play is represented by all laps that it
// may be, each with a condition, and whatever goes along it is spelled out once for each of them.

// lapCase is a lap with the condition under which it is meant; nil means always.
type lapCase struct {
	cond rules.Expr
	lap  int
}

// anyLap means that no sowing, or more than one, determines the lap of `next`.
var anyLap = sownAlong{lap: -1}

// sownAlong is what a sowing went along: a fixed lap or, if cases is not nil, one that depends on
// play.
type sownAlong struct {
	lap   int
	cases *[]lapCase
}

// laps resolves laps, with what is known of the sowing before an expression.
type laps struct {
	conversions
	sown bool      // a sowing may have happened, so `last` may have a value
	lap  sownAlong // of the latest sowing, or anyLap
}

func fixedLap(lap int) value { return value{typ: typ{kind: kLap}, lap: lap} }

// ownLap resolves `my L`, `their L` or `L of P`. A player without such a lap is a mistake if named
// says that the rules name him here; otherwise the value is only the name.
func (e laps) ownLap(x *ast.Of, owner rules.Expr, named bool) value {
	player, known := constOf(owner)
	v := e.lapOfPlayer(x.Group, owner, x.Their)
	switch {
	case x.Their && len(e.sys.Players) != 2:
		e.diags.Errorf(diag.Misplaced, x.Range, "`their %s` has a meaning only in games of two players", x.Group.Name).
			WithHelp("the lap of another player is `%s of %s`", x.Group.Name, e.sys.Players[len(e.sys.Players)-1])
		return bad
	case len(v.cases) == 0:
		e.diags.Errorf(diag.Unknown, x.Range, "no player has a lap `%s` of their own", x.Group.Name).
			WithHelp("declare it with `ring %s of %s = …`", x.Group.Name, e.sys.Players[0])
		return bad
	case !known:
		return v
	}
	for _, c := range v.cases {
		if c.cond == rules.True {
			return fixedLap(c.lap)
		}
	}
	if !named {
		return value{typ: v.typ, x: v.x, cases: []lapCase{}}
	}
	e.diags.Errorf(diag.Unknown, x.Range, "there is no such lap of that player").
		WithHelp("declare it with `ring %s of %s = …`", x.Group.Name, e.sys.Players[max(player, 0)])
	return bad
}

// lapNamed resolves a lap by its name. If players have laps of that name and the mover is unknown,
// the value is only the name.
func (e laps) lapNamed(name string, at diag.Range) value {
	own := func(l rules.Lap) bool { return l.Name == name && l.Owner != rules.None }
	if e.mover == anyMover && slices.ContainsFunc(e.known(), own) {
		return value{typ: typ{kind: kLap}, x: e.fixedName(name)}
	}
	return e.lapCalled(name, at)
}

// lapCalled resolves the lap of this name: the mover's, if players have their own. If only others
// have one, the value is only the name, and a sowing along it is illegal.
func (e laps) lapCalled(name string, at diag.Range) value {
	others := -1
	for i, l := range e.known() {
		if l.Name != name {
			continue
		}
		if l.Owner == rules.None || l.Owner == e.mover {
			return fixedLap(i)
		}
		others = i
	}
	if others >= 0 && e.mover == anyMover {
		e.diags.Errorf(diag.Misplaced, at, "`%s` is a lap of each player, and the mover is not known here", name).
			WithHelp("say whose: `%s of %s`", name, e.sys.Players[0])
		return bad
	}
	if others >= 0 {
		return value{typ: typ{kind: kLap}, x: e.lapName(fixedLap(others)), lap: others, cases: []lapCase{}}
	}
	e.diags.Errorf(diag.Unknown, at, "there is no lap `%s`", name)
	return bad
}

// lapOfPlayer resolves `L of P`, or with their the lap of the other player, as cases by player.
func (e laps) lapOfPlayer(name ast.Ident, owner rules.Expr, their bool) value {
	v := value{typ: typ{kind: kLap}}
	for player := range e.sys.Players {
		for i, l := range e.known() {
			if l.Name == name.Name && l.Owner != rules.None && (l.Owner == player) != their {
				v.x = e.lapName(fixedLap(i))
				v.cases = append(v.cases, lapCase{simple(rules.Binary{Op: rules.Eq, L: owner, R: rules.FixedPlayer(player)}), i})
			}
		}
	}
	return v
}

// casesOf lists the laps that a value may be. The only case of a fixed lap has no condition. It is
// empty if the mover has no such lap, and nil after a mistake.
func (e laps) casesOf(v value, at diag.Range) []lapCase {
	switch {
	case v.x == nil:
		return []lapCase{{lap: v.lap}}
	case v.cases != nil:
		return v.cases
	}
	out := []lapCase{}
	for _, name := range e.knownNames() {
		is := e.sameName(v.x, e.fixedName(name))
		if !e.has(name) || is == rules.False {
			continue
		}
		lap := e.lapCalled(name, at)
		if lap.typ.kind == kBad {
			return nil
		}
		out = append(out, lapCase{is, lap.lap})
	}
	return out
}

// has reports whether the mover has a lap of this name, or may have one if the mover is unknown.
func (e laps) has(name string) bool {
	return e.mover == anyMover || slices.ContainsFunc(e.known(), func(l rules.Lap) bool {
		return l.Name == name && (l.Owner == rules.None || l.Owner == e.mover)
	})
}

// latest lists the laps that the latest sowing may have gone along.
func (e laps) latest() []lapCase {
	if e.lap.cases != nil {
		return *e.lap.cases
	}
	return []lapCase{{lap: e.lap.lap}}
}

// byLap returns what step gives for a lap that is one of several, or none if none of the conditions
// holds.
func byLap(cases []lapCase, step func(lap int) rules.Expr) rules.Expr {
	if len(cases) == 1 && cases[0].cond == nil {
		return step(cases[0].lap)
	}
	out := rules.FixedPit(rules.None)
	for _, c := range slices.Backward(cases) {
		out = simple(rules.Cond{If: c.cond, Then: step(c.lap), Else: out})
	}
	return out
}

// afterSowing reports a word about a sowing at a place where nothing can have been sown.
func (e laps) afterSowing(word string, at diag.Range) {
	if !e.sown {
		e.diags.Errorf(diag.Misplaced, at, "`%s` has no meaning here: nothing has been sown yet", word)
	}
}

// listLaps adds the names of all laps to a message about an unknown name, if it has no suggestion.
func (e laps) listLaps(found diag.List) {
	if len(found) != 1 || found[0].Code != diag.Unknown || found[0].Help != "" {
		return
	}
	if names := e.bound.Reach(bind.LapName); len(names) > 0 {
		found[0].WithHelp("the laps are %s", bind.List(names))
	}
}

// sownLap is the name under which a relay finds the lap of its first sowing. It begins with a blank
// so that no rules can use it.
var sownLap = &bind.Symbol{Name: " lap"}
