package suite_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mancheck/mancheck/dsl"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/internal/tier"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/proofs/cache"
	"github.com/mancheck/mancheck/proofs/cert"
	"github.com/mancheck/mancheck/proofs/say"
	"github.com/mancheck/mancheck/proofs/suite"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/smt/solver"
)

// load reads a rules file that must have no faults.
func load(t testing.TB, path string, read func(string) ([]byte, error)) []*suite.Item {
	t.Helper()
	program, diags := dsl.Load(path, read)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	unit, diags := build.Collect(program.Files)
	var items []*suite.Item
	for _, decl := range unit.Claims {
		c, more := unit.Claim(decl)
		for _, inst := range c.Instances(nil, &more) {
			items = append(items, &suite.Item{File: path, Program: program, Claim: c.Name, Instance: inst})
		}
		diags = append(diags, more...)
	}
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	return items
}

func text(t testing.TB, src string) []*suite.Item {
	return load(t, "test.sow", func(string) ([]byte, error) { return []byte(src), nil })
}

// race is a variant with plays that win, plays that do not, and one that goes on for ever if it may
// go round; and one with more starts than a check tries after a search backward.
//
// One claim needs a solver, and is left out where there is none. The claims unchecked are those
// whose verdicts nobody can check, and which are decided each time therefore.
var race, raceClaims, unchecked = func() (string, int, map[string]bool) {
	const all = 16
	if _, err := solver.Version(context.Background(), ""); err == nil {
		return raceText, all, map[string]bool{"same": true, "for_every": true}
	}
	before, after, _ := strings.Cut(raceText, needsSolver)
	return before + after, all - 1, map[string]bool{"same": true}
}()

const needsSolver = "claim for_every of Race { unreachable seeds(c) mod 300 > 0 for all n }\n"

const raceText = `
variant Race {
  param n = 3 in 1..
  param round = false
  board {
    a | b | c
    line way = a, b, c
  }
  setup { a = n }
  move step {
    choose k in 1..2
    require a >= k
    take k from a into b
  }
  move back {
    require round and b > 0
    take 1 from b into a
  }
  win when b = 3
  end when no move
}
claim wins of Race { reachable b = 3 }
claim wins_at_once of Race { expect refuted reachable b = 3 within 1 }
claim never_four of Race { with n = 3 unreachable b = 4 }
claim not_four of Race { expect refuted with n = 4 unreachable a = 0 }
claim ends of Race { terminates }
claim goes_round of Race { expect refuted with round = true terminates }
claim takes_one of Race { expect refuted from a > 0 every step gives a = old a - 1 }
claim step_to of Race { a = 3 and b = 0 -> b = 2 }
` + needsSolver + `claim for_one of Race { reachable b = 3 for some n }
claim sweep of Race { for n in 3..5: reachable b >= 3 }
claim after of Race { successors(a = 3 and b = 0 and c = 0) = { b = 1, b = 2 } }
claim counted of Race { count(starts) = 1 }
variant Wide {
  board { pit[1..8] ring round = pit }
  setup { any where total(pit) = 14, pit[8] = 0 }
  move step {
    choose from in pit where from > 0
    sow from along round
  }
}
claim same of Wide { expect refuted reachable pit[8] = 14 and total(pit) = 14 within 2 using backward }
`

func run(t testing.TB, opt suite.Options, items ...*suite.Item) *suite.Report {
	t.Helper()
	opt.Warn = func(err error) { t.Errorf("warning: %v", err) }
	return suite.Run(context.Background(), items, opt)
}

func store(t testing.TB) suite.Options {
	return suite.Options{Store: &cache.Store{Dir: t.TempDir()}, Build: cache.Build{Tool: "test"}}
}

// shown is what is printed of an item.
func shown(t testing.TB, rep *suite.Report) []string {
	t.Helper()
	var out []string
	for _, i := range rep.Items {
		if i.Err != nil {
			t.Fatalf("%s: %v", i.Instance.Claim.Name, i.Err)
		}
		entry, err := cache.Encode(i.Result)
		if err != nil {
			t.Fatalf("%s: %v", i.Instance.Claim.Name, err)
		}
		out = append(out, i.Result.Instance.Name()+" "+string(entry))
	}
	return out
}

