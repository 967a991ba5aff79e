package coq

import (
	"strings"

	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
)

// body writes a list of statements as an argument, at a depth of indentation.
func (w *writer) body(body []rules.Stmt, depth int) string {
	if len(body) == 0 {
		return "Skip"
	}
	indent := "\n" + strings.Repeat("  ", depth)
	stmts := lists.Map(body, func(s rules.Stmt) string { return w.stmt(s, depth+1) })
	return "(" + strings.Join(stmts, " ;;"+indent+" ") + ")"
}

// stmt writes a statement. What is in it begins on a line of its own.
func (w *writer) stmt(s rules.Stmt, depth int) string {
	indent := "\n" + strings.Repeat("  ", depth)
	switch s := s.(type) {
	case rules.Sow:
		return w.sow(s, depth)
	case rules.Transfer:
		return "Transfer " + w.optional(s.Count) + " " + w.expr(s.From) + " " + w.expr(s.Into)
	case rules.Set:
		return "Set_ " + w.target(s.To) + " " + w.expr(s.X)
	case rules.If:
		return "If " + w.expr(s.Cond) + indent + w.body(s.Then, depth) + indent + w.body(s.Else, depth)
	case rules.While:
		return "While " + w.expr(s.Cond) + indent + w.body(s.Body, depth)
	case rules.Stop:
		if s.Outcome == rules.Illegal {
			return "Stop (-1)"
		}
		return "Stop " + w.within(s.Outcome, len(w.sys.Outcomes), "outcome")
	}
	return w.fail("statement %T", s)
}

// optional writes an expression that may be absent.
func (w *writer) optional(x rules.Expr) string {
	if x == nil {
		return "None"
	}
	return option(w.expr(x), true)
}

func (w *writer) sow(s rules.Sow, depth int) string {
	begin := "AfterSource"
	switch {
	case s.StartAt != nil:
		begin = "(At " + w.expr(s.StartAt) + ")"
	case s.OriginFirst:
		begin = "AtSource"
	}
	if s.SkipIf != nil && len(s.SkipIf) != len(w.sys.Pits) || s.OnlyLast != nil && len(s.OnlyLast) != len(w.sys.Pits) {
		return w.fail("sowing over a board of another size")
	}
	parts := []string{
		"Sow", w.expr(s.Source), w.optional(s.Count), w.within(s.Lap, len(w.sys.Laps), "lap"),
		list(s.SkipIf, w.optionally), naturals(lists.Set(s.OnlyLast)), begin, w.body(s.Drop, depth),
	}
	return strings.Join(parts, " ")
}

// optionally writes an expression that may be absent, as an element of a list.
func (w *writer) optionally(x rules.Expr) string {
	if x == nil {
		return "None"
	}
	return "Some " + w.expr(x)
}

// target writes what an assignment sets.
func (w *writer) target(c rules.Cell) string {
	switch {
	case c.Sort == rules.VarCell && c.Index == nil:
		return "(ToVar " + w.variable(c) + ")"
	case c.Sort == rules.VarCell && c.Table != nil:
		return "(ToPick " + w.choice(c) + " " + w.expr(c.Index) + ")"
	case c.Sort == rules.LocalCell && c.Index == nil:
		return "(ToLocal " + w.local(c) + ")"
	case c.IsRegister(rules.NextReg):
		return "ToNext"
	case c.IsRegister(rules.RankReg):
		return "ToRank"
	}
	return w.fail("assignment to cell %d of sort %d", c.Slot, c.Sort)
}
