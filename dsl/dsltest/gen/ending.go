package gen

import (
	"fmt"
	"regexp"
	"strings"
)

// drawEndings draws when the game is over.
func (w *writer) drawEndings(v *variant) {
	for range w.weighted(12, 45, 30, 13) {
		v.endings = append(v.endings, w.ending(v))
	}
	if w.theme == contested && !w.percent(35) {
		v.endings = append(v.endings, w.one("end", "end", "draw", "opponent wins")+" when no move")
	}
	if w.percent(20) {
		over := w.one("draw", "end", w.outcome(v), w.outcome(v))
		if v.solitaire() && w.percent(50) {
			over = w.one("win", "lose")
		} else if !v.solitaire() && w.percent(60) {
			over = w.one("mover loses", "opponent loses", "opponent wins")
		}
		on := w.one("", "", " and 1 < 2")
		if p := v.paramsOf(asSwitch); len(p) > 0 && w.percent(60) {
			on = w.one(" and ", " and not ") + p[0].name
		}
		v.endings = append(v.endings, w.one("", "offer ")+over+" when repeated"+on)
	}
}

func (w *writer) ending(v *variant) string {
	s := scope{v: v, place: inGuard, ends: true}
	x := w.outcome(v) + " when "
	react := w.percent(22)
	if react {
		x = "when "
	}
	if w.percent(18 + w.risk) {
		x += "no move" + w.one("", "", " and "+w.tight(s, 1))
	} else {
		x += w.over(s)
	}
	if w.percent(14) {
		x += " at end of turn"
	}
	if react || w.percent(22) {
		s.place = inBody
		var texts []string
		for range w.weighted(5, 70, 25) {
			texts = append(texts, "  "+w.last(&s, react))
		}
		x += " {\n" + strings.Join(labelled(texts), "\n") + "\n}"
	}
	return x
}

var (
	ofMoves  = regexp.MustCompile(`\b(again|require|prefer|go on)\b`)
	verdicts = regexp.MustCompile(`\b(win|wins|lose|loses|draw|end|moves next)\b`)
)

// last is a statement that an ending or a reaction may have.
func (w *writer) last(s *scope, react bool) string {
	for {
		x := statements.draw(w, inBlock{s, 1})
		whole := s.v.carried(x)
		if x == "" || !w.percent(1) && ofMoves.MatchString(whole) || strings.Contains(whole, "sow ") && !w.percent(20) {
			continue
		}
		if !react && !w.percent(2) && verdicts.MatchString(whole) {
			continue
		}
		return x
	}
}

// over is the condition of an ending: often about what is met in play.
func (w *writer) over(s scope) string {
	if x := overs.draw(w, s); x != "" {
		return x
	}
	return w.cond(s, 2)
}

var overs *table[scope]

func init() {
	overs = newTable("ending",
		production[scope]{name: "total", weight: 30, write: func(w *writer, s scope) string {
			return fmt.Sprintf("total(%s) %s %d", w.set(s, 1), w.one("=", "<=", ">="), w.n(max(s.v.seeds, 1)))
		}},
		production[scope]{name: "variable", weight: 30, write: (*writer).aboutSomeVar},
		production[scope]{name: "condition", weight: 40, write: func(w *writer, s scope) string { return w.cond(s, 2) }},
	)
}

func (w *writer) aboutSomeVar(s scope) string {
	if len(s.v.vars) == 0 {
		return ""
	}
	return w.aboutVar(s, of(w.chance, s.v.vars))
}

// aboutVar compares a variable with one of its values.
func (w *writer) aboutVar(s scope, x stateVar) string {
	ref := w.reference(s, x)
	cond := ref + " = " + w.valueOf(s.v, x)
	if x.kind == truth {
		cond = w.one("", "", "not ") + ref
	}
	if more := pick(w.chance, share[string]{60, ""}, share[string]{25, " and "}, share[string]{15, " or "}); more != "" {
		return cond + more + w.tight(s, 0)
	}
	return cond
}

// drawScore draws by what the players' results are compared.
func (w *writer) drawScore(v *variant) {
	percent := 30
	if w.theme == contested {
		percent = 75
	}
	if v.solitaire() || !w.percent(percent) {
		return
	}
	s := scope{v: v, place: inSetup}
	var parts []string
	for _, p := range v.players {
		x := w.somePit(v)
		if w.percent(50) {
			x = "total(" + w.set(s, 0) + ")"
		}
		parts = append(parts, p+" = "+x)
	}
	v.score = "score " + strings.Join(parts, ", ")
}
