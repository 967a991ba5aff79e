package gen

import (
	"fmt"
	"regexp"
	"strings"
)

// claim writes a claim.
func (w *writer) claim() string {
	w.labels++
	v := w.variants[0]
	if w.percent(25) {
		v = of(w.chance, w.variants)
	}
	head := fmt.Sprintf("claim c%d", w.labels)
	if len(w.variants) > 1 || w.percent(20) {
		head += " of " + v.name
	}
	if w.percent(5) {
		head += fmt.Sprintf(" \"claim %d\"", w.labels)
	}
	property := w.property(v)
	before, after := w.clauses(v, property)
	parts := append(append(before, property), after...)
	var b strings.Builder
	for i, p := range parts {
		sep := w.one(" ", " ", " ", "; ")
		if i+1 < len(parts) && !wordFirst.MatchString(parts[i+1]) {
			sep = "; "
		}
		if w.percent(8) && !strings.Contains(p, " ignoring ") && !strings.HasPrefix(p, "with") && !strings.HasPrefix(p, "for") {
			sep = ", "
		}
		if strings.HasSuffix(p, ":") {
			sep = " "
		}
		b.WriteString(p + sep)
	}
	return w.doc() + head + " { " + b.String() + "}\n"
}

var wordFirst = regexp.MustCompile(`^[a-z]`)

// property writes what is claimed.
func (w *writer) property(v *variant) string {
	s := scope{v: v, place: inClaim}
	if w.only {
		return w.valued(s)
	}
	compared, near, valued := 11, 9, 12
	switch w.theme {
	case likened:
		compared = 80
	case faulty:
		near = 30
	case contested:
		valued = 200
	case ordered:
		compared = 30
	}
	switch w.weighted(32, 5, 7, near, 7, 10, 14, 3, 4, 6, compared, valued) {
	case 0:
		return w.reach(s)
	case 1:
		return "never stuck"
	case 2:
		return "terminates" + w.within(v, 60)
	case 3:
		return w.one("predecessors(", "successors(") + w.bounded(s, w.goal(s)) + ") = " + w.partition(s)
	case 4:
		return w.one("", "", "not ") + w.bounded(s, w.from(s)) + " -> " + w.goal(s) + w.by(v)
	case 5:
		return w.everyStep(s)
	case 6:
		return w.count(s)
	case 7:
		return "unique winnable start"
	case 8:
		return "winning starts = " + w.partition(s)
	case 9:
		if p, ok := w.plan(v); ok {
			return p + " wins wherever anything wins"
		}
	case 10:
		return w.relation(v)
	case 11:
		return w.valued(s)
	}
	return w.reach(s)
}

// goal is a condition on states, often one that play comes to.
func (w *writer) goal(s scope) string {
	switch w.weighted(30, 18, 22, 30, 9, 4) {
	case 4:
		if !s.v.solitaire() {
			return of(w.chance, s.v.players) + " wins" + w.one("", "", " and "+w.tight(s, 0))
		}
	case 5:
		return "no move" + w.one("", " and not stuck", " and "+w.tight(s, 0))
	case 0:
		if len(s.v.results) > 0 {
			x := of(w.chance, s.v.results)
			if w.percent(25) {
				return x + w.one(" and ", " or ") + w.tight(s, 0)
			}
			return x
		}
	case 1:
		if len(s.v.vars) > 0 {
			return w.aboutVar(s, of(w.chance, s.v.vars))
		}
	case 2:
		return fmt.Sprintf("total(%s) %s %s", w.set(s, 0), w.one("=", "=", ">", "<"), w.amount(s.v))
	}
	return w.cond(s, 2)
}

// bounded restricts a condition on states of the right shape to those with few seeds, of which
// there are finitely many.
func (w *writer) bounded(s scope, x string) string {
	if !w.percent(65) {
		return x
	}
	if x == "start" || x == "true" {
		return fmt.Sprintf("total(pit) = %d", w.n(4))
	}
	return fmt.Sprintf("(total(pit) %s %d and (%s))", w.one("=", "=", "<="), w.n(4), x)
}

// amount is a number of seeds, or a parameter.
func (w *writer) amount(v *variant) string {
	if p := v.paramsOf(ofClaims, ofSetup); len(p) > 0 && w.percent(40) {
		return of(w.chance, p).name + w.one("", "", " - 1", " + 1")
	}
	return w.small(w.n(v.seeds + 2))
}

func (w *writer) from(s scope) string {
	if w.percent(30) {
		return w.one("start", "true", "not finished")
	}
	if w.percent(30) {
		return "(" + w.goal(s) + ")"
	}
	return w.tight(s, 1)
}

func (w *writer) reach(s scope) string {
	kind := w.one("unreachable ", "unreachable ", "reachable ", "invariant ")
	x := w.goal(s)
	if kind == "invariant " && w.percent(40) {
		x = "not (" + x + ")"
	}
	if kind == "reachable " && w.percent(3) {
		kind = w.one("unreachable ", "invariant ")
		return kind + x + w.within(s.v, 100)
	}
	if kind == "reachable " {
		return kind + x + w.within(s.v, 45)
	}
	return kind + x
}

