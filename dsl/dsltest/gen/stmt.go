package gen

import (
	"fmt"
	"slices"
	"strings"
)

// block writes statements in braces.
func (w *writer) block(s scope, n, depth int) string {
	return "{ " + list(n, "; ", func() string { return w.statement(&s, depth) }) + " }"
}

// some is how many statements a block has.
func (w *writer) some() int { return 1 + w.weighted(70, 25, 5) }

// statement writes a statement.
func (w *writer) statement(s *scope, depth int) string {
	for {
		if x := w.tryStatement(s, depth); x != "" {
			return x
		}
	}
}

func (w *writer) tryStatement(s *scope, depth int) string {
	nested := 14
	if depth == 0 {
		nested = 0
	}
	switch w.weighted(20, 12, 12, 22, 8, nested, nested/5, nested/2, 7, 9, 6, nested/2, 6, 4, 3) {
	case 12:
		return w.chain(*s)
	case 13:
		if !s.v.solitaire() {
			return w.player(*s) + " moves next"
		}
	case 14:
		if s.v.goes && !s.ends {
			return "go on from " + w.heldPit(*s)
		}
	case 0:
		return w.capture(*s)
	case 1:
		return w.take(*s)
	case 2:
		return w.let(s)
	case 3:
		return w.assign(*s)
	case 4:
		return w.assignLocal(*s)
	case 5:
		return w.branch(*s, depth-1)
	case 6:
		return w.loop(*s, depth-1)
	case 7:
		return w.forEach(*s, depth-1)
	case 8:
		return "again"
	case 9:
		return w.finish(*s)
	case 10:
		return "require " + w.cond(*s, 1)
	case 11:
		if !s.v.fixed {
			return w.sow(s, depth-1)
		}
	}
	return ""
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
	name := lap[strings.LastIndex(lap, " ")+1:]
	var out []int
	for _, l := range v.laps {
		switch {
		case l.name != name:
		case out == nil:
			out = l.pits
		default:
			out = slices.DeleteFunc(slices.Clone(out), func(p int) bool { return !slices.Contains(l.pits, p) })
		}
	}
	return out
}

// within tells whether the pits, if they are known, are all on a lap.
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
		more = "; " + w.statement(&scope{v: s.v, place: inBody, locals: s.locals, sown: true}, 0)
	}
	return "while " + cond + " { sow last along " + w.lapName(*s) + w.one("", "", ", skip origin") + more + " }"
}

func (w *writer) capture(s scope) string {
	from := list(1+w.weighted(85, 15), ", ", func() string { return w.set(s, 1) })
	if w.percent(10) {
		from = w.set(s, 0) + " without " + w.set(s, 0)
	}
	if strings.HasPrefix(from, "(") || w.percent(70) {
		return "capture " + from + " into " + w.target(s)
	}
	return from + " into " + w.target(s)
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
	l := local{name: name}
	var x string
	switch w.weighted(45, 25, 20, 10, 12, 5, 5) {
	case 4:
		l.kind, x = setKind, w.set(*s, 1)
		l.fixed = true
	case 5:
		l.kind, x = lapKind, w.lapName(*s)
		l.fixed = true
	case 6:
		v, ok := s.v.enum()
		if !ok {
			return ""
		}
		l.kind, l.names, x = enumKind, v.names, of(w.chance, v.names)
		if v.each == "" && w.percent(50) {
			x = v.name
		}
	case 0:
		x = w.num(*s, 1)
		if isPit(*s, x) {
			x = "seeds(" + x + ")"
		}
	case 1:
		l.kind, x = truth, w.cond(*s, 0)
	case 2:
		l.kind, x = pitKind, w.heldPit(*s)
	case 3:
		if s.v.solitaire() {
			return ""
		}
		l.kind, x = playerKind, w.player(*s)
	}
	*s = s.with(l)
	return "let " + name + " = " + x
}

// isPit tells whether a number is written as a pit alone.
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
	switch x.kind {
	case truth:
		return ref + " = " + w.one("true", "true", "false", "not "+ref, w.cond(s, 1))
	case pitKind:
		return ref + " = " + w.pitFor(s, x)
	case number:
		return ref + " = " + w.numberFor(s, x, ref)
	case playerKind:
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
		return fmt.Sprintf("let %s = 0; while %s < %d { %s = %s + 1; %s }", name, name, w.between(1, 3), name, name, w.statement(&inner, depth))
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

// finish ends the game.
func (w *writer) finish(s scope) string {
	return w.outcome(s.v)
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
	label := map[string]string{"win": "W", "lose": "L", "draw": "D", "end": "E"}[kind]
	name := label
	switch w.weighted(70, 14, 10, 6) {
	case 1:
		label, name = label+"2", label+"2"
	case 2:
		if word != kind {
			kind = "win"
		}
		label, name = "", fmt.Sprintf("%q", kind)
	case 3:
		label = fmt.Sprintf("%q", "the "+kind)
		name = label
	}
	known := false
	for _, r := range v.results {
		known = known || r == name
	}
	if !known {
		v.results = append(v.results, name)
	}
	if label == "" {
		return word
	}
	return word + " " + label
}
