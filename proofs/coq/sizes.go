package coq

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mancheck/mancheck/proofs/cert"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/family"
)

// everySize writes a file for a claim about every size of the board: a theorem about all sizes from
// that of the family on, and one for each size before, in a module of its own.
func (t *theorem) everySize(c *cert.Certificate) string {
	var b strings.Builder
	modules := []string{"Kernel", "Claims", "Evidence", "Backward", "Insert", "Cutoff", "Sizes"}
	goal, is := goalOf(t.Never)
	if !is {
		t.fail("theorem about every size that says more than that an outcome is unreachable")
	}
	b.WriteString(t.system(t.game))
	t.seams(&b, t.Sizes.Family.Seams)
	target := t.condition(&b, "target", t.Never)
	listed := t.states(&b, "packed", t.state)
	define(&b, "the same seeds with any values of variables, before the end", t.name("unnamed")+" : list packed", "["+strings.Join(t.unnamed(), "; ")+"]")
	define(&b, "the evidence: "+t.Kind, t.name("evidence")+" : backward",
		fmt.Sprintf("Backward %d %s\n  (%s ++ %s)", rounds, t.parts(), t.name("unnamed"), listed))
	all := t.name("is_proved_from")
	fmt.Fprintf(&b, "\n%s\n", comment(fmt.Sprintf("For all %s from %d on: instance %s k is the System for %[1]s = %[2]d + k.", t.Sizes.Family.Size, t.Sizes.Family.At, t.name("family"))))
	fmt.Fprintf(&b, "Theorem %s : forall k ranges, unreachable (with_ranges ranges (instance %s k)) %s.\n", all, t.name("family"), target)
	fmt.Fprintf(&b, "Proof. apply (check_sizes_unreachable %s %s %d). vm_cast_no_check (eq_refl true). Qed.\n", t.name("family"), t.name("evidence"), goal)
	assumed := []string{all}
	for i, below := range t.Sizes.Below {
		size := t.Sizes.Family.At - len(t.Sizes.Below) + i
		small := newTheorem(below, t.claim, t.verdict)
		module := fmt.Sprintf("Size_%d", size)
		fmt.Fprintf(&b, "\n%s\nModule %s.\n", comment(fmt.Sprintf("%s = %d", t.Sizes.Family.Size, size)), module)
		assumed = append(assumed, module+"."+small.proved(&b))
		fmt.Fprintf(&b, "End %s.\n", module)
		if small.err != nil && t.err == nil {
			t.err = small.err
		}
		if !slices.Contains(modules, small.module) {
			modules = append(modules, small.module)
		}
	}
	for _, name := range assumed {
		fmt.Fprintf(&b, "\nPrint Assumptions %s.", name)
	}
	return comment(heading(c)) + "\n" + Preamble(modules...) + "\n" + b.String() + "\n"
}

// goalOf returns the outcome that a condition asks for.
func goalOf(x rules.Expr) (outcome int, ok bool) {
	b, is := x.(rules.Binary)
	if !is || b.Op != rules.Eq || !rules.IsFixed(b.L, rules.RegisterCell, rules.OutcomeReg) {
		return 0, false
	}
	k, is := b.R.(rules.Const)
	return k.Value, is
}

// seams writes the seams, each with the actions that an inserted pit brings: those of its first
// pit.
func (t *theorem) seams(b *strings.Builder, seams []family.Seam) {
	var names []string
	for i, s := range seams {
		if s.Grows != 1 {
			t.fail("stretch that grows by %d pits", s.Grows)
		}
		var templates []string
		t.own = s.X
		for k := range t.sys.Actions {
			if a := &t.sys.Actions[k]; family.Names(a.Guard, s.X) || family.BodyNames(a.Body, s.X) {
				templates = append(templates, "\n  "+strings.ReplaceAll(t.action(a), "\n", "\n  "))
			}
		}
		t.own = rules.None
		name := fmt.Sprintf("seam_%d", i)
		between := fmt.Sprintf("pits are put in between %s and %s, with the actions of each", t.sys.Pits[s.X].Name, t.sys.Pits[s.Y].Name)
		define(b, between, name+" : seam", fmt.Sprintf("Seam %d %d [%s]", s.X, s.Y, strings.Join(templates, ";")))
		names = append(names, name)
	}
	define(b, "the Systems of all sizes", t.name("family")+" : family", fmt.Sprintf("Fam %s [%s]", t.game, strings.Join(names, "; ")))
}

// unnamed lists, for each finished state of the set, the live one with the same seeds and with any
// values of variables. A start of a move that only names a pit leads from there to the end.
func (t *theorem) unnamed() []string {
	var states []string
	for _, s := range t.States {
		if s.Live() {
			continue
		}
		for player := range t.sys.Players {
			states = append(states, fmt.Sprintf("P (-1) %d [] %s", player, integers(kept(t.Parts.Pits, s.Seeds))))
		}
	}
	return states
}
