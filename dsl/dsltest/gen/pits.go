package gen

import "fmt"

// somePit is a pit's name, in one of its spellings.
func (w *writer) somePit(v *variant) string {
	p := of(w.chance, v.pits)
	if p.index > 0 && w.percent(30) {
		return fmt.Sprintf("%s[%d]", p.group, p.index)
	}
	return p.name
}

// rowPit is a pit with a number.
func (w *writer) rowPit(s scope) string {
	if l, ok := w.named(s, pitKind); ok && w.percent(40) && w.risk > 0 {
		return l.name
	}
	return s.v.pits[of(w.chance, s.v.main().pits)].name
}

// unwritten is a pit that only play decides, which may be compared with any other.
func (w *writer) unwritten(s scope) (string, bool) {
	if l, ok := w.named(s, pitKind); ok && w.percent(60) {
		return l.name, true
	}
	if s.sown || s.step {
		return w.one("last", "origin"), true
	}
	if x, _, ok := w.variable(s, pitKind); ok {
		return x, true
	}
	l, ok := w.named(s, pitKind)
	if !ok {
		return w.somePit(s.v), false
	}
	return l.name, true
}

// heldPit is a pit that surely exists, or almost.
func (w *writer) heldPit(s scope) string {
	if w.percent(w.risk) {
		return w.pit(s, 1)
	}
	if l, ok := w.named(s, pitKind); ok && w.percent(50) {
		return l.name
	}
	if s.sown && w.percent(25) {
		return "last"
	}
	return w.somePit(s.v)
}

var pitExprs, setExprs *table[scope]

func init() {
	pitExprs = newTable("pit",
		production[scope]{name: "by name", weight: 40, write: fixed[scope](" ")},
		production[scope]{name: "related", weight: 25, write: func(w *writer, s scope) string {
			if len(s.v.relations) == 0 {
				return ""
			}
			return of(w.chance, s.v.relations) + "(" + w.heldPit(s) + ")"
		}},
		production[scope]{name: "neighbour", weight: 14, write: (*writer).neighbour},
		production[scope]{name: "variable", weight: 14, write: func(w *writer, s scope) string { x, _, _ := w.variable(s, pitKind); return x }},
		production[scope]{name: "last", weight: 12, write: func(w *writer, s scope) string {
			if !s.sown && !s.step {
				return ""
			}
			return w.one("last", "last", "origin")
		}},
		production[scope]{name: "first", weight: 8, write: func(w *writer, s scope) string {
			if s.deep > 1 || s.place == inSetup {
				return ""
			}
			p := w.bound(s)
			return "(first " + p + " in " + w.set(s, 0) + " where " + w.cond(s.inside(p), 0) + ")"
		}},
		production[scope]{name: "definition", weight: 6, write: use(pitKind, func(s scope) scope { return s })},
		production[scope]{name: "conditional", weight: 7, write: func(w *writer, s scope) string {
			if s.place == inSetup {
				return ""
			}
			return w.either(s, w.heldPit(s), w.one("none", w.pit(s, 0), w.heldPit(s)))
		}},
	)
	setExprs = newTable("set",
		production[scope]{name: "without", weight: 25, write: func(w *writer, s scope) string { return "(" + w.set(s, 0) + " without " + w.set(s, 0) + ")" }},
		production[scope]{name: "plus", weight: 25, write: func(w *writer, s scope) string {
			return "(" + of(w.chance, s.v.groups).name + " + " + w.set(s, 0) + ")"
		}},
		production[scope]{name: "braces", weight: 20, write: func(w *writer, s scope) string { return "{" + w.somePit(s.v) + ", " + w.somePit(s.v) + "}" }},
		production[scope]{name: "conditional", weight: 14, write: func(w *writer, s scope) string {
			if s.place == inSetup {
				return ""
			}
			return w.either(s, w.set(s, 0), w.set(s, 0))
		}},
		production[scope]{name: "filter", weight: 30, write: func(w *writer, s scope) string {
			if s.deep > 1 {
				return ""
			}
			p := w.bound(s)
			return "{" + p + " in " + w.set(s, 0) + " where " + w.cond(s.inside(p), 0) + "}"
		}},
	)
}

