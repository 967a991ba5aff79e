package gen

import (
	"fmt"
	"strings"
)

// move is a move block.
type move struct {
	label   string
	when    string
	choices []string
	written string
	body    []string
	given   scope // with what was chosen
	options []string
	pass    bool
	laps    bool // some choice does not stand for all laps
}

// text writes a move.
func (m *move) text(c chance) string {
	var b strings.Builder
	if m.pass && len(m.body) == 0 {
		return "pass when " + m.when
	}
	b.WriteString("move")
	if m.label != "" {
		b.WriteString(" " + m.label)
	}
	if m.when != "" {
		b.WriteString(" when " + m.when)
	}
	b.WriteString(" {\n")
	for _, ch := range m.choices {
		b.WriteString("  " + ch + "\n")
	}
	if m.written != "" {
		b.WriteString("  written " + m.written + "\n")
	}
	for _, s := range labelled(m.body) {
		b.WriteString("  " + strings.ReplaceAll(s, "\n", "\n  ") + "\n")
	}
	b.WriteString("}")
	return b.String()
}

// move draws a move.
func (w *writer) move(v *variant, i int) *move {
	m := &move{given: scope{v: v, place: inGuard}}
	if w.percent(75) {
		m.label = fmt.Sprintf("M%d", i)
		if w.percent(12) {
			m.label = fmt.Sprintf("%q", fmt.Sprintf("move (%d)", i))
		}
	}
	if w.percent(35) {
		m.when = w.cond(m.given, 1)
	}
	if w.percent(7) {
		m.when = w.one("no other move", "no other move and "+w.tight(m.given, 1))
	}
	if !w.percent(15) {
		w.choosePit(m)
	}
	if w.percent(14) {
		w.chooseLap(m)
	}
	if w.percent(16) {
		w.chooseValue(m)
	}
	if len(m.choices) > 0 && w.percent(25) {
		w.write(m)
	}
	m.body = w.body(m)
	return m
}

// pass is a move that does nothing.
func (w *writer) pass(v *variant) *move {
	m := &move{label: "pass", given: scope{v: v, place: inGuard}, pass: true}
	m.when = w.one("no other move", "no other move", "no other move and "+w.tight(m.given, 1), w.cond(m.given, 1))
	return m
}

// faulty is a move that meets a fault of the rules, beside others that need not.
func (w *writer) faulty(v *variant) *move {
	m := &move{label: "BAD", given: scope{v: v, place: inGuard}}
	s := m.given
	s.place = inBody
	if w.percent(70) {
		m.when = w.cond(m.given, 1)
	}
	var body string
	for _, x := range v.vars {
		if x.kind == number && x.huge == "" {
			body = w.reference(s, x) + " = " + w.small(x.hi+1)
		}
	}
	if body == "" || w.percent(30) {
		p := w.somePit(v)
		body = w.one("take seeds("+p+") + 1 from "+p+" into "+p, "let l = 1 div (seeds("+p+") - seeds("+p+"))", "let l = seeds(none)")
	}
	m.body = []string{body}
	return m
}

// choosePit chooses a pit to play from. A pit variable's name keeps the choice.
func (w *writer) choosePit(m *move) {
	s := m.given
	name := w.one("p", "from0")
	for _, x := range s.v.vars {
		if x.kind == pitKind && x.each == "" && w.percent(25) && x.group == s.v.main().name {
			name = x.name
		}
	}
	set, pits := w.playable(s)
	if name != "p" && name != "from0" {
		set, pits = s.v.main().name, s.v.main().pits
	}
	m.given = s.with(local{name: name, kind: pitKind, fixed: true, pits: pits, onLap: set == "my house" && w.ofMover(s.v)})
	where := ""
	if !s.v.fixed && w.percent(55) {
		where = " where " + name + w.one(" > 0", " >= 1", " > 1")
	} else if w.percent(20) {
		where = " where " + w.cond(m.given, 1)
	}
	m.choices = append(m.choices, "choose "+name+" in "+set+where)
}

// playable is a set to choose from: mostly one whose pits lie on a lap.
func (w *writer) playable(s scope) (set string, pits []int) {
	if w.ofMover(s.v) && w.percent(90) {
		return "my house", nil
	}
	if w.percent(6) {
		return w.set(s, 1), nil
	}
	var list []group
	for _, g := range s.v.groups {
		if within(g.pits, w.stops(s.v, s.v.laps[0].name)) {
			list = append(list, g)
		}
	}
	if len(list) == 0 || w.percent(12) {
		list = s.v.groups
	}
	g := of(w.chance, list)
	if g.owned && w.percent(65) {
		return "my " + g.name, g.pits
	}
	return g.name, g.pits
}

// ofMover reports whether each player sows round his own rows.
func (w *writer) ofMover(v *variant) bool {
	g := v.group("house")
	return g != nil && g.owned && len(v.picture) == 4 && v.laps[0].of >= 0 && v.byName()
}

