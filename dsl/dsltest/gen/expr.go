package gen

import (
	"fmt"
	"strings"
)

// place is where an expression stands.
type place int

const (
	inSetup place = iota
	inGuard
	inBody
	inClaim
)

// scope is what an expression may use.
type scope struct {
	v      *variant
	place  place
	locals []local
	sown   bool // something was sown, so `last` has a meaning
	along  bool // by one sowing, so next needs no lap
	step   bool // after gives
	deep   int  // quantifiers around
	plain  bool // of a claim, but without its own words: this may be used in the rules, too
	ends   bool // of an ending or a reaction
}

type local struct {
	name  string
	kind  kind
	fixed bool     // chosen, or of a loop: it cannot be set
	pits  []int    // of a fixed pit: it is one of these
	onLap bool     // it is on the lap of whoever moves
	names []string // of an enumeration: its values
}

func (s scope) with(l local) scope {
	s.locals = append(s.locals[:len(s.locals):len(s.locals)], l)
	return s
}

// named picks a local of a kind.
func (w *writer) named(s scope, k kind) (local, bool) {
	var list []local
	for _, l := range s.locals {
		if l.kind == k {
			list = append(list, l)
		}
	}
	if len(list) == 0 {
		return local{}, false
	}
	return of(w.chance, list), true
}

// variable picks a state variable of a kind, and writes it with what it needs behind it.
func (w *writer) variable(s scope, k kind) (string, stateVar, bool) {
	if s.place == inSetup {
		return "", stateVar{}, false
	}
	var list []stateVar
	for _, v := range s.v.vars {
		if v.kind == k {
			list = append(list, v)
		}
	}
	if len(list) == 0 {
		return "", stateVar{}, false
	}
	v := of(w.chance, list)
	return w.reference(s, v), v, true
}

// reference writes a variable; one with `each` is asked for a player or a pit.
func (w *writer) reference(s scope, v stateVar) string {
	switch v.each {
	case "":
		return v.name
	case "player":
		return v.name + "(" + w.player(s) + ")"
	}
	if w.percent(w.risk) {
		return v.name + "(" + w.pit(s, 1) + ")"
	}
	return v.name + "(" + s.v.pits[of(w.chance, s.v.group(v.each).pits)].name + ")"
}

// player writes a player.
func (w *writer) player(s scope) string {
	if l, ok := w.named(s, playerKind); ok && w.percent(40) {
		return l.name
	}
	if s.place != inSetup && !s.v.solitaire() && w.percent(55) && (s.place != inClaim || w.percent(w.risk)) {
		if len(s.v.players) == 2 && w.percent(20) {
			return "opponent"
		}
		return "mover" // of a finished state, which claims may speak of, it is nobody
	}
	for _, x := range s.v.vars {
		if x.kind == playerKind && x.each == "" && s.place != inSetup && w.percent(20) {
			return x.name
		}
	}
	return of(w.chance, s.v.players)
}

// parameter picks a parameter that may be read here.
func (w *writer) parameter(s scope) (string, bool) {
	roles := []role{ofRules, ofBoard}
	if s.place == inSetup {
		roles = []role{ofSetup, ofSetup, ofRules}
	}
	if s.place == inClaim && !s.plain {
		roles = []role{ofClaims, ofSetup, ofRules}
	}
	list := s.v.paramsOf(roles...)
	if len(list) == 0 {
		return "", false
	}
	return of(w.chance, list).name, true
}

// num writes a number.
func (w *writer) num(s scope, depth int) string {
	if depth > 0 && w.percent(28) {
		return w.compound(s, depth-1)
	}
	if w.percent(w.huge) {
		return w.bigNumber()
	}
	if s.step && w.percent(25) {
		before := s
		before.step = false
		return "old " + w.atom(before)
	}
	return w.atom(s)
}

// atom writes a number without operators.
func (w *writer) atom(s scope) string {
	switch w.weighted(22, 22, 18, 14, 8, 10, 3, 3, 8) {
	case 8:
		if x, ok := w.defined(s, number); ok {
			return x
		}
	case 0:
		return "seeds(" + w.heldPit(s) + ")"
	case 1:
		return "total(" + list(1+w.weighted(85, 15), ", ", func() string { return w.set(s, 1) }) + ")"
	case 2:
		if x, _, ok := w.variable(s, number); ok {
			return x
		}
	case 3:
		if l, ok := w.named(s, number); ok {
			return l.name
		}
	case 4:
		if p, ok := w.parameter(s); ok {
			return p
		}
	case 6:
		return "index(" + w.rowPit(s) + ")"
	case 7:
		return "(" + w.heldPit(s) + w.one(" + 1", " - 1", " * 2", " mod 2") + ")"
	}
	return w.small(w.between(0, 3))
}

