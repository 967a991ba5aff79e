package coq

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/mancheck/mancheck/proofs/cert"
	"github.com/mancheck/mancheck/rules"
)

// Identifier makes a name of a text, for a file that others may import.
func Identifier(text string) string {
	name := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' {
			return r
		}
		return '_'
	}, text)
	if name == "" || name[0] >= '0' && name[0] <= '9' {
		name = "_" + name
	}
	return name
}

// rounds is how many rounds of a loop are followed before its result counts as unknown. A numeral
// of Coq's natural numbers should not be much greater.
const rounds = 4096

// Theorem writes a file for Coq with the System, the claim and the evidence of a certificate, and a
// theorem that says what is certified. Its proof is a computation on the evidence. The error is a
// *NoCounterpart where the theory has no theorem for it, one of cert.Certificate.Content, or the
// context's.
func Theorem(ctx context.Context, c *cert.Certificate) ([]byte, error) {
	content, err := c.Content(ctx)
	if err != nil {
		return nil, err
	}
	t := &theorem{writer: newWriter(content.System), Content: content, claim: Identifier(c.Claim.Name)}
	t.game = Identifier(content.System.Name) + "_rules"
	text := t.file(c)
	return []byte(text), t.err
}

// theorem writes one file. Its names end in words that neither Coq nor the theory uses as names.
type theorem struct {
	*writer
	*cert.Content
	claim string // the name of the claim
	game  string // the name of the System
}

// name returns a name that has to do with the claim.
func (t *theorem) name(what string) string { return t.claim + "_" + what }

func (t *theorem) file(c *cert.Certificate) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%s\n%s", comment(heading(c)), Preamble("Kernel", "Claims", "Evidence"), t.system(t.game))
	said, verdict := t.statement(&b), "is_"+c.Verdict
	evidence, proof := t.evidence()
	fmt.Fprintf(&b, "%s\nTheorem %s : %s.\n%s\n\nPrint Assumptions %[2]s.\n", evidence, t.name(verdict), said, proof)
	return b.String()
}

// heading says what the file is about, in the words of the certificate.
func heading(c *cert.Certificate) string {
	var b strings.Builder
	fmt.Fprintf(&b, "The claim %s", c.Claim.Name)
	if c.Claim.Label != "" {
		fmt.Fprintf(&b, ", %s,", c.Claim.Label)
	}
	fmt.Fprintf(&b, " is %s:\n%s\n", c.Verdict, c.Claim.Asserts)
	for _, p := range c.Scope {
		fmt.Fprintf(&b, "%s = %s\n", p.Param, p.Is)
	}
	fmt.Fprintf(&b, "SHA-256 of the canonical text of the rules: %s\n", c.SystemHash)
	b.WriteString("The last theorem says so. Coq computes its proof from the evidence before it.")
	return b.String()
}

// statement defines the conditions of the claim, and returns what the theorem says.
func (t *theorem) statement(b *strings.Builder) string {
	condition := func(what string, x rules.Expr) string {
		t.locals = 0
		define(b, rules.ExactString(t.sys, x), t.name(what)+" : expr", t.expr(x))
		return t.name(what)
	}
	switch {
	case t.Never != nil && t.Denied:
		return "reachable " + t.game + " " + condition("target", t.Never)
	case t.Never != nil:
		return "unreachable " + t.game + " " + condition("target", t.Never)
	case t.Step != nil:
		meant := "(fun _ => True)"
		if t.Step.Actions != nil {
			list := list(members(t.Step.Actions), func(i int) string { return fmt.Sprintf("action_%d", i) })
			define(b, "the actions that are meant", t.name("actions")+" : list action", list)
			meant = "(fun a => In a " + t.name("actions") + ")"
		}
		said := fmt.Sprintf("every_step %s %s %s %s", t.game, meant, condition("from", t.Step.From), condition("gives", t.Step.Gives))
		if t.Denied {
			return "~ " + said
		}
		return said
	case t.Ends != nil:
		said := "terminates " + t.game
		if t.Ends.Within >= 0 {
			said = fmt.Sprintf("terminates_within %s %d", t.game, t.Ends.Within)
		}
		if t.Denied {
			return "~ " + said
		}
		return said
	}
	return t.fail("theorem about such a claim")
}

// evidence defines the evidence, and returns the proof that rests on it.
func (t *theorem) evidence() (text, proof string) {
	var b strings.Builder
	name := t.name("evidence")
	evidence := func(typ, constructor string, fields ...string) {
		define(&b, "the evidence", name+" : "+typ, constructor+" "+strings.Join(fields, "\n  "))
	}
	switch t.Kind {
	case cert.Backward:
		evidence("backward", "Backward", fmt.Sprint(rounds), t.parts(), t.packed())
	case cert.Forward:
		evidence("forward", "Forward", fmt.Sprint(rounds), t.parts(), t.packed())
	case cert.Falling, cert.Depths:
		evidence("numbered", "Numbered", fmt.Sprint(rounds), t.numbered())
	case cert.Shown:
		evidence("play", "Play", fmt.Sprint(rounds), integers(t.Board), naturals(t.Actions))
	default:
		return "", t.fail("theorem about evidence of the kind %s", t.Kind)
	}
	return b.String(), "Proof.\nQed."
}

// parts writes which parts of states are kept.
func (t *theorem) parts() string {
	mask := func(set []bool) string { return list(set, strconv.FormatBool) }
	return "(Parts " + mask(t.Parts.Pits) + "\n    " + mask(t.Parts.Vars) + " " + mask(t.Parts.Over) + ")"
}

// packed writes the states of the evidence.
func (t *theorem) packed() string {
	return lines(t.States, func(i int) string { return t.state(t.States[i]) })
}

// numbered writes the states of the evidence with their numbers.
func (t *theorem) numbered() string {
	return lines(t.States, func(i int) string { return fmt.Sprintf("(%s, %d)", t.state(t.States[i]), t.Numbers[i]) })
}

// lines writes a list with a line for each element.
func lines[T any](elements []T, write func(i int) string) string {
	var b strings.Builder
	b.WriteString("[")
	for i := range elements {
		if i > 0 {
			b.WriteString(";")
		}
		b.WriteString("\n  " + write(i))
	}
	b.WriteString("]")
	return b.String()
}

// state writes the kept parts of a state.
func (t *theorem) state(s rules.State) string {
	vars := t.Parts.Vars
	if !s.Live() {
		vars = t.Parts.Over
	}
	return fmt.Sprintf("P %s %s %s %s", integer(s.Outcome), integer(s.Mover), integers(kept(vars, s.Vars)), integers(kept(t.Parts.Pits, s.Seeds)))
}

// kept lists the numbers of what is kept.
func kept(mask []bool, numbers []int) []int {
	var list []int
	for i, n := range numbers {
		if mask[i] {
			list = append(list, n)
		}
	}
	return list
}
