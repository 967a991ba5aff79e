package judge

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mancheck/mancheck/dsl/ast"
)

// goingOn implements `go on` by variables, as docs/language.md describes it: one holds the pit to
// go on from, and another one holds the way if there are several.
type goingOn struct {
	pit        []int // by move: the number of the choice that is the first of a pit; -1 in moves that do not go on
	ways       []way
	slot, kept int // of the variables; kept is none if there is one way
}

// way is a move that goes on, with what it chose for all laps beside its first pit.
type way struct {
	move int
	text string
}

// readGoingOn looks for moves that go on, and declares the variables if there are any. A move
// without any choice can never be made, so it need not choose a pit.
func (g *game) readGoingOn() {
	on := &goingOn{kept: none}
	any := false
	for i, m := range g.moves {
		pit := -1
		goes := len(carries[*ast.GoOn](g.defs, m)) > 0
		if !goes && slices.ContainsFunc(m.Choices, (*ast.Choice).ByLap) {
			wrongf("a move that does not go on has one lap")
		}
		if goes {
			any = true
			made := false
			if pit, made = g.waysOf(on, i, m); pit < 0 && made {
				wrongf("a move that goes on chooses a pit")
			}
		}
		on.pit = append(on.pit, pit)
	}
	if !any {
		return
	}
	for _, name := range []string{"going", "going_as"} {
		_, group := g.groups[name]
		_, param := g.params[name]
		if group || param || g.decls[name] != nil {
			wrongf("%s has a meaning of its own here", name)
		}
	}
	t := slot{kind: pitKind, first: whole(none)}
	for _, l := range g.laps {
		for _, p := range l.pits {
			if !l.spare && !slices.Contains(t.pits, p) {
				t.pits = append(t.pits, p)
			}
		}
	}
	on.slot = g.addVar("going", t)
	if len(on.ways) > 1 {
		t := slot{kind: enumKind, of: "going_as", enum: []string{"first"}}
		for _, w := range on.ways {
			t.enum = append(t.enum, g.nameOf(w, t.enum))
		}
		g.enums["going_as"] = t.enum
		on.kept = g.addVar("going_as", t)
	}
	g.goingOn = on
}

// addVar declares a variable that belongs to no player, and returns its slot.
func (g *game) addVar(name string, t slot) int {
	d := &decl{name: name, slot: map[int]int{}}
	g.decls[name] = d
	g.addSlot(d, t, none, name)
	return d.slot[none]
}

// nameOf returns the name of a way: the label of its move and its choices, numbered if it is taken.
func (g *game) nameOf(w way, taken []string) string {
	name := label(g.moves[w.move])
	if w.text != "" {
		name += "_" + w.text
	}
	for base, n := name, 2; slices.Contains(taken, name); n++ {
		name = fmt.Sprint(base, "_", n)
	}
	return name
}

// waysOf adds the ways of a move, for every player who may make it, and returns the number of the
// choice that is the first of a pit. made is false if there is nothing to choose from.
func (g *game) waysOf(on *goingOn, number int, m *ast.Move) (pit int, made bool) {
	pit = -1
	firsts := map[int]bool{} // the numbers of choices that are the first of a pit; -1 if no choice is
	for mover := range g.players {
		e := g.scope(inRules)
		e.s = g.blank()
		e.s.mover = mover
		c := &choosing{game: g, m: m, number: number}
		var choose func(e *scope, i, first int, texts []string)
		choose = func(e *scope, i, first int, texts []string) {
			if i == len(m.Choices) {
				if firsts[first] = true; len(firsts) > 1 {
					wrongf("the first pit is not always that of the same choice")
				}
				pit = first
				if w := (way{number, strings.Join(texts, "_")}); !slices.Contains(on.ways, w) {
					on.ways = append(on.ways, w)
				}
				return
			}
			ch := m.Choices[i]
			for _, o := range c.options(e, ch) {
				if ch.ByLap() {
					if o.v.kind == pitKind && first < 0 {
						wrongf("the first pit of a later lap is not chosen")
					}
					choose(e.with(ch.Name.Name, o.v), i+1, first, texts)
					continue
				}
				if o.v.kind == pitKind && first < 0 {
					choose(e.with(ch.Name.Name, o.v), i+1, i, texts)
					continue
				}
				choose(e.with(ch.Name.Name, o.v), i+1, first, append(slices.Clip(texts), g.text(o.v)))
			}
		}
		choose(e, 0, -1, nil)
	}
	return pit, len(firsts) > 0
}

// way returns the number of the way that the choices in a scope make.
func (c *choosing) way(e *scope) int {
	var texts []string
	for i, ch := range c.m.Choices {
		if i != c.goingOn.pit[c.number] && !ch.ByLap() {
			texts = append(texts, c.text(e.find(ch.Name.Name).v))
		}
	}
	return slices.Index(c.goingOn.ways, way{c.number, strings.Join(texts, "_")})
}

// from returns the pit from which the player to move has to go on in a state, or none.
func (on *goingOn) from(s *state) int { return int(s.vars[on.slot].i) }

// as returns the way in which the player has to go on, or -1 if nobody has to.
func (on *goingOn) as(s *state) int {
	if on.kept == none {
		return 0
	}
	return int(s.vars[on.kept].i) - 1
}

// clear resets the variables. Every move does this first, before it may go on itself.
func (on *goingOn) clear(s *state) {
	s.vars[on.slot] = whole(none)
	if on.kept != none {
		s.vars[on.kept] = num{}
	}
}

// goOn stores the pit and the way to go on, and gives the turn to the same player.
func (e *scope) goOn(s *ast.GoOn) {
	on := e.g.goingOn
	p := e.pit(s.From)
	if p == none || !slices.Contains(e.g.slots[on.slot].pits, p) {
		failf("going on from what is no pit of a lap")
	}
	e.s.vars[on.slot] = whole(p)
	if on.kept != none {
		e.s.vars[on.kept] = whole(e.run.way + 1)
	}
	e.run.next = e.s.mover
}