// pit writes a pit, which may turn out to be none.
func (w *writer) pit(s scope, depth int) string {
	if depth > 0 {
		if x := pitExprs.draw(w, s); x != "" && x != " " {
			return x
		}
	}
	if l, ok := w.named(s, pitKind); ok && w.percent(50) {
		return l.name
	}
	return w.somePit(s.v)
}

func (w *writer) pitOrNone(s scope) string {
	if w.percent(40) {
		return "none"
	}
	return w.pit(s, 1)
}

// neighbour writes the pit behind or before another.
func (w *writer) neighbour(s scope) string {
	along := " along " + w.lapName(s)
	if s.along && w.percent(60) {
		along = ""
	}
	return w.one("next", "before") + "(" + w.heldPit(s) + along + ")"
}

// lapName writes a lap that anyone, or the mover, may go along.
func (w *writer) lapName(s scope) string {
	if l, ok := w.named(s, lapKind); ok && w.percent(50) {
		return l.name
	}
	shared := true // no player has laps of his own
	for _, l := range s.v.laps {
		shared = shared && l.of < 0
	}
	if x, _, ok := w.variable(s, lapKind); ok && w.percent(35) && (shared || s.place == inGuard || s.place == inBody) {
		return x
	}
	var names []string
	for _, l := range s.v.laps {
		switch {
		case l.of < 0:
			names = append(names, l.name)
		case s.place == inGuard || s.place == inBody:
			names = append(names, w.one("my ", "my ", "")+l.name)
			if w.percent(8) {
				names = append(names, l.name+" of "+of(w.chance, s.v.players))
			}
			if len(s.v.players) == 2 && (w.percent(20) || w.theme == ordered && w.percent(30)) {
				names = append(names, "their "+l.name)
			}
		}
	}
	if len(names) == 0 {
		return s.v.laps[0].name + " of " + of(w.chance, s.v.players)
	}
	if (s.place == inGuard || s.place == inBody) && w.percent(6) {
		return w.either(s, of(w.chance, names), of(w.chance, names))
	}
	return of(w.chance, names)
}

// set writes a set of pits.
func (w *writer) set(s scope, depth int) string {
	v := s.v
	g := of(w.chance, v.groups)
	if l, ok := w.named(s, setKind); ok && w.percent(30) {
		return l.name
	}
	if x, ok := w.defined(s, setKind); ok && w.percent(12) {
		return x
	}
	if depth > 0 && s.place == inClaim && w.percent(1) {
		return "{u in player where true}"
	}
	if depth > 0 && w.percent(22) {
		if x := setExprs.draw(w, s); x != "" {
			return x
		}
	}
	switch {
	case g.owned && s.place != inSetup && !v.solitaire() && w.percent(55):
		if w.percent(25) {
			return g.name + " of " + w.player(s)
		}
		return w.one("my ", "my ", "their ") + g.name
	case g.owned && s.place == inSetup && !v.solitaire() && w.percent(30):
		return g.name + " of " + of(w.chance, v.players)
	case g.row && w.percent(12) && len(v.paramsOf(ofBoard)) == 0:
		n := len(g.pits)
		a := w.between(1, n)
		b := w.between(max(a-1, 1), n)
		if w.percent(8) {
			a, b = w.one22(1, 0, n+1, n)
		}
		return fmt.Sprintf("%s[%d..%d]", g.name, a, b)
	case w.percent(10):
		return "pit"
	case w.percent(10):
		return w.somePit(v)
	}
	return g.name
}

func (c chance) one22(a, b, d, e int) (int, int) {
	if c.percent(50) {
		return a, b
	}
	return d, e
}

// target writes one pit that surely is one, to put seeds into.
func (w *writer) target(s scope) string {
	if w.percent(w.risk) {
		return w.pit(s, 1)
	}
	for _, name := range []string{"z", "h", "south_store", "north_store"} {
		if g := s.v.group(name); g != nil && w.percent(55) {
			return name
		}
	}
	if g := s.v.group("store"); g != nil && g.owned && len(g.pits) == len(s.v.players) && w.percent(40) && s.place == inBody {
		return "my store"
	}
	if l, ok := w.named(s, pitKind); ok && w.percent(40) {
		return l.name
	}
	return w.somePit(s.v)
}