// TestRace gives the verdicts that the rules of the race evidently make.
func TestRace(t *testing.T) {
	t.Parallel()
	rep := run(t, suite.Options{}, text(t, race)...)
	for _, i := range rep.Items {
		if i.Outcome() != suite.AsExpected {
			t.Errorf("%s: %+v, %v", i.Instance.Claim.Name, i.Result, i.Err)
		}
	}
	if len(rep.Items) != raceClaims || rep.ExitCode() != 0 {
		t.Errorf("%d items, exit status %d", len(rep.Items), rep.ExitCode())
	}
}

// TestSame: a run comes to the same whatever the number of jobs, and whether its verdicts are fresh
// or from the cache, whose evidence is checked.
func TestSame(t *testing.T) {
	t.Parallel()
	fresh := shown(t, run(t, suite.Options{Jobs: 1, Decide: proofs.Options{Certify: true}}, text(t, race)...))
	opt := store(t)
	for _, jobs := range []int{1, 4, 20}[:3-tier.Every(2)/2] {
		opt.Jobs = jobs
		var order []*suite.Item
		opt.Done = func(i *suite.Item) { order = append(order, i) }
		rep := run(t, opt, text(t, race)...)
		if d := cmp.Diff(fresh, shown(t, rep)); d != "" {
			t.Errorf("%d jobs:\n%s", jobs, d)
		}
		for n := range order {
			if order[n] != rep.Items[n] {
				t.Fatalf("item %d was announced out of order", n)
			}
		}
		for _, i := range rep.Items {
			checked := i.Result.Checked != proofs.Unchecked
			if checked == unchecked[i.Instance.Claim.Name] || i.Result.Checked == proofs.NotYet {
				t.Errorf("%s: checked: %v (%s)", i.Result.Instance.Name(), i.Result.Checked, say.Gap(i.Result.Gap))
			}
			if i.Cached != (jobs > 1 && checked) {
				t.Errorf("%s: cached: %t, %d jobs", i.Result.Instance.Name(), i.Cached, jobs)
			}
		}
	}
}

// hopeless are claims that a solver decides at once, and that nothing else does, however long that
// takes.
var hopeless = map[string]bool{"no_empty_capture": true, "stays_winnable": true, "exactly_one_of_5000": true}

// TestFlipped decides every claim of the examples and proof files, each of which carries its own
// expectation, and finds each claim not as expected once that is turned round. It asks no solver,
// which some claims need: those that it leaves open are for `make prove`.
func TestFlipped(t *testing.T) {
	t.Parallel()
	examples, _ := filepath.Glob("../../examples/*.sow")
	own, _ := filepath.Glob("../*.sow")
	var items []*suite.Item
	if tier.Short() {
		own = nil
	}
	for _, path := range append(examples, own...) {
		items = append(items, slices.DeleteFunc(load(t, path, os.ReadFile), func(i *suite.Item) bool { return hopeless[i.Claim] })...)
	}
	opt := suite.Options{Decide: proofs.Options{Solver: "no-solver-here", Bounds: limit.Bounds{MaxStates: 3000}}}
	rep := run(t, opt, items...)
	decided := 0
	for _, i := range rep.Items {
		if i.Outcome() == suite.Inconclusive {
			continue
		}
		decided++
		if i.Outcome() != suite.AsExpected {
			t.Fatalf("%s in %s: %v, %v", i.Instance.Claim.Name, i.File, i.Result, i.Err)
		}
		if i.Result.Vacuous {
			t.Errorf("%s in %s is vacuous", i.Instance.Claim.Name, i.File)
		}
		claim := i.Instance.Claim
		claim.Refuted = !claim.Refuted
		if alone := (&suite.Report{Items: []*suite.Item{i}}); i.Outcome() != suite.NotAsExpected || rep.ExitCode() != 1 || alone.ExitCode() != 1 {
			t.Errorf("%s in %s: nobody minds what is expected", claim.Name, i.File)
		}
		claim.Refuted = !claim.Refuted
	}
	if !tier.Short() && (len(examples)+len(own) < 10 || decided < 300) {
		t.Errorf("only %d claims of %d in %d files", decided, len(rep.Items), len(examples)+len(own))
	}
}

