package coq

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
)

// writer writes the parts of one System. The first construct without a counterpart is kept as its
// error, and what is written after it is of no use.
type writer struct {
	sys    *rules.System
	open   map[int]int // by parameter: its place among the open ones
	locals int         // of the body under way
	own    int         // the pit that a template is about, or none
	err    error
}

// fail notes an error.
func (w *writer) fail(format string, args ...any) string {
	if w.err == nil {
		w.err = &NoCounterpart{fmt.Sprintf(format, args...)}
	}
	return "?"
}

// operators are those that evaluate both sides.
var operators = map[rules.Op]string{
	rules.Eq: "Eq", rules.Ne: "Ne", rules.Lt: "Lt", rules.Le: "Le", rules.Gt: "Gt", rules.Ge: "Ge",
	rules.Add: "Add", rules.Sub: "Sub", rules.Mul: "Mul", rules.Div: "Div", rules.Mod: "Mod",
	rules.Min: "Min", rules.Max: "Max",
}

var questions = map[rules.Question]string{rules.IsStuck: "IsStuck", rules.IsStart: "IsStart", rules.NoMove: "NoMove"}

var registers = map[int]string{
	rules.LastReg: "Last", rules.LastWasReg: "Was", rules.OriginReg: "Origin", rules.MoverReg: "Mover", rules.OutcomeReg: "Outcome",
}

// expr writes an expression as an argument.
func (w *writer) expr(x rules.Expr) string {
	switch x := x.(type) {
	case rules.Const:
		if x.Type == rules.PitType && x.Value == w.own && x.Value != rules.None {
			return "(Param 0)"
		}
		return "(Const " + integer(x.Value) + ")"
	case rules.OpenParam:
		if i, is := w.open[x.Param]; is {
			return fmt.Sprintf("(Param %d)", i)
		}
		return w.fail("parameter %d without a value", x.Param)
	case rules.Cell:
		return w.cell(x)
	case rules.Sum:
		return "(Sum " + w.pits(x.Pits) + ")"
	case rules.Lookup:
		return "(Look " + w.table(x.Table) + " " + w.expr(x.X) + ")"
	case rules.Not:
		return "(Not " + w.expr(x.X) + ")"
	case rules.Binary:
		return w.binary(x)
	case rules.Cond:
		return "(Cond " + w.expr(x.If) + " " + w.expr(x.Then) + " " + w.expr(x.Else) + ")"
	case rules.Question:
		return "(Ask " + w.named(questions[x], "question", int(x)) + ")"
	case rules.Old:
		return "(Old " + w.expr(x.X) + ")"
	}
	return w.fail("expression %T", x)
}

// named returns the name of the nth thing of a kind, which must have one.
func (w *writer) named(name, kind string, n int) string {
	if name == "" {
		return w.fail("%s %d", kind, n)
	}
	return name
}

// within returns an index, which must be one of n things of a kind.
func (w *writer) within(i, n int, kind string) string {
	if i < 0 || i >= n {
		return w.fail("%s %d", kind, i)
	}
	return strconv.Itoa(i)
}

// pits writes a set of pits.
func (w *writer) pits(pits []int) string {
	for _, p := range pits {
		w.within(p, len(w.sys.Pits), "pit")
	}
	return naturals(pits)
}

func (w *writer) binary(x rules.Binary) string {
	head := ""
	switch x.Op {
	case rules.And:
		head = "And"
	case rules.Or:
		head = "Or"
	default:
		head = "Bin " + w.named(operators[x.Op], "operator", int(x.Op))
	}
	return "(" + head + " " + w.expr(x.L) + " " + w.expr(x.R) + ")"
}

// cell writes a cell that is read.
func (w *writer) cell(c rules.Cell) string {
	switch {
	case c.Sort == rules.RegisterCell && c.Index == nil:
		return w.named(registers[c.Slot], "register that can be read with the number", c.Slot)
	case c.Sort == rules.LocalCell && c.Index == nil:
		return "(Local " + w.local(c) + ")"
	case c.Sort == rules.PitCell && c.Index == nil && c.Slot == w.own:
		return "(PitAt (Param 0))"
	case c.Sort == rules.PitCell && c.Index == nil:
		return "(Pit " + w.within(c.Slot, len(w.sys.Pits), "pit") + ")"
	case c.Sort == rules.PitCell && c.Table == nil:
		return "(PitAt " + w.expr(c.Index) + ")"
	case c.Sort == rules.VarCell && c.Index == nil:
		return "(Var " + w.variable(c) + ")"
	case c.Sort == rules.VarCell && c.Table != nil:
		return "(Pick " + w.choice(c) + " " + w.expr(c.Index) + ")"
	}
	return w.fail("cell of sort %d with an index", c.Sort)
}

