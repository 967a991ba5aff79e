package coq_test

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/mancheck/mancheck/proofs/coq"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build/buildtest"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/rulestest"
)

// agreement is what a file with Systems and the answers of the interpreter begins with. Differences
// are counted as the number of the System and that of its case.
const agreement = `From Coq Require Import Bool.
Inductive answer := Goes (s v : list Z) (m o : Z) | Not_ | Fault.
Inductive case :=
| Steps (s : state) (l : list answer)                (* by action *)
| Start (s : state) (laid : bool) (a : answer) (tries : bool)
| Claim (e : expr) (before s : state) (r : res).
Definition rounds : nat := 4000.
Definition st (s v : list Z) (m o : Z) : state := St (map Kn s) (map Kn v) m o.
Fixpoint same (l : list cell) (m : list Z) : bool :=
  match l, m with
  | [], [] => true
  | Kn x :: l, y :: m => (x =? y) && same l m
  | _, _ => false
  end.
Definition is (o : out) (a : answer) : bool :=
  match o, a with
  | On r, Goes s v m p | Fin r, Goes s v m p => same (cells r) s && same (values r) v && (to_move r =? m) && (over r =? p)
  | Ill, Not_ | Flt, Fault => true
  | _, _ => false
  end.
Fixpoint all (sys : system) (s : state) (l : list action) (m : list answer) : bool :=
  match l, m with
  | [], [] => true
  | a :: l, b :: m => is (act sys rounds a s) b && all sys s l m
  | _, _ => false
  end.
Definition run_of (s : state) : run := enter s (mover s) 0.
Definition value (r q : res) : bool := match r, q with V x, V y => x =? y | F, F => true | _, _ => false end.
Definition right (sys : system) (c : case) : bool :=
  match c with
  | Steps s l => all sys s (acts sys) l
  | Start s laid a tries =>
    eqb laid (match eval sys (claim_env sys rounds [] None) (run_of s) (setup sys) with V z => nz z | _ => false end)
    && (is (starting sys rounds s) a || match a, result (starting sys rounds s) with Fault, Some _ => tries | _, _ => false end)
  | Claim e before s r => value (eval sys (claim_env sys rounds [] (Some (run_of before))) (run_of s) e) r
  end.
Fixpoint wrong (sys : system) (number i : nat) (l : list case) : list (nat * nat) :=
  match l with
  | [] => []
  | c :: l => if right sys c then wrong sys number (S i) l else (number, i) :: wrong sys number (S i) l
  end.
`

// TestKernelAgrees: Kernel.v gives the steps, faults and starts that the reference interpreter
// gives, and the values of conditions of claims. MANCHECK_COQ_SYSTEMS is how many random Systems
// play, from MANCHECK_COQ_SEED on.
func TestKernelAgrees(t *testing.T) {
	w := open(t)
	number := func(name string, otherwise int) int {
		if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
			return n
		}
		return otherwise
	}
	count, first := number("MANCHECK_COQ_SYSTEMS", 60), number("MANCHECK_COQ_SEED", 0)
	met := &features{}
	const batch = 50
	for from := first; from < first+count; from += batch {
		var systems []*compared
		for seed := from; seed < min(from+batch, first+count); seed++ {
			systems = append(systems, compare(t, rulestest.System().Example(seed), seed, 12, met))
		}
		playAll(w, systems)
	}
	t.Log(met)
	met.enough(t, count)
}

// TestGamesAgree: the same for the games that come with the program; for some of them, unless
// MANCHECK_COQ_SYSTEMS is set.
func TestGamesAgree(t *testing.T) {
	w := openWhole(t)
	met, every := &features{}, 10
	if os.Getenv("MANCHECK_COQ_SYSTEMS") != "" {
		every = 1
	}
	var systems []*compared
	for i, sys := range buildtest.Systems(t, "../../examples/*.sow", "../../examples/family/*.sow", "../*.sow") {
		if i%every == 0 {
			systems = append(systems, compare(t, sys, i, 4, met))
		}
	}
	playAll(w, systems)
	t.Log(met)
}

// playAll lets Coq play Systems, and shows what it does in another way.
func playAll(w workshop, systems []*compared) {
	w.Helper()
	var b strings.Builder
	b.WriteString(coq.Preamble("Kernel") + agreement)
	var wrong []string
	for i, c := range systems {
		fmt.Fprintf(&b, "Module S%d.\n%sDefinition cases : list case := [\n%s].\nEnd S%[1]d.\n", i, c.text, strings.Join(c.cases, ";\n"))
		wrong = append(wrong, fmt.Sprintf("wrong S%d.sys %[1]d 0 S%[1]d.cases", i))
	}
	fmt.Fprintf(&b, "Definition differences : list (nat * nat) := %s.\n", strings.Join(wrong, " ++ "))
	text := b.String()
	out, _, err := w.compile(text + "Example agrees : differences = [].\nProof. vm_compute. reflexivity. Qed.\n")
	if err == nil {
		return
	}
	list, _, failed := w.compile(text + "Eval vm_compute in differences.\n")
	if failed != nil {
		w.Fatalf("coqc: %v\n%s", err, out)
	}
	shown := 0
	for _, pair := range strings.FieldsFunc(list[strings.Index(list, "["):], func(r rune) bool { return strings.ContainsRune("[];\n", r) }) {
		var i, k int
		if n, _ := fmt.Sscanf(strings.TrimSpace(strings.ReplaceAll(pair, "%nat", "")), "(%d, %d)", &i, &k); n != 2 {
			continue
		}
		c := systems[i]
		if shown++; shown <= 3 {
			w.Errorf("the interpreter and Coq differ in the case\n%s\nof %s (seed %d)\n%s", c.cases[k], c.sys.Name, c.seed, c.sys.Canonical())
		}
	}
	w.Fatalf("%s", list)
}