// TestEdits decides again just what an edit bears on.
func TestEdits(t *testing.T) {
	tier.Long(t, "it decides the same claims many times")
	opt := store(t)
	run(t, opt, text(t, race)...)
	tests := []struct{ name, from, to, decided string }{
		{"comment", "  move step {", "  // takes seeds\n  move step {", ""},
		{"layout", "choose k in 1..2", "choose   k   in 1..2", ""},
		{"name of the claim", "claim wins of Race {", "claim wins_somehow of Race {", ""},
		{"expectation", "claim ends of Race {", "claim ends of Race { expect refuted", ""},
		{"rule", "choose k in 1..2", "choose k in 1..3", "all"},
		{"default of a parameter", "param n = 3 in", "param n = 5 in", "wins wins_at_once ends goes_round takes_one step_to after counted"},
		{"property", "within 1 }", "within 2 }", "wins_at_once"},
		{"engine", "claim ends of Race {", "claim ends of Race { using forward", "ends"},
		{"number", "count(starts) = 1", "count(starts) = 2", "counted"},
	}
	for i := 0; i < len(tests); i += tier.Every(4) {
		test := tests[i]
		t.Run(test.name, func(t *testing.T) {
			opt := opt
			opt.Store = &cache.Store{Dir: opt.Store.Dir, ReadOnly: true}
			rep := run(t, opt, text(t, strings.Replace(race, test.from, test.to, 1))...)
			var decided []string
			for _, i := range rep.Items {
				if !i.Cached && !unchecked[i.Instance.Claim.Name] {
					decided = append(decided, i.Instance.Claim.Name)
				}
			}
			all := test.decided == "all" && len(decided) == len(rep.Items)-len(unchecked)
			if got := strings.Join(decided, " "); got != test.decided && !all {
				t.Errorf("decided %q", got)
			}
		})
	}
}

// TestExpectation: what is expected is not part of what is kept.
func TestExpectation(t *testing.T) {
	opt := store(t)
	run(t, opt, text(t, race)...)
	rep := run(t, opt, text(t, strings.Replace(race, "claim ends of Race {", "claim ends of Race { expect refuted", 1))...)
	for _, i := range rep.Items {
		if want := i.Instance.Claim.Name == "ends"; i.Cached == unchecked[i.Instance.Claim.Name] || want != (i.Outcome() == suite.NotAsExpected) {
			t.Errorf("%s: %+v", i.Instance.Claim.Name, i)
		}
	}
}

// TestChanged leaves out what is known to be as expected, and nothing else.
func TestChanged(t *testing.T) {
	opt := store(t)
	run(t, opt, text(t, race)...)
	opt.Changed = true
	rep := run(t, opt, text(t, strings.NewReplacer("claim ends of Race {", "claim ends of Race { expect refuted", "within 1 }", "within 2 }").Replace(race))...)
	for _, i := range rep.Items {
		name := i.Instance.Claim.Name
		if left := name != "ends" && name != "wins_at_once" && !unchecked[name]; left != i.Skipped {
			t.Errorf("%s: %+v", name, i)
		}
	}
	if rep.ExitCode() != 1 {
		t.Errorf("exit status %d", rep.ExitCode())
	}
}

// TestLimits: what a limit left undecided is not kept.
func TestLimits(t *testing.T) {
	opt := store(t)
	opt.Decide.Engine, opt.Decide.MaxStates = proofs.Forward, 1
	src := race[:strings.Index(race, "claim wins of Race {")] + "claim ends { terminates }"
	if rep := run(t, opt, text(t, src)...); rep.ExitCode() != 3 {
		t.Fatalf("exit status %d", rep.ExitCode())
	}
	opt.Decide.MaxStates = 0
	if rep := run(t, opt, text(t, src)...); rep.Items[0].Cached || rep.ExitCode() != 0 {
		t.Errorf("cached: %t, exit status %d", rep.Items[0].Cached, rep.ExitCode())
	}
}

