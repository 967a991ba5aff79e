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
	if s.place != inSetup && s.deep < 2 && w.percent(5) {
		s.deep++
		return w.either(s, w.player(s), w.player(s))
	}
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
		if x.kind == playerKind && x.each == "" && s.place != inSetup && w.percent(20) && (!x.nobody || w.percent(w.risk*2)) {
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
	if x := atoms.draw(w, s); x != "" {
		return x
	}
	return w.digit(s)
}

// digit is a small constant.
func (w *writer) digit(scope) string { return w.small(w.between(0, 3)) }

// inExpr is a scope and how deep expressions may go there.
type inExpr struct {
	scope
	depth int
}

var (
	atoms, goThrough, claimWords *table[scope]
	compounds, simple            *table[inExpr]
	connected                    *table[[2]string] // of two conditions
)

// use writes the use of a definition of a kind, or nothing.
func use[A any](k kind, in func(A) scope) func(*writer, A) string {
	return func(w *writer, at A) string {
		x, _ := w.defined(in(at), k)
		return x
	}
}

func init() {
	self := func(s scope) scope { return s }
	here := func(s inExpr) scope { return s.scope }
	atoms = newTable("number",
		production[scope]{name: "seeds", weight: 22, write: func(w *writer, s scope) string { return "seeds(" + w.heldPit(s) + ")" }},
		production[scope]{name: "total", weight: 22, write: func(w *writer, s scope) string {
			return "total(" + list(1+w.weighted(85, 15), ", ", func() string { return w.set(s, 1) }) + ")"
		}},
		production[scope]{name: "variable", weight: 18, write: func(w *writer, s scope) string { x, _, _ := w.variable(s, number); return x }},
		production[scope]{name: "local", weight: 14, write: func(w *writer, s scope) string { l, _ := w.named(s, number); return l.name }},
		production[scope]{name: "parameter", weight: 8, write: func(w *writer, s scope) string { p, _ := w.parameter(s); return p }},
		production[scope]{name: "constant", weight: 10, write: (*writer).digit},
		production[scope]{name: "index", weight: 3, write: func(w *writer, s scope) string { return "index(" + w.rowPit(s) + ")" }},
		production[scope]{name: "pit as a number", weight: 3, write: func(w *writer, s scope) string {
			return "(" + w.heldPit(s) + w.one(" + 1", " - 1", " * 2", " mod 2") + ")"
		}},
		production[scope]{name: "definition", weight: 8, write: use(number, self)},
	)
	// both writes an operator between two operands, the left one before the right one.
	both := func(op string, left, right func(*writer, scope, int) string) func(*writer, inExpr) string {
		return func(w *writer, s inExpr) string { return left(w, s.scope, s.depth) + op + right(w, s.scope, s.depth) }
	}
	num, closed, divisor := (*writer).num, (*writer).closed, (*writer).divisor
	compounds = newTable("compound",
		production[inExpr]{name: "sum", weight: 28, write: both(" + ", num, num)},
		production[inExpr]{name: "difference", weight: 14, write: both(" - ", num, closed)},
		production[inExpr]{name: "product", weight: 14, write: both(" * ", closed, closed)},
		production[inExpr]{name: "div", weight: 8, write: both(" div ", closed, divisor)},
		production[inExpr]{name: "mod", weight: 8, write: both(" mod ", closed, divisor)},
		production[inExpr]{name: "min", weight: 8, write: func(w *writer, s inExpr) string { return "min(" + both(", ", num, num)(w, s) + ")" }},
		production[inExpr]{name: "max", weight: 8, write: func(w *writer, s inExpr) string { return "max(" + both(", ", num, num)(w, s) + ")" }},
		production[inExpr]{name: "conditional", weight: 7, write: func(w *writer, s inExpr) string {
			l, r := w.num(s.scope, s.depth), w.num(s.scope, s.depth)
			switch { // beside a number a pit is its seeds
			case w.percent(20):
				l, r = w.heldPit(s.scope), "seeds("+w.heldPit(s.scope)+")"
			case w.percent(20):
				l, r = w.small(w.n(3)), w.heldPit(s.scope)
			}
			return w.either(s.scope, l, r)
		}},
		production[inExpr]{name: "minus", weight: 5, write: func(w *writer, s inExpr) string { return "-" + w.closed(s.scope, s.depth) }},
		production[inExpr]{name: "number of", weight: 7, write: func(w *writer, s inExpr) string {
			if s.deep > 1 {
				return "(" + w.num(s.scope, s.depth) + ")"
			}
			return "(" + w.binding(s, 20, s.depth, "number ") + ")"
		}},
	)
	goThrough = newTable("goes through",
		production[scope]{name: "range", weight: 50, write: func(w *writer, _ scope) string { return fmt.Sprintf("%d..%d", w.n(3), w.between(1, 3)) }},
		production[scope]{name: "player", weight: 30, themes: map[theme]int{ordered: 100}, write: func(w *writer, s scope) string {
			set := "{" + w.one("1, 3", "2", "0, 1, 2") + "}"
			if s.v.solitaire() {
				return set
			}
			return "player"
		}},
		production[scope]{name: "values of an enumeration", weight: 20, write: func(_ *writer, s scope) string {
			if x, ok := s.v.enum(); ok {
				return "{" + strings.Join(x.names, ", ") + "}"
			}
			return "1..2"
		}},
	)
	connected = newTable("connective",
		production[[2]string]{name: "and", weight: 40, write: func(_ *writer, x [2]string) string { return x[0] + " and " + x[1] }},
		production[[2]string]{name: "or", weight: 35, write: func(_ *writer, x [2]string) string { return x[0] + " or " + x[1] }},
		production[[2]string]{name: "not", weight: 25, write: func(_ *writer, x [2]string) string { return "not " + x[0] }},
	)
	simple = newTable("condition",
		production[inExpr]{name: "comparison", weight: 30, write: func(w *writer, s inExpr) string { return w.comparison(s.scope, s.depth) }},
		production[inExpr]{name: "pits", weight: 8, write: func(w *writer, s inExpr) string {
			p, ok := w.unwritten(s.scope)
			if !ok && !w.percent(1) {
				return ""
			}
			return p + " " + w.one("=", "/=", "!=") + " " + w.pitOrNone(s.scope)
		}},
		production[inExpr]{name: "pit in a set", weight: 7, write: func(w *writer, s inExpr) string {
			return w.pit(s.scope, 1) + w.one(" in ", " not in ") + w.set(s.scope, 1)
		}},
		production[inExpr]{name: "each of a set", weight: 8, write: func(w *writer, s inExpr) string {
			return w.one("each ", "some ") + w.set(s.scope, 1) + " " + w.compareWith() + " " + w.digit(s.scope)
		}},
		production[inExpr]{name: "quantified", weight: 8, write: func(w *writer, s inExpr) string {
			if s.deep > 1 {
				return ""
			}
			return w.binding(s, 25, min(s.depth, 1), "each ", "some ")
		}},
		production[inExpr]{name: "truth value", weight: 9, write: func(w *writer, s inExpr) string { return w.truthOf(s.scope) }},
		production[inExpr]{name: "value of an enumeration", weight: 8, write: func(w *writer, s inExpr) string {
			if l, ok := w.named(s.scope, enumKind); ok && w.percent(60) && len(l.names) > 0 {
				return l.name + w.one(" = ", " /= ") + of(w.chance, l.names)
			}
			if x, v, ok := w.variable(s.scope, enumKind); ok && w.percent(15) {
				return x + w.one(" = ", " /= ") + w.either(s.scope, of(w.chance, v.names), w.one(x, of(w.chance, v.names)))
			}
			if x, v, ok := w.variable(s.scope, enumKind); ok {
				return x + w.one(" = ", " /= ") + of(w.chance, v.names)
			}
			return ""
		}},
		production[inExpr]{name: "players", weight: 7, write: func(w *writer, s inExpr) string { return w.aboutPlayers(s.scope) }},
		production[inExpr]{name: "last was", weight: 6, write: func(w *writer, s inExpr) string {
			if !s.sown && !s.step {
				return ""
			}
			return "last was " + w.one("empty", "0", "1", "2")
		}},
		production[inExpr]{name: "number in a set", weight: 6, write: func(w *writer, s inExpr) string {
			return w.num(s.scope, 0) + w.one(" in ", " not in ") + w.numbers()
		}},
		production[inExpr]{name: "lap", weight: 4, write: func(w *writer, s inExpr) string {
			if l, ok := w.named(s.scope, lapKind); ok {
				return l.name + w.one(" = ", " /= ") + w.lapName(s.scope)
			}
			if x, v, ok := w.variable(s.scope, lapKind); ok {
				return x + w.one(" = ", " /= ") + of(w.chance, v.names)
			}
			return ""
		}},
		production[inExpr]{name: "conditional", weight: 4, write: func(w *writer, s inExpr) string {
			return w.either(s.scope, w.cond(s.scope, 0), w.cond(s.scope, 0))
		}},
		production[inExpr]{name: "constant", weight: 2, write: fixed[inExpr]("true", "false")},
		production[inExpr]{name: "definition", weight: 6, write: use(truth, here)},
		production[inExpr]{name: "no move", weight: 5, write: func(w *writer, s inExpr) string {
			switch {
			case s.ends:
				return "no move"
			case s.v.goes && s.place != inSetup && !s.plain:
				return "going" + w.one(" = none", " /= none", " = "+w.somePit(s.v), " in "+w.set(s.scope, 0))
			}
			return ""
		}},
	)
	claimWords = newTable("word of claims",
		production[scope]{name: "outcome", weight: 52, write: func(w *writer, s scope) string {
			if len(s.v.results) == 0 {
				return ""
			}
			return of(w.chance, s.v.results)
		}},
		production[scope]{name: "stuck", weight: 8, write: fixed[scope]("stuck")},
		production[scope]{name: "finished", weight: 8, write: fixed[scope]("finished")},
		production[scope]{name: "start", weight: 14, write: fixed[scope]("start")},
		production[scope]{name: "endless", weight: 4, write: fixed[scope]("endless")},
		production[scope]{name: "position", weight: 11, write: func(w *writer, s scope) string {
			p, _ := w.placeOf(s.v, false)
			return p.name
		}},
		production[scope]{name: "player wins", weight: 9, write: func(w *writer, s scope) string {
			if s.v.solitaire() {
				return ""
			}
			return of(w.chance, s.v.players) + " wins"
		}},
		production[scope]{name: "no move", weight: 5, write: fixed[scope]("no move")},
	)
}

