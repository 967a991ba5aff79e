package coq

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/proofs/cert"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/family"
)

// everySize writes a file for a claim about every size of the board: a theorem about all sizes from
// that of the family on, and one for each size before, in a module of its own.
func (t *theorem) everySize(c *cert.Certificate) string {
	var b strings.Builder
	t.family(&b, t.name("family"), t.game, t.Sizes.Family)
	modules := []string{"Kernel", "Claims", "Evidence", "Insert", "Cutoff", "Sizes"}
	law := t.law(&b)
	all := t.name("is_proved_from")
	of := fmt.Sprintf("(with_ranges ranges (instance %s k))", t.name("family"))
	fmt.Fprintf(&b, "\n%s\n", comment(fmt.Sprintf("For all %s from %d on: instance %s k is the System for %[1]s = %[2]d + k.", t.Sizes.Family.Size, t.Sizes.Family.At, t.name("family"))))
	fmt.Fprintf(&b, "Theorem %s : forall k ranges, %s.\n", all, fmt.Sprintf(law.says, of))
	fmt.Fprintf(&b, "Proof. intros k ranges. apply (%s). vm_cast_no_check (eq_refl true). Qed.\n", law.by)
	modules = append(modules, law.module)
	assumed := []string{all}
	for i, below := range t.Sizes.Below {
		size := t.Sizes.Family.At - len(t.Sizes.Below) + i
		small := newTheorem(below, t.claim, t.verdict)
		module := fmt.Sprintf("Size_%d", size)
		fmt.Fprintf(&b, "\n%s\nModule %s.\n", comment(fmt.Sprintf("%s = %d", t.Sizes.Family.Size, size)), module)
		_, small.seedsOnly = t.Evidence.(*cert.SizesSeeds)
		assumed = append(assumed, module+"."+small.proved(&b))
		fmt.Fprintf(&b, "End %s.\n", module)
		t.err = cmp.Or(t.err, small.err)
		modules = append(modules, small.module)
	}
	for _, name := range assumed {
		fmt.Fprintf(&b, "\nPrint Assumptions %s.", name)
	}
	return comment(heading(c)) + "\n" + Preamble(lists.Distinct(modules)...) + "\n" + b.String() + "\n"
}

// law is what is said of each System of a family, and the theorem that says so of evidence.
type law struct{ module, says, by string }

// law writes the evidence of a claim about every size, and returns what it shows.
func (t *theorem) law(b *strings.Builder) law {
	name := t.name("family")
	switch e := t.Evidence.(type) {
	case *cert.SizesRank:
		define(b, "the pits that seeds do not leave", t.name("sinks")+" : list nat", naturals(t.Sinks))
		define(b, "the heights of the others", t.name("heights")+" : list Z", integers(e.Heights))
		return law{"LawsSizes", "terminates %s", fmt.Sprintf("lawful_terminates_in_all %s %s %s", name, t.name("sinks"), t.name("heights"))}
	case *cert.SizesMoves:
		t.losesNothing(b)
		from, gives := t.condition(b, "from", t.Step.From), t.condition(b, "gives", t.Step.Gives)
		return law{
			"Growing", "every_step %s (fun _ => True) " + from + " " + gives,
			fmt.Sprintf("check_growing_every_step %s %s %s", t.name("keepers"), name, gives),
		}
	case *cert.SizesSeeds:
		return law{"Sizes", "keeps_seeds %s", "check_board_keeps_seeds " + name}
	case *cert.Sizes:
		goal, is := goalOf(t.Never)
		if !is {
			t.fail("theorem about every size that says more than that an outcome is unreachable")
		}
		target := t.condition(b, "target", t.Never)
		listed := t.states(b, "packed", t.state)
		define(b, "the same seeds with any values of variables, before the end", t.name("unnamed")+" : list packed", "["+strings.Join(t.unnamed(), "; ")+"]")
		define(b, "the evidence: "+cert.Kind(t.Evidence), t.name("evidence")+" : backward",
			fmt.Sprintf("Backward %d %s\n  (%s ++ %s)", rounds, t.parts(), t.name("unnamed"), listed))
		return law{"Backward", "unreachable %s " + target, fmt.Sprintf("check_sizes_unreachable %s %s %d", name, t.name("evidence"), goal)}
	}
	t.fail("theorem by evidence of the kind `%s`", cert.Kind(t.Evidence))
	return law{}
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

// family writes the System of the family's first size, and the seams, each with the actions that an
// inserted pit brings: those of its first pit.
func (w *writer) family(b *strings.Builder, name, base string, f *family.Family) {
	b.WriteString(w.system(base))
	var seams []string
	for i, s := range f.Seams {
		if s.Grows != 1 {
			w.fail("stretch that grows by %d pits", s.Grows)
		}
		var templates []string
		w.own = s.X
		for k := range w.sys.Actions {
			if a := &w.sys.Actions[k]; family.Names(a.Guard, s.X) || family.BodyNames(a.Body, s.X) {
				templates = append(templates, "\n  "+strings.ReplaceAll(w.action(a), "\n", "\n  "))
			}
		}
		w.own = rules.None
		seams = append(seams, fmt.Sprintf("seam_%d", i))
		between := fmt.Sprintf("pits are put in between %s and %s, with the actions of each", w.sys.Pits[s.X].Name, w.sys.Pits[s.Y].Name)
		define(b, between, seams[i]+" : seam", fmt.Sprintf("Seam %d %d [%s]", s.X, s.Y, strings.Join(templates, ";")))
	}
	define(b, "the Systems of all sizes", name+" : family", fmt.Sprintf("Fam %s [%s]", base, strings.Join(seams, "; ")))
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
