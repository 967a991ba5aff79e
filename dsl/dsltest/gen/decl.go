package gen

import (
	"fmt"
	"slices"
	"strings"
)

type position struct {
	name  string
	of    *variant
	drawn bool
	whole bool // it says how many seeds every pit has
}

type strategy struct {
	name string
	of   *variant
}

// placeOf picks a position of a variant.
func (w *writer) placeOf(v *variant, drawn bool) (position, bool) {
	return w.placeThat(func(p position) bool { return p.of == v && (p.drawn || !drawn) })
}

func (w *writer) placeThat(fits func(position) bool) (position, bool) {
	var list []position
	for _, p := range w.places {
		if fits(p) {
			list = append(list, p)
		}
	}
	if len(list) == 0 {
		return position{}, false
	}
	return of(w.chance, list), true
}

// position writes a position, drawn or said by a condition.
func (w *writer) position(i int) string {
	v := of(w.chance, w.variants)
	p := position{name: fmt.Sprintf("P%d", i), of: v, drawn: w.percent(75)}
	head := "position " + p.name
	if len(w.variants) > 1 || w.percent(50) {
		head += " of " + v.name
	}
	var text string
	if p.drawn {
		picture := w.picture(v)
		p.whole = !strings.Contains(picture, "_")
		text = head + " {" + picture + "}" + w.settings(v)
	} else {
		text = head + " where " + w.cond(scope{v: v, place: inClaim}, 2)
		if w.percent(20) {
			text += w.settings(v)
		}
	}
	w.places = append(w.places, p)
	return w.doc() + text + "\n"
}

// picture draws a board with few seeds. Brackets are for the variant's only pit variable.
func (w *writer) picture(v *variant) string {
	marks := 0
	for _, x := range v.vars {
		if x.kind == pitKind {
			marks++
			if x.each != "" {
				marks += 2
			}
		}
	}
	open := w.percent(60) && (w.theme != contested || w.percent(30))
	return w.drawn(v, func(int) string {
		x := fmt.Sprint(w.weighted(4, 4, 2))
		if open && w.percent(30) {
			x = "_"
		}
		if marks == 1 && w.percent(20) || w.percent(w.slips) {
			marks = 0
			return "[" + x + "]"
		}
		return x
	})
}

// settings writes what a position says of variables and of the player to move.
func (w *writer) settings(v *variant) string {
	var out []string
	s := scope{v: v, place: inClaim}
	for _, x := range v.vars {
		if !w.percent(45) {
			continue
		}
		ref := x.name
		if x.each == "player" {
			ref += "(" + of(w.chance, v.players) + ")"
		} else if x.each != "" {
			ref = w.reference(s, x)
		}
		out = append(out, ref+" = "+w.valueOf(v, x))
	}
	if !v.solitaire() && w.percent(50) {
		out = append(out, "mover = "+of(w.chance, append(slices.Clone(v.players), v.players[1:]...)))
	}
	if len(out) == 0 {
		return ""
	}
	return " with " + strings.Join(out, ", ")
}

// strategy writes a strategy for the moves of a variant, or for those of one label.
func (w *writer) strategy(i int) string {
	v := of(w.chance, w.variants)
	p := strategy{name: fmt.Sprintf("s%d", i), of: v}
	head := "strategy " + p.name
	if len(w.variants) > 1 && w.percent(80) || w.percent(30) {
		head += " of " + v.name
	}
	s, by := scope{v: v, place: inGuard, locals: v.common()}, ""
	if m := of(w.chance, v.moves); m.label != "" && w.percent(40) {
		s.locals, by = m.given.locals, " by "+m.label
	}
	rank := w.num(s, 1)
	switch {
	case w.percent(30):
		rank = w.cond(s, 1)
	case len(s.locals) > 0 && s.locals[0].kind == pitKind && w.percent(50):
		rank = w.one("index(", "seeds(") + s.locals[0].name + ")"
	}
	w.plans = append(w.plans, p)
	return w.doc() + head + " = " + w.one("least ", "greatest ") + rank + by + "\n"
}

// common lists the choices that all moves have.
func (v *variant) common() []local {
	var out []local
	for _, l := range v.moves[0].given.locals {
		in := 0
		for _, m := range v.moves {
			for _, k := range m.given.locals {
				if k.name == l.name && k.kind == l.kind {
					in++
					break
				}
			}
		}
		if in == len(v.moves) {
			out = append(out, l)
		}
	}
	return out
}

// doc is a comment above a declaration, or nothing.
func (w *writer) doc() string {
	return w.one("", "", "", "", "", "", "", "", "// What is meant.\n")
}
