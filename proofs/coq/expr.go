package coq

import (
	"fmt"
	"slices"
	"strconv"

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
