package symmetry

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mancheck/mancheck/rules"
)

// kind is the type of a value in a text.
type kind uint8

const (
	open   kind = iota // a constant: of the type that its place demands
	number             // a count, a truth value, a name of an enumeration
	pit
	player
	outcome
)

// writer writes the rules as they are after a symmetry: with the image in the place of each pit,
// player, variable and outcome. Texts of the same rules are equal if they differ only in the order
// of what does not depend on it.
type writer struct {
	sys    *rules.System
	s      Symmetry
	locals []kind // of the body being written
	bad    bool   // something could not be written
	names  map[string]int
	laps   []string // written so far
	tables map[*rules.Table]string
}

// texts is the text of all that determines the steps of a System: its actions, in no order, and its
// reactions.
type texts struct {
	sys       *rules.System
	names     map[string]int   // short names of long texts
	actions   map[string][]int // the actions with each text
	reactions []string
}

// newTexts returns the texts of a System as it is.
func newTexts(sys *rules.System) (t *texts, ok bool) {
	t = &texts{sys: sys, names: map[string]int{}, actions: map[string][]int{}}
	w := t.writer(identity(sys))
	for i := range sys.Actions {
		text := w.action(&sys.Actions[i])
		t.actions[text] = append(t.actions[text], i)
	}
	for i := range sys.Reactions {
		t.reactions = append(t.reactions, w.reaction(&sys.Reactions[i]))
	}
	return t, !w.bad
}

func (t *texts) writer(s Symmetry) *writer {
	return &writer{sys: t.sys, s: s, names: t.names, laps: make([]string, len(t.sys.Laps)), tables: map[*rules.Table]string{}}
}

// same reports whether the texts are the same after a symmetry, and sets the images of the actions.
// The first text that is not the same decides.
func (t *texts) same(s *Symmetry) bool {
	if badNext(t.sys, *s) {
		return false
	}
	w := t.writer(*s)
	for i := range t.sys.Reactions {
		if w.reaction(&t.sys.Reactions[i]) != t.reactions[i] || w.bad {
			return false
		}
	}
	met := map[string]int{}
	s.Actions = nil
	for i := range t.sys.Actions {
		text := w.action(&t.sys.Actions[i])
		if met[text] == len(t.actions[text]) || w.bad {
			return false
		}
		s.Actions = append(s.Actions, t.actions[text][met[text]])
		met[text]++
	}
	return true
}

func (w *writer) action(a *rules.Action) string {
	w.infer(a.Body, a.Locals)
	guard := ""
	if a.Guard != nil {
		guard = w.as(number, a.Guard)
	}
	return fmt.Sprintf("%d %v when %s: %s", w.s.Players[a.Mover], a.Fallback, guard, w.block(a.Body))
}

// badNext reports whether the order of play is not kept: after an action the next player is the one
// after the mover, unless the body says otherwise.
func badNext(sys *rules.System, s Symmetry) bool {
	n := len(sys.Players)
	for p := range n {
		if s.Players[(p+1)%n] != (s.Players[p]+1)%n {
			return true
		}
	}
	return false
}

func (w *writer) reaction(r *rules.Reaction) string {
	by := make([]string, len(r.By))
	for p, x := range r.By {
		w.infer(x.Body, x.Locals)
		by[w.s.Players[p]] = fmt.Sprintf("when %s: %s", w.as(number, x.When), w.block(x.Body))
	}
	return fmt.Sprintf("reaction %v %s", r.AtTurnEnd, strings.Join(by, "; "))
}

// sameStart reports whether the starts of both are the same.
func sameStart(sys *rules.System, a, b Symmetry) bool {
	x, ok := startText(sys, a)
	y, ok2 := startText(sys, b)
	return ok && ok2 && x == y
}

func startText(sys *rules.System, s Symmetry) (string, bool) {
	w := &writer{sys: sys, s: s}
	free := make([]bool, len(sys.Start.Free))
	for p, is := range sys.Start.Free {
		free[s.Pits[p]] = is
	}
	text := fmt.Sprint(s.Players[sys.Start.Mover], free, w.as(number, sys.Start.Cond))
	return text, !w.bad
}

