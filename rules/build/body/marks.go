package body

import (
	"slices"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build/term"
)

// Marks makes a System note what it carries out (rules.Marked): it has the places of the text, and
// adds statements that set the mark of a place. One place of the text is met once for each action
// and each turn of a loop, and has one mark for all of them. A nil *Marks adds nothing.
type Marks struct {
	sys     *rules.System
	count   int
	places  []rules.Place
	at      map[diag.Range]int   // the conditions and statements, by where they are
	values  []uint               // by place: what its condition was known to be
	surveys map[int][]rules.Stmt // by player: the marks of guards
}

// What a condition may be known to be before play.
const (
	knownTrue uint = 1 << iota
	knownFalse
	notKnown
)

// place returns the number of a place, which gets marks when it is met first.
func (m *Marks) place(at diag.Range, kind rules.PlaceKind, under int) int {
	i, known := m.at[at]
	if known {
		return i
	}
	p := rules.Place{At: at, Kind: kind, Yes: m.mark(at), No: rules.None, Under: under}
	if kind != rules.StatementPlace {
		p.No = m.mark(at)
	}
	m.at[at] = len(m.places)
	m.places, m.values = append(m.places, p), append(m.values, 0)
	return len(m.places) - 1
}

// mark adds a mark.
func (m *Marks) mark(at diag.Range) int {
	m.sys.Vars = append(m.sys.Vars, rules.Var{Type: rules.TruthType, Domain: []int{0, 1}, Ghost: true, At: at})
	m.count++
	return m.count - 1
}

// set returns the statement that sets a mark.
func (m *Marks) set(mark int) []rules.Stmt {
	return single(rules.SetVar(len(m.sys.Vars)-m.count+mark, rules.True))
}

// statement adds the mark of a statement, unless it is a condition with statements, which are all
// marked, or a `let`. The condition of `require` has no marks: where it does not hold there is no
// step that could have them. It comes after a sowing that does nothing as seeds drop: play is
// fastest if a move begins with its sowing.
func (m *Marks) statement(s ast.Stmt, under int, out []rules.Stmt) []rules.Stmt {
	if m == nil {
		return out
	}
	switch s.(type) {
	case *ast.If, *ast.While, *ast.For, *ast.Let:
		return out
	}
	mark := m.set(m.places[m.place(s.Span(), rules.StatementPlace, under)].Yes)
	if sow, is := s.(*ast.Sow); is && !sow.HasDrop {
		return slices.Concat(out, mark)
	}
	return slices.Concat(mark, out)
}

// asked is a condition with what marks its value.
type asked struct {
	cond    rules.Expr
	before  []rules.Stmt // marks the parts of the condition
	yes, no []rules.Stmt // mark the whole of it
	place   rules.Place
}

// ask resolves a condition. Evaluated are its parts one by one, as far as they matter, and then the
// whole: if one of them is at fault, the condition has the same fault.
func (m *Marks) ask(e term.Env, x ast.Expr, kind rules.PlaceKind, under int) asked {
	if m == nil {
		return asked{cond: e.Cond(x)}
	}
	a := asked{}
	part := rules.PartPlace
	if kind == rules.GuardPlace {
		part = rules.GuardPart
	}
	a.before, a.cond = m.parts(e, x, part, under)
	m.note(&a, x, kind, under)
	return a
}

// note makes the place of a condition that was resolved.
func (m *Marks) note(a *asked, x ast.Expr, kind rules.PlaceKind, under int) {
	i := m.place(x.Span(), kind, under)
	switch a.cond {
	case rules.True:
		m.values[i] |= knownTrue
	case rules.False:
		m.values[i] |= knownFalse
	default:
		m.values[i] |= notKnown
	}
	a.place = m.places[i]
	a.yes, a.no = m.set(a.place.Yes), m.set(a.place.No)
}

