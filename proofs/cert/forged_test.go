package cert_test

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/mancheck/mancheck/checker/laws"
	"github.com/mancheck/mancheck/dsl"
	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/dsltest/gen"
	"github.com/mancheck/mancheck/internal/tier"
	"github.com/mancheck/mancheck/proofs/cert"
	"github.com/mancheck/mancheck/proofs/cert/abstraction"
	"github.com/mancheck/mancheck/proofs/internal/judge"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/rules/build/buildtest"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/space"
)

// rulebook is a game with claims c0, c1, … about it, with what is true of them: as the judge says,
// who plays the syntax tree and shares only the parser with the checker.
type rulebook struct {
	variant string // and what is set in its claims
	texts   map[string]string
	root    string
	program *dsl.Program
	claims  []*claimed
}

// claimed is a claim that can be certified if it is true. Where it is open no state or step that
// refutes it was found.
type claimed struct {
	of    *rulebook
	ast   *ast.Claim
	inst  *build.Instance
	truth judge.Truth
	again bool // it was decided again
}

// few and more bound what the judge looks at: at first, and where a certificate is accepted of a
// claim that is open then.
var (
	few  = judge.Limits{States: 1500, Steps: 600_000, Seeds: 4}
	more = judge.Limits{States: 10_000, Steps: 4_000_000, Seeds: 5}
)

// settle decides an open claim again.
func (c *claimed) settle() {
	if c.truth == judge.Open && !c.again {
		c.again = true
		c.truth = judge.DecideIn(c.of.program.Files, c.ast, more)[0].Truth
	}
}

// open reads the rules with claims, and decides these. It returns nil if they have a mistake.
func (b *rulebook) open(t *testing.T, claims []string) *rulebook {
	t.Helper()
	book := &rulebook{variant: b.variant, texts: maps.Clone(b.texts), root: b.root}
	of, with, _ := strings.Cut(b.variant, " ")
	for i, c := range claims {
		book.texts[b.root] += fmt.Sprintf("\nclaim c%d of %s { %s %s }", i, of, with, c)
	}
	program, faults := dsl.Load(book.root, func(path string) ([]byte, error) {
		if text, is := book.texts[path]; is {
			return []byte(text), nil
		}
		return os.ReadFile(path)
	})
	unit, diags := build.Collect(program.Files)
	if faults.HasErrors() || diags.HasErrors() {
		return nil
	}
	book.program = program
	j := judge.New(program.Files, few)
	byName := map[string]*ast.Claim{}
	for _, a := range unit.Claims {
		byName[a.Name.Name] = a
	}
	for i := range claims {
		a := byName[fmt.Sprintf("c%d", i)]
		c, diags := unit.Claim(a)
		if diags.HasErrors() {
			continue
		}
		list := c.Instances(nil, &diags)
		if diags.HasErrors() || len(list) != 1 {
			continue
		}
		claim := &claimed{of: book, ast: a, inst: list[0]}
		if !cert.Certifiable(claim.inst, claim.verdict()) {
			continue
		}
		if said := j.Decide(a); len(said) == 1 && (said[0].Truth == judge.True || said[0].Truth == judge.False || said[0].Truth == judge.Open) {
			claim.truth = said[0].Truth
			book.claims = append(book.claims, claim)
		}
	}
	return book
}

// verdict is what evidence of these kinds can show of a claim.
func (c *claimed) verdict() string {
	if safe, is := c.inst.Plain().Property.(build.Safe); is && safe.Safety(c.inst.System).Refutes {
		return cert.Refuted
	}
	return cert.Proved
}

// denies reports whether a verdict on the claim is certainly false.
func (c *claimed) denies(verdict string) bool {
	return verdict == cert.Proved && c.truth == judge.False || verdict == cert.Refuted && c.truth == judge.True
}

