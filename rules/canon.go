package rules

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mancheck/mancheck/internal/lists"
)

// TextVersion is the version of the canonical text, which is in its first line. It changes whenever
// the text of some System does.
const TextVersion = 2

// Canonical returns a complete text of the System: everything that determines how it is played and
// how its plays are written, and nothing else (no source positions, file names, or ways of drawing
// the board). Equal texts mean equal Systems. Its grammar is docs/kernel.ebnf.
func (s *System) Canonical() []byte {
	w := &canon{printer: printer{sys: s, exact: true}, out: make([]byte, 0, 1024*(4+len(s.Actions)))}
	w.line("kernel %d", TextVersion)
	w.line("variant %q", s.Name)
	w.params()
	w.board()
	w.vars()
	w.start()
	for i := range s.Actions {
		w.action(&s.Actions[i])
	}
	w.outcomes()
	return w.out
}

// Hash returns the SHA-256 of the canonical text, in hexadecimal. Certificates and traces identify
// their System by it.
func (s *System) Hash() string {
	sum := sha256.Sum256(s.Canonical())
	return hex.EncodeToString(sum[:])
}

// PlayHash is the hash of all that decides how play goes on from a state, and what it is worth. The
// setup and the values of parameters do not matter: the rest was already resolved with them.
func (s *System) PlayHash() string {
	play := *s
	play.Start, play.Params = Start{Cond: True}, nil
	return play.Hash()
}

// canon writes the canonical text, indented by blocks.
type canon struct {
	printer
	out   []byte
	depth int
}

func (w *canon) indent() {
	for range w.depth {
		w.out = append(w.out, "  "...)
	}
}

func (w *canon) line(format string, args ...any) {
	w.indent()
	w.out = append(fmt.Appendf(w.out, format, args...), '\n')
}

// put writes a line of texts and expressions, as line would, but without copies of long ones.
func (w *canon) put(parts ...any) {
	w.indent()
	w.parts(parts)
	w.out = append(w.out, '\n')
}

func (w *canon) parts(parts []any) {
	for _, part := range parts {
		switch part := part.(type) {
		case string:
			w.out = append(w.out, part...)
		case Expr:
			w.out = w.append(w.out, part, loose)
		}
	}
}

// block writes a head of texts and expressions and, in braces, what inside writes.
func (w *canon) block(inside func(), head ...any) {
	w.indent()
	w.parts(head)
	w.out = append(w.out, " {\n"...)
	w.depth++
	inside()
	w.depth--
	w.put("}")
}

func (w *canon) params() {
	for _, p := range w.sys.Params {
		switch {
		case p.Open && p.HasHi:
			w.line("param %s in %d..%d", w.name(p.Name), p.Lo, p.Hi)
		case p.Open:
			w.line("param %s in %d..", w.name(p.Name), p.Lo)
		case p.Bool:
			w.line("param %s = %s", w.name(p.Name), w.value(TruthType, p.Value))
		default:
			w.line("param %s = %d", w.name(p.Name), p.Value)
		}
	}
}

func (w *canon) board() {
	for _, p := range w.sys.Players {
		w.line("player %q", p)
	}
	for i, p := range w.sys.Pits {
		w.line("pit %s index %d owner %s", w.pit(i), p.Index, w.value(PlayerType, p.Owner))
	}
	for i := range w.sys.Laps {
		w.line("%s", w.lapLine(&w.sys.Laps[i]))
	}
	for i := range w.sys.Relations {
		w.line("%s", w.relationLine(&w.sys.Relations[i]))
	}
}

func (p printer) lapLine(l *Lap) string {
	return fmt.Sprintf("%s %s = %s", choose(l.Ring, "ring", "line"), p.lap(l), p.pits(l.Pits))
}

func (p printer) relationLine(r *Relation) string {
	return fmt.Sprintf("relation %s = %s", p.name(r.Name), p.pits(r.To))
}

// OwnTables writes the laps and relations that the System does not have and expressions of a claim
// look up, as the canonical text would and in the order in which they occur.
func OwnTables(sys *System, xs ...Expr) []string {
	p := printer{sys: sys, exact: true}
	var lines []string
	add := func(x Expr) bool {
		line := ""
		switch l, is := x.(Lookup); {
		case is && l.Table.OwnLap != nil:
			line = p.lapLine(l.Table.OwnLap)
		case is && l.Table.OwnRelation != nil:
			line = p.relationLine(l.Table.OwnRelation)
		}
		if line != "" && !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
		return true
	}
	for _, x := range xs {
		Walk(x, add)
	}
	return lines
}

func (w *canon) vars() {
	for e, names := range w.sys.Enums {
		w.line("enum %s {%s}", EnumType(e), strings.Join(lists.Map(names, w.name), ", "))
	}
	for i := range w.sys.Vars {
		x := &w.sys.Vars[i]
		w.line("%s %s : %s {%s} = %s", choose(x.Ghost, "ghost", "state"), w.name(x.Name), x.Type, w.domain(x), w.value(x.Type, x.Init))
	}
}

// domain writes the values of a variable, numbers that follow each other as a range.
func (w *canon) domain(x *Var) string {
	var list []string
	for rest := x.Domain; len(rest) > 0; {
		n := 1
		for x.Type == NumberType && n < len(rest) && rest[n] == rest[n-1]+1 {
			n++
		}
		text := w.value(x.Type, rest[0])
		if n > 1 {
			text += ".." + w.value(x.Type, rest[n-1])
		}
		list, rest = append(list, text), rest[n:]
	}
	return strings.Join(list, ", ")
}

