package editors_test

import (
	"regexp"
	"slices"
	"testing"
)

// nodes tells what a token in a node of the tree-sitter grammar stands for.
var nodes = map[string]string{
	"comment": comment, "string": text, "number": number, "keyword": keyword, "constant": keyword, "identifier": name, "word": name,
	"operator": sign, "separator": sign, "claim_block": sign, "block": sign, "parens": sign, "brackets": sign, "set": sign,
}

// TestTreeSitter: the rules of the grammar, followed without the generator, accept every sound
// file, and cut it into the tokens of the scanner.
func TestTreeSitter(t *testing.T) {
	inTier(t)
	files := rulesFiles(t)
	var found map[string][]leaf
	node(t, files, &found, "tree-sitter/tokens.mjs")
	for path, src := range files {
		var got []token
		for _, l := range found[path] {
			got = append(got, token{l.From, l.To, nodes[l.Node]})
		}
		compare(t, path, src, got, scanned(tokens(t, path, src)))
	}
}

// TestTreeSitterWords: the grammar has the keywords in its lists, and other words of the language.
func TestTreeSitterWords(t *testing.T) {
	list := func(name string) []string {
		m := regexp.MustCompile(`(?s)const ` + name + ` = \[(.*?)\];`).FindStringSubmatch(read(t, "tree-sitter/grammar.js"))
		if m == nil {
			t.Fatalf("there is no list %s", name)
		}
		return quoted(m[1])
	}
	got := slices.Concat(list("keywords"), list("declaring"), list("values"), []string{"claim"})
	slices.Sort(got)
	if want := reservedWords(); !slices.Equal(got, want) {
		t.Errorf("the keywords are %v, and not %v", want, got)
	}
	for _, w := range slices.Concat(list("words"), list("clauses")) {
		if !slices.Contains(placedWords(), w) {
			t.Errorf("the language has no word %q", w)
		}
	}
}

// TestTreeSitterQueries: what the queries name is in the grammar.
func TestTreeSitterQueries(t *testing.T) {
	grammar := read(t, "tree-sitter/grammar.js")
	found := regexp.MustCompile(`\((\w+)`).FindAllStringSubmatch(read(t, "tree-sitter/queries/highlights.scm"), -1)
	if len(found) < 10 {
		t.Errorf("only %d nodes are queried", len(found))
	}
	for _, m := range found {
		if !regexp.MustCompile(`\n    ` + m[1] + `: \$ =>`).MatchString(grammar) {
			t.Errorf("the grammar has no %s", m[1])
		}
	}
}
