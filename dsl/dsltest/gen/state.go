package gen

import (
	"fmt"
	"slices"
	"strings"
)

// stored are the kinds of variables.
var stored = []share[kind]{{33, number}, {22, truth}, {17, pitKind}, {8, playerKind}, {13, enumKind}, {7, lapKind}}

// drawStates declares variables of all types.
func (w *writer) drawStates(v *variant) {
	n := w.weighted(25, 40, 25, 10)
	size := 1
	for i := range n {
		s := stateVar{name: of(w.chance, []string{"x", "y", "t"}) + fmt.Sprint(i), kind: pick(w.chance, stored...)}
		count := w.each(v, &s)
		if s.kind == playerKind && v.solitaire() {
			s.kind = truth
		}
		text, values := w.varType(v, &s)
		if x := w.alike(v); x != nil {
			s.kind, s.names = enumKind, x.names
			text, values = x.name, len(x.names)
		}
		for range count {
			size *= values
		}
		if size > 300 {
			return
		}
		each, first := "", w.initial(v, s)
		if s.each != "" {
			each = " each " + s.each
		}
		if s.each != "" && first != "" && w.percent(40) {
			each = " each g in " + s.each
			is := w.one("index(g) > 1", "g in "+of(w.chance, v.groups).name)
			if s.each == "player" {
				is = "g = " + of(w.chance, v.players)
			}
			first += " if " + is + " else " + w.valueOf(v, s)
		}
		v.states = append(v.states, fmt.Sprintf("state %s%s : %s%s", s.name, each, text, first))
		v.vars = append(v.vars, s)
	}
}

// each makes a variable one for each player or pit, and says of how many.
func (w *writer) each(v *variant, s *stateVar) int {
	switch {
	case !w.percent(28):
		return 1
	case !v.solitaire() && w.percent(60):
		s.each = "player"
		return len(v.players)
	}
	g := of(w.chance, v.groups)
	s.each = g.name
	return len(g.pits)
}

// alike is a variable with an enumeration, whose values are those of a new one.
func (w *writer) alike(v *variant) *stateVar {
	if x, ok := v.enum(); ok && w.percent(12) {
		return &x
	}
	return nil
}

// varType writes the type, and says how many values it has.
func (w *writer) varType(v *variant, s *stateVar) (string, int) {
	switch s.kind {
	case truth:
		return "bool", 2
	case lapKind:
		for _, l := range v.laps {
			if !slices.Contains(s.names, l.name) {
				s.names = append(s.names, l.name)
			}
		}
		return "lap", len(s.names)
	case playerKind:
		if s.nobody = w.percent(35); s.nobody {
			return "player or none", len(v.players) + 1
		}
		return "player", len(v.players)
	case pitKind:
		g := of(w.chance, v.groups)
		s.group = g.name
		if w.percent(15) {
			s.group = "pit"
			return "pit", len(v.pits) + 1
		}
		return g.name, len(g.pits) + 1
	case enumKind:
		s.names = []string{"idle", "busy", "done"}[:2+w.n(2)]
		if len(v.vars) > 0 && v.hasEnum() {
			s.names = []string{"red", "blue"}
		}
		return "{" + strings.Join(s.names, ", ") + "}", len(s.names)
	}
	s.lo = w.weighted(0, 60, 15, 10) - 1
	if w.percent(10) {
		s.lo = -2
	}
	s.hi = s.lo + 1 + w.n(3)
	if w.percent(w.huge * 2) {
		s.huge = w.bigNumber()
		if p := v.hugeParam(); p != "" && w.percent(60) {
			s.huge = p
		}
		s.hi, s.lo = s.hi-s.lo, 0
		return fmt.Sprintf("%s..%s+%d", s.huge, s.huge, s.hi), s.hi + 1
	}
	return fmt.Sprintf("%d..%d", s.lo, s.hi), s.hi - s.lo + 1
}

func (v *variant) hugeParam() string {
	for _, p := range v.params {
		if p.huge && p.role == ofRules {
			return p.name
		}
	}
	return ""
}

func (v *variant) hasEnum() bool {
	return slices.ContainsFunc(v.vars, func(s stateVar) bool { return s.kind == enumKind })
}

// initial is ` = value`, or nothing.
func (w *writer) initial(v *variant, s stateVar) string {
	if (s.kind != playerKind || s.nobody) && w.percent(25) && s.kind != lapKind || w.percent(w.slips) {
		return ""
	}
	if w.percent(w.slips) {
		return " = " + w.one("7", "true", "nobody")
	}
	if s.kind == pitKind && w.percent(60) {
		return " = none"
	}
	return " = " + w.valueOf(v, s)
}

// valueOf is a constant of a variable's type.
func (w *writer) valueOf(v *variant, s stateVar) string {
	switch s.kind {
	case truth:
		return w.one("true", "false")
	case playerKind:
		if s.nobody && w.percent(35) {
			return "none"
		}
		return of(w.chance, v.players)
	case pitKind:
		if g := v.group(s.group); g != nil && !w.percent(20) {
			return v.pits[of(w.chance, g.pits)].name
		}
		return "none"
	case enumKind, lapKind:
		return of(w.chance, s.names)
	}
	n := w.between(s.lo, s.hi)
	if w.percent(w.risk) {
		n += w.one2(-1, 1)
	}
	if s.huge != "" {
		return fmt.Sprintf("%s+%d", s.huge, n)
	}
	return w.small(n)
}

func (c chance) one2(a, b int) int {
	if c.percent(50) {
		return a
	}
	return b
}