// TestInterrupt leaves unknown what has not been decided.
func TestInterrupt(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	opt := suite.Options{Jobs: 1, Done: func(*suite.Item) { cancel() }}
	rep := suite.Run(ctx, text(t, race), opt)
	for n, i := range rep.Items {
		if undecided := i.Outcome() == suite.Inconclusive; undecided != (n > 0) {
			t.Errorf("%s: %+v", i.Instance.Claim.Name, i.Result)
		}
	}
	if rep.ExitCode() != 3 {
		t.Errorf("exit status %d", rep.ExitCode())
	}
}

// TestFault: a file that cannot be read fails the run, and the others are decided.
func TestFault(t *testing.T) {
	rep := run(t, suite.Options{}, append(text(t, race), &suite.Item{File: "bad.sow", Err: errors.New("no")})...)
	if rep.ExitCode() != 2 || rep.Count(suite.Failed) != 1 || rep.Count(suite.AsExpected) != raceClaims {
		t.Errorf("exit status %d", rep.ExitCode())
	}
}

// TestTampered: an entry whose digest is right, but whose evidence does not show the verdict, is
// not believed.
func TestTampered(t *testing.T) {
	t.Parallel()
	src := race[:strings.Index(race, "claim wins of Race {")]
	tests := []struct {
		name, claim string
		change      func(r *proofs.Result)
	}{
		{"a play that ends too early", "reachable b = 3", func(r *proofs.Result) { r.Trace.Steps = r.Trace.Steps[:1] }},
		{"another move", "reachable b = 3", func(r *proofs.Result) { r.Trace.Steps[0].Move = "7" }},
		{"another label", "reachable b = 3", func(r *proofs.Result) { r.Trace.Steps[0].Label = "leap" }},
		{"another state", "reachable b = 3", func(r *proofs.Result) { r.Trace.Steps[0].State.Seeds[2]++ }},
		{"another start", "reachable b = 3", func(r *proofs.Result) { r.Trace.Start.Seeds[0]++ }},
		{"a longer play", "reachable b = 3 within 2", func(r *proofs.Result) {
			slow, err := interp.New(r.System).Replay(r.Trace.Start, []string{"1", "1", "1"})
			if err != nil {
				t.Fatal(err)
			}
			r.Trace = slow
		}},
		{"a play that ends", "with round = true terminates", func(r *proofs.Result) { r.Trace.Steps = r.Trace.Steps[:1] }},
		{"a step that is allowed", "from a > 0 every step gives a = old a - 1", func(r *proofs.Result) {
			r.Trace.Steps = r.Trace.Steps[:0]
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			tamper(t, text(t, src+"claim it { "+test.claim+" }"), test.change)
		})
	}
}

// TestTamperedCertificate: nor is one whose closed set is none.
func TestTamperedCertificate(t *testing.T) {
	t.Parallel()
	f := load(t, "../../examples/dose2015.sow", os.ReadFile)
	f = slices.DeleteFunc(f, func(i *suite.Item) bool { return i.Claim != "thesis" })
	tamper(t, f, func(r *proofs.Result) {
		set := r.Evidence.(*cert.Backward)
		set.States = set.States[1:]
	})
}

// tamper changes the verdict in the cache on the one claim of a file. There must be no verdict
// then, and the run fails each time: it is not for the program to say which of the two is wrong.
func tamper(t *testing.T, f []*suite.Item, change func(*proofs.Result)) {
	t.Helper()
	opt := store(t)
	first := run(t, opt, f...).Items[0].Result
	change(first)
	entry, err := cache.Encode(first)
	if err != nil {
		t.Fatal(err)
	}
	key := cache.KeyOf(opt.Build, f[0].Instance, opt.Decide)
	if err := opt.Store.Put(key, entry); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		rep := run(t, opt, f...)
		var rejected *proofs.RejectedError
		i := rep.Items[0]
		if !errors.As(i.Err, &rejected) || rejected.Entry != opt.Store.Path(key) || i.Result != nil || i.Cached || rep.ExitCode() != 2 {
			t.Errorf("cached: %t, exit status %d, %v, %v", i.Cached, rep.ExitCode(), i.Result, i.Err)
		}
	}
}

