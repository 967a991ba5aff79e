package gen

import (
	"regexp"
	"slices"
	"strings"
)

// changed is a copy of a variant that differs in one place, or in none.
func (w *writer) changed(v *variant, name string) *variant {
	out := *v
	out.name = name
	out.results = slices.Clone(v.results)
	out.moves = nil
	for _, m := range v.moves {
		c := *m
		c.body = slices.Clone(m.body)
		c.given.v = &out
		out.moves = append(out.moves, &c)
	}
	out.endings = slices.Clone(v.endings)
	m := of(w.chance, out.moves)
	s := m.given
	s.place = inBody
	if len(m.body) > 0 {
		s.sown = strings.HasPrefix(m.body[0], "sow ")
	}
	changes.draw(w, change{v, &out, m, &s})
	return &out
}

// change is what may be changed: a variant that is a copy of another one, one of its moves and the
// scope there.
type change struct {
	of, to *variant
	m      *move
	s      *scope
}

var changes *table[change]

func init() {
	// change does something. What it writes is no text of its own.
	to := func(do func(w *writer, c change)) func(*writer, change) string {
		return func(w *writer, c change) string { do(w, c); return " " }
	}
	changes = newTable("change",
		production[change]{name: "nothing", weight: 14, themes: map[theme]int{likened: 4}, write: fixed[change](" ")},
		production[change]{name: "statement lost", weight: 12, themes: map[theme]int{likened: 4}, write: to(func(w *writer, c change) {
			if len(c.m.body) > 1 {
				c.m.body = w.without(c.m.body)
			}
		})},
		production[change]{name: "statement more", weight: 14, themes: map[theme]int{likened: 4}, write: to(func(w *writer, c change) {
			c.m.body = append(c.m.body, w.statement(c.s, 1))
		})},
		production[change]{name: "off the lap", weight: 14, themes: map[theme]int{likened: 45}, write: to(func(w *writer, c change) {
			if w.theme != likened || !w.apart(c.of, c.to) {
				w.offLap(c.m, *c.s)
			}
		})},
		production[change]{name: "ending lost", weight: 12, themes: map[theme]int{likened: 4}, write: to(func(w *writer, c change) {
			if len(c.to.endings) > 0 {
				c.to.endings = w.without(c.to.endings)
			}
		})},
		production[change]{name: "other outcome", weight: 10, themes: map[theme]int{likened: 8}, write: to(func(w *writer, c change) {
			if len(c.to.endings) == 0 {
				return
			}
			at := &c.to.endings[w.n(len(c.to.endings))]
			if _, rest, ok := strings.Cut(*at, " when "); ok && !strings.HasPrefix(*at, "when ") {
				*at = w.outcome(c.to) + " when " + rest
			}
		})},
		production[change]{name: "other end of a move", weight: 8, themes: map[theme]int{likened: 40}, write: to(func(w *writer, c change) { w.ended(c.of, c.to) })},
		production[change]{name: "the other way", weight: 8, themes: map[theme]int{likened: 6}, write: to(func(w *writer, c change) { w.turned(c.to) })},
		production[change]{name: "setup", weight: 8, themes: map[theme]int{likened: 0}, write: to(func(w *writer, c change) { w.drawSetup(c.to) })},
		production[change]{name: "who begins", weight: 8, themes: map[theme]int{ordered: 60}, write: to(func(w *writer, c change) { w.begun(c.to) })},
		production[change]{name: "order of players", weight: 3, themes: map[theme]int{likened: 2, ordered: 15}, write: to(func(w *writer, c change) {
			c.to.turnPlayers()
			if w.percent(50) {
				w.begun(c.to)
			}
		})},
	)
}

// without takes one of some lines away.
func (w *writer) without(lines []string) []string {
	i := w.n(len(lines))
	return slices.Delete(lines, i, i+1)
}

var beginner = regexp.MustCompile(`mover = \w+`)

