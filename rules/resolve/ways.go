package resolve

import (
	"slices"
	"strings"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules"
)

// goesOn declares what `go on` stands for, if the variant has it.
func (b *builder) goesOn() {
	var moves []*ast.Move
	for _, item := range b.variant.Items {
		if m, ok := item.(*ast.Move); ok && len(ast.All[*ast.GoOn](m)) > 0 {
			moves = append(moves, m)
		}
	}
	if len(moves) == 0 {
		return
	}
	b.going = &going{as: rules.None, numbers: map[wayKey]int{}, first: map[*ast.Move]int{}, used: map[string]bool{notGoing: true}}
	b.goingFrom(b.going)
	for _, m := range moves {
		b.waysOf(m, b.going)
	}
	if len(b.going.ways) > 1 {
		b.goingAs(b.going)
	}
	b.going.listed = true
}

// goingFrom declares the variable of the pit to go on from.
func (b *builder) goingFrom(g *going) {
	for p := range b.sys.Pits {
		if slices.ContainsFunc(b.sys.Laps, func(l rules.Lap) bool { return onLap(l, p) }) {
			g.pits = append(g.pits, p)
		}
	}
	g.pit = b.goingVar(goingName, typ{kind: kPit}, rules.Var{
		Type: rules.PitType, Domain: append([]int{rules.None}, g.pits...), Init: rules.None,
	})
}

// goingAs declares the variable of the way.
func (b *builder) goingAs(g *going) {
	names := []string{notGoing}
	for _, w := range g.ways {
		names = append(names, w.name)
	}
	b.enums[goingAsName] = names
	g.names = b.enumType(names)
	g.as = b.goingVar(goingAsName, typ{kind: kEnum, enum: goingAsName}, rules.Var{
		Type: g.names, Domain: upTo(0, len(names)-1),
	})
}

// goingVar declares a variable of `go on`.
func (b *builder) goingVar(name string, t typ, v rules.Var) int {
	if _, taken := b.names[name]; taken {
		b.diags.Errorf(diag.Duplicate, b.declared[name], "`%s` has a meaning of its own in a variant with `go on`", name)
	}
	b.names[name] = entity{kind: entVar, index: len(b.vars)}
	v.Name, v.At = name, b.variant.Name.Range
	b.sys.Vars = append(b.sys.Vars, v)
	b.vars = append(b.vars, stateVar{name: name, typ: t, table: []int{len(b.sys.Vars) - 1}})
	return len(b.sys.Vars) - 1
}

// waysOf lists the ways of a move. The conditions of its choices may ask which way was chosen, so
// they are resolved only when the actions are made.
func (b *builder) waysOf(m *ast.Move, g *going) {
	for player := range b.sys.Players {
		b.choices(m, m.Choices, b.choosing(m, player), choosing.make, func(c choosing) {
			g.add(m, player, c.made)
		})
	}
}

// add notes what a player chooses, with the first pit as one of several.
func (g *going) add(m *ast.Move, player int, made []option) {
	first := firstPit(made)
	if old, ok := g.first[m]; ok && old != first {
		first = variousFirst
	}
	if g.first[m] = first; first < 0 {
		return
	}
	key := keyOf(m, first, made)
	n, ok := g.numbers[key]
	if !ok {
		name := g.free(strings.Join(append([]string{labelOf(m)}, otherChoices(made, first)...), "_"))
		g.ways = append(g.ways, &way{move: m, first: first, choices: map[int][]option{}, name: name})
		n = len(g.ways)
		g.numbers[key] = n
	}
	if w := g.ways[n-1]; w.choices[player] == nil {
		w.choices[player] = made
	}
}

// lapsOf makes the actions that go on with a move: one for each way and each pit.
func (b *builder) lapsOf(m *ast.Move, player int) {
	if b.going == nil {
		return
	}
	for i, w := range b.going.ways {
		if w.move != m || w.choices[player] == nil {
			continue
		}
		for _, pit := range b.going.pits {
			c := b.choosing(m, player)
			c.env.onward = true
			c.action.Guard = b.going.is(pit, i+1)
			for k, ch := range m.Choices {
				o := w.choices[player][k]
				o.cond = nil
				if k == w.first {
					o.value = pitValue(rules.FixedPit(pit))
					o.text = c.env.text(o.value)
					o.notation = ""
				}
				c = c.make(ch, o)
			}
			b.finishAction(m, c)
		}
	}
}

// moves makes every move into its actions: for each player, for each way to choose. A way that its
// guard never allows is left out; the body is resolved with such a way only if there is no other.
func (b *builder) moves() {
	for _, item := range b.variant.Items {
		m := asMove(item)
		if m == nil {
			continue
		}
		b.sys.Moves = append(b.sys.Moves, rules.Move{Label: labelOf(m), At: m.Range})
		b.onePrefer(m)
		var idle *choosing
		first := len(b.sys.Actions)
		for player := range b.sys.Players {
			b.choices(m, m.Choices, b.ordinary(m, player), choosing.take, func(c choosing) {
				if c.action.Guard == rules.False {
					idle = &c
				} else {
					b.finishAction(m, c)
				}
			})
			b.lapsOf(m, player)
		}
		if len(b.sys.Actions) == first && idle != nil {
			b.finishAction(m, *idle) // for the mistakes in its body
		}
	}
	if len(b.sys.Moves) == 0 && !b.whole {
		b.diags.Errorf(diag.Missing, b.variant.Name.Range, "variant `%s` has no move", b.variant.Name.Name)
	}
}