// parts returns the marks of what `and` and `or` join in x, and x resolved.
func (m *Marks) parts(e term.Env, x ast.Expr, kind rules.PlaceKind, under int) ([]rules.Stmt, rules.Expr) {
	switch x := x.(type) {
	case *ast.Paren:
		return m.parts(e, x.X, kind, under)
	case *ast.Unary:
		if marks, cond := m.parts(e, x.X, kind, under); x.Op == "not" && marks != nil {
			return marks, term.Simple(rules.Not{X: cond})
		}
	case *ast.Binary:
		if x.Op != "and" && x.Op != "or" {
			break
		}
		marks, left, place := m.part(e, x.L, kind, under)
		if under = place.Yes; x.Op == "or" {
			under = place.No
		}
		rest, right, _ := m.part(e, x.R, kind, under)
		then, els := rest, []rules.Stmt(nil)
		if x.Op == "or" {
			then, els = nil, rest
		}
		return slices.Concat(marks, ifThen(left, then, els)), rules.Join(term.Ops[x.Op], left, right)
	}
	return nil, e.Cond(x)
}

// part is parts for x as a part itself. What joins further parts has no mark of its own.
func (m *Marks) part(e term.Env, x ast.Expr, kind rules.PlaceKind, under int) ([]rules.Stmt, rules.Expr, rules.Place) {
	a := asked{}
	if a.before, a.cond = m.parts(e, x, kind, under); a.before != nil {
		return a.before, a.cond, rules.Place{Yes: under, No: under}
	}
	m.note(&a, x, kind, under)
	return ifThen(a.cond, a.yes, a.no), a.cond, a.place
}

// ifThen carries out one of two lists, which may be known before play.
func ifThen(cond rules.Expr, then, els []rules.Stmt) []rules.Stmt {
	switch cond {
	case rules.True:
		return then
	case rules.False:
		return els
	}
	return single(rules.If{Cond: cond, Then: then, Else: els})
}

// marks returns statements that mark a condition and its parts; none if nothing is marked.
func (a asked) marks() []rules.Stmt {
	if a.yes == nil {
		return nil
	}
	return slices.Concat(a.before, ifThen(a.cond, a.yes, a.no))
}

// turn adds the mark of a condition to the turns of a loop, where it holds.
func (m *Marks) turn(x ast.Expr, under int, out []rules.Stmt) []rules.Stmt {
	if m == nil {
		return out
	}
	return append(m.set(m.places[m.place(x.Span(), rules.StatementPlace, under)].Yes), out...)
}

// survey adds the conditions that make up the guard of an action. Each is evaluated only where
// those before it hold.
func (m *Marks) survey(player int, guard []asked) {
	if m == nil {
		return
	}
	var out []rules.Stmt
	for _, a := range slices.Backward(guard) {
		out = slices.Concat(a.before, ifThen(a.cond, slices.Concat(a.yes, out), a.no))
	}
	m.surveys[player] = append(m.surveys[player], out...)
}

// under returns the marks for what is carried out under a condition, and where it does not hold.
func (a asked) under(m *Marks, outside int) (then, els int) {
	if m == nil {
		return outside, outside
	}
	return a.place.Yes, a.place.No
}

// Marking makes the actions mark what they carry out.
func (a *Actions) Marking() {
	a.Marks = &Marks{sys: a.Game.Sys, at: map[diag.Range]int{}, surveys: map[int][]rules.Stmt{}}
}

// Marked adds the surveys to the System, which is complete. If some moves are preferred there are
// none, and guards have no places: a survey would be compared with the moves.
func (a *Actions) Marked() *rules.Marked {
	m, sys := a.Marks, a.Game.Sys
	out, survey := &rules.Marked{Sys: sys, Vars: len(sys.Vars) - m.count, Places: m.places}, *sys
	for i := range m.places {
		m.places[i].Decided = m.values[i] == knownTrue || m.values[i] == knownFalse
	}
	ranks := slices.Contains(sys.Ranked(), true)
	if ranks {
		out.Places = slices.DeleteFunc(out.Places, func(p rules.Place) bool { return p.Kind == rules.GuardPlace || p.Kind == rules.GuardPart })
	}
	for player := range sys.Players {
		if marks := m.surveys[player]; len(marks) > 0 && !ranks {
			body := append(marks, rules.Stop{Outcome: sys.Endless()})
			survey.Actions = append(slices.Clip(survey.Actions), rules.Action{Mover: player, Body: body, Fallback: true})
			out.Survey = &survey
		}
	}
	return out
}
