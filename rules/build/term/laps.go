package term

import (
	"slices"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/bind"
)

// The kernel knows only fixed laps. A lap that depends on play is represented by all laps that it
// may be, each with a condition, and whatever goes along it is spelled out once for each of them.

// LapCase is a lap with the condition under which it is meant.
type LapCase struct {
	Cond rules.Expr
	Lap  int
}

// AnyLap means that no sowing, or more than one, determines the lap of `next`.
var AnyLap = SownAlong{Lap: -1}

// SownAlong is what a sowing went along: a fixed lap or, if cases is not nil, one that depends on
// play.
type SownAlong struct {
	Lap   int
	Cases *[]LapCase
}

func fixedLap(lap int) Value { return Value{Type: Type{Kind: LapKind}, Lap: lap} }

// ownLap resolves `my L`, `their L` or `L of P`. A player without such a lap is a mistake if named
// says that the rules name him here; otherwise the value is only the name.
func ownLap(e Env, x *ast.Of, owner rules.Expr, named bool) Value {
	player, known := ConstOf(owner)
	v := lapOfPlayer(e, x.Group, owner, x.Their)
	switch {
	case x.Their && len(e.Game.Sys.Players) != 2:
		e.Game.Run.Diags.Errorf(diag.Misplaced, x.Range, "`their %s` has a meaning only in games of two players", x.Group.Name).
			WithHelp("the lap of another player is `%s of %s`", x.Group.Name, e.Game.Sys.Players[len(e.Game.Sys.Players)-1])
		return Bad
	case len(v.Cases) == 0:
		e.Game.Run.Diags.Errorf(diag.Unknown, x.Range, "no player has a lap `%s` of their own", x.Group.Name).
			WithHelp("declare it with `ring %s of %s = …`", x.Group.Name, e.Game.Sys.Players[0])
		return Bad
	case !known:
		return v
	}
	for _, c := range v.Cases {
		if c.Cond == rules.True {
			return fixedLap(c.Lap)
		}
	}
	if !named {
		return Value{Type: v.Type, X: v.X, Cases: []LapCase{}}
	}
	e.Game.Run.Diags.Errorf(diag.Unknown, x.Range, "there is no such lap of that player").
		WithHelp("declare it with `ring %s of %s = …`", x.Group.Name, e.Game.Sys.Players[max(player, 0)])
	return Bad
}

// lapNamed resolves a lap by its name. If players have laps of that name and the mover is unknown,
// the value is only the name.
func lapNamed(e Env, name string, at diag.Range) Value {
	own := func(l rules.Lap) bool { return l.Name == name && l.Owner != rules.None }
	if e.Mover == anyMover && slices.ContainsFunc(e.Game.known(), own) {
		return Value{Type: Type{Kind: LapKind}, X: e.Game.fixedName(name)}
	}
	return lapCalled(e, name, at)
}

// lapCalled resolves the lap of this name: the mover's, if players have their own. If only others
// have one, the value is only the name, and a sowing along it is illegal.
func lapCalled(e Env, name string, at diag.Range) Value {
	others := -1
	for i, l := range e.Game.known() {
		if l.Name != name {
			continue
		}
		if l.Owner == rules.None || l.Owner == e.Mover {
			return fixedLap(i)
		}
		others = i
	}
	if others >= 0 && e.Mover == anyMover {
		e.Game.Run.Diags.Errorf(diag.Misplaced, at, "`%s` is a lap of each player, and the mover is not known here", name).
			WithHelp("say whose: `%s of %s`", name, e.Game.Sys.Players[0])
		return Bad
	}
	if others >= 0 {
		return Value{Type: Type{Kind: LapKind}, X: lapName(e, fixedLap(others)), Lap: others, Cases: []LapCase{}}
	}
	return e.mistake(diag.Unknown, at, "there is no lap `%s`", name)
}

// lapOfPlayer resolves `L of P`, or with their the lap of the other player, as cases by player.
func lapOfPlayer(e Env, name ast.Ident, owner rules.Expr, their bool) Value {
	v := Value{Type: Type{Kind: LapKind}}
	for player := range e.Game.Sys.Players {
		for i, l := range e.Game.known() {
			if l.Name == name.Name && l.Owner != rules.None && (l.Owner == player) != their {
				v.X = lapName(e, fixedLap(i))
				v.Cases = append(v.Cases, LapCase{Simple(rules.Binary{Op: rules.Eq, L: owner, R: rules.FixedPlayer(player)}), i})
			}
		}
	}
	return v
}

// CasesOf lists the laps that a value may be. The only case of a fixed lap has no condition. It is
// empty if the mover has no such lap, and nil after a mistake.
func CasesOf(e Env, v Value, at diag.Range) []LapCase {
	switch {
	case v.X == nil:
		return []LapCase{{rules.True, v.Lap}}
	case v.Cases != nil:
		return v.Cases
	}
	out := []LapCase{}
	for _, name := range e.Game.knownNames() {
		is := e.Game.sameName(v.X, e.Game.fixedName(name))
		if !has(e, name) || is == rules.False {
			continue
		}
		lap := lapCalled(e, name, at)
		if lap.Type.Kind == BadKind {
			return nil
		}
		out = append(out, LapCase{is, lap.Lap})
	}
	return out
}

// has reports whether the mover has a lap of this name, or may have one if the mover is unknown.
func has(e Env, name string) bool {
	return e.Mover == anyMover || slices.ContainsFunc(e.Game.known(), func(l rules.Lap) bool {
		return l.Name == name && (l.Owner == rules.None || l.Owner == e.Mover)
	})
}

// Latest lists the laps that the latest sowing may have gone along.
func Latest(e Env) []LapCase {
	if e.Lap.Cases != nil {
		return *e.Lap.Cases
	}
	return []LapCase{{rules.True, e.Lap.Lap}}
}

// ByLap returns what step gives for a lap that is one of several, or none if none of the conditions
// holds.
func ByLap(cases []LapCase, step func(lap int) rules.Expr) rules.Expr {
	out := rules.FixedPit(rules.None)
	for _, c := range slices.Backward(cases) {
		out = Simple(rules.Cond{If: c.Cond, Then: step(c.Lap), Else: out})
	}
	return out
}

// afterSowing reports a word about a sowing at a place where nothing can have been sown.
func afterSowing(e Env, word string, at diag.Range) {
	if !e.Sown {
		e.Game.Run.Diags.Errorf(diag.Misplaced, at, "`%s` has no meaning here: nothing has been sown yet", word)
	}
}

// listLaps adds the names of all laps to a message about an unknown name, if it has no suggestion.
func listLaps(e Env, found diag.List) {
	if len(found) != 1 || found[0].Code != diag.Unknown || found[0].Help != "" {
		return
	}
	if names := e.Game.Bound.Reach(bind.LapName); len(names) > 0 {
		found[0].WithHelp("the laps are %s", bind.List(names))
	}
}

// SownLap is the name under which a relay finds the lap of its first sowing. It begins with a blank
// so that no rules can use it.
var SownLap = &bind.Symbol{Name: " lap"}
