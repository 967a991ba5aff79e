package coq

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/proofs/cert"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
)

// rounds is how many rounds of a loop are followed before its result counts as unknown. A numeral
// of Coq's natural numbers should not be much greater.
const rounds = 4096

// theorem writes one file. Its names end in words that neither Coq nor the theory uses as names.
type theorem struct {
	*writer
	*cert.Content
	claim   string // the name of the claim
	game    string // the name of the System
	verdict string
	module  string   // of the theory, with the theorem that is applied
	given   []string // arguments of that theorem

	seedsOnly bool // the theorem is only that the number of seeds stays the same
}

func newTheorem(content *cert.Content, claim, verdict string) *theorem {
	return &theorem{
		writer: newWriter(content.System), Content: content,
		claim: claim, game: Identifier(content.System.Name) + "_rules", verdict: verdict,
	}
}

// name returns a name that has to do with the claim.
func (t *theorem) name(what string) string { return t.claim + "_" + what }

// proved writes the System, the claim, the evidence and the theorem, and returns its name.
func (t *theorem) proved(b *strings.Builder) string {
	if t.seedsOnly {
		t.module = "Sizes"
		name := t.name("keeps_seeds")
		fmt.Fprintf(b, "%s\nTheorem %s : keeps_seeds %s.\nProof. apply sound_keeps_seeds. vm_cast_no_check (eq_refl true). Qed.\n", t.system(t.game), name, t.game)
		return name
	}
	var claim, evidence strings.Builder
	word, said := t.claimed(&claim)
	of := t.evidence(&evidence)
	lemma, is := lemmas[of+" "+word]
	if !is {
		t.fail("theorem by evidence of the kind `%s` that says `%s`", cert.Kind(t.Evidence), word)
	}
	t.module = lemma.module
	name := t.name("is_" + t.verdict)
	fmt.Fprintf(b, "%s%s%s\n", t.system(t.game), &claim, &evidence)
	fmt.Fprintf(b, "Theorem %s : %s.\n", name, said)
	fmt.Fprintf(b, "Proof. apply (%s %s). vm_cast_no_check (eq_refl true). Qed.\n", lemma.name, strings.Join(t.given, " "))
	return name
}

// lemma is a theorem of the theory, which says of evidence that what is computed of it shows
// something.
type lemma struct{ module, name string }

// lemmas are the theorems, by the type of the evidence and the word for what they say.
var lemmas = map[string]lemma{
	"backward unreachable":       {"Backward", "check_backward_unreachable"},
	"forward unreachable":        {"Forward", "forward_unreachable"},
	"forward every_step":         {"Forward", "forward_every_step"},
	"numbered terminates":        {"Falling", "falling_terminates"},
	"numbered terminates_within": {"Falling", "falling_within"},
	"play reachable":             {"Plays", "play_reachable"},
	"numbered counts":            {"Depths", "depths_count"},
	"strategy forces":            {"Games Forcing", "starts_force"},
	"strategy ~ can_force":       {"Games Forcing", "starts_prevent"},
	"rank terminates":            {"Laws", "check_falling_terminates"},
	"keepers every_step":         {"Growing", "check_growing_alone"},
	"play reachable_within":      {"Plays", "play_within"},
	"play ~ every_step":          {"Plays", "play_breaks"},
	"play ~ terminates":          {"Plays", "play_endless"},
	"play ~ terminates_within":   {"Plays", "play_longer"},
}

