package symmetry

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
)

// writer writes the rules as they are after a symmetry. What does not depend on its
// order is sorted.
type writer struct {
	sys *rules.System
	*rules.Renamer
}

func newWriter(sys *rules.System, s Symmetry) writer {
	return writer{sys, rules.NewRenamer(sys, s.Renaming)}
}

// texts is the text of all that determines the steps of a System: its actions, in no order, and its
// reactions.
type texts struct {
	sys       *rules.System
	actions   map[string][]int // the actions with each text
	reactions []string
}

// newTexts returns the texts of a System as it is. ok is false if it is not well typed, so that
// nothing is known of what its numbers mean.
func newTexts(sys *rules.System) (t *texts, ok bool) {
	if !sys.WellTyped() {
		return nil, false
	}
	t = &texts{sys: sys, actions: map[string][]int{}}
	w := newWriter(sys, identity(sys))
	for i := range sys.Actions {
		text := w.action(&sys.Actions[i])
		t.actions[text] = append(t.actions[text], i)
	}
	for i := range sys.Reactions {
		t.reactions = append(t.reactions, w.reaction(&sys.Reactions[i]))
	}
	return t, !w.Broken
}

// same reports whether the texts are the same after a symmetry, and sets the images of the actions.
// The first text that is not the same decides.
func (t *texts) same(s *Symmetry) bool {
	if badNext(t.sys, *s) {
		return false
	}
	w := newWriter(t.sys, *s)
	for i := range t.sys.Reactions {
		if w.reaction(&t.sys.Reactions[i]) != t.reactions[i] || w.Broken {
			return false
		}
	}
	used := map[string]int{}
	s.Actions = nil
	for i := range t.sys.Actions {
		text := w.action(&t.sys.Actions[i])
		if used[text] == len(t.actions[text]) || w.Broken {
			return false
		}
		s.Actions = append(s.Actions, t.actions[text][used[text]])
		used[text]++
	}
	return true
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

func (w writer) action(a *rules.Action) string {
	return fmt.Sprint(w.Players[a.Mover], a.Fallback, a.Locals, w.expr(a.Guard), "\n", w.body(a.Body))
}

// reaction writes what a Reaction does for each player, under the names after the renaming.
func (w writer) reaction(r *rules.Reaction) string {
	texts := make([]string, len(r.By))
	for p, x := range r.By {
		texts[w.Players[p]] = fmt.Sprint(x.Locals, w.expr(x.When), "\n", w.body(x.Body))
	}
	return fmt.Sprint(r.AtTurnEnd, strings.Join(texts, "\n"))
}

// sameStart reports whether the starts of both are the same.
func sameStart(sys *rules.System, a, b Symmetry) bool {
	x, ok := startText(sys, a)
	y, ok2 := startText(sys, b)
	return ok && ok2 && x == y
}

func startText(sys *rules.System, s Symmetry) (text string, ok bool) {
	w := newWriter(sys, s)
	text = fmt.Sprint(s.Players[sys.Start.Mover], w.Set(sys.Start.Free), w.expr(sys.Start.Cond))
	return text, !w.Broken
}

// sameExprs reports whether the expressions are the same after both.
func sameExprs(sys *rules.System, a, b Symmetry, list []rules.Expr) bool {
	v, w := newWriter(sys, a), newWriter(sys, b)
	for _, x := range list {
		if x != nil && (!sys.HasType(x, sys.TypeOf(x, nil)) || v.expr(x) != w.expr(x)) {
			return false
		}
	}
	return !v.Broken && !w.Broken
}

// expr writes the image of an expression; a nil expression has no text.
func (w writer) expr(x rules.Expr) string {
	if x == nil {
		return ""
	}
	image := w.Expr(x)
	if w.Broken {
		return ""
	}
	return rules.ExactString(w.sys, w.sorted(image))
}

func (w writer) body(body []rules.Stmt) string {
	images := w.Body(body)
	if w.Broken {
		return ""
	}
	return rules.BodyString(w.sys, w.sortedBody(images))
}

// sorted writes the operands of an operator in the order of their texts if their order does not
// matter. It does if one operand decides whether another, which may be at fault, is evaluated.
func (w writer) sorted(x rules.Expr) rules.Expr {
	if b, is := x.(rules.Binary); is {
		return w.sortedBinary(b)
	}
	return rules.WithChildren(x, w.sorted)
}

func (w writer) sortedBinary(x rules.Binary) rules.Expr {
	var parts []rules.Expr
	free := false
	switch x.Op {
	case rules.And, rules.Or:
		parts, free = operands(x.Op, x), !rules.CanFail(x)
	case rules.Add, rules.Mul, rules.Min, rules.Max:
		parts, free = operands(x.Op, x), true
	case rules.Eq, rules.Ne:
		parts, free = []rules.Expr{x.L, x.R}, true
	case rules.Lt, rules.Le, rules.Gt, rules.Ge, rules.Sub, rules.Div, rules.Mod:
		parts = []rules.Expr{x.L, x.R}
	}
	for i, p := range parts {
		parts[i] = w.sorted(p)
	}
	if free {
		w.sort(parts)
	}
	out := parts[0]
	for _, p := range parts[1:] {
		out = rules.Binary{Op: x.Op, L: out, R: p}
	}
	return out
}

// sort sorts expressions by their texts.
func (w writer) sort(list []rules.Expr) {
	texts := map[int]string{}
	order := make([]int, len(list))
	for i, x := range list {
		texts[i], order[i] = rules.ExactString(w.sys, x), i
	}
	slices.SortStableFunc(order, func(i, j int) int { return strings.Compare(texts[i], texts[j]) })
	unsorted := slices.Clone(list)
	for i, from := range order {
		list[i] = unsorted[from]
	}
}

// operands lists what one operator joins.
func operands(o rules.Op, x rules.Expr) []rules.Expr {
	if b, is := x.(rules.Binary); is && b.Op == o {
		return append(operands(o, b.L), operands(o, b.R)...)
	}
	return []rules.Expr{x}
}

// sortedBody sorts the expressions of statements, and those that follow each other and may be
// executed in any order.
func (w writer) sortedBody(body []rules.Stmt) []rules.Stmt {
	var out []rules.Stmt
	for len(body) > 0 {
		n := max(1, commuting(body))
		run := lists.Map(body[:n], func(s rules.Stmt) rules.Stmt { return rules.Rewrite(s, w.sorted, w.sortedBody) })
		slices.SortStableFunc(run, func(s, t rules.Stmt) int {
			return strings.Compare(rules.BodyString(w.sys, []rules.Stmt{s}), rules.BodyString(w.sys, []rules.Stmt{t}))
		})
		out, body = append(out, run...), body[n:]
	}
	return out
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