// sameExprs reports whether the conditions are the same after both.
func sameExprs(sys *rules.System, a, b Symmetry, conditions []rules.Expr) bool {
	for _, x := range conditions {
		v, w := &writer{sys: sys, s: a}, &writer{sys: sys, s: b}
		if x != nil && (v.as(number, x) != w.as(number, x) || v.bad || w.bad) {
			return false
		}
	}
	return true
}

// infer finds the types of the locals of a body from what they are set to.
func (w *writer) infer(body []rules.Stmt, locals int) {
	w.locals = make([]kind, locals)
	for range locals + 1 { // one may be set to another
		rules.WalkStmts(body, func(s rules.Stmt) {
			set, is := s.(rules.Set)
			if !is || set.To.Sort != rules.LocalCell {
				return
			}
			t := &w.locals[set.To.Slot]
			switch k := w.typeOf(set.X); {
			case k == open:
			case *t == open:
				*t = k
			case *t != k:
				w.bad = true
			}
		})
	}
	for i := range w.locals {
		if w.locals[i] == open && usesLocal(body, i) {
			w.bad = true // only constants, whose type is not known
		}
	}
}

func usesLocal(body []rules.Stmt, slot int) bool {
	used := false
	rules.WalkStmts(body, func(s rules.Stmt) {
		set, is := s.(rules.Set)
		used = used || is && set.To.Sort == rules.LocalCell && set.To.Slot == slot
		for _, x := range rules.Exprs(s) {
			used = used || rules.Mentions(x, func(x rules.Expr) bool { return rules.IsFixed(x, rules.LocalCell, slot) })
		}
	})
	return used
}

// typeOf returns the type of an expression.
func (w *writer) typeOf(x rules.Expr) kind {
	switch x := x.(type) {
	case rules.Const:
		return open
	case rules.Cell:
		return w.cellType(x)
	case rules.Lookup:
		if x.Table.Kind <= rules.RelationOf {
			return pit
		}
	case rules.Cond:
		if t := w.typeOf(x.Then); t != open {
			return t
		}
		return w.typeOf(x.Else)
	case rules.Old:
		return w.typeOf(x.X)
	case rules.OpenParam, rules.Sum, rules.Not, rules.Binary, rules.Question:
	}
	return number
}

func (w *writer) cellType(x rules.Cell) kind {
	switch x.Sort {
	case rules.VarCell:
		for _, v := range x.Slots(len(w.sys.Vars)) {
			return kindOf(w.sys.Vars[v].Kind)
		}
	case rules.LocalCell:
		if x.Slot < len(w.locals) {
			return w.locals[x.Slot]
		}
		w.bad = true
	case rules.RegisterCell:
		switch x.Slot {
		case rules.LastReg, rules.OriginReg:
			return pit
		case rules.MoverReg, rules.NextReg:
			return player
		case rules.OutcomeReg:
			return outcome
		}
	case rules.PitCell:
	}
	return number
}

func kindOf(k rules.VarKind) kind {
	switch k {
	case rules.PitVar:
		return pit
	case rules.PlayerVar:
		return player
	case rules.IntVar, rules.BoolVar, rules.EnumVar:
	}
	return number
}

// as writes an expression in a place that demands a type.
func (w *writer) as(t kind, x rules.Expr) string {
	if c, is := x.(rules.Const); is {
		return w.value(t, c.Value)
	}
	if got := w.typeOf(x); got != t {
		w.bad = true
	}
	return w.expr(x)
}

// value writes the image of a value.
func (w *writer) value(t kind, v int) string {
	if v != rules.None {
		switch t {
		case pit:
			return w.image("p", w.s.Pits, v)
		case player:
			return w.image("m", w.s.Players, v)
		case outcome:
			return w.image("o", w.s.Outcomes, v)
		case open:
			w.bad = true
		case number:
		}
	}
	return fmt.Sprint(v)
}

func (w *writer) image(mark string, list []int, v int) string {
	if v < 0 || v >= len(list) {
		w.bad = true
		return ""
	}
	return mark + fmt.Sprint(list[v])
}

