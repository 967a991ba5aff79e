package resolve

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules"
)

// The names that `go on` declares, and the value of the second one where nobody has to go on.
const (
	goingName   = "going"
	goingAsName = "going_as"
	notGoing    = "first"
)

// going is how a variant goes on from one lap of a relay to the next: the variables that remember
// it, and the ways to make the moves that go on.
type going struct {
	pit  int // the variable of the pit to go on from
	as   int // the variable of the way, or rules.None if there is one way only
	pits []int
	ways []*way
}

// way is one way to make the choices of a move other than its first pit.
type way struct {
	move  *ast.Move
	first int              // the choice of the first pit
	by    map[int][]option // for each player, all choices; that of the first pit is one of several
	name  string
}

// goesOn declares what `go on` stands for, if the variant has it.
func (b *builder) goesOn() {
	g := &going{as: rules.None}
	for _, item := range b.variant.Items {
		m, ok := item.(*ast.Move)
		if !ok {
			continue
		}
		if list := ast.All[*ast.GoOn](m); len(list) > 0 {
			b.waysOf(m, list[0], g)
			b.going = g
		}
	}
	if b.going == nil {
		return
	}
	for p := range b.sys.Pits {
		if slices.ContainsFunc(b.sys.Laps, func(l rules.Lap) bool { return onLap(l, p) }) {
			g.pits = append(g.pits, p)
		}
	}
	g.pit = b.goingVar(goingName, typ{kind: kPit}, rules.Var{
		Kind: rules.PitVar, Domain: append([]int{rules.None}, g.pits...), Init: rules.None,
	})
	if len(g.ways) > 1 {
		names := []string{notGoing}
		for _, w := range g.ways {
			names = append(names, w.name)
		}
		b.enums[goingAsName] = names
		g.as = b.goingVar(goingAsName, typ{kind: kEnum, enum: goingAsName}, rules.Var{
			Kind: rules.EnumVar, Domain: upTo(0, len(names)-1), Enum: names,
		})
	}
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

// waysOf lists the ways of a move. Mistakes in its choices are reported when its actions are made.
func (b *builder) waysOf(m *ast.Move, at *ast.GoOn, g *going) {
	kept := b.diags
	b.diags = &diag.List{}
	defer func() { b.diags = kept }()
	found := map[string]*way{}
	for player := range b.sys.Players {
		b.choices(m, m.Choices, b.choosing(m, player), func(c choosing) {
			first := slices.IndexFunc(c.made, func(o option) bool { return o.value.typ.kind == kPit })
			if first < 0 {
				return
			}
			key := strings.Join(otherChoices(c.made, first), "\x00")
			w := found[key]
			if w == nil {
				w = &way{move: m, first: first, by: map[int][]option{}, name: g.free(strings.Join(append([]string{labelOf(m)}, otherChoices(c.made, first)...), "_"))}
				found[key] = w
				g.ways = append(g.ways, w)
			}
			if w.by[player] == nil {
				w.by[player] = c.made
			}
		})
	}
	if len(found) == 0 && !b.diags.HasErrors() {
		kept.Errorf(diag.Misplaced, at.Range, "this move chooses no pit that another could take the place of").
			WithHelp("`go on from P` makes the same move with P in the place of the first pit chosen")
	}
}

// otherChoices is what tells the ways of a move apart: all choices but the first pit.
func otherChoices(made []option, first int) []string {
	var parts []string
	for i, o := range made {
		if i != first {
			parts = append(parts, o.text)
		}
	}
	return parts
}

// free is a name that no other way has.
func (g *going) free(name string) string {
	taken := func(name string) bool {
		return name == notGoing || slices.ContainsFunc(g.ways, func(w *way) bool { return w.name == name })
	}
	free := name
	for k := 2; taken(free); k++ {
		free = fmt.Sprintf("%s_%d", name, k)
	}
	return free
}

// is is the condition that the variables of `go on` have these values.
func (g *going) is(pit, as int) rules.Expr {
	cond := rules.Expr(rules.Binary{Op: rules.Eq, L: rules.VarAt(g.pit), R: rules.Const{Value: pit}})
	if g.as != rules.None && pit != rules.None {
		cond = rules.Join(rules.And, cond, rules.Binary{Op: rules.Eq, L: rules.VarAt(g.as), R: rules.Const{Value: as}})
	}
	return cond
}

// set gives the variables of `go on` values.
func (g *going) set(pit rules.Expr, as int, at diag.Range) []rules.Stmt {
	out := one(rules.Set{To: rules.VarAt(g.pit), X: pit, At: at})
	if g.as != rules.None {
		out = append(out, rules.Set{To: rules.VarAt(g.as), X: rules.Const{Value: as}, At: at})
	}
	return out
}

// goOn spells out `go on from P`: the pit and the way are remembered, and the mover moves again.
func (e *env) goOn(s *ast.GoOn) []rules.Stmt {
	switch e.way {
	case noWay:
		return nil
	case 0:
		e.diags.Errorf(diag.Misplaced, s.Range, "`go on` has a meaning only in a move")
		return nil
	}
	var out []rules.Stmt
	pit := e.settle(e.pit(s.From), &out)
	e.settle(seedsAt(pit, s.Range), &out) // a fault if there is no such pit
	out = append(out, e.going.set(pit, e.way, s.Range)...)
	return append(out, rules.Again(e.mover))
}

// lapsOf makes the actions that go on with a move: one for each way and each pit.
func (b *builder) lapsOf(m *ast.Move, player int) {
	if b.going == nil {
		return
	}
	for i, w := range b.going.ways {
		if w.move != m || w.by[player] == nil {
			continue
		}
		for _, pit := range b.going.pits {
			c := b.choosing(m, player)
			c.env.onward = true
			c.action.Guard = b.going.is(pit, i+1)
			for k, ch := range m.Choices {
				o := w.by[player][k]
				o.cond = nil
				if k == w.first {
					o.value = pitValue(rules.Const{Value: pit})
					o.text = c.env.text(o.value)
					o.notation = ""
				}
				c = c.make(ch, o)
			}
			b.finishAction(m, c)
		}
	}
}

// noWay stands for the way of a move whose choices have mistakes.
const noWay = -1

// wayOf is the number of the way that has been chosen, from 1 on, or noWay.
func (c choosing) wayOf(m *ast.Move) int {
	g := c.env.going
	if g == nil {
		return noWay
	}
	for i, w := range g.ways {
		made := w.by[c.action.Mover]
		if w.move == m && made != nil && slices.Equal(otherChoices(made, w.first), otherChoices(c.made, w.first)) {
			return i + 1
		}
	}
	return noWay
}