// TestForged: a verdict that somebody wrote into the cache without any evidence is not taken for
// one.
func TestForged(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		claim string
		fails bool // an enumeration finds it out, or else the claim is decided
	}{
		{"unreachable b = 3", true},
		{"with n = 4 never stuck", false},
		{"unreachable c > 0 and a > 0 for all n", false},
		{"successors(a = 3 and b = 0 and c = 0) = { b = 1 }", true},
		{"count(starts) = 2", true},
	} {
		t.Run(test.claim, func(t *testing.T) {
			opt := store(t)
			f := text(t, race[:strings.Index(race, "claim wins of Race {")]+"claim it { "+test.claim+" }")
			honest := run(t, suite.Options{}, f...).Items[0]
			inst := f[0].Instance
			forged := proofs.Undecided(inst, proofs.Forward, nil)
			forged.Status, forged.Found = proofs.Proved, verdict.EachValue.Of(7)
			if test.claim == "count(starts) = 2" {
				forged.Found = verdict.Number.Of(2)
			}
			forged.Stats.States = 1_000_000_000
			if !test.fails {
				forged.Engine = proofs.Backward
			} else {
				forged.Stats.States = 1
			}
			entry, err := cache.Encode(forged)
			if err != nil {
				t.Fatal(err)
			}
			if err := opt.Store.Put(cache.KeyOf(opt.Build, inst, opt.Decide), entry); err != nil {
				t.Fatal(err)
			}
			i := run(t, opt, f...).Items[0]
			var rejected *proofs.RejectedError
			switch {
			case test.fails:
				if !errors.As(i.Err, &rejected) {
					t.Errorf("%v, %v", i.Result, i.Err)
				}
			case i.Err != nil || i.Result.Status != honest.Result.Status || verdict.Same(i.Result.Found, forged.Found) && i.Result.Checked == proofs.Unchecked:
				t.Errorf("%+v, %v; honestly %v", i.Result, i.Err, honest.Result.Status)
			}
		})
	}
}

// TestLies: what an engine says is no verdict if its evidence does not show it. The other claims
// are decided, nothing is kept, and the next run, with honest engines, finds the truth.
func TestLies(t *testing.T) {
	t.Parallel()
	lies := map[string]func(*proofs.Result){
		"never_four":   func(r *proofs.Result) { r.Status = proofs.Refuted },
		"wins":         func(r *proofs.Result) { r.Trace.Steps[0].State.Seeds[1]++ },
		"not_four":     func(r *proofs.Result) { r.Status, r.Trace = proofs.Proved, nil },
		"ends":         func(r *proofs.Result) { r.Status = proofs.Refuted },
		"goes_round":   func(r *proofs.Result) { r.Trace.Steps = r.Trace.Steps[1:] },
		"takes_one":    func(r *proofs.Result) { r.Status, r.Trace = proofs.Proved, nil },
		"counted":      func(r *proofs.Result) { r.Status = proofs.Refuted },
		"after":        func(r *proofs.Result) { r.Sets.Found = r.Sets.Found[1:] },
		"for_one":      func(r *proofs.Result) { r.Trace = nil },
		"wins_at_once": func(r *proofs.Result) { r.Status = proofs.Proved },
	}
	opt := store(t)
	opt.Decide.Claimed = func(r *proofs.Result) {
		if lie := lies[r.Instance.Claim.Name]; lie != nil {
			lie(r)
		}
	}
	rep := run(t, opt, text(t, race)...)
	if rep.ExitCode() != 2 || rep.Count(suite.Failed) != len(lies) {
		t.Errorf("exit status %d, %d failed", rep.ExitCode(), rep.Count(suite.Failed))
	}
	for _, i := range rep.Items {
		var rejected *proofs.RejectedError
		if lied := lies[i.Instance.Claim.Name] != nil; lied != errors.As(i.Err, &rejected) {
			t.Errorf("%s: %+v, %v", i.Instance.Claim.Name, i.Result, i.Err)
		}
	}
	opt.Decide.Claimed = nil
	for _, i := range run(t, opt, text(t, race)...).Items {
		name := i.Instance.Claim.Name
		if i.Outcome() != suite.AsExpected || i.Cached && lies[name] != nil {
			t.Errorf("%s: cached: %t, %+v, %v", name, i.Cached, i.Result, i.Err)
		}
	}
}

