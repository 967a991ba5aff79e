package body

import (
	"slices"
	"strings"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/bind"
	"github.com/mancheck/mancheck/rules/build/term"
)

// GoesOn declares the variables of `go on`, if the variant uses it.
func (a *Actions) GoesOn() {
	moves := lists.Filter(ast.Items[*ast.Move](a.Game.Variant), func(m *ast.Move) bool {
		return len(bind.CarriedOut[*ast.GoOn](a.Game.Bound, m)) > 0
	})
	if len(moves) == 0 {
		return
	}
	a.Going = &going{as: rules.None, numbers: map[wayKey]int{}, first: map[*ast.Move]int{}, used: map[string]bool{notGoing: true}}
	// The second variable has no values before the ways are listed, and choices must not depend on
	// it.
	a.Game.Pending = goingAsName
	a.goingFrom(a.Going)
	for _, m := range moves {
		// The conditions of choices may depend on the way chosen, so they are resolved later.
		for player := range a.Game.Sys.Players {
			a.choices(m, m.Choices, a.choosing(m, player), choosing.make, func(c choosing) { a.Going.add(m, player, c.made) })
		}
		if first := a.Going.first[m]; first >= 0 && len(m.Choices) > first && m.Choices[first].ByLap() {
			a.Game.Run.Diags.Errorf(diag.Misplaced, m.Choices[first].Range, "the first pit of a later lap is that of `go on from`, so it is not chosen").
				WithHelp("choose the pit to begin with before `%s`", m.Choices[first].Name.Name)
		}
	}
	if len(a.Going.ways) > 1 {
		a.goingAs(a.Going)
	}
	a.Game.Pending = ""
}

// goingFrom declares the variable of the pit to go on from, which is any pit on some lap.
func (a *Actions) goingFrom(g *going) {
	g.pits = lists.Filter(num.Run(0, len(a.Game.Sys.Pits)), func(p int) bool {
		return slices.ContainsFunc(a.Game.Sys.Laps, func(l rules.Lap) bool { return slices.Contains(l.Pits, p) })
	})
	g.pit = a.goingVar(goingName, term.Type{Kind: term.PitKind}, rules.Var{
		Type: rules.PitType, Domain: append([]int{rules.None}, g.pits...), Init: rules.None,
	})
}

// goingAs declares the variable of the way.
func (a *Actions) goingAs(g *going) {
	names := []string{notGoing}
	names = append(names, lists.Map(g.ways, func(w *way) string { return w.name })...)
	a.Game.Enums[goingAsName] = names
	g.names = a.Game.EnumType(names)
	g.as = a.goingVar(goingAsName, term.Type{Kind: term.EnumKind, Enum: goingAsName}, rules.Var{
		Type: g.names, Domain: num.Run(0, len(names)),
	})
}

// goingVar declares a variable of `go on` and returns its index.
func (a *Actions) goingVar(name string, t term.Type, v rules.Var) int {
	if x := a.Game.Bound.Symbol(name); x != nil && len(x.Decls) > 0 {
		a.Game.Run.Diags.Errorf(diag.Duplicate, x.Decls[0], "`%s` has a meaning of its own in a variant with `go on`", name)
	}
	a.Game.Late[name] = len(a.Game.Vars)
	v.Name, v.At = name, a.Game.Variant.Name.Range
	a.Game.Sys.Vars = append(a.Game.Sys.Vars, v)
	a.Game.Vars = append(a.Game.Vars, term.StateVar{Name: name, Type: t, Table: []int{len(a.Game.Sys.Vars) - 1}})
	return len(a.Game.Sys.Vars) - 1
}

// add notes what a player chooses. Choices that differ only in the first pit are the same way.
func (g *going) add(m *ast.Move, player int, made []option) {
	first := slices.IndexFunc(made, func(o option) bool { return o.value.Type.Kind == term.PitKind }) // or noPit
	if old, ok := g.first[m]; ok && old != first {
		first = variousFirst
	}
	if g.first[m] = first; first < 0 {
		return
	}
	key := keyOf(m, first, made)
	n, ok := g.numbers[key]
	if !ok {
		name := g.free(strings.Join(append([]string{labelOf(m)}, otherChoices(m, made, first)...), "_"))
		g.ways = append(g.ways, &way{move: m, first: first, choices: map[int][]option{}, name: name})
		n = len(g.ways)
		g.numbers[key] = n
	}
	if w := g.ways[n-1]; w.choices[player] == nil {
		w.choices[player] = made
	}
}