func (w *canon) start() {
	s := &w.sys.Start
	w.line("setup %q mover %s free {%s}", s.Label, w.value(PlayerType, s.Mover), w.pits(lists.Set(s.Free)))
	w.depth++
	for i, c := range Conjuncts(s.Cond) {
		w.line("%s %s", choose(i == 0, "when", "and"), w.expr(c, negative))
	}
	w.depth--
}

func (w *canon) action(a *Action) {
	head := fmt.Sprintf("%s %q of %s", choose(a.Fallback, "fallback", "move"), a.Label, w.value(PlayerType, a.Mover))
	for i, item := range a.Written {
		head += choose(i == 0, " written ", ", ") + w.written(item)
	}
	w.block(func() {
		w.locals(a.Locals)
		if a.Guard != nil {
			w.put("when ", a.Guard)
		}
		w.stmts(a.Body)
	}, head)
}

func (w *canon) written(item Written) string {
	switch {
	case item.X == nil:
		return strconv.Quote(item.Text)
	case item.Pit:
		return "pit " + w.loosely(item.X)
	}
	return "number " + w.loosely(item.X)
}

func (w *canon) locals(types []Type) {
	if len(types) > 0 {
		w.line("locals %s", strings.Join(lists.Map(types, Type.String), ", "))
	}
}

func (w *canon) outcomes() {
	for i, o := range w.sys.Outcomes {
		kind := [...]string{"win", "lose", "draw", "end", "endless"}[o.Kind]
		if o.Kind == WinOutcome {
			kind += " " + w.value(PlayerType, o.Winner)
		}
		w.line("outcome %q label %q %s", w.sys.OutcomeName(i), o.Label, kind)
	}
	for i := range w.sys.Reactions {
		w.reaction(&w.sys.Reactions[i])
	}
	if r := w.sys.Repetition; r != nil {
		w.block(func() {
			for p, o := range r.Outcome {
				w.line("for %s finish %q", w.value(PlayerType, p), w.sys.OutcomeName(o))
			}
		}, "repetition", choose(r.Offered, " offered", ""))
	}
	for p, x := range w.sys.Scores {
		if x != nil {
			w.line("score %s = %s", w.value(PlayerType, p), w.loosely(x))
		}
	}
}

// BodyString writes statements as the canonical text does.
func BodyString(sys *System, body []Stmt) string {
	w := &canon{printer: printer{sys: sys, exact: true}}
	w.stmts(body)
	return string(w.out)
}

func (w *canon) reaction(r *Reaction) {
	w.block(func() {
		for p, by := range r.By {
			w.block(func() {
				w.locals(by.Locals)
				w.put("when ", by.When)
				w.stmts(by.Body)
			}, "for ", w.value(PlayerType, p))
		}
	}, "reaction", choose(r.AtTurnEnd, " at turn end", ""))
}

func (w *canon) stmts(body []Stmt) {
	for _, s := range body {
		w.stmt(s)
	}
}

func (w *canon) stmt(s Stmt) {
	switch s := s.(type) {
	case Sow:
		if len(s.Drop) == 0 {
			w.put(w.sow(s))
		} else {
			w.block(func() { w.stmts(s.Drop) }, w.sow(s))
		}
	case Transfer:
		w.put("move ", w.count(s.Count), " from ", s.From, " into ", s.Into)
	case Set:
		w.put(s.To, " = ", s.X)
	case If:
		w.block(func() { w.stmts(s.Then) }, "if ", s.Cond)
		if len(s.Else) > 0 {
			w.block(func() { w.stmts(s.Else) }, "else")
		}
	case While:
		w.block(func() { w.stmts(s.Body) }, "while ", s.Cond)
	case Stop:
		if s.Outcome == Illegal {
			w.line("illegal")
		} else {
			w.line("finish %q", w.sys.OutcomeName(s.Outcome))
		}
	default:
		panic(foreign(s))
	}
}

// count writes the number of seeds that a statement moves.
func (w *canon) count(x Expr) string {
	if x == nil {
		return "all"
	}
	return w.loosely(x)
}

// sow writes the head of a sowing.
func (w *canon) sow(s Sow) string {
	var b strings.Builder
	fmt.Fprintf(&b, "sow %s from %s along %s", w.count(s.Count), w.loosely(s.Source), w.lap(&w.sys.Laps[s.Lap]))
	if s.OriginFirst {
		b.WriteString(" origin first")
	}
	if s.StartAt != nil {
		fmt.Fprintf(&b, " starting at %s", w.loosely(s.StartAt))
	}
	w.list(&b, " skip", lists.Where(s.SkipIf, func(x Expr) bool { return x == True }))
	w.list(&b, " only last", lists.Set(s.OnlyLast))
	for p, x := range s.SkipIf {
		if x != nil && x != True && x != False {
			fmt.Fprintf(&b, " skip %s if %s", w.pit(p), w.loosely(x))
		}
	}
	return b.String()
}

func (w *canon) list(b *strings.Builder, head string, pits []int) {
	if len(pits) > 0 {
		fmt.Fprintf(b, "%s {%s}", head, w.pits(pits))
	}
}
