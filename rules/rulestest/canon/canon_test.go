package canon_test

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/mancheck/mancheck/internal/tier"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build/buildtest"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/rulestest"
	"github.com/mancheck/mancheck/rules/rulestest/canon"
)

// fataler is what tests and random tests have in common.
type fataler interface {
	Helper()
	Fatalf(format string, args ...any)
}

// again reads the text of a System back, and compares the texts.
func again(t fataler, sys *rules.System) *rules.System {
	t.Helper()
	text := sys.Canonical()
	back, err := canon.Parse(text)
	if err != nil {
		t.Fatalf("%s: %v\n%s", sys.Name, err, text)
	}
	if diff := cmp.Diff(string(text), string(back.Canonical())); diff != "" {
		t.Fatalf("%s: %s", sys.Name, diff)
	}
	return back
}

// resolved has the Systems of files that were resolved before. To resolve a file takes longer than
// all that is done with its Systems here.
var resolved = map[string][]*rules.System{}

// systems resolves the variants of a file.
func systems(t *testing.T, path string) []*rules.System {
	t.Helper()
	if _, ok := resolved[path]; !ok {
		resolved[path] = buildtest.Systems(t, path)
	}
	return resolved[path]
}

// TestGames: the texts of all games are of the grammar.
func TestGames(t *testing.T) {
	n := 0
	for _, glob := range []string{"../../../examples/*.sow", "../../../examples/*/*.sow", "../../../proofs/*.sow"} {
		files, err := filepath.Glob(glob)
		if err != nil || len(files) == 0 {
			t.Fatalf("no files %s: %v", glob, err)
		}
		var list []*rules.System
		for _, f := range files {
			list = append(list, systems(t, f)...)
		}
		for i, sys := range list {
			if !sys.WellTyped() {
				t.Errorf("%s is not well typed", sys.Name)
			}
			if i%tier.Every(20, 6) == 0 {
				again(t, sys)
				n++
			}
		}
	}
	t.Logf("%d games", n)
}

// TestPlays: what is read from the text of a System is played as the System is.
func TestPlays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sys := rulestest.System().Draw(t, "system")
		back := again(t, sys)
		in, in2 := interp.New(sys), interp.New(back)
		for range 5 {
			s := rulestest.State(sys, 12).Draw(t, "state")
			list, err := in.Steps(s)
			list2, err2 := in2.Steps(s)
			if (err != nil) != (err2 != nil) || !slices.EqualFunc(list, list2, func(a, b interp.Step) bool { return a.To.Equal(b.To) }) {
				t.Fatalf("from %v: %v, %v; by the text %v, %v\n%s", s, list, err, list2, err2, sys.Canonical())
			}
		}
	})
}

// TestWellTyped: what the resolver makes is well typed.
func TestWellTyped(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		if sys := rulestest.Written().Draw(t, "system"); !sys.WellTyped() {
			t.Fatalf("%s", sys.Canonical())
		}
	})
}

// TestConditions: so are conditions.
func TestConditions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sys := rulestest.Kernel().Draw(t, "system")
		s := rulestest.State(sys, 12).Draw(t, "state")
		sys.Scores = []rules.Expr{rulestest.Claim(sys, false).Draw(t, "condition")}
		back := again(t, sys)
		want, err := interp.New(sys).Eval(sys.Scores[0], s, nil)
		got, err2 := interp.New(back).Eval(back.Scores[0], s, nil)
		if got != want || (err != nil) != (err2 != nil) {
			t.Fatalf("%v, %v; by the text %v, %v", want, err, got, err2)
		}
		sys.Scores[0] = rulestest.Claim(sys, true).Draw(t, "condition about a step")
		again(t, sys)
	})
}

// TestHashes: the hashes of games are those that certificates of this version have. A game whose
// rules have changed gets its new hash by -update; if others change, so does rules.TextVersion.
func TestHashes(t *testing.T) {
	const file = "testdata/hashes.txt"
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")
	for i, line := range lines[1:] {
		f := strings.Fields(line)
		for _, sys := range systems(t, "../../../"+f[0]) {
			if sys.Name != f[1] {
				continue
			}
			if hash := sys.Hash(); hash != f[3] && *update {
				lines[i+1] = strings.Join([]string{f[0], f[1], f[2], hash}, " ")
			} else if hash != f[3] {
				t.Errorf("%s: %s has the hash %s, want %s", f[0], f[1], hash, f[3])
			}
		}
	}
	if *update {
		if err := os.WriteFile(file, []byte(strings.Join(lines, "\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

var update = flag.Bool("update", false, "write docs/kernel.ebnf, docs/claim.ebnf and the hashes")

// TestGrammarIsDocumented: docs/kernel.ebnf and docs/claim.ebnf are the grammars that are tested
// here.
func TestGrammarIsDocumented(t *testing.T) {
	for file, want := range map[string]string{"kernel.ebnf": canon.Grammar(), "claim.ebnf": canon.ClaimGrammar()} {
		file = "../../../docs/" + file
		if *update {
			if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		got, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, string(got)); diff != "" {
			t.Error(diff)
		}
	}
}

// TestClaims: what the claims of all files assert is of the grammar of claims.
func TestClaims(t *testing.T) {
	kinds := map[string]int{}
	for _, glob := range []string{
		"../../../examples/*.sow", "../../../examples/*/*.sow", "../../../proofs/*.sow",
		"../../../proofs/testdata/value/*.sow", "../../../proofs/testdata/wrong/refines*.sow", "../../../proofs/testdata/wrong/own_laps.sow",
	} {
		files, err := filepath.Glob(glob)
		if err != nil || len(files) == 0 {
			t.Fatalf("no files %s: %v", glob, err)
		}
		for i, file := range files {
			if i%tier.Every(6, 3) == 0 || len(files) < 10 {
				asserted(t, file, kinds)
			}
		}
	}
	for _, kind := range []string{
		"given ", "not (", "unreachable ", "invariant ", "never stuck", "from ", "terminates", "count(", "winning ", "strategy ",
		"refines ", "equivalent ", "reverses ", "value(", "winner(", "best(", `"South" can force `,
	} {
		if kinds[kind] == 0 {
			t.Errorf("no claim begins with %q", kind)
		}
	}
}

// asserted reads what the claims of a file assert, and counts how it begins.
func asserted(t *testing.T, file string, kinds map[string]int) {
	u := buildtest.File(t, file)
	for _, claim := range u.Claims {
		for _, inst := range buildtest.Instances(t, u, claim.Name.Name, nil) {
			text := inst.Asserts()
			if err := canon.ParseClaim(text); err != nil && text != "" {
				t.Errorf("%s: %s: %v", file, text, err)
			}
			word, _, _ := strings.Cut(text, " ")
			if begin, _, found := strings.Cut(text, "("); found && !strings.Contains(begin, " ") {
				word = begin
			}
			for _, n := range []string{word + " ", word + "(", text, word + " ("} {
				if strings.HasPrefix(text, n) {
					kinds[n]++
				}
			}
			if before, _, found := strings.Cut(text, " can force "); found {
				kinds[before+" can force "]++
			}
		}
	}
}