// compound writes a number of other numbers.
func (w *writer) compound(s scope, depth int) string { return compounds.draw(w, inExpr{s, depth}) }

// binding writes one of some words, a name, what it goes through and a condition; in so many
// percent of the cases it goes through what are no pits.
func (w *writer) binding(s inExpr, values, depth int, words ...string) string {
	p := w.bound(s.scope)
	if w.percent(values) {
		p = fmt.Sprintf("j%d", s.deep)
		set, inner := w.through(s.scope, p)
		return w.one(words...) + p + " in " + set + " : " + w.cond(inner, depth)
	}
	return w.one(words...) + p + " in " + w.set(s.scope, 1) + " : " + w.cond(s.inside(p), depth)
}

// either writes a conditional expression in parentheses.
func (w *writer) either(s scope, l, r string) string { return "(" + w.eitherOf(s, l, r) + ")" }

// eitherOf writes a conditional expression, or a chain of them.
func (w *writer) eitherOf(s scope, l, r string) string {
	x := l + " if " + w.tight(s, 0) + " else " + r
	if w.percent(15) {
		x += " if " + w.tight(s, 0) + " else " + w.one(l, r)
	}
	return x
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
	switch set = goThrough.draw(w, s); {
	case set == "player":
		l.kind = playerKind
	case strings.HasPrefix(set, "{") && set[1] > '9':
		x, _ := s.v.enum()
		l.kind, l.names = enumKind, x.names
	}
	s.deep++
	return set, s.with(l)
}

