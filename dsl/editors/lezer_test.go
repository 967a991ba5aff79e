package editors_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// leaf is a token as the Lezer grammar finds it.
type leaf struct {
	From, To int
	Node     string
}

// leaves tells what a leaf of the tree stands for. Brackets are named after themselves.
var leaves = map[string]string{
	"Comment": comment, "String": text, "Number": number, "Keyword": keyword, "Constant": keyword, "Name": name, "Definition": name,
	"Word": name, "ClauseWord": name, "Sign": sign, "Separator": sign, "{": sign, "}": sign, "(": sign, ")": sign, "[": sign, "]": sign,
}

// TestLezer: every sound file has a tree without errors, and its leaves are the scanner's tokens.
func TestLezer(t *testing.T) {
	inTier(t)
	// Beside the packages, where the parser finds what it imports.
	dir, err := os.MkdirTemp("node_modules", ".sow")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	if out, err := exec.CommandContext(t.Context(), "node", "lezer/build.mjs", dir).CombinedOutput(); err != nil {
		t.Fatalf("the parser is not made: %v\n%s", err, out)
	}
	if err := os.WriteFile(filepath.Join(dir, "package.json"), []byte(`{"type": "module"}`), 0o666); err != nil {
		t.Fatal(err)
	}
	files := rulesFiles(t)
	var found map[string][]leaf
	node(t, files, &found, "lezer/tokens.mjs", dir)
	for path, src := range files {
		var got []token
		for _, l := range found[path] {
			got = append(got, token{l.From, l.To, leaves[l.Node]})
		}
		compare(t, path, src, got, scanned(tokens(t, path, src)))
	}
}

// TestLezerWords: the grammar has the keywords, and no other words as such. The words of which it
// makes keywords at their places are words of the language.
func TestLezerWords(t *testing.T) {
	var got []string
	for _, list := range regexp.MustCompile(`(?s)@specialize[^<]*<identifier,([^>]*)>`).FindAllStringSubmatch(read(t, "lezer/sow.grammar"), -1) {
		got = append(got, quoted(list[1])...)
	}
	slices.Sort(got)
	if want := reservedWords(); !slices.Equal(got, want) {
		t.Errorf("the keywords are %v, and not %v", want, got)
	}
	placed := 0
	for _, list := range regexp.MustCompile(`(?s)new Set\((.*?)\.split`).FindAllStringSubmatch(read(t, "lezer/words.js"), -1) {
		for _, w := range strings.Fields(strings.Join(quoted(list[1]), "")) {
			placed++
			if !slices.Contains(placedWords(), w) {
				t.Errorf("the language has no word %q", w)
			}
		}
	}
	if placed < 50 {
		t.Errorf("only %d words are coloured at their places", placed)
	}
}