// certificate makes a certificate that the claim is as the evidence can show, true or not.
func (c *claimed) certificate(t *testing.T, e cert.Evidence) *cert.Certificate {
	t.Helper()
	made, err := cert.New("test", c.of.program, c.inst, c.verdict(), false, e)
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// ofFamily are small boards of games of the family, each as the file, the variant and what is set.
var ofFamily = []string{
	"toguz_kumalak ToguzKumalak with m = 2, n = 3", "sungka Sungka with m = 2", "katra Katra with m = 3, n = 1",
	"oware Oware with m = 2, n = 2", "bohnenspiel Bohnenspiel with m = 2, n = 2", "wari Wari with m = 2, n = 2",
	"dakon Dakon with m = 2", "hoyito Hoyito with m = 1",
	"pallankuli Pallankuli with m = 2, n = 2", "longbeu_a_cha LongbeuACha with m = 2, n = 2", "sat_gol SatGol with m = 2, n = 2",
	"tchuka_ruma TchukaRuma with m = 3, n = 2", "cross_kalah CrossKalah with m = 2, n = 2", "main_chongkak MainChongkak with m = 2",
	"valah Valah with m = 2, n = 2", "papan_dakon PapanDakon with m = 2", "ns_kalah NSKalah with m = 2, n = 2",
}

// newBook returns rules without claims: a game of two rows, a generated one, one of laws.sow, or of
// the family.
func newBook(t *testing.T, i int) *rulebook {
	t.Helper()
	b := &rulebook{root: "test.sow"}
	var text string
	switch i % 5 {
	case 0, 1:
		b.variant, text = "Drawn", rapid.Custom(buildtest.TwoRowsText).Example(i+1)
	case 2:
		b.variant, text = "A", gen.Game(uint64(i)).Text
	default:
		file := "testdata/reader/laws"
		b.variant = []string{"Pairs", "Ended", "Laps", "Going"}[i/5%4]
		if i%5 == 3 {
			file, b.variant, _ = strings.Cut(ofFamily[i/5%len(ofFamily)], " ")
			file = "../examples/family/" + file
		}
		b.root = "../" + file + ".sow"
		data, err := os.ReadFile(b.root)
		if err != nil {
			t.Fatal(err)
		}
		for part := range strings.SplitSeq(string(data), "\n\n") {
			if !strings.Contains("\n"+part, "\nclaim ") {
				text += part + "\n\n"
			}
		}
	}
	b.texts = map[string]string{b.root: text}
	return b
}

// author draws claims about a System.
type author struct {
	*rand.Rand
	sys *rules.System
}

func (a author) oneOf(list ...string) string { return list[a.IntN(len(list))] }

func (a author) pit() string { return "seeds(" + a.sys.Pits[a.IntN(len(a.sys.Pits))].Name + ")" }

func (a author) compares() string { return a.oneOf("=", "/=", "<", "<=", ">", ">=") }

// cond draws a condition on a state.
func (a author) cond() string {
	if n := len(a.sys.Vars); n > 0 && a.IntN(2) == 0 {
		v := a.sys.Vars[a.IntN(n)]
		return v.Name + a.oneOf(" = ", " = ", " /= ") + a.sys.ValueName(v.Type, v.Domain[a.IntN(len(v.Domain))])
	}
	switch a.IntN(10) {
	case 6, 7:
		if n := len(a.sys.Groups); n > 0 {
			return "total(" + a.sys.Groups[a.IntN(n)].Name + ") " + a.oneOf("= 0", "= 0", "< 2", "> 3")
		}
	case 8:
		return a.pit() + a.oneOf(" > ", " >= ", " < ") + fmt.Sprint(a.IntN(14))
	case 0:
		return a.pit() + " + " + a.pit() + " " + a.compares() + " " + fmt.Sprint(a.IntN(6))
	case 1:
		return "total(pit) " + a.compares() + " " + fmt.Sprint(a.IntN(10))
	case 2:
		return fmt.Sprintf("%s mod 2 = %d", a.pit(), a.IntN(2))
	case 3:
		if len(a.sys.Players) > 1 {
			return "mover = " + a.oneOf(a.sys.Players...)
		}
	case 4:
		return a.oneOf("finished", "not finished")
	}
	return a.pit() + " " + a.compares() + " " + fmt.Sprint(a.IntN(6))
}

// conds draws a condition, or two.
func (a author) conds() string {
	if a.IntN(2) == 0 {
		return a.cond()
	}
	return a.cond() + " and " + a.cond()
}

// gives draws what a step may give.
func (a author) gives() string {
	x := a.pit()
	if n := len(a.sys.Vars); n > 0 && a.IntN(3) == 0 {
		v := a.sys.Vars[a.IntN(n)].Name
		return v + a.oneOf(" = old ", " = old ", " /= old ") + v
	}
	if a.IntN(3) == 0 {
		return a.cond() + " or " + a.cond()
	}
	return fmt.Sprintf("%s %s old %s%s", x, a.oneOf(">=", ">=", "<=", "=", "<"), x, a.oneOf("", "", " or finished"))
}

// claim draws a claim of a kind that laws, cases or an abstraction may decide.
func (a author) claim() string {
	switch a.IntN(10) {
	case 0:
		return "never stuck"
	case 1:
		return "terminates"
	case 2, 3, 4:
		few := a.oneOf("", "", fmt.Sprintf("total(pit) <= %d and ", 2+a.IntN(2)))
		return fmt.Sprintf("from %s%s every step gives %s%s", few, a.oneOf("not finished", a.cond(), a.conds()), a.gives(), a.oneOf("", "", " over all states"))
	case 5:
		return "reachable " + a.conds()
	case 6:
		return "invariant " + a.cond() + " or " + a.cond()
	}
	return "unreachable " + a.conds()
}

// mutants are statements and parts of them, with what another rule says in their place.
var mutants = [][2]string{
	{"= 0", "= 1"},
	{"> 0", "> 1"},
	{"> 1", "> 0"},
	{"my store", "their store"},
	{"their store", "my store"},
	{"their house", "my house"},
	{"my house", "their house"},
	{"total(south)", "total(north)"},
	{"ccw_with_stores", "ccw"},
	{"south_store", "north_store"},
	{"last was empty", "last > 1"},
	{" again", " if last > 1 { again }"},
	{", skip their store", ""},
	{"end when ", "end when mover = South and "},
	{"no other move", "total(pit) > 2"},
	{"no move", "total(house) = 0"},
	{"and ", "or "},
	{"or ", "and "},
	{" = none", " /= none"},
	{"mod 2", "mod 3"},
	{"take 2", "take 1"},
	{"take 1", "take 2"},
	{" + 1", ""},
	{"sow ", "sow 1 from "},
	{"last in house", "last in pit"},
	{"pass when", "move pass when"},
	{"along ccw", "along cw"},
	{"south", "house"},
	{"relay while last in", "relay while not last in"},
	{"last > 1", "last > 2"},
	{"capture last", "capture opposite(last)"},
	{"mover", "opponent"},
	{"true", "false"},
}

// mutant returns the rules with one statement altered, or nil if that was not possible.
func (b *rulebook) mutant(r *rand.Rand) *rulebook {
	text := b.texts[b.root]
	for range 20 {
		m := mutants[r.IntN(len(mutants))]
		n := strings.Count(text, m[0])
		if n == 0 {
			continue
		}
		at := 0
		for range 1 + r.IntN(n) {
			at += strings.Index(text[at:], m[0]) + 1
		}
		other := *b
		other.texts = maps.Clone(b.texts)
		other.texts[b.root] = text[:at-1] + m[1] + text[at-1+len(m[0]):]
		return &other
	}
	return nil
}

// shown is evidence, with the states of a set that is closed under steps.
type shown struct {
	cert.Evidence
	sys    *rules.System
	kept   rules.Kept
	states []rules.State
}

// setOf is the evidence of a set, closed or not.
func setOf(sys *rules.System, kept rules.Kept, states []rules.State) shown {
	return shown{cert.NewForward(sys, kept, states), sys, kept, states}
}

// mostPartly is how many states a set may have.
const mostPartly = 200

// candidates lists evidence for a claim of all kinds that may be about it, whether it is true or
// not: of sets that is one without what the claim excludes, if there is one, and one that has all
// that follows from the starts on the parts that the claim reads, with and without that.
func (c *claimed) candidates(t *testing.T) (list []shown) {
	t.Helper()
	sys := c.inst.System
	plain := func(all ...cert.Evidence) {
		for _, e := range all {
			list = append(list, shown{Evidence: e, sys: sys})
		}
	}
	safe, is := c.inst.Plain().Property.(build.Safe)
	if !is {
		rank := laws.Rank(sys)
		if rank == nil {
			rank = [][]int{slices.Repeat([]int{1}, len(sys.Pits))}
		}
		plain(&cert.Ranked{Weights: rank})
		return list
	}
	says := safe.Safety(sys)
	aim := abstraction.Aim{Bad: says.Never, Step: says.Step}
	var grows []cert.Group
	for p, is := range laws.Growing(sys) {
		if is {
			grows = append(grows, cert.Group{Pits: []string{sys.Pits[p].Name}})
		}
	}
	switch going := laws.Going(sys); {
	case says.Step != nil:
		aim.Bad = rules.Not{X: says.Step.Gives}
		plain(&cert.Moved{}, &cert.Inductive{K: 1})
	case c.inst.Plain().Property.Kind() == "never stuck":
		plain(&cert.NoDeadEnd{Ranks: laws.Loops(sys)}, &cert.NoDeadEnd{Follows: going, Ranks: laws.Loops(sys)})
	default:
		even := cert.Group{Pits: []string{sys.Pits[0].Name}, Every: 2}
		rules.Walk(says.Never, func(x rules.Expr) bool {
			if pit, is := x.(rules.Cell); is && pit.Sort == rules.PitCell && pit.Index == nil {
				even.Pits = []string{sys.Pits[pit.Slot].Name}
			}
			return true
		})
		plain(&cert.OverAtOnce{}, &cert.OverAtOnce{Follows: going}, &cert.Grouped{Groups: append(grows, even)}, &cert.Grouped{Groups: []cert.Group{even}},
			&cert.Inductive{K: 1}, &cert.Inductive{K: 2})
		if len(grows) > 0 {
			plain(&cert.Grouped{Groups: grows})
		}
	}
	in := interp.New(sys)
	var starts []rules.State
	if err := eachStart(in, &starts); err != nil || says.Step != nil && says.Step.All {
		return list
	}
	search := func(aim abstraction.Aim) *abstraction.Result {
		res, err := abstraction.Search(context.Background(), sys, starts, aim, mostPartly)
		if err != nil && !errors.As(err, new(*abstraction.OpenError)) {
			t.Fatal(err)
		}
		if err != nil || res.States == nil {
			return nil
		}
		return res
	}
	if res := search(aim); res != nil {
		list = append(list, setOf(sys, res.Kept, res.States))
	}
	never := rules.Join(rules.And, aim.Bad, rules.Not{X: aim.Bad})
	if res := search(abstraction.Aim{Bad: never, Step: says.Step}); res != nil {
		list = append(list, setOf(sys, res.Kept, res.States))
		good := slices.DeleteFunc(slices.Clone(res.States), func(s rules.State) bool {
			is, err := in.Holds(aim.Bad, s, &s)
			return err == nil && is
		})
		list = append(list, setOf(sys, res.Kept, good))
	}
	return list
}

// eachStart collects the starts.
func eachStart(in *interp.Interp, starts *[]rules.State) error {
	return space.Starts(context.Background(), in, func(s rules.State) error {
		*starts = append(*starts, s.Clone())
		return nil
	})
}

// forger alters evidence and certificates, and counts what becomes of them.
type forger struct {
	*rand.Rand
	t     *testing.T
	tally map[string]*fates
}

// fewDecisions bounds the cases of an induction.
const fewDecisions = 4000

// fates are what became of forged certificates. What some say is false. Where one was accepted it
// is true, or no state that refutes it was found, or it is wrong to accept it.
type fates struct{ forged, false, rejected, right, open, wrong int }

func (f *fates) add(g *fates) {
	f.forged, f.false, f.rejected = f.forged+g.forged, f.false+g.false, f.rejected+g.rejected
	f.right, f.open, f.wrong = f.right+g.right, f.open+g.open, f.wrong+g.wrong
}

// try checks a forged certificate about a claim, and reports whether it was accepted.
func (f *forger) try(way string, c *claimed, forged *cert.Certificate) bool {
	f.t.Helper()
	if _, is := forged.Evidence.Is.(*cert.Inductive); is {
		_, err := cert.Verify(f.t.Context(), c.inst, forged.Verdict, forged.Evidence.Is, fewDecisions, nil)
		if err != nil && strings.Contains(err.Error(), "decisions") {
			return false // it would take seconds
		}
	}
	err := checkFile(f.t, forged)
	if err != nil && !errors.As(err, new(*cert.Rejected)) && !errors.As(err, new(*cert.NeedsSolver)) {
		f.t.Fatalf("%s: %v", way, err)
	}
	if err == nil {
		c.settle()
	}
	denied := c.denies(forged.Verdict)
	if denied && way == evidenceAltered {
		way = falseClaim
	}
	key := cert.Kind(forged.Evidence.Is) + ": " + way
	if f.tally[key] == nil {
		f.tally[key] = &fates{}
	}
	n := f.tally[key]
	n.forged++
	if denied {
		n.false++
	}
	switch {
	case err != nil:
		n.rejected++
	case denied:
		n.wrong++
		f.t.Errorf("%s, accepted: %s is %s\n%s\n%+v", key, forged.Claim.Asserts, forged.Verdict, forged.System, forged.Evidence.Is)
	case c.truth == judge.Open:
		n.open++
	default:
		n.right++
	}
	return err == nil
}

// Ways to forge certificates.
const (
	falseClaim      = "claim that is false"
	denial          = "verdict turned round"
	otherRules      = "rules altered in a statement"
	evidenceAltered = "evidence altered"
	exchanged       = "parts of two certificates"
)

// alter returns evidence of which something is altered.
func (f *forger) alter(e shown) shown {
	switch x := e.Evidence.(type) {
	case *cert.Forward:
		return f.alterSet(e)
	case *cert.Inductive:
		e.Evidence = &cert.Inductive{K: 1 + (x.K+f.IntN(2))%3}
	case *cert.Ranked:
		e.Evidence = &cert.Ranked{Weights: f.rank(x.Weights)}
	case *cert.NoDeadEnd:
		y := &cert.NoDeadEnd{Follows: x.Follows, Ranks: slices.Clone(x.Ranks)}
		switch n := len(y.Ranks); {
		case n == 0 || f.IntN(4) == 0:
			y.Follows = f.follows(e.sys)
		case n > 0 && f.IntN(4) == 0:
			y.Ranks = slices.Delete(y.Ranks, n-1, n)
		default:
			i := f.IntN(n)
			y.Ranks[i] = f.rank(y.Ranks[i])
		}
		e.Evidence = y
	case *cert.OverAtOnce:
		e.Evidence = &cert.OverAtOnce{Follows: f.follows(e.sys)}
	case *cert.Grouped:
		y := &cert.Grouped{Groups: slices.Clone(x.Groups)}
		i, pit := f.IntN(len(y.Groups)), e.sys.Pits[f.IntN(len(e.sys.Pits))].Name
		g := y.Groups[i]
		switch f.IntN(4) {
		case 0:
			g.Pits = append(slices.Clone(g.Pits), pit)
		case 1:
			g.Pits = []string{pit}
		case 2:
			g.Every = f.IntN(4)
		case 3:
			y.Groups = append(y.Groups, cert.Group{Pits: []string{pit}, Every: f.IntN(3)})
		}
		y.Groups[i] = g
		e.Evidence = y
	}
	return e
}

// follows draws the name of a variable that holds a pit, or none.
func (f *forger) follows(sys *rules.System) string {
	names := []string{""}
	for _, v := range sys.Vars {
		if v.Type == rules.PitType {
			names = append(names, v.Name)
		}
	}
	return names[f.IntN(len(names))]
}

// rank returns a rank with a weight altered, a level left out, or two exchanged.
func (f *forger) rank(rank [][]int) [][]int {
	out := slices.Clone(rank)
	i, j := f.IntN(len(out)), f.IntN(len(out))
	switch f.IntN(5) {
	case 0:
		if i != j {
			out[i], out[j] = out[j], out[i]
			break
		}
		fallthrough
	case 1:
		if len(out) > 1 {
			return slices.Delete(out, i, i+1)
		}
		fallthrough
	default:
		out[i] = slices.Clone(out[i])
		out[i][f.IntN(len(out[i]))] += []int{-2, -1, 1, 2}[f.IntN(4)]
	}
	return out
}

// alterSet returns a set of states of which one, or all that are alike, are altered or left out, or
// of which other parts are known.
func (f *forger) alterSet(e shown) shown {
	kept := e.kept.SpelledOut(e.sys)
	kept.Pits, kept.Vars, kept.Over = slices.Clone(kept.Pits), slices.Clone(kept.Vars), slices.Clone(kept.Over)
	var states []rules.State
	for _, s := range e.states {
		states = append(states, s.Clone())
	}
	pit := f.IntN(len(e.sys.Pits))
	v := -1
	if n := len(e.sys.Vars); n > 0 {
		v = f.IntN(n)
	}
	value := func() int { return e.sys.Vars[v].Domain[f.IntN(len(e.sys.Vars[v].Domain))] }
	var one *rules.State
	if len(states) > 0 {
		one = &states[f.IntN(len(states))]
	}
	switch way := f.IntN(10); {
	case way == 0 && v >= 0: // a variable is forgotten, or known
		kept.Vars[v] = !kept.Vars[v]
		kept.Over[v] = kept.Vars[v]
	case way == 1 && v >= 0:
		kept.Over[v] = !kept.Over[v]
	case way == 2: // so is a pit, as if it always held as much as in the set
		kept.Pits[pit] = !kept.Pits[pit]
		for i := range states {
			states[i].Seeds[pit] = f.IntN(3)
		}
	case way == 3 && v >= 0 && one != nil: // all states with a value are left out
		c := one.Vars[v]
		states = slices.DeleteFunc(states, func(s rules.State) bool { return s.Vars[v] == c })
	case way == 4 && v >= 0 && one != nil: // or are said to have another one
		c, to := one.Vars[v], value()
		for i := range states {
			if states[i].Vars[v] == c {
				states[i].Vars[v] = to
			}
		}
	case way == 5 && v >= 0 && one != nil:
		one.Vars[v] = value()
	case way == 6 && one != nil:
		one.Seeds[pit] += 1 - 2*f.IntN(1+min(1, one.Seeds[pit]))
	case way == 7 && one != nil:
		if one.Outcome == rules.Live {
			one.Mover = f.IntN(len(e.sys.Players))
		} else {
			one.Outcome = f.IntN(len(e.sys.Outcomes))
		}
	case way == 8 && one != nil: // only one of two players is to move
		c := one.Mover
		states = slices.DeleteFunc(states, func(s rules.State) bool { return s.Mover == c })
	case one != nil:
		i := f.IntN(len(states))
		states = slices.Delete(states, i, i+1)
	}
	return setOf(e.sys, kept, states)
}

// exchange returns a certificate of which some parts are those of another one.
func (f *forger) exchange(c, d *cert.Certificate) *cert.Certificate {
	out := *c
	for {
		parts := f.IntN(1 << 7)
		for i, take := range []func(){
			func() { out.Claim.Asserts = d.Claim.Asserts }, func() { out.Claim.Name = d.Claim.Name }, func() { out.Claim.Kind = d.Claim.Kind },
			func() { out.System, out.SystemHash = d.System, d.SystemHash }, func() { out.Sources, out.SourcesDigest = d.Sources, d.SourcesDigest },
			func() { out.Verdict = d.Verdict }, func() { out.Evidence = d.Evidence },
		} {
			if parts&(1<<i) > 0 {
				take()
			}
		}
		if !reflect.DeepEqual(&out, c) {
			return &out
		}
	}
}

// bytes returns a certificate of a set of which a byte of the states, or their number, is altered.
func (f *forger) bytes(c *cert.Certificate) *cert.Certificate {
	out := *c
	e := *c.Evidence.Is.(*cert.Forward)
	data, err := base64.StdEncoding.DecodeString(e.Text)
	if err != nil {
		f.t.Fatal(err)
	}
	if len(data) == 0 || f.IntN(5) == 0 {
		e.Count += 1 - 2*f.IntN(2)
	} else {
		data[f.IntN(len(data))] ^= byte(1 + f.IntN(7))
	}
	e.Text = base64.StdEncoding.EncodeToString(data)
	out.Evidence.Is = &e
	return &out
}

// TestForged: no forged certificate by laws, by cases or by a set of partly known states is
// accepted if what it says is false. The judge says what is.
func TestForged(t *testing.T) {
	t.Parallel()
	f, step := &forger{t: t, tally: map[string]*fates{}}, tier.Every(39, 10) // with books of each sort
	for i := 0; i < 60; i += step {
		f.Rand = rand.New(rand.NewPCG(uint64(i), 59))
		f.book(newBook(t, i))
	}
	kinds, all := map[string]*fates{}, &fates{}
	for _, key := range slices.Sorted(maps.Keys(f.tally)) {
		n := f.tally[key]
		kind, _, _ := strings.Cut(key, ":")
		if kinds[kind] == nil {
			kinds[kind] = &fates{}
		}
		kinds[kind].add(n)
		all.add(n)
		t.Logf("%s: %+v", key, *n)
	}
	t.Logf("all: %+v", *all)
	for _, kind := range []string{"forward-closed", "inductive", "no-dead-end", "over-at-once", "falling-rank", "seed-moves", "seed-groups"} {
		if n := kinds[kind]; !tier.Short() && (n == nil || n.false < 60/step || n.rejected == 0 || n.right == 0 && tier.Full()) { // a sample may have none
			t.Errorf("too few of %s: %+v", kind, n)
		}
	}
}

// book forges certificates about one game.
func (f *forger) book(rulesOnly *rulebook) {
	first := rulesOnly.open(f.t, []string{"never stuck"})
	if first == nil || len(first.claims) == 0 {
		return
	}
	texts := []string{"never stuck", "terminates"}
	for range 14 / tier.Every(7, 2) {
		texts = append(texts, author{f.Rand, first.claims[0].inst.System}.claim())
	}
	book := rulesOnly.open(f.t, texts)
	if book == nil {
		return
	}
	type holds struct {
		*claimed
		shown
	}
	var found []holds
	for _, c := range book.claims {
		for _, e := range c.candidates(f.t) {
			made := c.certificate(f.t, e.Evidence)
			is := f.try(evidenceAltered, c, made)
			if is {
				found = append(found, holds{c, e})
			}
			for range 2 {
				altered := f.alter(e)
				f.try(evidenceAltered, c, c.certificate(f.t, altered.Evidence))
			}
			if _, set := e.Evidence.(*cert.Forward); set {
				f.try(evidenceAltered, c, f.bytes(made))
			}
			if is {
				turned := *made
				turned.Verdict = map[string]string{cert.Proved: cert.Refuted, cert.Refuted: cert.Proved}[made.Verdict]
				f.try(denial, c, &turned)
			}
		}
	}
	if len(found) == 0 {
		return
	}
	for _, c := range book.claims {
		for range 2 {
			of := found[f.IntN(len(found))]
			if of.claimed == c {
				continue
			}
			f.try(evidenceAltered, c, c.certificate(f.t, of.Evidence))
			forged := f.exchange(of.certificate(f.t, of.Evidence), c.certificate(f.t, of.Evidence))
			about := of.claimed
			if forged.Claim.Name == c.inst.Claim.Name {
				about = c
			}
			f.try(exchanged, about, forged)
		}
	}
	for range 4 / tier.Every(4, 2) {
		other := rulesOnly.mutant(f.Rand)
		if other != nil {
			other = other.open(f.t, texts)
		}
		if other == nil {
			continue
		}
		for _, c := range other.claims {
			for _, of := range found {
				if of.inst.Claim.Name != c.inst.Claim.Name || c.truth != judge.False && f.IntN(3) > 0 {
					continue
				}
				kept := c.certificate(f.t, of.Evidence)
				f.try(otherRules, c, kept)
				f.try(otherRules, c, c.certificate(f.t, f.alter(of.shown).Evidence))
				forged, about := f.exchange(of.certificate(f.t, of.Evidence), kept), of.claimed
				if forged.SourcesDigest == kept.SourcesDigest {
					about = c
				}
				f.try(exchanged, about, forged)
			}
		}
	}
}
