package gen

import (
	"fmt"
	"regexp"
	"strings"
)

var (
	asksValue      = regexp.MustCompile(`^(value|winner|best)\(`)
	valuedOrForced = regexp.MustCompile(`^(value|winner|best)\(| can force `)
)

// expected is a column of a list that only the claim reads.
const expected = "expected"

// boards names a list of boards, in which parameters and pits have values.
func (w *writer) boards(v *variant, property string) string {
	var head []string
	for _, p := range v.paramsOf(ofSetup, ofRules) {
		if head = append(head[:0], p.name); w.percent(60) {
			break
		}
	}
	if sized := len(v.paramsOf(ofBoard)) > 0; len(head) == 0 && !sized || w.percent(30) {
		for _, p := range v.pits {
			head = append(head, p.name)
		}
		if w.percent(3) {
			head = head[1:]
		}
	}
	if len(head) == 0 || w.percent(2) {
		head = append(head, "n")
	}
	if strings.Contains(property, expected) {
		head = append(head, expected)
	}
	lines := make([]string, w.between(1, 3))
	for i := range lines {
		lines[i] = list(len(head), w.one(",", ", "), func() string { return fmt.Sprint(w.n(3)) })
	}
	if w.percent(3) {
		lines[0] += ", 1"
	}
	if w.lists == nil {
		w.lists = map[string]string{}
	}
	name := fmt.Sprintf("list%d.csv", len(w.lists))
	w.lists[name] = strings.Join(head, ",") + "\n" + strings.Join(lines, "\n") + "\n"
	return `for board in file "` + name + `"` + w.one("", ":")
}

// valued writes a claim about what positions are worth, or what a player can force.
func (w *writer) valued(s scope) string {
	v := s.v
	if len(v.players) > 2 && !w.percent(3) {
		return w.force(s)
	}
	return values.draw(w, valued{s, "(" + w.place(v) + ")"})
}

// valued is a claim about what a place is worth.
type valued struct {
	scope
	of string
}

var values *table[valued]

func init() {
	named := func(_ *writer, s valued) int {
		if s.v.solitaire() {
			return 1
		}
		return 20
	}
	values = newTable("value",
		production[valued]{name: "value", weight: 40, write: (*writer).compared},
		production[valued]{name: "winner", vary: named, write: func(w *writer, s valued) string {
			return "winner" + s.of + w.one(" = ", " = ", " /= ", " != ") + w.namedPlayer(s.v, "none")
		}},
		production[valued]{name: "best", weight: 20, write: func(w *writer, s valued) string { return "best" + s.of + " = " + w.moveSet(s.v) }},
		production[valued]{name: "force", vary: named, write: func(w *writer, s valued) string { return w.force(s.scope) }},
	)
	notations = newTable("notation",
		production[aMove]{name: "pit", weight: 50, write: func(w *writer, m aMove) string { return `"` + w.somePit(m.variant) + `"` }},
		production[aMove]{name: "number", weight: 20, write: func(w *writer, _ aMove) string { return fmt.Sprint(w.n(3)) }},
		production[aMove]{name: "label", weight: 30, write: func(_ *writer, m aMove) string {
			if m.label != "" && !strings.Contains(m.label, `"`) {
				return `"` + m.label + `"`
			}
			return `"move"`
		}},
	)
}

// compared compares a value with a number.
func (w *writer) compared(s valued) string {
	v := s.v
	who := ""
	if w.percent(30) && (!v.solitaire() || w.percent(3)) {
		who = " for " + w.namedPlayer(v, "")
	}
	number := w.one("0", "0", "1", "1", "-1", "2", "-2", "3", "-3")
	if p := v.paramsOf(ofClaims); len(p) > 0 && w.percent(15) {
		number = p[0].name
	}
	switch {
	case w.percent(w.huge):
		number = w.bigNumber()
	case w.percent(4):
		number = expected
	}
	return "value" + s.of + who + " " + w.one("=", "=", "=", "/=", "!=", "<", "<=", ">", ">=") + " " + number
}

// namedPlayer names a player, or sometimes nobody.
func (w *writer) namedPlayer(v *variant, nobody string) string {
	if nobody != "" && w.percent(30) {
		return nobody
	}
	if v.solitaire() || w.percent(w.slips) {
		return "South"
	}
	return of(w.chance, v.players)
}

// place is where a claim looks: the start, or a position; seldom after moves, as few are legal.
func (w *writer) place(v *variant) string {
	x := "start"
	careless := w.percent(2)
	if p, ok := w.placeThat(func(p position) bool { return p.of == v && (p.whole || careless) }); ok && w.percent(55) {
		x = p.name
	}
	if w.percent(12) {
		x += " after " + list(1+w.n(2), ", ", func() string { return w.notation(v) })
	}
	return x
}

// notation is how some move may be written.
func (w *writer) notation(v *variant) string {
	return notations.draw(w, aMove{v, of(w.chance, v.moves)})
}

// aMove is a move that is written down.
type aMove struct {
	*variant
	*move
}

var notations *table[aMove]

func (w *writer) moveSet(v *variant) string {
	return "{" + list(w.weighted(1, 6, 3), ", ", func() string { return w.notation(v) }) + "}"
}

// force claims that a player can force something.
func (w *writer) force(s scope) string {
	x := w.namedPlayer(s.v, "") + " can force " + w.goal(s) + w.within(s.v, 35)
	if w.percent(40) {
		x += " from " + w.place(s.v)
	}
	return x
}
