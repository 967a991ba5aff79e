package gen

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// block writes statements in braces.
func (w *writer) block(s scope, n, depth int) string {
	var texts []string
	for range n {
		texts = append(texts, w.statement(&s, depth))
	}
	return "{ " + strings.Join(labelled(texts), " ") + " }"
}

// verdictLast finds the word of a verdict without a label at the end of a statement.
var verdictLast = regexp.MustCompile(`\b(win|lose|draw|end|wins|loses)$`)

// labelled gives a label to verdicts that have none and are not the last statement: what stands
// behind would be taken for it. It is the label that they have without one.
func labelled(texts []string) []string {
	out := slices.Clone(texts)
	for i := range len(out) - 1 {
		switch word := verdictLast.FindString(out[i]); word {
		case "":
		case "wins", "loses":
			out[i] += ` "win"`
		default:
			out[i] += ` "` + word + `"`
		}
	}
	return out
}

// some is how many statements a block has.
func (w *writer) some() int { return 1 + w.weighted(70, 25, 5) }

// statement writes a statement.
func (w *writer) statement(s *scope, depth int) string {
	return statements.insist(w, inBlock{s, depth})
}

// inBlock is where a statement stands: it may add to the scope of those behind it.
type inBlock struct {
	*scope
	depth int
}

var (
	statements *table[inBlock]
	lets       *table[*letting]
)

func init() {
	nested := func(weight int) func(*writer, inBlock) int {
		return where(weight, func(_ *writer, s inBlock) bool { return s.depth > 0 })
	}
	simple := func(write func(*writer, scope) string) func(*writer, inBlock) string {
		return func(w *writer, s inBlock) string { return write(w, *s.scope) }
	}
	deeper := func(write func(*writer, scope, int) string) func(*writer, inBlock) string {
		return func(w *writer, s inBlock) string { return write(w, *s.scope, s.depth-1) }
	}
	statements = newTable("statement",
		production[inBlock]{name: "capture", weight: 20, write: simple((*writer).capture)},
		production[inBlock]{name: "take", weight: 12, write: simple((*writer).take)},
		production[inBlock]{name: "let", weight: 12, write: func(w *writer, s inBlock) string { return w.let(s.scope) }},
		production[inBlock]{name: "assign", weight: 22, write: simple((*writer).assign)},
		production[inBlock]{name: "assign a local", weight: 8, write: simple((*writer).assignLocal)},
		production[inBlock]{name: "if", vary: nested(14), write: deeper((*writer).branch)},
		production[inBlock]{name: "while", vary: nested(2), write: deeper((*writer).loop)},
		production[inBlock]{name: "for", vary: nested(7), write: deeper((*writer).forEach)},
		production[inBlock]{name: "again", weight: 7, write: fixed[inBlock]("again")},
		production[inBlock]{name: "finish", weight: 9, write: func(w *writer, s inBlock) string { return w.outcome(s.v) }},
		production[inBlock]{name: "require", weight: 6, write: func(w *writer, s inBlock) string { return "require " + w.cond(*s.scope, 1) }},
		production[inBlock]{name: "sow", vary: nested(7), write: func(w *writer, s inBlock) string {
			if s.v.fixed {
				return ""
			}
			return w.sow(s.scope, s.depth-1)
		}},
		production[inBlock]{name: "chain", weight: 6, write: simple((*writer).chain)},
		production[inBlock]{name: "moves next", weight: 4, write: func(w *writer, s inBlock) string {
			if s.v.solitaire() {
				return ""
			}
			return w.player(*s.scope) + " moves next"
		}},
		production[inBlock]{name: "call", vary: where(18, func(_ *writer, s inBlock) bool { return len(s.v.procs) > 0 }), write: simple((*writer).call)},
		production[inBlock]{name: "go on", weight: 3, write: func(w *writer, s inBlock) string {
			if !s.v.goes || s.ends {
				return ""
			}
			return "go on from " + w.heldPit(*s.scope)
		}},
	)
	lets = newTable("let",
		production[*letting]{name: "number", weight: 45, write: func(w *writer, l *letting) string {
			x := w.num(*l.in, 1)
			if isPit(*l.in, x) {
				x = "seeds(" + x + ")"
			}
			return x
		}},
		production[*letting]{name: "truth value", weight: 25, write: func(w *writer, l *letting) string {
			l.kind = truth
			return w.cond(*l.in, 0)
		}},
		production[*letting]{name: "pit", weight: 20, write: func(w *writer, l *letting) string {
			l.kind = pitKind
			return w.heldPit(*l.in)
		}},
		production[*letting]{name: "player", weight: 10, write: func(w *writer, l *letting) string {
			if l.kind = playerKind; l.in.v.solitaire() {
				return ""
			}
			return w.player(*l.in)
		}},
		production[*letting]{name: "set", weight: 12, write: func(w *writer, l *letting) string {
			l.kind, l.fixed = setKind, true
			return w.set(*l.in, 1)
		}},
		production[*letting]{name: "lap", weight: 5, write: func(w *writer, l *letting) string {
			l.kind, l.fixed = lapKind, true
			return w.lapName(*l.in)
		}},
		production[*letting]{name: "value of an enumeration", weight: 5, write: func(w *writer, l *letting) string {
			v, ok := l.in.v.enum()
			if !ok {
				return ""
			}
			l.kind, l.names = enumKind, v.names
			x := of(w.chance, v.names)
			if v.each == "" && w.percent(50) {
				x = v.name
			}
			return x
		}},
	)
	outcomeLabels = newTable("label of an outcome",
		production[*outcome]{name: "letter", weight: 70, write: func(_ *writer, o *outcome) string { return " " + o.name }},
		production[*outcome]{name: "numbered", weight: 14, write: func(_ *writer, o *outcome) string {
			o.name += "2"
			return " " + o.name
		}},
		production[*outcome]{name: "none", weight: 10, write: func(_ *writer, o *outcome) string {
			kind := o.kind
			if o.word != kind {
				kind = "win"
			}
			o.name = fmt.Sprintf("%q", kind)
			return " "
		}},
		production[*outcome]{name: "quoted", weight: 6, write: func(_ *writer, o *outcome) string {
			o.name = fmt.Sprintf("%q", "the "+o.kind)
			return " " + o.name
		}},
	)
}