// begun lets some player begin, often another one.
func (w *writer) begun(v *variant) {
	if v.solitaire() {
		return
	}
	says := "mover = " + of(w.chance, v.players)
	switch {
	case beginner.MatchString(v.setup):
		v.setup = beginner.ReplaceAllString(v.setup, says)
	case strings.Contains(v.setup, "="):
		v.setup = strings.TrimSuffix(v.setup, "}") + ", " + says + " }"
	}
}

// turnPlayers declares the first player last.
func (v *variant) turnPlayers() {
	n := len(v.players)
	if n < 2 {
		return
	}
	v.players = slices.Concat(v.players[1:], v.players[:1])
	turned := func(p int) int {
		if p < 0 {
			return p
		}
		return (p + n - 1) % n
	}
	v.pits, v.laps = slices.Clone(v.pits), slices.Clone(v.laps)
	for i := range v.pits {
		v.pits[i].owner = turned(v.pits[i].owner)
	}
	for i := range v.laps {
		v.laps[i].of = turned(v.laps[i].of)
	}
}

// ended gives a move of both variants another end: an outcome, or a loop that never ends.
func (w *writer) ended(v, changed *variant) {
	i := w.n(len(v.moves))
	never := w.theme == likened && w.percent(60)
	if never { // so that play comes to the move
		v.endings, changed.endings = nil, nil
	}
	for k, x := range []*variant{v, changed} {
		how := w.one("while true { }", "end E", "end", w.outcome(x))
		if never {
			how = []string{"while true { }", w.one("end E", "end", "draw")}[k]
		}
		if t, _, ok := w.variable(scope{v: x, place: inBody}, truth); ok && w.percent(25) {
			how = "while true { " + t + " = not " + t + " }"
		}
		x.moves[i].body = append(x.moves[i].body, how)
		if strings.HasPrefix(how, "end E") {
			x.results = append(x.results, "E")
		}
	}
}

// apart lets a move of both variants put the same seeds into different pits off the first lap. It
// fails if there are no two.
func (w *writer) apart(v, changed *variant) bool {
	var off []string
	for i, p := range v.pits {
		if !slices.Contains(v.laps[0].pits, i) {
			off = append(off, p.name)
		}
	}
	if len(off) < 2 {
		return false
	}
	i, order := w.n(len(v.moves)), w.Perm(len(off))
	what := "capture " + w.somePit(v) + " into "
	for k, x := range []*variant{v, changed} {
		x.moves[i].body = append(x.moves[i].body, what+off[order[k]])
	}
	return true
}

// offLap moves seeds to or from a pit that is on no lap, which the boards that are compared do not
// show.
func (w *writer) offLap(m *move, s scope) {
	v := s.v
	for _, i := range w.Perm(len(v.pits)) {
		if !v.pits[i].onLap {
			x := v.pits[i].name
			m.body = append(m.body, w.one(
				"capture "+w.set(s, 0)+" into "+x, "capture "+x+" into "+w.somePit(v),
				"if seeds("+x+") > 0 { take 1 from "+x+" into "+w.somePit(v)+" }"))
			return
		}
	}
	m.body = append(m.body, w.statement(&s, 1))
}

// turned lets seeds go the other way, so that one variant may be the other played backwards.
func (w *writer) turned(v *variant) {
	for _, m := range v.moves {
		for i, x := range m.body {
			x = strings.ReplaceAll(x, "next(", "\x00")
			x = strings.ReplaceAll(x, "before(", "next(")
			x = strings.ReplaceAll(x, "\x00", "before(")
			x = strings.ReplaceAll(x, "along lap", "\x00")
			x = strings.ReplaceAll(x, "along back", "along lap")
			if len(v.laps) > 1 && v.laps[1].name == "back" {
				x = strings.ReplaceAll(x, "\x00", "along back")
			}
			m.body[i] = strings.ReplaceAll(x, "\x00", "along lap")
		}
	}
}
