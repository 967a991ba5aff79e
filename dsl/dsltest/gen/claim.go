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
	if w.percent(9) && !strings.Contains(property, " -> ") { // `not E -> F` is a property of its own
		property = "not " + property
	}
	before, after := w.clauses(v, property)
	parts := append(append(before, property), after...)
	var b strings.Builder
	for i, p := range parts {
		sep := " "
		if i+1 < len(parts) && !wordFirst.MatchString(parts[i+1]) {
			sep = ", "
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
	if x := properties.draw(w, s); x != "" {
		return x
	}
	return w.reach(s)
}

var properties, goals *table[scope]

func init() {
	properties = newTable("property",
		production[scope]{name: "reach", weight: 32, write: (*writer).reach},
		production[scope]{name: "never stuck", weight: 5, write: fixed[scope]("never stuck")},
		production[scope]{name: "terminates", weight: 7, write: func(w *writer, s scope) string { return "terminates" + w.within(s.v, 60) }},
		production[scope]{name: "endless", weight: 3, write: fixed[scope]("can go on for ever")},
		production[scope]{name: "neighbours", weight: 9, themes: map[theme]int{faulty: 30}, write: func(w *writer, s scope) string {
			return w.one("predecessors(", "successors(") + w.bounded(s, w.goal(s)) + ") = " + w.partition(s)
		}},
		production[scope]{name: "step", weight: 7, write: func(w *writer, s scope) string {
			return w.one("", "", "not ") + w.bounded(s, w.from(s)) + " -> " + w.goal(s) + w.by(s.v)
		}},
		production[scope]{name: "every step", weight: 10, write: (*writer).everyStep},
		production[scope]{name: "count", weight: 14, write: (*writer).count},
		production[scope]{name: "unique winnable start", weight: 3, write: fixed[scope]("unique winnable start")},
		production[scope]{name: "winning starts", weight: 4, write: func(w *writer, s scope) string { return "winning starts = " + w.partition(s) }},
		production[scope]{name: "strategy wins", weight: 6, write: func(w *writer, s scope) string {
			if p, ok := w.plan(s.v); ok {
				return p + " wins wherever anything wins"
			}
			return ""
		}},
		production[scope]{name: "relation", weight: 11, themes: map[theme]int{likened: 80, ordered: 30}, write: func(w *writer, s scope) string { return w.relation(s.v) }},
		production[scope]{name: "value", weight: 12, themes: map[theme]int{contested: 200}, write: (*writer).valued},
	)
	goals = newTable("goal",
		production[scope]{name: "outcome", weight: 30, write: func(w *writer, s scope) string {
			if len(s.v.results) == 0 {
				return ""
			}
			x := of(w.chance, s.v.results)
			if w.percent(25) {
				return x + w.one(" and ", " or ") + w.tight(s, 0)
			}
			return x
		}},
		production[scope]{name: "variable", weight: 18, write: (*writer).aboutSomeVar},
		production[scope]{name: "total", weight: 22, write: func(w *writer, s scope) string {
			return fmt.Sprintf("total(%s) %s %s", w.set(s, 0), w.one("=", "=", ">", "<"), w.amount(s.v))
		}},
		production[scope]{name: "condition", weight: 30, write: func(w *writer, s scope) string { return w.cond(s, 2) }},
		production[scope]{name: "player wins", weight: 9, write: func(w *writer, s scope) string {
			if s.v.solitaire() {
				return ""
			}
			return of(w.chance, s.v.players) + " wins" + w.one("", "", " and "+w.tight(s, 0))
		}},
		production[scope]{name: "no move", weight: 4, write: func(w *writer, s scope) string {
			return "no move" + w.one("", " and not stuck", " and "+w.tight(s, 0))
		}},
	)
	partitions = newTable("partition",
		production[scope]{name: "nothing", weight: 14, write: fixed[scope](" ")},
		production[scope]{name: "totals", weight: 25, write: func(w *writer, s scope) string {
			g, lo := w.set(s, 0), w.n(2)
			return numbered(1+w.n(3), func(i int) string { return fmt.Sprintf("total(%s) = %d", g, lo+i) })
		}},
		production[scope]{name: "goal", weight: 25, write: func(w *writer, s scope) string {
			x := w.goal(s)
			if w.percent(50) {
				return x + ", not (" + x + ")"
			}
			return x
		}},
		production[scope]{name: "values", weight: 16, write: func(w *writer, s scope) string {
			if len(s.v.vars) == 0 {
				return " "
			}
			x := of(w.chance, s.v.vars)
			ref := w.reference(s, x)
			return list(1+w.n(2), ", ", func() string { return ref + " = " + w.valueOf(s.v, x) })
		}},
		production[scope]{name: "conditions", weight: 20, write: func(w *writer, s scope) string {
			return list(1+w.n(2), ", ", func() string { return w.cond(s, 1) })
		}},
	)
	counted = newTable("count",
		production[scope]{name: "starts", weight: 14, write: fixed[scope]("starts")},
		production[scope]{name: "states", weight: 30, write: fixed[scope]("states")},
		production[scope]{name: "finished", weight: 14, write: fixed[scope]("finished")},
		production[scope]{name: "winning starts", weight: 12, write: fixed[scope]("winning starts")},
		production[scope]{name: "plays", weight: 15, write: func(w *writer, s scope) string {
			return "plays of " + w.howMany(s.v) + w.one(" moves", " move")
		}},
		production[scope]{name: "ancestors", weight: 15, write: func(w *writer, s scope) string { return "ancestors of " + w.bounded(s, w.goal(s)) }},
	)
	given = newTable("every step gives",
		production[afterStep]{name: "condition", weight: 45, write: func(_ *writer, s afterStep) string { return s.cond }},
		production[afterStep]{name: "goal", weight: 20, write: func(w *writer, s afterStep) string { return w.goal(s.before) }},
		production[afterStep]{name: "total", weight: 20, write: func(w *writer, s afterStep) string {
			g := w.set(s.before, 0)
			return fmt.Sprintf("total(%s) %s old total(%s)", g, w.one("<=", "=", ">=", "<"), g)
		}},
		production[afterStep]{name: "sowing", weight: 15, write: func(w *writer, s afterStep) string {
			p := w.somePit(s.after.v)
			return w.one(
				"last in "+w.set(s.before, 0), "origin /= none and old seeds(origin) >= 1", "last was empty or "+w.tight(s.after, 0),
				"seeds("+p+") >= old seeds("+p+")", "last = origin or last /= none", "old seeds("+p+") <= "+p)
		}},
	)
	quantifiers = newTable("parameter of a claim",
		production[quantifier]{name: "its default", weight: 40, write: fixed[quantifier](" ")},
		production[quantifier]{name: "with", weight: 12, write: func(w *writer, q quantifier) string { return "with " + q.name + " = " + w.value(q.param) }},
		production[quantifier]{name: "for in", vary: func(_ *writer, q quantifier) int {
			if q.huge || q.role == asSwitch {
				return 2
			}
			return 22
		}, write: (*writer).sweep},
		production[quantifier]{name: "for all", vary: func(w *writer, q quantifier) int {
			switch {
			case !q.open:
				return 0
			case w.theme == startless, w.theme == curving:
				return 150
			}
			return 26
		}, write: func(_ *writer, q quantifier) string { return "for all " + q.name }},
		production[quantifier]{name: "for all sizes", vary: where(1, func(_ *writer, q quantifier) bool { return !q.huge && q.role != asSwitch }), write: func(w *writer, q quantifier) string {
			return fmt.Sprintf("for all %s >= %s%s", q.name, w.arithmetic(q.lo), w.one("", ":"))
		}},
		production[quantifier]{name: "for some", vary: where(9, func(_ *writer, q quantifier) bool { return q.open }), write: func(_ *writer, q quantifier) string {
			return "for some " + q.name
		}},
	)
}

// goal is a condition on states, often one that play comes to.
func (w *writer) goal(s scope) string {
	if x := goals.draw(w, s); x != "" {
		return x
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
	parts := strings.TrimSpace(partitions.draw(w, s))
	return w.one("{", "{ ") + parts + w.one("}", " }")
}

var partitions *table[scope]

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

// afterStep is where a claim about steps says what they give, with a condition for it.
type afterStep struct {
	before, after scope
	cond          string
}

var given *table[afterStep]

func (w *writer) everyStep(s scope) string {
	after := s
	after.step = true
	gives := given.draw(w, afterStep{s, after, w.cond(after, 2)})
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

var counted *table[scope]

func (w *writer) count(s scope) string {
	v := s.v
	x := counted.draw(w, s)
	if (!strings.HasPrefix(x, "plays") || w.percent(3)) && w.percent(45) {
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
	kind := w.one("refines ", "refines ", "equivalent to ", "equivalent to ", "reverses ")
	as := ""
	if kind != "reverses " && w.percent(60) {
		as = " in " + w.one("play", "play and notation", "play and notation", "score", "result")
	}
	return kind + other.name + w.given(v, other) + as + w.ignoring(v, other)
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
	if w.percent(4) {
		add("takes long")
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
		add("using " + w.one("forward", "backward", "bmc", "induction", "smt", "laws", "hunt", "abstraction", "cases", "auto"))
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
	if x := quantifiers.draw(w, quantifier{p, open || w.percent(w.slips)}); x != " " {
		add(x)
	}
}

// quantifier is what a claim says of a parameter, which it may leave open.
type quantifier struct {
	param
	open bool
}

var quantifiers *table[quantifier]

// sweep lets a parameter go through a range.
func (w *writer) sweep(q quantifier) string {
	hi := max(q.hi, q.lo)
	lo := min(q.lo, hi)
	if q.role == ofClaims && q.param.open {
		hi = lo + 4
	}
	return fmt.Sprintf("for %s in %s..%s%s", q.name, w.arithmetic(lo), w.arithmetic(hi), w.one("", ":"))
}