// lapsOf makes the actions that continue a move: one for each way, each pit, and each way to make
// the choices of a lap.
func (a *Actions) lapsOf(m *ast.Move, player int) {
	if a.Going == nil {
		return
	}
	for i, w := range a.Going.ways {
		if w.move != m || w.choices[player] == nil {
			continue
		}
		for _, pit := range a.Going.pits {
			c := a.choosing(m, player)
			c.onward = true
			c.action.Guard = a.Going.is(pit, i+1)
			a.lap(w, pit, w.choices[player], c)
		}
	}
}

// lap makes the remaining choices of a later lap from a pit in every possible way. made has those
// of the first lap that are still to be made.
func (a *Actions) lap(w *way, pit int, made []option, c choosing) {
	if len(made) == 0 {
		a.finishAction(w.move, c)
		return
	}
	k := len(w.move.Choices) - len(made)
	ch, o := w.move.Choices[k], made[0]
	// The choice was made when the move began; its condition need not hold any more.
	o.cond = nil
	switch {
	case ch.EachLap:
		for _, o := range c.options(ch) {
			if a.tooMany(w.move) {
				return
			}
			a.lap(w, pit, made[1:], c.take(ch, o))
		}
		return
	case ch.Later != nil:
		o = c.later(ch, o)
	case k == w.first:
		o.value = term.PitValue(rules.FixedPit(pit))
		o.text = c.env.Game.Text(o.value)
		o.notation = ""
	}
	a.lap(w, pit, made[1:], c.make(ch, o))
}

// later is what a choice is in later laps that is made for the first lap only. It is of the type of
// what is chosen.
func (c choosing) later(ch *ast.Choice, like option) option {
	o := c.option(ch, ast.Option{Value: ch.Later})
	if got, want := o.value.Type, like.value.Type; got != want && got.Kind != term.BadKind && want.Kind != term.BadKind {
		c.env.Game.Run.Mismatch(ch.Later.Span(), want.String(), o.value)
	}
	return o
}

// Moves makes the actions of every move: for each player and each way to choose. Ways whose guard
// is false are left out. If all are, the body of one is still resolved, to find its mistakes.
func (a *Actions) Moves() {
	for _, item := range a.Game.Variant.Items {
		m := AsMove(item)
		if m == nil {
			continue
		}
		a.Game.Sys.Moves = append(a.Game.Sys.Moves, rules.Move{Label: labelOf(m), At: m.Range})
		if list := bind.CarriedOut[*ast.Prefer](a.Game.Bound, m); len(list) > 1 { // the rank would have two meanings
			a.Game.Run.Diags.Errorf(diag.Misplaced, list[1].Span(), "a second `prefer` in one move").
				WithHelp("write one `prefer`: `prefer 2*a + b` for both, or before it `let n = 0`, set in each branch, and then `prefer n`")
		}
		for _, ch := range m.Choices {
			if ch.ByLap() && len(bind.CarriedOut[*ast.GoOn](a.Game.Bound, m)) == 0 {
				a.Game.Run.Diags.Errorf(diag.Misplaced, ch.Range, "this move has no laps that a choice could stand for").
					WithHelp("it has if a statement of it is `go on from P`")
			}
		}
		var idle *choosing
		first := len(a.Game.Sys.Actions)
		for player := range a.Game.Sys.Players {
			a.choices(m, m.Choices, a.ordinary(m, player), choosing.take, func(c choosing) {
				a.Marks.survey(player, c.guard)
				if c.action.Guard == rules.False {
					idle = &c
				} else {
					a.finishAction(m, c)
				}
			})
			a.lapsOf(m, player)
		}
		if len(a.Game.Sys.Actions) == first && idle != nil {
			a.finishAction(m, *idle) // to report mistakes in its body
		}
	}
	if len(a.Game.Sys.Moves) == 0 && !a.Whole {
		a.Game.Run.Diags.Errorf(diag.Missing, a.Game.Variant.Name.Range, "variant `%s` has no move", a.Game.Variant.Name.Name).
			WithHelp("for example `move { choose p in my house where p > 0  sow p along ccw }`")
	}
}
