package gen

import (
	"fmt"
	"slices"
	"strings"
)

// drawSetup draws where the seeds lie at the beginning.
func (w *writer) drawSetup(v *variant) {
	label := w.one("", "", "", " S1", " \"a start\"", " 7")
	body := ""
	if w.slow {
		v.setup = "setup {" + w.endless(v) + "}"
		return
	}
	if w.theme == vast && v.fixed {
		body = w.equations(v)
	} else {
		body = setups.draw(w, v)
	}
	if !strings.Contains(body, "any where") && strings.Trim(body, " \n0123456789|") == "" {
		v.setup = "setup" + label + " {" + body + "}"
		return
	}
	if state := w.settled(v); state != "" && strings.TrimSpace(body) != "any" {
		body += w.one(", ", " ") + state + " "
	}
	v.setup = "setup" + label + " {" + body + "}"
}

var setups *table[*variant]

func init() {
	setups = newTable("setup",
		production[*variant]{name: "equations", weight: 30, themes: map[theme]int{startless: 0, curving: 0, ordered: 40}, write: (*writer).equations},
		production[*variant]{name: "drawn", weight: 12, themes: map[theme]int{startless: 0, curving: 0, ordered: 2}, write: func(w *writer, v *variant) string {
			return w.drawn(v, func(int) string { return fmt.Sprint(w.weighted(3, 4, 2)) })
		}},
		production[*variant]{name: "any where", weight: 50, themes: map[theme]int{startless: 1, curving: 0}, write: (*writer).anyWhere},
		production[*variant]{name: "product", weight: 8, themes: map[theme]int{startless: 0, curving: 1}, write: (*writer).curved},
	)
}

// seedCount writes how many seeds there are, by the parameter if there is one.
func (w *writer) seedCount(v *variant) string {
	if w.percent(70) {
		for _, p := range v.paramsOf(ofSetup) {
			if !p.huge {
				return p.name
			}
		}
	}
	return w.small(v.seeds)
}

// equations is a fixed start.
func (w *writer) equations(v *variant) string {
	var out []string
	if v.fixed && (w.theme == vast || w.percent(60)) {
		big := w.bigNumber()
		for _, p := range v.paramsOf(ofRules, ofSetup) {
			if p.huge {
				big = p.name
			}
		}
		out = append(out, v.pits[w.n(len(v.pits))].name+" = "+big)
		return " " + out[0] + " "
	}
	left := v.seeds
	for _, i := range w.Perm(len(v.groups)) {
		g := v.groups[i]
		if g.over {
			continue
		}
		if len(g.pits) > 1 && w.percent(60) {
			n := left / len(g.pits)
			out = append(out, fmt.Sprintf("each %s = %s", g.name, w.small(min(n, 2))))
			left -= n * len(g.pits)
			continue
		}
		p := v.pits[of(w.chance, g.pits)].name
		if n := w.seedCount(v); len(out) == 0 && w.percent(60) {
			out = append(out, p+" = "+n)
			continue
		}
		out = append(out, fmt.Sprintf("%s = %d", w.one(p, "seeds("+p+")"), w.n(min(left, 3)+1)))
	}
	return " " + strings.Join(out[:1+w.n(len(out))], w.one(", ", " ")) + " "
}

// picture draws a cell for each pit, in the shape of the board.
func (w *writer) drawn(v *variant, cell func(pit int) string) string {
	var b strings.Builder
	k := 0
	lines := strings.Split(v.board, "\n")
	for _, row := range lines[1 : len(lines)-1] {
		first := strings.TrimSpace(row)
		word, _, _ := strings.Cut(first, " ")
		if word == "ring" || word == "line" || word == "group" || word == "owner" || word == "facing" || word == "map" {
			break
		}
		if b.Len() > 0 {
			b.WriteString("\n ")
		}
		parts := strings.Split(row, "|")
		for i, part := range parts {
			if i > 0 {
				b.WriteString(" |")
			}
			for range w.drawnIn(v, part, k) {
				b.WriteString(" " + cell(k))
				k++
			}
		}
	}
	return b.String() + " "
}