// cond writes a condition.
func (w *writer) cond(s scope, depth int) string {
	if depth > 0 && w.percent(30) {
		return connected.draw(w, [2]string{w.tight(s, depth-1), w.tight(s, depth-1)})
	}
	if s.place == inClaim && !s.plain && w.percent(30) {
		return w.claimWord(s)
	}
	if s.step && w.percent(12) {
		before := s
		before.step = false
		return "old (" + w.cond(before, 0) + ")"
	}
	return simple.insist(w, inExpr{s, depth})
}

// tight writes a condition that can stand beside `and`.
func (w *writer) tight(s scope, depth int) string {
	x := w.cond(s, depth)
	if strings.Contains(x, " and ") || strings.Contains(x, " or ") || strings.Contains(x, " : ") {
		return "(" + x + ")"
	}
	return x
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
	if x, v, ok := w.variable(s, playerKind); ok && w.percent(60) {
		if v.nobody && w.percent(50) {
			return w.one(x+" = none", x+" /= none", "none = "+x)
		}
		return x + w.one(" = ", " /= ") + w.player(s)
	}
	if len(s.v.players) == 2 && (s.place != inClaim || w.percent(40)) && w.percent(25) {
		return "opponent" + w.one(" = ", " /= ") + of(w.chance, s.v.players)
	}
	return "mover" + w.one(" = ", " /= ") + of(w.chance, s.v.players)
}

// claimWord writes a condition that only claims know.
func (w *writer) claimWord(s scope) string {
	if x := claimWords.draw(w, s); x != "" {
		return x
	}
	return "finished"
}
