package gen

import (
	"fmt"
	"strings"
)

// drawEndings draws when the game is over.
func (w *writer) drawEndings(v *variant) {
	for range w.weighted(12, 45, 30, 13) {
		v.endings = append(v.endings, w.ending(v))
	}
}

func (w *writer) ending(v *variant) string {
	s := scope{v: v, place: inGuard}
	x := w.outcome(v) + " when "
	if w.percent(18 + w.risk) {
		x += "no move"
	} else {
		x += w.over(s)
	}
	if w.percent(14) {
		x += " at end of turn"
	}
	if w.percent(22) {
		s.place = inBody
		x += " {\n" + list(w.weighted(5, 70, 25), "\n", func() string { return "  " + w.last(&s) }) + "\n}"
	}
	return x
}

// last is a statement that an ending may have: the game is over, so that nothing is chosen any
// more.
func (w *writer) last(s *scope) string {
	for {
		x := w.tryStatement(s, 1)
		if x == "" || !w.percent(1) && (strings.Contains(x, "again") || strings.Contains(x, "require")) || strings.Contains(x, "sow ") && !w.percent(20) {
			continue
		}
		if !w.percent(2) && (strings.Contains(x, "win") || strings.Contains(x, "lose") || strings.Contains(x, "draw") || strings.Contains(x, "end")) {
			continue
		}
		return x
	}
}

// over is the condition of an ending: often about what is met in play.
func (w *writer) over(s scope) string {
	switch w.weighted(30, 30, 40) {
	case 0:
		return fmt.Sprintf("total(%s) %s %d", w.set(s, 1), w.one("=", "<=", ">="), w.n(max(s.v.seeds, 1)))
	case 1:
		if len(s.v.vars) > 0 {
			return w.aboutVar(s, of(w.chance, s.v.vars))
		}
	}
	return w.cond(s, 2)
}

// aboutVar compares a variable with one of its values.
func (w *writer) aboutVar(s scope, x stateVar) string {
	ref := w.reference(s, x)
	cond := ref + " = " + w.valueOf(s.v, x)
	if x.kind == truth {
		cond = w.one("", "", "not ") + ref
	}
	switch w.weighted(60, 25, 15) {
	case 1:
		return cond + " and " + w.tight(s, 0)
	case 2:
		return cond + " or " + w.tight(s, 0)
	}
	return cond
}

// drawScore draws by what the players' results are compared.
func (w *writer) drawScore(v *variant) {
	if v.solitaire() || !w.percent(30) {
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