// claimed defines the conditions of the claim, and returns the word for what is said of the System,
// and the whole of it.
func (t *theorem) claimed(b *strings.Builder) (word, said string) {
	switch {
	case t.Never != nil && t.Denied && t.Within >= 0:
		return "reachable_within", t.about("reachable_within", strconv.Itoa(t.Within)+" "+t.condition(b, "target", t.Never))
	case t.Never != nil && t.Denied:
		return "reachable", t.about("reachable", t.condition(b, "target", t.Never))
	case t.Never != nil:
		return "unreachable", t.about("unreachable", t.condition(b, "target", t.Never))
	case t.Step != nil:
		define(b, "the actions that are meant", t.name("actions")+" : list nat", naturals(t.meant()))
		from, gives := t.condition(b, "from", t.Step.From), t.condition(b, "gives", t.Step.Gives)
		return t.denied("every_step", fmt.Sprintf("(among %s %s) %s %s", t.game, t.name("actions"), from, gives))
	case t.Ends != nil && t.Ends.Within >= 0:
		return t.denied("terminates_within", strconv.Itoa(t.Ends.Within))
	case t.Ends != nil:
		return t.denied("terminates", "")
	case t.Counts != nil:
		where := t.Counts.Where
		if t.Counts.Set == build.CountFinished {
			where = rules.Conjunction(rules.Not{X: rules.HasOutcome(rules.Live)}, where)
		}
		return "counts", fmt.Sprintf("counts (fun s => reach %s s /\\ satisfies %[1]s %s s) (Z.to_nat %d)", t.game, t.condition(b, "counted", where), t.Number)
	case t.Force != nil:
		define(b, t.sys.Players[t.Force.Player], fmt.Sprintf("%s (p : Z) : bool", t.name("player")), fmt.Sprintf("p =? %d", t.Force.Player))
		return t.forced(t.condition(b, "goal", t.Force.Goal))
	}
	return "claim", ""
}

// about says something of the System.
func (t *theorem) about(word, args string) string {
	return strings.TrimRight(word+" "+t.game+" "+args, " ")
}

// denied says something of the System, or the contrary.
func (t *theorem) denied(word, args string) (as, said string) {
	if t.Denied {
		return "~ " + word, "~ " + t.about(word, args)
	}
	return word, t.about(word, args)
}

// forced says that a player can force a goal in so many moves as the strategy takes at most, or in
// as many as are claimed, or that he never can.
func (t *theorem) forced(goal string) (word, said string) {
	most := t.Force.Within
	switch {
	case t.Denied && most >= 0:
		return "~ forces", ""
	case t.Denied:
		return "~ can_force", fmt.Sprintf("forall s, start %s s -> ~ can_force %[1]s %s %s s", t.game, t.name("player"), goal)
	case most < 0:
		most = slices.Max(append(t.Numbers, 0))
	}
	return "forces", fmt.Sprintf("forall s, start %s s -> forces %[1]s %s %s (Z.to_nat %d) s", t.game, t.name("player"), goal, most)
}

// condition defines a condition of the claim, and returns its name.
func (t *theorem) condition(b *strings.Builder, what string, x rules.Expr) string {
	t.locals = 0
	define(b, rules.ExactString(t.sys, x), t.name(what)+" : expr", t.expr(x))
	return t.name(what)
}

// meant lists the actions that a claim about steps is about.
func (t *theorem) meant() []int {
	if t.Step.Actions == nil {
		return num.Run(0, len(t.sys.Actions))
	}
	return lists.Set(t.Step.Actions)
}

// evidence defines the evidence, and returns its type.
func (t *theorem) evidence(b *strings.Builder) string {
	of, term := "evidence", ""
	t.given = []string{t.game, t.name("evidence")}
	numbered := func(i int) string { return fmt.Sprintf("(%s, %d)", t.state(i), t.Numbers[i]) }
	switch e := t.Evidence.(type) {
	case *cert.Backward:
		of, term = "backward", fmt.Sprintf("Backward %d %s\n  %s", rounds, t.parts(), t.states(b, "packed", t.state))
	case *cert.Forward:
		of, term = "forward", fmt.Sprintf("Forward %d %s\n  %s", rounds, t.parts(), t.states(b, "packed", t.state))
	case *cert.Falling, *cert.Depths:
		of, term = "numbered", fmt.Sprintf("Numbered %d %s", rounds, t.states(b, "(packed * Z)", numbered))
	case *cert.Play:
		moves := t.Actions
		if last := len(moves) - 1; t.Step != nil && last >= 0 {
			t.given = append(t.given, "_ _ _", strconv.Itoa(moves[last]))
			moves = moves[:last]
		}
		of, term = "play", fmt.Sprintf("Play %d %s %s", rounds, integers(t.Board), naturals(moves))
	case *cert.Strategies:
		t.given = []string{t.game, t.name("player"), t.name("evidence")}
		if t.Denied {
			t.given = append(t.given, "_ true")
		}
		of, term = "strategy", fmt.Sprintf("Strategy %d %s\n  %s", rounds, t.parts(), t.states(b, "(packed * Z)", numbered))
	case *cert.Ranked:
		t.rank(b, e.Weights)
		return "rank"
	case *cert.Moved:
		t.losesNothing(b)
		t.given = []string{t.name("keepers"), t.game, t.name("gives")}
		return "keepers"
	}
	define(b, "the evidence: "+cert.Kind(t.Evidence), t.name("evidence")+" : "+of, term)
	return of
}