// compound writes a number of other numbers.
func (w *writer) compound(s scope, depth int) string {
	x := func() string { return w.num(s, depth) }
	switch w.weighted(28, 14, 14, 8, 8, 8, 8, 5, 7) {
	case 0:
		return x() + " + " + x()
	case 1:
		return x() + " - " + w.closed(s, depth)
	case 2:
		return w.closed(s, depth) + " * " + w.closed(s, depth)
	case 3:
		return w.closed(s, depth) + " div " + w.divisor(s, depth)
	case 4:
		return w.closed(s, depth) + " mod " + w.divisor(s, depth)
	case 5:
		return "min(" + x() + ", " + x() + ")"
	case 6:
		return "max(" + x() + ", " + x() + ")"
	case 7:
		return "-" + w.closed(s, depth)
	}
	if s.deep > 1 {
		return "(" + x() + ")"
	}
	p := w.bound(s)
	if w.percent(20) {
		p = fmt.Sprintf("j%d", s.deep)
		set, inner := w.through(s, p)
		return "(number " + p + " in " + set + " : " + w.cond(inner, depth) + ")"
	}
	return "(number " + p + " in " + w.set(s, 1) + " : " + w.cond(s.inside(p), depth) + ")"
}

// closed writes a number that binds tightly.
func (w *writer) closed(s scope, depth int) string {
	if depth > 0 && w.percent(20) {
		return "(" + w.num(s, depth-1) + ")"
	}
	return w.atom(s)
}

// divisor is mostly not zero.
func (w *writer) divisor(s scope, depth int) string {
	if w.percent(w.risk * 2) {
		return w.closed(s, depth)
	}
	if w.percent(20) {
		return "(1 + " + w.atom(scope{v: s.v, place: s.place}) + ")"
	}
	return w.small(w.one3(2, 3, -2))
}

func (c chance) one3(a, b, d int) int { return []int{a, b, d}[c.n(3)] }

// bound is a name that is not in use for what a quantifier stands for.
func (w *writer) bound(s scope) string { return []string{"p", "q", "r", "u"}[min(s.deep, 3)] }

func (s scope) inside(name string) scope {
	s.deep++
	return s.with(local{name: name, kind: pitKind, fixed: true})
}

// through writes what a name goes through that stands for no pits.
func (w *writer) through(s scope, name string) (set string, inner scope) {
	l := local{name: name, kind: number, fixed: true}
	players := 30
	if w.theme == ordered {
		players = 100
	}
	switch w.weighted(50, players, 20) {
	case 0:
		set = fmt.Sprintf("%d..%d", w.n(3), w.between(1, 3))
	case 1:
		set = "{" + w.one("1, 3", "2", "0, 1, 2") + "}"
		if s.v.solitaire() {
			break
		}
		set, l.kind = "player", playerKind
	case 2:
		x, ok := s.v.enum()
		if !ok {
			set = "1..2"
			break
		}
		set, l.kind, l.names = "{"+strings.Join(x.names, ", ")+"}", enumKind, x.names
	}
	s.deep++
	return set, s.with(l)
}

// cond writes a condition.
func (w *writer) cond(s scope, depth int) string {
	if depth > 0 && w.percent(30) {
		a, b := w.tight(s, depth-1), w.tight(s, depth-1)
		switch w.weighted(40, 35, 25) {
		case 0:
			return a + " and " + b
		case 1:
			return a + " or " + b
		}
		return "not " + a
	}
	if s.place == inClaim && !s.plain && w.percent(30) {
		return w.claimWord(s)
	}
	if s.step && w.percent(12) {
		before := s
		before.step = false
		return "old (" + w.cond(before, 0) + ")"
	}
	for {
		if x := w.simple(s, depth); x != "" {
			return x
		}
	}
}

// tight writes a condition that can stand beside `and`.
func (w *writer) tight(s scope, depth int) string {
	x := w.cond(s, depth)
	if strings.Contains(x, " and ") || strings.Contains(x, " or ") || strings.Contains(x, " : ") {
		return "(" + x + ")"
	}
	return x
}