func (w *writer) chooseLap(m *move) {
	v := m.given.v
	var names []string
	for _, l := range v.laps {
		if l.of < 0 && len(names) < 2 {
			names = append(names, l.name)
		}
		if l.of == 0 && len(names) < 2 {
			names = append(names, "my "+l.name)
		}
	}
	for i := range names {
		if w.percent(40) {
			names[i] += " as " + w.one([]string{"C", "R"}[i], []string{"A", "L"}[i], fmt.Sprint(i+1), fmt.Sprintf("%q", fmt.Sprint("way ", i)))
		}
		if w.percent(30) {
			names[i] += fmt.Sprintf(" \"way %d\"", i)
			m.options = append(m.options, fmt.Sprintf("%q", fmt.Sprintf("way %d", i)))
		}
	}
	name := "dir"
	for _, x := range v.vars {
		if x.kind == lapKind && x.each == "" && w.percent(50) {
			name = x.name
		}
	}
	m.given = m.given.with(local{name: name, kind: lapKind, fixed: true})
	m.choices = append(m.choices, "choose "+name+" in {"+strings.Join(names, ", ")+"}"+w.byLap(m, strings.Fields(strings.TrimPrefix(names[0], "my "))[0]))
}

// byLap lets a choice stand for a lap alone, if the move may have several. After the first lap it
// may be one of some values.
func (w *writer) byLap(m *move, later ...string) string {
	s := m.given
	if s.v.fixed || s.locals[0].kind != pitKind || !s.locals[0].fixed || len(m.choices) == 0 || !w.percent(22) {
		return ""
	}
	m.laps = true
	if w.percent(50) {
		return " each lap"
	}
	return " for the first lap, then " + of(w.chance, later)
}

// chooseValue chooses a number, a player or an enumeration value.
func (w *writer) chooseValue(m *move) {
	s := m.given
	if x, v, ok := w.variable(s, enumKind); ok && v.each == "" && w.percent(60) {
		m.choices = append(m.choices, fmt.Sprintf("choose %s in {%s}", x, strings.Join(v.names, ", ")))
		return
	}
	if !s.v.solitaire() && w.percent(30) {
		m.given = s.with(local{name: "who", kind: playerKind, fixed: true})
		set := "{" + strings.Join(s.v.players, ", ") + "}"
		if w.percent(60) {
			set = "player"
		}
		m.choices = append(m.choices, "choose who in "+set+w.byLap(m, s.v.players...))
		return
	}
	hi := w.between(1, 2)
	m.given = s.with(local{name: "num", kind: number, fixed: true})
	where := ""
	if w.percent(40) {
		where = " where " + w.cond(m.given, 1)
	}
	set := fmt.Sprintf("%d..%d", w.n(2), hi)
	switch {
	case w.percent(25): // an end that depends on play
		end := w.num(s, 0)
		if w.percent(40) {
			end = "seeds(" + w.heldPit(s) + ")"
		}
		set = fmt.Sprintf("%d..min(%d, %s)", w.n(2), hi+1, end)
		if w.percent(30) {
			set = fmt.Sprintf("max(0, %s)..%d", end, hi+1)
		}
	case w.percent(30):
		set = w.one("{1, 2}", "{0 as N, 1 as Y \"yes\"}", "{2 as two, 1}")
	}
	m.choices = append(m.choices, "choose num in "+set+w.byLap(m, "0", "2", "1", "7")+where)
}

// write says how the move is written down.
func (w *writer) write(m *move) {
	var parts []string
	for _, l := range m.given.locals {
		switch {
		case l.kind == pitKind && w.percent(30):
			parts = append(parts, "index("+l.name+")")
		case w.percent(85):
			parts = append(parts, l.name)
		}
	}
	m.written = strings.Join(parts, " ")
}

// body draws the statements of a move, of which the first often sows.
func (w *writer) body(m *move) []string {
	s := m.given
	s.place = inBody
	var out []string
	if m.laps || !s.v.fixed && !w.percent(25) {
		out = append(out, w.sow(&s, 1))
		if w.percent(14) {
			out = append(out, w.relay(&s))
		}
	} else {
		out = append(out, w.statement(&s, 1))
	}
	if s.sown && len(m.given.locals) > 0 && m.given.locals[0].kind == pitKind && (m.laps || w.percent(14)) {
		s.v.goes = true
		out = append(out, "if "+w.one("last /= origin and last > 1", "last > 1", "not last was empty", w.cond(s, 1))+" { go on from "+w.one("last", "last", "last", w.heldPit(s))+" }")
	}
	for range w.weighted(30, 35, 20, 10, 5) {
		out = append(out, w.statement(&s, w.depth()))
	}
	if !s.v.free && w.percent(60) {
		rank := w.num(s, 1)
		if w.percent(30) {
			rank = w.cond(s, 1)
		}
		out = append(out, "prefer "+rank)
	}
	return out
}

func (w *writer) depth() int {
	if w.tangled {
		return 2
	}
	return 1
}