// within is a bound on moves: small, by a parameter, huge or negative.
func (w *writer) within(v *variant, percent int) string {
	if !w.percent(percent) {
		return ""
	}
	return " within " + w.howMany(v)
}

func (w *writer) howMany(v *variant) string {
	p := v.paramsOf(ofClaims, ofSetup, ofRules)
	switch {
	case w.percent(w.huge):
		return w.bigNumber()
	case len(p) > 0 && w.percent(30):
		return of(w.chance, p).name + w.one("", " - 1", " - 2", " + 1")
	case w.percent(4):
		return w.one("-1", "0-1", "-3")
	}
	return w.small(w.weighted(2, 3, 4, 3, 2, 1, 1))
}

// partition lists conditions, which together often are all there is.
func (w *writer) partition(s scope) string {
	v := s.v
	var parts []string
	switch w.weighted(14, 25, 25, 16, 20) {
	case 0:
	case 1:
		g := w.set(s, 0)
		lo := w.n(2)
		for i := range 1 + w.n(3) {
			parts = append(parts, fmt.Sprintf("total(%s) = %d", g, lo+i))
		}
	case 2:
		x := w.goal(s)
		parts = []string{x}
		if w.percent(50) {
			parts = append(parts, "not ("+x+")")
		}
	case 3:
		if len(v.vars) > 0 {
			x := of(w.chance, v.vars)
			ref := w.reference(s, x)
			for range 1 + w.n(2) {
				parts = append(parts, ref+" = "+w.valueOf(v, x))
			}
		}
	default:
		for range 1 + w.n(2) {
			parts = append(parts, w.cond(s, 1))
		}
	}
	return w.one("{", "{ ") + strings.Join(parts, ", ") + w.one("}", " }")
}

// by names the moves that count.
func (w *writer) by(v *variant) string {
	if !w.percent(25) {
		return ""
	}
	m := of(w.chance, v.moves)
	if len(m.options) > 0 && w.percent(50) {
		return " by " + of(w.chance, m.options)
	}
	if m.label != "" {
		return " by " + m.label
	}
	if w.percent(40) {
		return " by move0"
	}
	return ""
}

func (w *writer) everyStep(s scope) string {
	after := s
	after.step = true
	gives := w.cond(after, 2)
	switch w.weighted(45, 20, 20, 15) {
	case 1:
		gives = w.goal(s)
	case 2:
		g := w.set(s, 0)
		gives = fmt.Sprintf("total(%s) %s old total(%s)", g, w.one("<=", "=", ">=", "<"), g)
	case 3:
		p := w.somePit(s.v)
		gives = w.one(
			"last in "+w.set(s, 0), "origin /= none and old seeds(origin) >= 1", "last was empty or "+w.tight(after, 0),
			"seeds("+p+") >= old seeds("+p+")", "last = origin or last /= none", "old seeds("+p+") <= "+p)
	}
	all := ""
	if w.percent(30) {
		all = " over all states"
	}
	from := w.from(s)
	if all != "" {
		from = w.bounded(s, from)
	}
	return "from " + from + w.by(s.v) + " every step gives " + gives + all
}

func (w *writer) count(s scope) string {
	v := s.v
	var x string
	where := true
	switch w.weighted(14, 30, 14, 12, 15, 15) {
	case 0:
		x = "starts"
	case 1:
		x = "states"
	case 2:
		x = "finished"
	case 3:
		x = "winning starts"
	case 4:
		x, where = "plays of "+w.howMany(v)+w.one(" moves", " move"), w.percent(3)
	case 5:
		x = "ancestors of " + w.bounded(s, w.goal(s))
	}
	if where && w.percent(45) {
		x += " where " + w.cond(s, 1)
	}
	value := w.small(w.weighted(5, 6, 5, 3, 3, 2, 1, 1, 1, 1))
	if p := v.paramsOf(ofClaims, ofRules); len(p) > 0 && w.percent(50) {
		value = of(w.chance, p).name
	}
	if w.percent(w.huge) {
		value = w.bigNumber()
	}
	return "count(" + x + ") " + w.one("=", "=", "=", "<=", ">=", "<", ">", "/=", "!=") + " " + value
}

// plan picks a strategy that can be followed in a variant.
func (w *writer) plan(v *variant) (string, bool) {
	var list []string
	for _, p := range w.plans {
		if p.of == v && (v.free || w.percent(5)) {
			list = append(list, p.name)
		}
	}
	if len(list) == 0 {
		return "", false
	}
	return of(w.chance, list), true
}

// relation compares with another variant, or with the same one played with other parameters.
func (w *writer) relation(v *variant) string {
	other := of(w.chance, w.variants)
	if len(w.variants) > 1 && other == v && w.percent(85) {
		other = w.variants[0]
		if other == v {
			other = w.variants[1]
		}
	}
	return w.one("refines ", "refines ", "equivalent to ", "equivalent to ", "reverses ") + other.name + w.given(v, other) + w.ignoring(v, other)
}

