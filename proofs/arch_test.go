package proofs_test

import (
	"os/exec"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"
)

// TestArrows: imports inside proofs go one way. Verdicts as data, and then their sentences, are
// below all. Certificates, the trial of formulas and the enumeration are below results. What runs
// engines and what confirms their results do not know each other; kinds of claims have both.
// Decisions are above them, and below the cache and documents; the run of many claims is on top.
func TestArrows(t *testing.T) {
	const root = "github.com/mancheck/mancheck/proofs"
	layers := [][]string{{"/verdict"}, {"/say"}, {"/cert", "/internal/trial"}, {"/internal/enumerate", "/cert/near", "/cert/abstraction", "/coq"}, {"/result"}, {"/engines", "/confirm"}, {"/claim"}, {""}, {"/cache", "/explain"}, {"/suite"}}
	layer := func(path string) int {
		return slices.IndexFunc(layers, func(l []string) bool { return slices.Contains(l, strings.TrimPrefix(path, root)) })
	}
	for _, l := range layers {
		for _, from := range l {
			for _, to := range imports(t, from) {
				switch below := layer(to); {
				case !strings.HasPrefix(to, root), strings.HasPrefix(to, root+"/cert/internal/"):
				case below < 0 || below >= layer(root+from):
					t.Errorf("proofs%s imports %s", from, to)
				}
			}
		}
	}
}

// TestVerdictsAreData: what a verdict is, and what is said of it, depends on Systems alone, and
// what compares, keeps and schedules verdicts makes no sentences of them. Certificates and the
// second opinion are about claims and know no verdicts.
func TestVerdictsAreData(t *testing.T) {
	const module = "github.com/mancheck/mancheck/"
	for from, allowed := range map[string][]string{
		"verdict": {"rules", "internal/limit", "internal/lists", "internal/strictjson"},
		"say":     {"rules", "internal/limit", "internal/lists", "internal/numeral", "proofs/verdict"},
	} {
		for _, to := range imports(t, from) {
			if rest, ours := strings.CutPrefix(to, module); ours && !slices.Contains(allowed, rest) {
				t.Errorf("proofs/%s imports %s", from, to)
			}
		}
	}
	for _, from := range []string{"cache", "suite", "cert", "cert/near", "internal/enumerate", "internal/trial"} {
		if slices.Contains(imports(t, from), module+"proofs/say") {
			t.Errorf("proofs/%s makes sentences of verdicts", from)
		}
	}
	for _, from := range []string{"cert", "cert/near", "internal/enumerate"} {
		if slices.Contains(imports(t, from), module+"proofs/verdict") {
			t.Errorf("proofs/%s imports verdicts", from)
		}
	}
}

// TestConfirmImportsNoEngine: what confirms a verdict uses nothing that finds verdicts. Parts of
// states and lemmas come from slice and shape, and certificates verify them.
func TestConfirmImportsNoEngine(t *testing.T) {
	const module = "github.com/mancheck/mancheck/"
	for _, from := range []string{"confirm", "result"} {
		for _, to := range imports(t, from) {
			rest := strings.TrimPrefix(to, module)
			allowed := []string{"checker/slice", "checker/shape", "smt/obligation", "smt/solver", "smt/term"}
			if (strings.HasPrefix(rest, "checker/") || strings.HasPrefix(rest, "smt/")) && !slices.Contains(allowed, rest) {
				t.Errorf("proofs/%s imports %s", from, rest)
			}
		}
	}
}

// TestEvidenceApart: what engines know of rules without playing has no part in checking evidence,
// directly or not.
func TestEvidenceApart(t *testing.T) {
	const module = "github.com/mancheck/mancheck/"
	out, err := exec.Command("go", "list", "-deps", module+"proofs/cert/...", module+"proofs/internal/enumerate").Output()
	if err != nil {
		t.Fatal(err)
	}
	if slices.Contains(strings.Fields(string(out)), module+"rules/abstract") {
		t.Error("a checker of evidence imports rules/abstract")
	}
}

// imports lists what a package below proofs imports.
func imports(t *testing.T, folder string) []string {
	t.Helper()
	all, err := importsOfProofs()
	list, known := all[path.Join("github.com/mancheck/mancheck/proofs", folder)]
	if err != nil || !known {
		t.Fatalf("proofs/%s: %v", folder, err)
	}
	return list
}

// importsOfProofs lists what proofs and the packages below it import.
var importsOfProofs = sync.OnceValues(func() (map[string][]string, error) {
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, "github.com/mancheck/mancheck/proofs/...").Output()
	all := map[string][]string{}
	for line := range strings.Lines(string(out)) {
		words := strings.Fields(line)
		all[words[0]] = words[1:]
	}
	return all, err
})