// source is a pit to sow from, which is mostly on the lap.
func (w *writer) source(s scope, lap string) string {
	stops := w.stops(s.v, lap)
	var list []string
	for _, l := range s.locals {
		if l.kind == pitKind && (!l.fixed || l.onLap || within(l.pits, stops)) {
			list = append(list, l.name)
		}
	}
	if len(list) > 0 && !w.percent(12) {
		return of(w.chance, list)
	}
	if s.sown && w.percent(40) {
		return "last"
	}
	if len(stops) > 0 && !w.percent(10+w.slips) {
		return s.v.pits[of(w.chance, stops)].name
	}
	return w.pit(s, 1)
}

// stops are the pits on the laps that a name may mean, or nothing if they differ.
func (w *writer) stops(v *variant, lap string) []int {
	names := []string{lap[strings.LastIndex(lap, " ")+1:]}
	if strings.HasPrefix(lap, "(") {
		names = strings.Fields(strings.Trim(lap, "()"))
	}
	var out []int
	for _, l := range v.laps {
		switch {
		case !slices.Contains(names, l.name):
		case out == nil:
			out = l.pits
		default:
			out = slices.DeleteFunc(slices.Clone(out), func(p int) bool { return !slices.Contains(l.pits, p) })
		}
	}
	return out
}

// within reports whether the pits, if they are known, are all on a lap.
func within(pits, stops []int) bool {
	return len(pits) > 0 && !slices.ContainsFunc(pits, func(p int) bool { return !slices.Contains(stops, p) })
}

// sow writes a sowing with any of its options.
func (w *writer) sow(s *scope, depth int) string {
	x := "sow "
	if w.percent(12) {
		x += w.one("1", "2", w.closed(*s, 0)) + " from "
	}
	lap := w.lapName(*s)
	x += w.source(*s, lap) + " along " + lap
	after := *s
	after.sown, after.along = true, true
	var mods []string
	if w.percent(12) {
		skip := *s
		skip.sown = true
		mods = append(mods, "skip "+w.one("origin", "origin", w.somePit(s.v), w.set(skip, 1)))
	}
	if w.percent(7) {
		g := of(w.chance, s.v.groups)
		mods = append(mods, w.one(g.name, w.somePit(s.v))+" takes only the last")
	}
	if w.percent(7) {
		mods = append(mods, "origin first")
	} else if w.percent(7) {
		mods = append(mods, "starting at "+w.somePit(s.v))
	}
	if w.percent(8) && !strings.Contains(x, " from ") {
		mods = append(mods, w.one("1", "2", "2", "3")+" in each")
	}
	if depth > 0 && w.percent(9) {
		mods = append(mods, "each drop "+w.block(after, w.some(), 0))
	}
	if w.percent(8) {
		on := after
		mods = append(mods, w.one(
			"relay while "+w.one("last > 1", "not last was empty", "last > 1 and last in "+w.set(on, 0)),
			"relay from "+w.heldPit(on)+" while "+w.one("last was 1", w.tight(on, 0)),
			"relay from next(last along "+lap+") while next(last along "+lap+") /= none and next(last along "+lap+") > 0"))
	}
	w.Shuffle(len(mods), func(i, j int) { mods[i], mods[j] = mods[j], mods[i] })
	*s = after
	return strings.Join(append([]string{x}, mods...), ", ")
}