// ignoring leaves out groups of either variant, most often those that the other one has not.
func (w *writer) ignoring(v, other *variant) string {
	var names []string
	for _, two := range [][2]*variant{{v, other}, {other, v}} {
		for _, g := range two[0].groups {
			if two[1].group(g.name) == nil && w.percent(70) || w.percent(5) {
				names = append(names, g.name)
			}
		}
	}
	if len(names) == 0 {
		return ""
	}
	return " ignoring " + strings.Join(names, ", ")
}

// given sets parameters of another variant.
func (w *writer) given(v, other *variant) string {
	if len(other.params) == 0 || !w.percent(30) {
		return ""
	}
	var out []string
	for _, i := range w.Perm(len(other.params))[:1+w.n(min(2, len(other.params)))] {
		p := other.params[i]
		value := w.value(p)
		if own := v.paramsOf(ofSetup); len(own) > 0 && p.role == ofSetup && w.percent(40) {
			value = own[0].name
		}
		out = append(out, p.name+" = "+value)
	}
	return "(" + strings.Join(out, ", ") + ")"
}

// value is a value of a parameter, mostly one of its range.
func (w *writer) value(p param) string {
	switch {
	case p.role == asSwitch:
		return w.one("true", "false")
	case p.huge:
		return w.bigNumber()
	case p.ranged && !w.percent(6):
		return w.small(w.between(p.lo, p.hi))
	}
	return w.small(w.between(0, 3))
}

// clauses writes what stands before and behind a property.
func (w *writer) clauses(v *variant, property string) (before, after []string) {
	add := func(x string) {
		if w.percent(20) && !strings.HasSuffix(x, ":") {
			after = append(after, x)
		} else {
			before = append(before, x)
		}
	}
	if w.percent(15) {
		add("expect " + w.one("proved", "refuted"))
	}
	if valuedOrForced.MatchString(property) && w.percent(12) || strings.Contains(property, expected) || w.percent(1) {
		add(w.boards(v, property))
	}
	if asksValue.MatchString(property) && w.percent(60) || w.percent(1) {
		add("where endless play " + w.one("is a draw", "counts as scored"))
	}
	begun := false
	at := 12
	if w.theme == ordered {
		at = 25
	}
	if p, ok := w.placeOf(v, true); ok && w.percent(at) {
		add("starting at " + p.name)
		begun = true
	}
	if p, ok := w.plan(v); ok && w.percent(12) && !strings.Contains(property, "wins wherever") {
		add("following " + p)
	}
	if w.percent(2) {
		add("using " + w.one("forward", "backward", "bmc", "induction", "smt", "auto"))
	}
	if w.percent(3) {
		add(fmt.Sprintf("bound %d", w.between(1, 6)))
	}
	for _, p := range v.params {
		w.quantified(p, property, begun, add)
	}
	w.Shuffle(len(before), func(i, j int) { before[i], before[j] = before[j], before[i] })
	before = w.merged(before, "with ", w.one(", ", ", "))
	before = w.merged(before, "for ", w.one(", for ", ", "))
	return before, after
}

// merged joins clauses that begin with the same word, as lists may. Those over all or some values
// stay alone.
func (w *writer) merged(clauses []string, word, sep string) []string {
	var out []string
	last := -1
	for _, c := range clauses {
		rest, ok := strings.CutPrefix(c, word)
		if ok = ok && !strings.HasPrefix(rest, "all ") && !strings.HasPrefix(rest, "some "); ok && last >= 0 && w.percent(60) {
			out[last] = strings.TrimSuffix(out[last], ":") + sep + rest
			continue
		}
		if out = append(out, c); ok {
			last = len(out) - 1
		}
	}
	return out
}

// quantified says which values of a parameter a claim speaks of.
func (w *writer) quantified(p param, property string, begun bool, add func(string)) {
	used := p.role != ofClaims && p.role != asSwitch || regexp.MustCompile(`\b`+p.name+`\b`).MatchString(property)
	if !used && !w.percent(5) {
		return
	}
	open := p.ranged && (p.role == ofSetup || p.role == ofClaims) && !begun
	all, some := 0, 0
	if open || w.percent(w.slips) {
		all, some = 26, 9
		if w.theme == startless || w.theme == curving {
			all = 150
		}
	}
	sweep := 22
	if p.huge || p.role == asSwitch {
		sweep = 2
	}
	switch w.weighted(40, 12, sweep, all, some) {
	case 1:
		add("with " + p.name + " = " + w.value(p))
	case 2:
		hi := max(p.hi, p.lo)
		lo := min(p.lo, hi)
		if p.role == ofClaims && p.open {
			hi = lo + 4
		}
		add(fmt.Sprintf("for %s in %s..%s%s", p.name, w.arithmetic(lo), w.arithmetic(hi), w.one("", ":")))
	case 3:
		add("for all " + p.name)
	case 4:
		add("for some " + p.name)
	}
}
