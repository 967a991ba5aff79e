package rules

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
)

// Canonical returns a complete text of the System: everything that determines how it is played and
// how its plays are written, and nothing else (no source positions, file names, or ways of drawing
// the board). Equal texts mean equal Systems.
func (s *System) Canonical() []byte {
	w := &canon{printer: printer{sys: s}}
	w.line("variant %q", s.Name)
	w.params()
	w.board()
	w.vars()
	w.start()
	for i := range s.Actions {
		w.action(&s.Actions[i])
	}
	w.outcomes()
	return w.out.Bytes()
}

// Hash returns the SHA-256 of the canonical text, in hexadecimal. Certificates and traces identify
// their System by it.
func (s *System) Hash() string {
	sum := sha256.Sum256(s.Canonical())
	return hex.EncodeToString(sum[:])
}

// PlayHash is the hash of all that decides how play goes on from a state, and what it is worth. The
// setup and the values of parameters do not: they have told what the rest is.
func (s *System) PlayHash() string {
	play := *s
	play.Start, play.Params = Start{Cond: True}, nil
	return play.Hash()
}

// canon writes the canonical text, indented by blocks.
type canon struct {
	printer
	out   bytes.Buffer
	depth int
}

func (w *canon) line(format string, args ...any) {
	w.out.WriteString(strings.Repeat("  ", w.depth))
	fmt.Fprintf(&w.out, format, args...)
	w.out.WriteByte('\n')
}

func (w *canon) indented(f func()) {
	w.depth++
	f()
	w.depth--
}

func (w *canon) params() {
	for _, p := range w.sys.Params {
		switch {
		case p.Open && p.HasHi:
			w.line("param %s in %d..%d", p.Name, p.Lo, p.Hi)
		case p.Open:
			w.line("param %s in %d..", p.Name, p.Lo)
		default:
			w.line("param %s = %d", p.Name, p.Value)
		}
	}
}

func (w *canon) board() {
	for _, p := range w.sys.Players {
		w.line("player %q", p)
	}
	for _, p := range w.sys.Pits {
		w.line("pit %s index %d owner %s", p.Name, p.Index, w.player(p.Owner))
	}
	for i, l := range w.sys.Laps {
		w.line("%s %s = %s", choice(l.Ring, "ring", "line"), w.lap(i), w.list(l.Pits))
	}
	for _, r := range w.sys.Relations {
		w.line("relation %s = %s", r.Name, w.list(r.To))
	}
}

func (w *canon) player(p int) string { return ValueName(w.sys, &Var{Kind: PlayerVar}, p) }

func (w *canon) vars() {
	for i := range w.sys.Vars {
		x := &w.sys.Vars[i]
		names := make([]string, len(x.Domain))
		for j, v := range x.Domain {
			names[j] = ValueName(w.sys, x, v)
		}
		w.line("state %s : %s{%s} = %s", x.Name, kindNames[x.Kind], strings.Join(names, ", "), ValueName(w.sys, x, x.Init))
	}
}

var kindNames = [...]string{"number", "truth", "pit", "player", "name"}

func (w *canon) start() {
	w.line("setup %q mover %q free {%s}", w.sys.Start.Label, w.player(w.sys.Start.Mover), w.list(members(w.sys.Start.Free)))
	w.indented(func() {
		for _, c := range Conjuncts(w.sys.Start.Cond) {
			w.line("%s", w.expr(c, loose))
		}
	})
}

func (w *canon) action(a *Action) {
	var written []string
	for _, item := range a.Written {
		written = append(written, w.written(item))
	}
	w.line("%s %q of %q locals %d written %s", choice(a.Fallback, "fallback", "move"), a.Label, w.player(a.Mover), a.Locals, strings.Join(written, " "))
	w.indented(func() {
		if a.Guard != nil {
			w.line("when %s", w.expr(a.Guard, loose))
		}
		w.block(a.Body)
	})
}

func (w *canon) written(item Written) string {
	switch {
	case item.X == nil:
		return fmt.Sprintf("%q", item.Text)
	case item.Pit:
		return w.pit(item.X)
	}
	return "number " + w.expr(item.X, tight)
}

func (w *canon) outcomes() {
	for _, o := range w.sys.Outcomes {
		winner := None
		if o.Kind == WinOutcome {
			winner = o.Winner
		}
		w.line("outcome %q %s %s", o.Label, [...]string{"win", "lose", "draw", "end", "endless"}[o.Kind], w.player(winner))
	}
	for i := range w.sys.Reactions {
		w.reaction(&w.sys.Reactions[i])
	}
	for p, x := range w.sys.Scores {
		if x != nil {
			w.line("score %s = %s", w.player(p), w.expr(x, loose))
		}
	}
}

func (w *canon) reaction(e *Reaction) {
	w.line("reaction%s", choice(e.AtTurnEnd, " at end of turn", ""))
	w.indented(func() {
		for p, by := range e.By {
			w.line("for %s locals %d", w.player(p), by.Locals)
			w.indented(func() {
				w.line("when %s", w.expr(by.When, loose))
				w.block(by.Body)
			})
		}
	})
}

func (w *canon) block(body []Stmt) {
	for _, s := range body {
		w.stmt(s)
	}
}

// inner writes a block of a statement.
func (w *canon) inner(head string, body []Stmt) {
	w.line("%s {", head)
	w.indented(func() { w.block(body) })
	w.line("}")
}

func (w *canon) stmt(s Stmt) {
	switch s := s.(type) {
	case Sow:
		if len(s.Drop) == 0 {
			w.line("%s", w.sow(s))
		} else {
			w.inner(w.sow(s), s.Drop)
		}
	case Transfer:
		w.line("move %s from %s into %s", w.count(s.Count), w.pit(s.From), w.pit(s.Into))
	case Set:
		w.line("%s = %s", w.cell(s.To), w.as(w.cellType(s.To), s.X, loose))
	case If:
		w.inner("if "+w.expr(s.Cond, loose), s.Then)
		if len(s.Else) > 0 {
			w.inner("else", s.Else)
		}
	case While:
		w.inner("while "+w.expr(s.Cond, loose), s.Body)
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
	return w.expr(x, loose)
}

// sow writes the head of a sowing.
func (w *canon) sow(s Sow) string {
	var b strings.Builder
	b.WriteString("sow ")
	if s.Count != nil {
		fmt.Fprintf(&b, "%s from ", w.expr(s.Count, loose))
	}
	fmt.Fprintf(&b, "%s along %s", w.pit(s.Source), w.lap(s.Lap))
	for p, x := range s.SkipIf {
		if x == nil {
			continue
		}
		if c, ok := x.(Const); ok && c.Value == 0 {
			continue
		}
		fmt.Fprintf(&b, ", skip %s if %s", w.sys.Pits[p].Name, w.expr(x, loose))
	}
	if pits := members(s.OnlyLast); len(pits) > 0 {
		fmt.Fprintf(&b, ", {%s} only last", w.list(pits))
	}
	if s.OriginFirst {
		b.WriteString(", origin first")
	}
	if s.StartAt != nil {
		fmt.Fprintf(&b, ", starting at %s", w.pit(s.StartAt))
	}
	return b.String()
}