// TestStrict: what nobody has checked is inconclusive, and a vacuous claim is not as expected.
func TestStrict(t *testing.T) {
	opt := suite.Options{Decide: proofs.Options{Strict: true}}
	rep := run(t, opt, text(t, race)...)
	if rep.ExitCode() != 3 || rep.Count(suite.Inconclusive) != len(unchecked) {
		t.Errorf("exit status %d, %d inconclusive", rep.ExitCode(), rep.Count(suite.Inconclusive))
	}
	vacuous := race[:strings.Index(race, "claim wins of Race {")] + "claim it { unreachable a < 0 }"
	if rep := run(t, opt, text(t, vacuous)...); rep.ExitCode() != 1 || !rep.Items[0].Result.Vacuous {
		t.Errorf("vacuous: exit status %d", rep.ExitCode())
	}
	if rep := run(t, suite.Options{}, text(t, vacuous)...); rep.ExitCode() != 0 {
		t.Errorf("vacuous, not strict: exit status %d", rep.ExitCode())
	}
}

// TestCancelledKeeps: once the run is cancelled nothing is kept, whatever an engine found.
func TestCancelledKeeps(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	opt := store(t)
	opt.Jobs = 1
	opt.Decide.Claimed = func(*proofs.Result) { cancel() }
	rep := suite.Run(ctx, text(t, race), opt)
	for _, i := range rep.Items {
		if i.Err != nil || i.Result.Status != proofs.Unknown {
			t.Errorf("%s: %+v, %v", i.Instance.Claim.Name, i.Result, i.Err)
		}
	}
	opt.Decide.Claimed = nil
	for _, i := range run(t, opt, text(t, race)...).Items {
		if i.Cached {
			t.Errorf("%s was kept", i.Instance.Claim.Name)
		}
	}
}

// TestPanic: a fault of the tool in one claim is that claim's, and the others are decided.
func TestPanic(t *testing.T) {
	opt := suite.Options{Same: func(i *suite.Item, _ cache.Key) bool {
		if i.Instance.Claim.Name == "ends" {
			panic("broken")
		}
		return false
	}}
	rep := run(t, opt, text(t, race)...)
	if rep.ExitCode() != 2 || rep.Count(suite.Failed) != 1 || rep.Count(suite.AsExpected) != len(rep.Items)-1 {
		t.Errorf("exit status %d, %d failed", rep.ExitCode(), rep.Count(suite.Failed))
	}
	for _, i := range rep.Items {
		if i.Err != nil && (i.Instance.Claim.Name != "ends" || !strings.Contains(i.Err.Error(), "broken")) {
			t.Errorf("%s: %v", i.Instance.Claim.Name, i.Err)
		}
	}
}

// TestTamperedPair: two plays that are evidence together have to differ, and to end, as they
// should.
func TestTamperedPair(t *testing.T) {
	t.Parallel()
	const pair = `
variant Slow {
  param most = 1
  board {
    a | b
    line way = a, b
  }
  setup { a = 3 }
  move "M" {
    choose k in 1..most
    require a >= k
    take k from a into b
  }
  win when b = 3
  end when no move
}
`
	cut := func(r *proofs.Result) { r.Trace.Steps = r.Trace.Steps[:len(r.Trace.Steps)-1] }
	cutOther := func(r *proofs.Result) { r.Other.Steps = r.Other.Steps[:len(r.Other.Steps)-1] }
	src := pair + "claim it { with most = 2 equivalent to Slow(most = 1) }"
	for name, change := range map[string]func(*proofs.Result){"left": cut, "right": cutOther, "state": func(r *proofs.Result) {
		r.Trace.Steps[0].State.Seeds[0]++
	}} {
		t.Run(name, func(t *testing.T) {
			f := text(t, src)
			first := run(t, suite.Options{}, f...).Items[0].Result
			if first.Status != proofs.Refuted || first.Trace == nil || first.Other == nil {
				t.Fatalf("%v: %s", first.Status, first.Sentence())
			}
			if name == "right" && len(first.Other.Steps) == 0 {
				t.Skip("the other side makes no move")
			}
			tamper(t, f, change)
		})
	}
	rice := load(t, "../rice.sow", os.ReadFile)
	rice = slices.DeleteFunc(rice, func(i *suite.Item) bool { return i.Claim != "longest_move_fails" })
	for _, change := range []func(*proofs.Result){cut, cutOther, func(r *proofs.Result) { r.Trace, r.Other = r.Other, r.Trace }} {
		tamper(t, rice, change)
	}
}