// drawnIn counts the pits of a part of the board's picture, from pit k on.
func (w *writer) drawnIn(v *variant, part string, k int) int {
	n := 0
	for _, field := range strings.FieldsFunc(part, func(r rune) bool { return r == ' ' || r == ',' }) {
		name, _, _ := strings.Cut(field, "[")
		if g := v.group(name); g != nil {
			n += len(g.pits)
		}
	}
	return n
}

// anyWhere is every start that satisfies conditions.
func (w *writer) anyWhere(v *variant) string {
	if w.percent(2) {
		return " any "
	}
	s := scope{v: v, place: inSetup}
	var conds []string
	g := w.one(v.main().name, of(w.chance, v.groups).name)
	if w.percent(80) {
		conds = append(conds, fmt.Sprintf("each %s >= %s", g, w.one("0", "0", "1", "1", "2")))
	}
	if !w.percent(4) {
		conds = append(conds, fmt.Sprintf("total(%s) = %s", g, w.seedCount(v)))
	}
	if w.theme == startless || w.percent(18) {
		conds = append(conds, w.few(v))
	}
	if w.percent(30) {
		conds = append(conds, w.tight(s, 1))
	}
	w.Shuffle(len(conds), func(i, j int) { conds[i], conds[j] = conds[j], conds[i] })
	if len(conds) == 0 {
		conds = []string{"total(pit) = " + w.seedCount(v)}
	}
	return " any where " + strings.Join(conds, ", ") + " "
}

// endless is a setup that has starts for n = 1 and n = 3, and for n = 2 none: an even sum is never
// odd.
func (w *writer) endless(v *variant) string {
	most := []int{0, 400, 400, 50, 16, 8, 5, 3} // so that there are about 100,000 boards
	var sum []string
	for i, p := range v.pits {
		sum = append(sum, fmt.Sprintf("%d*seeds(%s)", 2*i+2, p.name))
	}
	return fmt.Sprintf(" any where each pit <= 1 + %d*((n + 1) mod 2), total(pit) <= 2 or n = 2, n /= 2 or %s = %d ",
		most[min(len(v.pits), 7)], strings.Join(sum, " + "), 2*w.between(100, 400)+1)
}

// few leaves some values of the parameter without any start.
func (w *writer) few(v *variant) string {
	for _, p := range v.paramsOf(ofSetup) {
		if !p.huge {
			if w.theme == startless || w.percent(30) { // for no value of the usual ranges there is a start
				return w.one(p.name+" >= 6", p.name+" > 100", p.name+" < 0")
			}
			return w.one(p.name+" <= 5", p.name+" >= 3", p.name+" /= 2", fmt.Sprintf("%s mod 2 = %d", p.name, w.n(2)))
		}
	}
	return "total(pit) <= 5"
}

// curved is a setup with products of counts.
func (w *writer) curved(v *variant) string {
	p, q := v.pits[w.n(len(v.pits))].name, v.pits[w.n(len(v.pits))].name
	conds := fmt.Sprintf("seeds(%s) * seeds(%s) %s %s", p, q, w.one("=", "<=", "="), w.seedCount(v))
	if w.percent(70) {
		conds += fmt.Sprintf(", total(pit) <= %d", w.between(2, 4))
	}
	if w.percent(20) {
		conds += fmt.Sprintf(", seeds(%s) mod 2 = %d", p, w.n(2))
	}
	return " any where " + conds + " "
}

// settled are the values that the setup gives to variables.
func (w *writer) settled(v *variant) string {
	var out []string
	s := scope{v: v, place: inSetup}
	for _, x := range v.vars {
		if w.percent(22) {
			out = append(out, w.reference(s, x)+" = "+w.valueOf(v, x))
		}
	}
	switch {
	case !v.solitaire() && (w.percent(25) || w.theme == ordered && w.percent(90)):
		out = append(out, "mover = "+of(w.chance, append(slices.Clone(v.players), v.players[1:]...)))
	case w.percent(w.slips):
		out = append(out, "mover = South")
	}
	return strings.Join(out, ", ")
}