// chain captures one pit after another.
func (w *writer) chain(s scope) string {
	name := "c" + fmt.Sprint(len(s.locals))
	from, along := w.pit(s, 1), " along "+w.lapName(s)
	if s.along && w.percent(60) {
		from, along = "last", w.one("", "", along)
	}
	in := s.with(local{name: name, kind: pitKind, fixed: true})
	while := name + w.one(" in 1..2", " in 2..3", " > 0", " = 1")
	if w.percent(25) {
		while = w.cond(in, 0)
	}
	return "capture " + name + w.one(" back", " back", " forward") + " from " + from + along + " while " + while + " into " + w.target(s)
}

// relay sows on from where the last seed fell.
func (w *writer) relay(s *scope) string {
	cond := w.one("not last was empty", "last > 1", "last was 1", "last > 1 and last in "+s.v.main().name)
	more := ""
	if w.percent(25) {
		more = " " + w.statement(&scope{v: s.v, place: inBody, locals: s.locals, sown: true}, 0)
	}
	return "while " + cond + " { sow last along " + w.lapName(*s) + w.one("", "", ", skip origin") + more + " }"
}

func (w *writer) capture(s scope) string {
	from := list(1+w.weighted(85, 15), ", ", func() string { return w.set(s, 1) })
	if w.percent(10) {
		from = w.set(s, 0) + " without " + w.set(s, 0)
	}
	return "capture " + from + " into " + w.target(s)
}

// take moves some seeds, mostly no more than there are.
func (w *writer) take(s scope) string {
	p := w.heldPit(s)
	k := w.small(w.between(0, 2))
	switch {
	case w.percent(w.risk * 2):
		return fmt.Sprintf("take %s from %s into %s", k, w.pit(s, 1), w.target(s))
	case w.percent(50):
		return fmt.Sprintf("if seeds(%s) >= %s { take %s from %s into %s }", p, k, k, p, w.target(s))
	}
	return fmt.Sprintf("take min(%s, seeds(%s)) from %s into %s", k, p, p, w.target(s))
}

// let introduces a local.
func (w *writer) let(s *scope) string {
	name := fmt.Sprintf("l%d", len(s.locals))
	l := letting{local{name: name}, s}
	x := lets.draw(w, &l)
	if x == "" {
		return ""
	}
	*s = s.with(l.local)
	return "let " + name + " = " + x
}

// letting is a local that is introduced in a scope.
type letting struct {
	local
	in *scope
}

// isPit reports whether a number is written as a pit alone.
func isPit(s scope, x string) bool {
	if x == "last" || x == "origin" {
		return true
	}
	for _, l := range s.locals {
		if l.name == x {
			return l.kind == pitKind
		}
	}
	for _, p := range s.v.pits {
		if p.name == x || fmt.Sprintf("%s[%d]", p.group, p.index) == x {
			return true
		}
	}
	return false
}

// assign sets a variable, mostly to a value of its type.
func (w *writer) assign(s scope) string {
	if len(s.v.vars) == 0 {
		return ""
	}
	x := of(w.chance, s.v.vars)
	ref := w.reference(s, x)
	if w.percent(10) { // what follows it may be another `if`
		return ref + " = " + w.eitherOf(s, w.valueOf(s.v, x), w.one(ref, w.valueOf(s.v, x)))
	}
	switch x.kind {
	case truth:
		return ref + " = " + w.one("true", "true", "false", "not "+ref, w.cond(s, 1))
	case pitKind:
		return ref + " = " + w.pitFor(s, x)
	case number:
		return ref + " = " + w.numberFor(s, x, ref)
	case playerKind:
		if x.nobody && w.percent(30) {
			return ref + " = " + w.one("none", w.either(s, "none", w.player(s)))
		}
		return ref + " = " + w.player(s)
	case lapKind:
		if w.percent(50) {
			return ref + " = " + w.lapName(s)
		}
	case enumKind:
		if l, ok := w.named(s, enumKind); ok && len(l.names) > 0 && l.names[0] == x.names[0] && w.percent(50) {
			return ref + " = " + l.name
		}
	}
	return ref + " = " + of(w.chance, x.names)
}

func (w *writer) pitFor(s scope, x stateVar) string {
	if w.percent(w.risk) || x.group == "pit" {
		return w.pitOrNone(s)
	}
	return w.one("none", w.valueOf(s.v, x), w.valueOf(s.v, x))
}