// TestOwn: what the user's own run put into the store is believed, also what nobody has checked. It
// is not if all evidence is to be checked, nor what somebody else put there.
func TestOwn(t *testing.T) {
	tier.Long(t, "it decides the same claims many times")
	t.Parallel()
	opt := store(t)
	opt.Store.Secret = []byte("mine")
	f := text(t, race)
	first := run(t, opt, f...)
	before := shown(t, first)
	again := func(opt suite.Options, cached func(claim string) bool) {
		t.Helper()
		rep := run(t, opt, f...)
		if d := cmp.Diff(before, shown(t, rep)); d != "" {
			t.Error(d)
		}
		for _, i := range rep.Items {
			if i.Cached != cached(i.Claim) || i.Result.Checked == proofs.NotYet {
				t.Errorf("%s: cached: %t, checked: %v", i.Name(), i.Cached, i.Result.Checked)
			}
		}
	}
	again(opt, func(string) bool { return true })
	reader := opt
	reader.Store = &cache.Store{Dir: opt.Store.Dir, ReadOnly: true, Secret: []byte("another's")}
	again(reader, func(claim string) bool { return !unchecked[claim] })
	reader.Store.Secret = nil
	again(reader, func(claim string) bool { return !unchecked[claim] })

	all := reader
	all.Store = &cache.Store{Dir: opt.Store.Dir, ReadOnly: true, Secret: opt.Store.Secret}
	all.Decide.CheckAll = true
	for _, i := range run(t, all, f...).Items {
		if i.Cached && i.Result.Checked == proofs.Unchecked || i.Outcome() != suite.AsExpected {
			t.Errorf("%s: cached: %t, %+v", i.Name(), i.Cached, i.Result)
		}
	}
	strict := opt
	strict.Decide.Strict = true
	if rep := run(t, strict, f...); rep.Count(suite.Inconclusive) != len(unchecked) {
		t.Errorf("%d inconclusive", rep.Count(suite.Inconclusive))
	}

	// Evidence that is wrong is found out when it is checked.
	lie := first.Items[0].Result
	lie.Trace.Steps = lie.Trace.Steps[:1]
	entry, err := cache.Encode(lie)
	if err != nil {
		t.Fatal(err)
	}
	key := cache.KeyOf(opt.Build, f[0].Instance, opt.Decide)
	if err := opt.Store.Put(key, entry); err != nil {
		t.Fatal(err)
	}
	for _, opt := range []suite.Options{reader, all} {
		if i := run(t, opt, f...).Items[0]; !errors.As(i.Err, new(*proofs.RejectedError)) {
			t.Errorf("%+v, %v", i.Result, i.Err)
		}
	}
}

// TestManyStates: a verdict on a forward set of some thousand states is found out if it is wrong.
func TestManyStates(t *testing.T) {
	t.Parallel()
	// 80 seeds lie on three pits in 82·81/2 = 3,321 ways, all of which can be reached.
	src := race[:strings.Index(race, "claim wins of Race {")]
	src = strings.NewReplacer("param n = 3", "param n = 80", "win when b = 3", "").Replace(src)
	src = strings.Replace(src, "move back {", "move on { require b > 0 take 1 from b into c }\n  move back {", 1)
	f := text(t, src+"claim it { using forward invariant total(a + b + c) = n }")
	opt := store(t)
	first := run(t, opt, f...).Items[0].Result
	if first.Stats.States != 3321 {
		t.Fatalf("%d states", first.Stats.States)
	}
	if i := run(t, opt, f...).Items[0]; !i.Cached || i.Result.Checked != proofs.ByCertificate {
		t.Errorf("cached: %t, checked: %v", i.Cached, i.Result.Checked)
	}
	tamper(t, text(t, src+"claim it { using forward invariant b < n }"), func(r *proofs.Result) {
		r.Status, r.Trace, r.Evidence, r.Stats = proofs.Proved, nil, first.Evidence, first.Stats
	})
}
