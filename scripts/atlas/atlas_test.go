package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/mancheck/mancheck/internal/tier"
	"github.com/mancheck/mancheck/proofs"
)

// atRoot changes to the root of the repository, from which the files of claims are named.
func atRoot(t *testing.T) {
	t.Helper()
	t.Chdir("../..")
}

// TestCurrent: each game is in the atlas, with the rules that it has now.
func TestCurrent(t *testing.T) {
	atRoot(t)
	list, err := games(".")
	if err != nil {
		t.Fatal(err)
	}
	facts, err := readFacts(".")
	if err != nil {
		t.Fatal(err)
	}
	ids := map[string]bool{}
	for _, f := range facts {
		if ids[f.ID] {
			t.Errorf("%s stands twice", f.ID)
		}
		ids[f.ID] = true
	}
	for _, g := range list {
		i := slices.IndexFunc(facts, func(f *fact) bool { return f.Game == g.ID })
		if i < 0 || facts[i].System != g.sets[0].sys.Hash() {
			t.Errorf("%s has changed: go run -tags z3 ./scripts/atlas", g.Path)
		}
	}
}

// TestSample decides some facts again, by what stands in the files of claims: with the same answer
// and the same certificate.
func TestSample(t *testing.T) {
	atRoot(t)
	facts, err := readFacts(".")
	if err != nil {
		t.Fatal(err)
	}
	list, err := games(".")
	if err != nil {
		t.Fatal(err)
	}
	decided := 0
	for i := 7; i < len(facts); i += tier.Every(120, 60) {
		want := facts[i]
		if want.Answer == "open" {
			continue
		}
		f, err := proofs.Open(claimsFile(want.Game))
		if err != nil {
			t.Fatal(err)
		}
		_, name, _ := strings.Cut(want.ID, "/")
		r, err := decide(t.Context(), f, name, proofs.Engine(want.Engine))
		if err != nil {
			t.Errorf("%s: %v", want.ID, err)
			continue
		}
		if !r.Conclusive() {
			t.Logf("%s: %s", want.ID, r.Sentence()) // on a busy machine
			continue
		}
		g := list[slices.IndexFunc(list, func(g *game) bool { return g.ID == want.Game })]
		got := g.fact(&claim{name: name, property: want.Question}, r, f)
		if got.Answer != want.Answer || got.System != want.System || got.Engine == want.Engine && got.Certificate != want.Certificate {
			t.Errorf("%s: %s by %s, certificate %s, of rules %s; kept is %s by %s, %s, %s", want.ID,
				got.Answer, got.Engine, got.Certificate, got.System, want.Answer, want.Engine, want.Certificate, want.System)
		}
		decided++
	}
	if decided < 10 {
		t.Errorf("only %d facts were decided", decided)
	}
}

// TestPages: what the site has is as the schema says, with a page for each game.
func TestPages(t *testing.T) {
	atRoot(t)
	dir := t.TempDir()
	if err := writePages(".", dir); err != nil {
		t.Fatal(err)
	}
	schema, err := jsonschema.NewCompiler().Compile("docs/schemas/atlas.json")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.Open(filepath.Join(dir, "atlas.json"))
	if err != nil {
		t.Fatal(err)
	}
	defer text.Close()
	value, err := jsonschema.UnmarshalJSON(text)
	if err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(value); err != nil {
		t.Error(err)
	}
	data, err := os.ReadFile(filepath.Join(dir, "pages.json"))
	if err != nil {
		t.Fatal(err)
	}
	var pages []page
	if err := json.Unmarshal(data, &pages); err != nil {
		t.Fatal(err)
	}
	for _, p := range pages {
		if !strings.Contains(p.Content, "## Rules") || !strings.Contains(p.Content, "variant "+p.Params["name"]) {
			t.Errorf("%s: the page has no rules", p.Params["game"])
		}
	}
	if paths, err := filepath.Glob("docs/atlas/claims/*.sow"); err != nil || len(paths) != len(pages) {
		t.Errorf("%d pages, and %d files of claims", len(pages), len(paths))
	}
}