// numberFor is a number that fits a variable, or one that need not.
func (w *writer) numberFor(s scope, x stateVar, ref string) string {
	switch {
	case x.huge != "":
		if w.percent(w.risk) {
			return ref + " + 1"
		}
		return w.valueOf(s.v, x)
	case w.percent(w.risk):
		return w.one(ref+" + 1", ref+" - 1", w.num(s, 1), w.small(x.hi+1))
	case w.percent(30):
		return fmt.Sprintf("min(%s, %s + 1)", w.small(x.hi), ref)
	case w.percent(15):
		return fmt.Sprintf("max(%s, %s - 1)", w.small(x.lo), ref)
	case w.percent(30):
		return fmt.Sprintf("(%s) mod %d + %s", w.num(s, 0), x.hi-x.lo+1, w.closedSmall(x.lo))
	}
	return w.valueOf(s.v, x)
}

func (c chance) closedSmall(n int) string {
	if n < 0 {
		return fmt.Sprintf("(0-%d)", -n)
	}
	return fmt.Sprint(n)
}

func (w *writer) assignLocal(s scope) string {
	var list []local
	for _, l := range s.locals {
		if !l.fixed {
			list = append(list, l)
		}
	}
	if len(list) == 0 {
		return ""
	}
	l := of(w.chance, list)
	switch l.kind {
	case number:
		return fmt.Sprintf("%s = (%s) mod 4", l.name, w.num(s, 1))
	case truth:
		return l.name + " = " + w.cond(s, 0)
	case pitKind:
		return l.name + " = " + w.heldPit(s)
	case enumKind:
		return l.name + " = " + of(w.chance, l.names)
	}
	return l.name + " = " + w.player(s)
}

func (w *writer) branch(s scope, depth int) string {
	x := "if " + w.cond(s, 1) + " " + w.block(s, w.some(), depth)
	if w.percent(15) {
		x += " else if " + w.cond(s, 1) + " " + w.block(s, w.some(), depth)
	}
	if w.percent(30) {
		x += " else " + w.block(s, w.weighted(6, 80, 14), depth)
	}
	return x
}

// loop is a while that ends soon, or comes back to where it was.
func (w *writer) loop(s scope, depth int) string {
	if w.percent(50) {
		name := fmt.Sprintf("i%d", len(s.locals))
		inner := s.with(local{name: name, kind: number, fixed: true})
		return fmt.Sprintf("let %s = 0 while %s < %d { %s = %s + 1 %s }", name, name, w.between(1, 3), name, name, w.statement(&inner, depth))
	}
	if w.percent(30) {
		if x, _, ok := w.variable(s, truth); ok {
			return fmt.Sprintf("while %s { %s = not %s }", w.one("true", x, w.cond(s, 0)), x, x)
		}
	}
	p := w.heldPit(s)
	return fmt.Sprintf("while seeds(%s) > %d { take 1 from %s into %s }", p, w.n(2), p, w.target(s))
}

func (w *writer) forEach(s scope, depth int) string {
	name := w.bound(s)
	if s.deep > 1 {
		return ""
	}
	inner := s.inside(name)
	set := w.set(s, 1)
	if w.percent(30) {
		name = fmt.Sprintf("j%d", s.deep)
		set, inner = w.through(s, name)
	} else if g := of(w.chance, s.v.groups); w.percent(50) {
		set = g.name
		inner.locals[len(inner.locals)-1].pits = g.pits
	}
	return "for " + name + " in " + set + " " + w.block(inner, w.some(), min(depth, 1))
}

// outcome is a verdict with its label. A label keeps its kind, but for slips.
func (w *writer) outcome(v *variant) string {
	kind := w.one("win", "lose", "draw", "end")
	word := kind
	if !v.solitaire() && (kind == "win" || kind == "lose") {
		who := w.one("mover", "opponent", of(w.chance, v.players))
		word = who + " wins"
		if len(v.players) > 2 && who == "opponent" {
			word = "mover wins"
		}
		if len(v.players) == 2 && kind == "lose" {
			word = who + " loses"
		} else {
			kind = "win"
		}
	}
	o := &outcome{kind, word, map[string]string{"win": "W", "lose": "L", "draw": "D", "end": "E"}[kind]}
	label := outcomeLabels.draw(w, o)
	v.result(o.name)
	return strings.TrimSpace(word + label)
}

// result notes the name of an outcome.
func (v *variant) result(name string) {
	if !slices.Contains(v.results, name) {
		v.results = append(v.results, name)
	}
}

// outcome is how a game ends: the kind, the words for it, and the name that claims know it by.
type outcome struct{ kind, word, name string }

var outcomeLabels *table[*outcome]