// expr writes an expression other than a constant.
func (w *writer) expr(x rules.Expr) string {
	switch x := x.(type) {
	case rules.Const:
		return w.value(number, x.Value)
	case rules.OpenParam:
		return fmt.Sprintf("param%d", x.Param)
	case rules.Cell:
		return w.cell(x)
	case rules.Sum:
		return "sum" + fmt.Sprint(w.set(x.Pits))
	case rules.Lookup:
		return w.lookup(x)
	case rules.Not:
		return "not(" + w.as(number, x.X) + ")"
	case rules.Binary:
		return w.binary(x)
	case rules.Cond:
		t := w.typeOf(x)
		return fmt.Sprintf("if(%s, %s, %s)", w.as(number, x.If), w.as(t, x.Then), w.as(t, x.Else))
	case rules.Question:
		return fmt.Sprintf("question%d", x)
	case rules.Old:
		return "old(" + w.expr(x.X) + ")"
	}
	w.bad = true
	return ""
}

// set returns the images of some pits, in order.
func (w *writer) set(pits []int) []int {
	return slices.Sorted(slices.Values(compose(w.s.Pits, pits)))
}

func (w *writer) cell(x rules.Cell) string {
	if x.Index == nil {
		switch x.Sort {
		case rules.PitCell:
			return w.image("seeds", w.s.Pits, x.Slot)
		case rules.VarCell:
			return w.image("var", w.s.Vars, x.Slot)
		case rules.LocalCell, rules.RegisterCell:
		}
		return fmt.Sprintf("cell%d.%d", x.Sort, x.Slot)
	}
	t := w.typeOf(x.Index)
	index := w.as(t, x.Index)
	if x.Sort == rules.PitCell && x.Table == nil && t == pit {
		return "seeds(" + index + ")"
	}
	if x.Sort != rules.VarCell || x.Table == nil {
		w.bad = true
		return ""
	}
	var choice []string
	for i, v := range x.Table {
		if v >= 0 {
			choice = append(choice, w.value(t, i)+":"+w.image("var", w.s.Vars, v))
		}
	}
	slices.Sort(choice)
	return fmt.Sprintf("one of %v by %s", choice, index)
}

// lookup writes a table with its images: of pits by pits, or of numbers by pits.
func (w *writer) lookup(x rules.Lookup) string {
	return w.table(x.Table) + "(" + w.as(pit, x.X) + ")"
}

func (w *writer) table(x *rules.Table) string {
	if text, ok := w.tables[x]; ok {
		return text
	}
	t := number
	if x.Kind <= rules.RelationOf {
		t = pit
	}
	images := make([]string, len(x.Of))
	for p, v := range x.Of {
		images[w.s.Pits[p]] = w.value(t, v)
	}
	none, ok := x.OfNone()
	text := w.named(fmt.Sprint(images, none, ok))
	if w.tables != nil {
		w.tables[x] = text
	}
	return text
}

// binary writes the operands of an operator in a fixed order if their order does not matter. It
// does if one operand decides whether another, which may be at fault, is evaluated.
func (w *writer) binary(x rules.Binary) string {
	switch x.Op {
	case rules.And, rules.Or:
		parts := w.chain(x.Op, x)
		if !rules.CanFail(x) {
			slices.Sort(parts)
		}
		return fmt.Sprintf("(%s)", strings.Join(parts, " "+x.Op.String()+" "))
	case rules.Add, rules.Mul, rules.Min, rules.Max:
		parts := w.chain(x.Op, x)
		slices.Sort(parts)
		return fmt.Sprintf("(%s)", strings.Join(parts, " "+x.Op.String()+" "))
	case rules.Eq, rules.Ne, rules.Lt, rules.Le, rules.Gt, rules.Ge, rules.Sub, rules.Div, rules.Mod:
	}
	t := w.typeOf(x.L)
	if t == open {
		if t = w.typeOf(x.R); t == open {
			t = number
		}
	}
	sides := []string{w.as(t, x.L), w.as(t, x.R)}
	if x.Op == rules.Eq || x.Op == rules.Ne {
		slices.Sort(sides)
	}
	return fmt.Sprintf("(%s %s %s)", sides[0], x.Op, sides[1])
}