func (w *writer) local(c rules.Cell) string { return w.within(c.Slot, w.locals, "local") }

func (w *writer) variable(c rules.Cell) string {
	return w.within(c.Slot, len(w.sys.Vars), "variable")
}

// choice writes the table of a cell that is a variable. -1 stands for no variable.
func (w *writer) choice(c rules.Cell) string {
	for _, v := range c.Table {
		if v >= 0 {
			w.within(v, len(w.sys.Vars), "variable")
		}
	}
	return integers(c.Table)
}

// table writes what the board says of a pit. Neighbours on a lap and the entries of relations have
// definitions of their own.
func (w *writer) table(t *rules.Table) string {
	none := ""
	n, ok := t.OfNone()
	if ok {
		none = integer(n)
	}
	if t.Kind != rules.MemberOf && len(t.Of) != len(w.sys.Pits) {
		return w.fail("table of %d pits", len(t.Of))
	}
	of := integers(t.Of)
	switch t.Kind {
	case rules.NextOn, rules.BeforeOn:
		if !t.IsOwn() {
			return w.neighbour(t)
		}
	case rules.MemberOf:
		return "(Member " + w.pits(t.Members()) + ")"
	case rules.RelationOf:
		if !t.IsOwn() && t.Relation < len(w.sys.Relations) && slices.Equal(t.Of, w.sys.Relations[t.Relation].To) {
			of = fmt.Sprintf("relation_%d", t.Relation)
		}
	case rules.IndexOf:
		if slices.Equal(t.Of, indices(w.sys)) {
			of = "indices"
		}
	default:
		return w.fail("table of kind %d", t.Kind)
	}
	return "(Table " + of + " " + option(none, ok) + ")"
}

// neighbour writes the table of the neighbours on a lap.
func (w *writer) neighbour(t *rules.Table) string {
	if t.Lap < 0 || t.Lap >= len(w.sys.Laps) {
		return w.fail("lap %d", t.Lap)
	}
	l, head := &w.sys.Laps[t.Lap], "Next"
	of := l.Next
	if t.Kind == rules.BeforeOn {
		head, of = "Before", l.Prev
	}
	if !slices.Equal(t.Of, of) {
		return w.fail("neighbours that are not those on lap %d", t.Lap)
	}
	return fmt.Sprintf("(%s %d)", head, t.Lap)
}

// indices lists the numbers in the brackets of pits.
func indices(sys *rules.System) []int {
	return lists.Map(sys.Pits, func(p rules.Pit) int { return p.Index })
}

// integer writes a number as an argument.
func integer(n int) string {
	if n < 0 {
		return fmt.Sprintf("(%d)", n)
	}
	return strconv.Itoa(n)
}

// list writes a list, each element by write.
func list[T any](elements []T, write func(T) string) string {
	return "[" + strings.Join(lists.Map(elements, write), "; ") + "]"
}

// integers writes a list of type list Z.
func integers(numbers []int) string { return list(numbers, strconv.Itoa) }

// naturals writes a list of type list nat.
func naturals(numbers []int) string { return list(numbers, strconv.Itoa) + "%nat" }

// option writes an optional argument.
func option(text string, some bool) string {
	if !some {
		return "None"
	}
	return "(Some " + text + ")"
}

// harmless makes a text fit for a comment, whose end and strings Coq looks for.
var harmless = strings.NewReplacer("(*", "( *", "*)", "* )", `"`, "'")

// comment writes a comment of one or more lines.
func comment(text string) string {
	text = strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' {
			return ' '
		}
		return r
	}, text)
	return "(* " + harmless.Replace(strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n   ")) + " *)"
}

// Identifier makes a name of a text, for a file that others may import. Characters outside of ASCII
// are written as numbers, so that different ones do not make the same name.
func Identifier(text string) string {
	name := ""
	for _, r := range text {
		switch {
		case r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9':
			name += string(r)
		case r < utf8.RuneSelf:
			name += "_"
		default:
			name += fmt.Sprintf("_u%04x_", r)
		}
	}
	if name == "" || name[0] >= '0' && name[0] <= '9' {
		name = "_" + name
	}
	return name
}

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