// rank defines the rank of the theory: the number of seeds that are in no sink, and then the sum of
// the heights of the pits that they are in.
func (t *theorem) rank(b *strings.Builder, weights [][]int) {
	outside, heights := weights[0], weights[len(weights)-1]
	if len(weights) > 2 || len(weights) == 2 && slices.Max(outside) > 1 {
		t.fail("rank of %d levels such as these", len(weights))
	}
	sinks := lists.Where(outside, func(weight int) bool { return weight == 0 })
	define(b, "the pits that seeds do not leave", t.name("sinks")+" : list nat", naturals(sinks))
	define(b, "the heights of the others", t.name("heights")+" : list Z", integers(heights))
	t.given = []string{t.name("sinks"), t.name("heights"), t.game}
}

// losesNothing defines the pits of which a claim about steps says that they lose no seeds.
func (t *theorem) losesNothing(b *strings.Builder) {
	var keepers []int
	for _, x := range rules.Conjuncts(t.Step.Gives) {
		c, _ := x.(rules.Binary)
		old, _ := c.R.(rules.Old)
		p, seeds := rules.SeedsOf(c.L)
		q, before := rules.SeedsOf(old.X)
		if c.Op != rules.Ge || !seeds || !before || p != q || t.Step.Actions != nil {
			t.fail("theorem by where seeds may go that says more than that pits lose no seeds")
		}
		keepers = append(keepers, p)
	}
	define(b, "the pits that lose no seeds", t.name("keepers")+" : list nat", naturals(keepers))
}

// parts writes which parts of states are kept.
func (t *theorem) parts() string {
	mask := func(set []bool) string { return list(set, strconv.FormatBool) }
	return "(Parts " + mask(t.Parts.Pits) + "\n    " + mask(t.Parts.Vars) + " " + mask(t.Parts.Over) + ")"
}

// mostInList is how many states stand in one list: for a longer one Coq's stack may be too small.
const mostInList = 2000

// states defines lists of the states of the evidence, each of which write writes, and returns all
// of them as an argument.
func (t *theorem) states(b *strings.Builder, of string, write func(i int) string) string {
	var names []string
	for indexes := range slices.Chunk(num.Run(0, len(t.States)), mostInList) {
		names = append(names, fmt.Sprintf("%s_%d", t.name("states"), len(names)))
		lines := lists.Map(indexes, func(i int) string { return "\n  " + write(i) })
		define(b, "states", fmt.Sprintf("%s : list %s", names[len(names)-1], of), "["+strings.Join(lines, ";")+"]")
	}
	return "(" + strings.Join(append(names, "[]"), " ++ ") + ")"
}

// state writes the kept parts of a state.
func (t *theorem) state(i int) string {
	s := &t.States[i]
	vars := kept(t.Parts.VarsOf(s.Outcome), s.Vars)
	return fmt.Sprintf("P %s %s %s %s", integer(s.Outcome), integer(s.Mover), integers(vars), integers(kept(t.Parts.Pits, s.Seeds)))
}

// kept lists the numbers of what is kept.
func kept(mask []bool, numbers []int) []int {
	return lists.Map(lists.Set(mask), func(i int) int { return numbers[i] })
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
	if c.Size != "" {
		fmt.Fprintf(&b, "That text is for the least %s. The digest in the claim is that of the rules for each.\n", c.Size)
		fmt.Fprintf(&b, "That the instances of the family below are the rules for each %s is not proved here.\n", c.Size)
	}
	b.WriteString("The last theorem says so. Coq computes its proof from the evidence before it.")
	return b.String()
}