// chain writes the operands that one operator joins.
func (w *writer) chain(o rules.Op, x rules.Expr) []string {
	if b, is := x.(rules.Binary); is && b.Op == o {
		return append(w.chain(o, b.L), w.chain(o, b.R)...)
	}
	return []string{w.as(number, x)}
}

func (w *writer) block(body []rules.Stmt) string {
	var lines []string
	for len(body) > 0 {
		n := max(1, commuting(body))
		run := make([]string, n)
		for i := range run {
			run[i] = w.stmt(body[i])
		}
		slices.Sort(run)
		lines, body = append(lines, run...), body[n:]
	}
	return strings.Join(lines, "; ")
}

// commuting returns the number of statements at the beginning of a body that may be executed in any
// order: they empty different fixed pits into others.
func commuting(body []rules.Stmt) int {
	from, into := map[int]bool{}, map[int]bool{}
	for i, s := range body {
		t, is := s.(rules.Transfer)
		p, fixed := t.From.(rules.Const)
		q, fixed2 := t.Into.(rules.Const)
		if !is || t.Count != nil || !fixed || !fixed2 || p.Value < 0 || q.Value < 0 {
			return i
		}
		if from[p.Value] || into[p.Value] || from[q.Value] || p.Value == q.Value {
			return i
		}
		from[p.Value], into[q.Value] = true, true
	}
	return len(body)
}

func (w *writer) stmt(s rules.Stmt) string {
	switch s := s.(type) {
	case rules.Sow:
		return w.sow(s)
	case rules.Transfer:
		return fmt.Sprintf("move %s from %s into %s", w.count(s.Count), w.as(pit, s.From), w.as(pit, s.Into))
	case rules.Set:
		return fmt.Sprintf("%s = %s", w.cell(s.To), w.as(w.setType(s.To), s.X))
	case rules.If:
		return fmt.Sprintf("if %s {%s} else {%s}", w.as(number, s.Cond), w.block(s.Then), w.block(s.Else))
	case rules.While:
		return fmt.Sprintf("while %s {%s}", w.as(number, s.Cond), w.block(s.Body))
	case rules.Stop:
		if s.Outcome == rules.Illegal {
			return "illegal"
		}
		return "stop " + w.value(outcome, s.Outcome)
	}
	w.bad = true
	return ""
}

func (w *writer) setType(c rules.Cell) kind {
	if c.IsRegister(rules.RankReg) {
		return number
	}
	return w.cellType(c)
}

func (w *writer) count(x rules.Expr) string {
	if x == nil {
		return "all"
	}
	return w.as(number, x)
}

func (w *writer) sow(s rules.Sow) string {
	skip := make([]string, len(w.sys.Pits))
	for p, x := range s.SkipIf {
		if x != nil {
			skip[w.s.Pits[p]] = w.as(number, x)
		}
	}
	only := make([]bool, len(w.sys.Pits))
	for p, is := range s.OnlyLast {
		only[w.s.Pits[p]] = is
	}
	start := ""
	if s.StartAt != nil {
		start = w.as(pit, s.StartAt)
	}
	return fmt.Sprintf("sow %s from %s along %s, first %s %v, skip %q, last %v {%s}", w.count(s.Count), w.as(pit, s.Source), w.lap(s.Lap), start, s.OriginFirst, skip, only, w.block(s.Drop))
}

// lap writes the neighbours of each pit, which is all that a sowing depends on, and the number of
// pits of the lap.
func (w *writer) lap(i int) string {
	if w.laps[i] != "" {
		return w.laps[i]
	}
	lap := &w.sys.Laps[i]
	next := make([]string, len(lap.Next))
	for p, q := range lap.Next {
		next[w.s.Pits[p]] = w.value(pit, q)
	}
	w.laps[i] = w.named(fmt.Sprint(len(lap.Pits), next))
	return w.laps[i]
}

// named gives a long text a short name.
func (w *writer) named(text string) string {
	if w.names == nil {
		return text
	}
	n, ok := w.names[text]
	if !ok {
		n = len(w.names)
		w.names[text] = n
	}
	return fmt.Sprintf("#%d", n)
}
