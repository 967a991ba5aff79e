package coq

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
)

// Preamble is what a file with Systems begins with, with the modules of the theory that it needs.
func Preamble(modules ...string) string {
	return "From Coq Require Import ZArith List.\nFrom Mancheck Require Import " + strings.Join(modules, " ") + `.
Import ListNotations.
Open Scope Z_scope.
Notation "a ;; b" := (Seq a b) (at level 90, right associativity, only parsing).
`
}

func newWriter(sys *rules.System) *writer {
	w := &writer{sys: sys, open: map[int]int{}, own: rules.None}
	for i, p := range sys.OpenParams() {
		w.open[p] = i
	}
	return w
}

// system writes the parts in the order of their record.
func (w *writer) system(name string) string {
	sys := w.sys
	if sys.Repetition != nil {
		w.fail("rule of repetition")
	}
	if n := len(sys.Outcomes); n == 0 || sys.Outcomes[n-1].Kind != rules.EndlessOutcome {
		w.fail("System without an outcome for moves that never end")
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", comment(w.legend()))
	for i, l := range sys.Laps {
		define(&b, "lap "+l.Name, fmt.Sprintf("lap_%d : lap", i), fmt.Sprintf("Lap\n  %s\n  %s", integers(l.Next), integers(l.Prev)))
	}
	for i, r := range sys.Relations {
		define(&b, "relation "+r.Name, fmt.Sprintf("relation_%d : list Z", i), integers(r.To))
	}
	define(&b, "the numbers in the brackets of pits", "indices : list Z", integers(indices(sys)))
	for i, v := range sys.Vars {
		define(&b, "values of "+v.Name, fmt.Sprintf("domain_%d : list Z", i), integers(v.Domain))
	}
	define(&b, rules.ExactString(sys, sys.Start.Cond), "setup_condition : expr", w.expr(sys.Start.Cond))
	for i := range sys.Actions {
		a := &sys.Actions[i]
		define(&b, w.actionText(a), fmt.Sprintf("action_%d : action", i), w.action(a))
	}
	for i := range sys.Reactions {
		for p := range sys.Reactions[i].By {
			by := &sys.Reactions[i].By[p]
			define(&b, w.reactionText(by, p), fmt.Sprintf("reaction_%d_%d : rule", i, p), w.rule(by))
		}
	}
	define(&b, sys.Name, name+" : system", w.record())
	return b.String()
}

// define writes a definition under a comment.
func define(b *strings.Builder, of, name, term string) {
	fmt.Fprintf(b, "\n%s\nDefinition %s := %s.\n", comment(of), name, term)
}

// legend says what is numbered how.
func (w *writer) legend() string {
	var b strings.Builder
	line := func(kind string, n int, name func(int) string) {
		for i := range n {
			fmt.Fprintf(&b, "%s %d is %s\n", kind, i, name(i))
		}
	}
	sys := w.sys
	if len(sys.Players) > 1 {
		line("player", len(sys.Players), func(i int) string { return sys.Players[i] })
	}
	line("pit", len(sys.Pits), func(i int) string { return sys.Pits[i].Name })
	line("variable", len(sys.Vars), func(i int) string { return sys.Vars[i].Name })
	line("outcome", len(sys.Outcomes), sys.OutcomeName)
	open := sys.OpenParams()
	line("parameter", len(open), func(i int) string { return sys.Params[open[i]].Name })
	return b.String()
}

// action writes an action. A guard that is absent always holds.
func (w *writer) action(a *rules.Action) string {
	w.locals = len(a.Locals)
	player := w.within(a.Mover, len(w.sys.Players), "player")
	return fmt.Sprintf("Act %s %t %d\n  %s\n  %s", player, a.Fallback, len(a.Locals), w.expr(cmp.Or[rules.Expr](a.Guard, rules.True)), w.body(a.Body, 1))
}

func (w *writer) actionText(a *rules.Action) string {
	head := a.Label
	for _, c := range a.Choices {
		head += " " + c.Text
	}
	if len(w.sys.Players) > 1 {
		head += " of " + w.sys.Players[a.Mover]
	}
	if a.Guard != nil {
		head += "\nwhen " + rules.ExactString(w.sys, a.Guard)
	}
	return head + "\n" + rules.BodyString(w.sys, a.Body)
}

// rule writes a reaction for one player to move. Its condition has no locals.
func (w *writer) rule(by *rules.ReactionFor) string {
	w.locals = 0
	when := w.expr(by.When)
	w.locals = len(by.Locals)
	return fmt.Sprintf("Rule %d\n  %s\n  %s", len(by.Locals), when, w.body(by.Body, 1))
}

func (w *writer) reactionText(by *rules.ReactionFor, player int) string {
	head := "reaction"
	if len(w.sys.Players) > 1 {
		head += " for " + w.sys.Players[player]
	}
	return fmt.Sprintf("%s\nwhen %s\n%s", head, rules.ExactString(w.sys, by.When), rules.BodyString(w.sys, by.Body))
}

// reaction writes a reaction as an element of a list.
func (w *writer) reaction(i int, r *rules.Reaction) string {
	if len(r.By) != len(w.sys.Players) {
		return w.fail("reaction for %d players", len(r.By))
	}
	rule := func(p int) string { return fmt.Sprintf("reaction_%d_%d", i, p) }
	return fmt.Sprintf("Rx %t %s", r.AtTurnEnd, list(num.Run(0, len(r.By)), rule))
}

// record writes the System itself, of the parts that are defined.
func (w *writer) record() string {
	sys := w.sys
	numbered := func(name string, n int) string {
		return list(num.Run(0, n), func(i int) string { return fmt.Sprintf("%s_%d", name, i) })
	}
	w.locals = 0
	fields := [][2]string{
		{"players", strconv.Itoa(len(sys.Players))},
		{"npits", strconv.Itoa(len(sys.Pits))},
		{"laps", numbered("lap", len(sys.Laps))},
		{"doms", numbered("domain", len(sys.Vars))},
		{"inits", list(sys.Vars, func(v rules.Var) string { return strconv.Itoa(v.Init) })},
		{"pitvar", list(sys.Vars, func(v rules.Var) string { return strconv.FormatBool(v.Type == rules.PitType) })},
		{"free", list(sys.Start.Free, strconv.FormatBool)},
		{"ranges", list(sys.OpenParams(), w.parameter)},
		{"setup", "setup_condition"},
		{"first", w.within(sys.Start.Mover, len(sys.Players), "player")},
		{"acts", numbered("action", len(sys.Actions))},
		{"rxs", list(num.Run(0, len(sys.Reactions)), func(i int) string { return w.reaction(i, &sys.Reactions[i]) })},
		{"outcomes", list(sys.Outcomes, w.outcome)},
		{"scores", list(sys.Scores, w.optionally)},
	}
	lines := lists.Map(fields, func(f [2]string) string { return "\n  " + f[0] + " := " + f[1] })
	return "{|" + strings.Join(lines, ";") + "\n|}"
}

// parameter writes the range of an open parameter.
func (w *writer) parameter(i int) string {
	p := &w.sys.Params[i]
	return fmt.Sprintf("(%d, %s)", p.Lo, option(integer(p.Hi), p.HasHi))
}

func (w *writer) outcome(o rules.Outcome) string {
	switch o.Kind {
	case rules.WinOutcome:
		return "Win " + w.within(o.Winner, len(w.sys.Players), "player")
	case rules.LoseOutcome:
		return "Lose"
	case rules.DrawOutcome:
		return "Draw"
	case rules.EndOutcome:
		return "End"
	case rules.EndlessOutcome:
		return "Endless"
	}
	return w.fail("outcome of kind %d", o.Kind)
}
