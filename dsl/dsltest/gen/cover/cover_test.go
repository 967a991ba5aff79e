package cover_test

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strings"
	"testing"

	"github.com/mancheck/mancheck/dsl"
	sow "github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/dsltest/gen"
	"github.com/mancheck/mancheck/dsl/dsltest/gen/cover"
)

// files are enough for everything to occur.
const files = 400

// grammar reads the published grammar. A word of it is reserved if no variant may have it as its
// name.
func grammar(t *testing.T) *cover.Grammar {
	t.Helper()
	text, err := os.ReadFile("../../../../docs/grammar.ebnf")
	if err != nil {
		t.Fatal(err)
	}
	if string(text) != dsl.Grammar() {
		t.Fatal("docs/grammar.ebnf is not the grammar that the parser is built from")
	}
	var reserved []string
	for _, w := range cover.Words(string(text)) {
		if _, diags := dsl.Parse("w.sow", []byte("variant "+w+" { }")); diags.HasErrors() {
			reserved = append(reserved, w)
		}
	}
	g, err := cover.NewGrammar(string(text), reserved)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// TestEverything: all productions of the generator write something. The generated files come
// through each production of the grammar and each place in it, and their trees have each node and
// each field that the tree can have.
func TestEverything(t *testing.T) {
	g, tree, pairs := grammar(t), cover.Tree{}, cover.Pairs{}
	refused, written := 0, map[string]int{}
	for seed := range uint64(files) {
		f := gen.New(seed)
		for name, n := range f.Used {
			written[name] += n
		}
		for _, text := range texts(f) {
			file, diags := dsl.Parse("w.sow", []byte(text))
			if diags.HasErrors() {
				continue
			}
			if tree.Count(file); !g.Read(text) {
				if refused++; refused < 3 {
					t.Errorf("the parser takes what the grammar has not:\n%s", text)
				}
			}
		}
		whole, diags := dsl.Parse("w.sow", []byte(f.Whole()))
		if !diags.HasErrors() {
			for _, list := range sow.All[*sow.ForBoards](whole) {
				list.Text = []byte(f.Parts[list.Path])
			}
			for _, fs := range cover.Of(whole) {
				pairs.Count(fs)
			}
		}
	}
	for _, name := range gen.Productions() {
		if written[name] == 0 {
			t.Errorf("nothing is written by production %s", name)
		}
	}
	if unused := g.Unused(); len(unused) > 0 {
		t.Errorf("places of the grammar that no file comes through:\n%s", strings.Join(unused, "\n"))
	}
	for _, f := range fields(t) {
		// The parser makes Claim.Negated of these; that they are written, the grammar has shown.
		// Capture.Bare and Claim.Mistakes are of mistakes, and empty in all trees.
		dissolved := strings.HasPrefix(f, "Denial") || strings.HasPrefix(f, "CanGoOn") || f == "Capture.Bare" || f == "Claim.Mistakes"
		if tree[f] == 0 && !dissolved && !strings.HasSuffix(f, "At") && !strings.HasSuffix(f, "Range") {
			t.Errorf("no file has %s", f)
		}
	}
	for _, name := range cover.Names {
		if pairs[[2]string{name, name}] == 0 {
			t.Errorf("no claim has %s", name)
		}
	}
	if testing.Verbose() {
		var b bytes.Buffer
		pairs.Print(&b)
		t.Log(b.String())
	}
}

func texts(f *gen.File) []string {
	out := []string{f.Text}
	for _, p := range f.Parts {
		out = append(out, p)
	}
	return out
}

// fields lists the types of nodes and their fields, as the source of package ast declares them.
func fields(t *testing.T) []string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "../../../../dsl/ast/ast.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.TypeSpec)
		if !ok {
			return true
		}
		s, ok := spec.Type.(*ast.StructType)
		if !ok || spec.Name.Name == "At" {
			return false
		}
		out = append(out, spec.Name.Name)
		for _, f := range s.Fields.List {
			for _, name := range f.Names {
				out = append(out, spec.Name.Name+"."+name.Name)
			}
		}
		return false
	})
	return out
}
