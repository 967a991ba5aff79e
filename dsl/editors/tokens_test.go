// Package editors_test compares the grammars of this folder, which editors colour rules files with,
// with the scanner and the parser.
package editors_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sync"
	"testing"

	"github.com/mancheck/mancheck/dsl"
	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/internal/scan"
)

// What a token is to a grammar. A word means something at its place only, and could be a name
// elsewhere.
const (
	comment = "comment"
	keyword = "keyword"
	word    = "word"
	name    = "name"
	label   = "label"
	number  = "number"
	text    = "string"
	sign    = "punctuation"
)

// token is a stretch of a text, in bytes.
type token struct {
	From, To int
	Kind     string
}

// The words of the language that can never be names, and those that can.
var (
	reservedWords = sync.OnceValue(func() []string { return listWords(true) })
	placedWords   = sync.OnceValue(func() []string { return listWords(false) })
)

// listWords lists words of the grammar in order.
func listWords(reserved bool) []string {
	var list []string
	for _, w := range quoted(dsl.Grammar()) {
		if w[0] >= 'a' && w[0] <= 'z' && scan.IsKeyword(w) == reserved {
			list = append(list, w)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// sound matches the rules files without mistakes.
var sound = []string{
	"../../examples/*.sow", "../../examples/family/*.sow", "../../proofs/*.sow", "../../proofs/values/*.sow", "../../proofs/testdata/*.sow",
	"../../proofs/testdata/*/*.sow", "../testdata/ok/*.sow", "../testdata/format/*.in", "../testdata/format/*.golden",
	"../../proofs/internal/judge/*/testdata/*.sow", "../../cmd/internal/vet/testdata/*.sow", "../../rules/build/testdata/*.sow",
}

// rulesFiles returns the texts of the sound rules files, by path.
func rulesFiles(t *testing.T) map[string]string {
	t.Helper()
	files := map[string]string{}
	for _, pattern := range sound {
		paths, err := filepath.Glob(pattern)
		if err != nil || len(paths) == 0 {
			t.Fatalf("no files match %s: %v", pattern, err)
		}
		for _, path := range paths {
			files[path] = read(t, path)
		}
	}
	return files
}

// tokens cuts a text as the scanner does. The parser tells words from names and labels.
func tokens(t *testing.T, path, src string) []token {
	t.Helper()
	file, diags := dsl.Parse(path, []byte(src))
	if diags.HasErrors() {
		t.Fatalf("%s has mistakes: %v", path, diags)
	}
	called := callings(file)
	cut := scan.File(path, []byte(src))
	var list []token
	for _, c := range cut.Comments {
		list = append(list, token{c.Range.Start.Offset, c.Range.End.Offset, comment})
	}
	for _, k := range cut.Tokens[:len(cut.Tokens)-1] {
		from := k.Pos.Offset
		to := from + len(k.Value)
		if n, ok := cut.Written[from]; ok {
			to = from + n
		}
		kind := sign
		switch k.Type {
		case scan.Keyword:
			kind = keyword
		case scan.Int:
			kind = number
		case scan.String:
			kind = text
		case scan.Name:
			if kind = called[from]; kind == "" {
				kind = name
				if slices.Contains(placedWords(), k.Value) {
					kind = word
				}
			}
		}
		list = append(list, token{from, to, kind})
	}
	slices.SortFunc(list, func(a, b token) int { return a.From - b.From })
	return list
}

// callings has the places of a file's names and labels. Labels of listed moves are names: patterns
// do not tell them apart.
func callings(file *ast.File) map[int]string {
	called := map[int]string{}
	var listed []*ast.Label
	ast.Inspect(file, func(n ast.Node) bool {
		at := n.Span().Start.Offset
		switch n := n.(type) {
		case *ast.Ident, *ast.Name, *ast.Subject, *ast.Each, *ast.Who, *ast.Sort:
			if called[at] == "" {
				called[at] = name
			}
		case *ast.Label:
			called[at] = label
		case *ast.Place:
			listed = append(listed, n.After...)
		case *ast.Best:
			listed = append(listed, n.Moves...)
		}
		return true
	})
	for _, l := range listed {
		called[l.Range.Start.Offset] = name
	}
	return called
}

// scanned are tokens as the scanner knows them: words and labels are names.
func scanned(list []token) []token {
	out := slices.Clone(list)
	for i := range out {
		if k := out[i].Kind; k == word || k == label {
			out[i].Kind = name
		}
	}
	return out
}

// allWords compares a grammar's words with those of the language.
func allWords(t *testing.T, got []string) {
	t.Helper()
	all := slices.Concat(reservedWords(), placedWords())
	for _, w := range all {
		if !slices.Contains(got, w) {
			t.Errorf("the grammar has no %s", w)
		}
	}
	for _, w := range got {
		if !slices.Contains(all, w) {
			t.Errorf("the language has no word %q", w)
		}
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(src)
}

var inQuotes = regexp.MustCompile(`"([^"]*)"`)

// quoted returns the texts in double quotes.
func quoted(s string) (list []string) {
	for _, m := range inQuotes.FindAllStringSubmatch(s, -1) {
		list = append(list, m[1])
	}
	return list
}