// simple writes a condition without connectives, or nothing where it cannot.
func (w *writer) simple(s scope, depth int) string {
	switch w.weighted(30, 8, 7, 8, 8, 9, 8, 7, 6, 6, 4, 2, 6, 5) {
	case 12:
		if x, ok := w.defined(s, truth); ok {
			return x
		}
	case 13:
		if s.ends {
			return "no move"
		}
		if s.v.goes && s.place != inSetup && !s.plain {
			return "going" + w.one(" = none", " /= none", " = "+w.somePit(s.v), " in "+w.set(s, 0))
		}
	case 0:
		return w.comparison(s, depth)
	case 1:
		if p, ok := w.unwritten(s); ok || w.percent(1) {
			return p + " " + w.one("=", "/=", "!=") + " " + w.pitOrNone(s)
		}
	case 2:
		return w.pit(s, 1) + w.one(" in ", " not in ") + w.set(s, 1)
	case 3:
		return w.one("each ", "some ") + w.set(s, 1) + " " + w.compareWith() + " " + w.small(w.between(0, 3))
	case 4:
		if s.deep > 1 {
			return ""
		}
		p := w.bound(s)
		if w.percent(25) {
			p = fmt.Sprintf("j%d", s.deep)
			set, inner := w.through(s, p)
			return w.one("each ", "some ") + p + " in " + set + " : " + w.cond(inner, min(depth, 1))
		}
		return w.one("each ", "some ") + p + " in " + w.set(s, 1) + " : " + w.cond(s.inside(p), min(depth, 1))
	case 5:
		return w.truthOf(s)
	case 6:
		if l, ok := w.named(s, enumKind); ok && w.percent(60) && len(l.names) > 0 {
			return l.name + w.one(" = ", " /= ") + of(w.chance, l.names)
		}
		if x, v, ok := w.variable(s, enumKind); ok {
			return x + w.one(" = ", " /= ") + of(w.chance, v.names)
		}
	case 7:
		return w.aboutPlayers(s)
	case 8:
		if s.sown || s.step {
			return "last was " + w.one("empty", "0", "1", "2")
		}
	case 9:
		return w.num(s, 0) + w.one(" in ", " not in ") + w.numbers()
	case 10:
		if l, ok := w.named(s, lapKind); ok {
			return l.name + w.one(" = ", " /= ") + w.lapName(s)
		}
		if x, v, ok := w.variable(s, lapKind); ok {
			return x + w.one(" = ", " /= ") + of(w.chance, v.names)
		}
	case 11:
		return w.one("true", "false")
	}
	return ""
}

// numbers writes a set of numbers.
func (w *writer) numbers() string {
	if w.percent(50) {
		lo := w.n(3)
		return fmt.Sprintf("%d..%d", lo, lo+w.n(3))
	}
	return fmt.Sprintf("{%d, %d}", w.n(2), 2+w.n(3))
}

func (w *writer) compareWith() string { return w.one("=", "=", "/=", "<", "<=", ">", ">=", "!=") }

// comparison compares numbers, often such as are met in play.
func (w *writer) comparison(s scope, depth int) string {
	if x, v, ok := w.variable(s, number); ok && w.percent(25) {
		return x + " " + w.compareWith() + " " + w.valueOf(s.v, v)
	}
	if w.percent(w.huge) {
		return w.closed(s, 0) + " * (" + w.bigNumber() + ") " + w.compareWith() + " " + w.small(w.n(2))
	}
	right := w.small(w.between(0, min(3, s.v.seeds+1)))
	if w.percent(8) {
		return w.heldPit(s) + " " + w.compareWith() + " " + right
	}
	if w.percent(20) {
		right = w.num(s, depth-1)
	}
	return w.num(s, min(depth, 1)) + " " + w.compareWith() + " " + right
}

// truthOf writes a variable, local or parameter that is a truth value.
func (w *writer) truthOf(s scope) string {
	if l, ok := w.named(s, truth); ok && w.percent(60) {
		return l.name
	}
	if x, _, ok := w.variable(s, truth); ok {
		return w.one("", "", "not ") + x
	}
	if p := s.v.paramsOf(asSwitch); len(p) > 0 {
		return p[0].name
	}
	return ""
}

func (w *writer) aboutPlayers(s scope) string {
	if s.v.solitaire() || s.place == inSetup {
		return ""
	}
	if w.percent(4) {
		return w.player(s) + " in player"
	}
	if x, _, ok := w.variable(s, playerKind); ok && w.percent(60) {
		return x + w.one(" = ", " /= ") + w.player(s)
	}
	if len(s.v.players) == 2 && (s.place != inClaim || w.percent(40)) && w.percent(25) {
		return "opponent" + w.one(" = ", " /= ") + of(w.chance, s.v.players)
	}
	return "mover" + w.one(" = ", " /= ") + of(w.chance, s.v.players)
}

// claimWord writes a condition that only claims know.
func (w *writer) claimWord(s scope) string {
	switch w.weighted(52, 8, 8, 14, 4, 11, 9, 5) {
	case 6:
		if !s.v.solitaire() {
			return of(w.chance, s.v.players) + " wins"
		}
	case 7:
		return "no move"
	case 0:
		if len(s.v.results) > 0 {
			return of(w.chance, s.v.results)
		}
	case 1:
		return "stuck"
	case 2:
		return "finished"
	case 3:
		return "start"
	case 4:
		return "endless"
	case 5:
		if p, ok := w.placeOf(s.v, false); ok {
			return p.name
		}
	}
	return "finished"
}