// compared is a System with what the interpreter says of some of its states.
type compared struct {
	seed  int
	sys   *rules.System
	text  string   // the definition
	cases []string // terms of type case
}

// compare asks the interpreter about so many random states and what they lead to.
func compare(t *testing.T, sys *rules.System, seed, states int, met *features) *compared {
	plain := *sys
	plain.Repetition = nil // steps and starts are those without it
	c := &compared{seed: seed, sys: &plain}
	var b strings.Builder
	if err := coq.System(&b, "sys", c.sys); err != nil {
		t.Fatalf("seed %d: %v\n%s", seed, err, sys.Canonical())
	}
	c.text = b.String()
	met.system(c.sys)
	in := interp.New(c.sys)
	for i := range states {
		s := rulestest.State(c.sys, max(4, len(sys.Pits)/2)+i).Example(seed*100 + i)
		steps := c.steps(t, in, s, met)
		if len(steps) > 0 && i%2 == 0 { // on, so that play also comes to states that rules lead to
			c.steps(t, in, steps[i%len(steps)].To, met)
			c.claim(t, in, seed*100+i, steps[i%len(steps)].To, s, met)
		}
		c.claim(t, in, seed*100+50+i, s, s, met)
		c.start(in, s, met)
	}
	return c
}

func (c *compared) add(format string, args ...any) {
	c.cases = append(c.cases, fmt.Sprintf(format, args...))
}

// steps adds a case for the steps from a state, unless the interpreter meets a limit.
func (c *compared) steps(t *testing.T, in *interp.Interp, s rules.State, met *features) []interp.Step {
	steps, fault, err := in.Legal(s)
	if limited(t, err, met) {
		return nil
	}
	met.count("states")
	answers := make([]string, len(c.sys.Actions))
	for i := range answers {
		answers[i] = "Not_"
		if fault == nil {
			continue
		}
		if _, _, err := in.Do(s, i); err != nil {
			answers[i] = "Fault"
			met.count("actions at fault")
		}
	}
	for _, st := range steps {
		met.count("steps")
		met.outcome(c.sys, st.To)
		answers[st.Action] = goes(st.To)
	}
	c.add("Steps %s [%s]", state(s), strings.Join(answers, "; "))
	return steps
}

// limited reports whether an error is a limit, of which Coq knows nothing; other errors are none
// that a state may have.
func limited(t *testing.T, err error, met *features) bool {
	if err == nil {
		return false
	}
	if !errors.As(err, new(*rules.LimitError)) {
		t.Fatal(err)
	}
	met.count("limits")
	return true
}

// start adds a case for the board of a state, laid out with what is not free left empty. Kernel.v
// has a start even where an action that a reaction tries is at fault.
func (c *compared) start(in *interp.Interp, board rules.State, met *features) {
	s := c.sys.EmptyStart()
	for p, free := range c.sys.Start.Free {
		if free {
			s.Seeds[p] = board.Seeds[p]
		}
	}
	laid, err := in.SetupHolds(s)
	if err != nil {
		met.count("setups without a value")
	}
	settled, err := in.Start(s)
	answer := "Fault"
	switch {
	case errors.As(err, new(*rules.LimitError)):
		met.count("limits")
		return
	case err == nil:
		answer = goes(settled)
		met.count("starts")
	default:
		met.count("starts at fault")
	}
	if laid {
		met.count("boards laid out")
	}
	c.add("Start %s %t %s %t", state(s), laid, answer, slices.ContainsFunc(c.sys.Reactions, triesMoves))
}

// triesMoves reports whether a reaction asks whether there is a move.
func triesMoves(r rules.Reaction) bool {
	has := map[string]bool{}
	for _, by := range r.By {
		expression(has, by.When)
		statements(has, by.Body)
	}
	return has["questions whether there is a move"]
}

// claim adds a case for a condition over a state and the one before. Coq does not compute whether
// a state is a start.
func (c *compared) claim(t *testing.T, in *interp.Interp, seed int, s, before rules.State, met *features) {
	x := rulestest.Claim(c.sys, true).Example(seed)
	if rules.AsksFor(x, rules.IsStart) {
		return
	}
	v, err := in.Eval(x, s, &before)
	answer := "F"
	switch {
	case err == nil:
		answer = fmt.Sprintf("(V (%d))", v)
	case errors.As(err, new(*rules.LimitError)):
		met.count("limits")
		return
	case !errors.As(err, new(*interp.RuleError)):
		t.Fatal(err)
	default:
		met.count("conditions at fault")
	}
	met.count("conditions")
	term, err := coq.Condition(c.sys, x)
	if err != nil {
		t.Fatal(err)
	}
	c.add("Claim %s %s %s %s", term, state(before), state(s), answer)
}

func cells(s rules.State) string {
	return fmt.Sprintf("%s %s (%d) (%d)", strings.ReplaceAll(fmt.Sprint(s.Seeds), " ", "; "), strings.ReplaceAll(fmt.Sprint(s.Vars), " ", "; "), s.Mover, s.Outcome)
}

func state(s rules.State) string { return "(st " + cells(s) + ")" }
func goes(s rules.State) string  { return "(Goes " + cells(s) + ")" }
