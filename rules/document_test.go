package rules_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestKernelIsDocumented: docs/kernel.md names exactly the expressions, statements, fields of
// statements, tables and questions that there are.
func TestKernelIsDocumented(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "docs", "kernel.md"))
	if err != nil {
		t.Fatal(err)
	}
	exprs, stmts := section(t, string(text), "\n## Expressions\n", "\n## "), section(t, string(text), "\n## Statements\n", "\n## ")
	k := parseKernel(t)

	kinds := section(t, exprs, "| expression |", "\n\n")
	same(t, "expressions", firstCells(kinds), k.methods["isExpr"])
	same(t, "tables", firstCells(section(t, exprs, "| table |", "\n\n")), k.consts["TableKind"])
	same(t, "questions", quoted(section(t, kinds, "| `Question` |", "\n")), k.consts["Question"])

	var headings []string
	for _, part := range strings.Split(stmts, "\n### ")[1:] {
		heading, rest, _ := strings.Cut(part, "\n\n")
		fields, _, _ := strings.Cut(rest, "\n")
		headings = append(headings, heading)
		same(t, "fields of "+heading, quoted(fields), k.fields[heading])
	}
	same(t, "statements", headings, k.methods["isStmt"])
}

// kernel is what the source of this package declares.
type kernel struct {
	methods map[string][]string // receivers, by method
	fields  map[string][]string // of each struct, except places in the text
	consts  map[string][]string // by type
}

func parseKernel(t *testing.T) *kernel {
	t.Helper()
	paths, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	k := &kernel{map[string][]string{}, map[string][]string{}, map[string][]string{}}
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			k.declares(d)
		}
	}
	return k
}

func (k *kernel) declares(d ast.Decl) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			return
		}
		if of, ok := d.Recv.List[0].Type.(*ast.Ident); ok {
			k.methods[d.Name.Name] = append(k.methods[d.Name.Name], of.Name)
		}
	case *ast.GenDecl:
		group := "" // a constant without a type has that of the one before
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				k.structure(s)
			case *ast.ValueSpec:
				if of, ok := s.Type.(*ast.Ident); ok && d.Tok == token.CONST {
					group = of.Name
				}
				for _, name := range s.Names {
					k.consts[group] = append(k.consts[group], name.Name)
				}
			}
		}
	}
}

func (k *kernel) structure(s *ast.TypeSpec) {
	fields, ok := s.Type.(*ast.StructType)
	if !ok {
		return
	}
	for _, f := range fields.Fields.List {
		for _, name := range f.Names {
			if name.Name != "At" {
				k.fields[s.Name.Name] = append(k.fields[s.Name.Name], name.Name)
			}
		}
	}
}

// section is the text behind a mark, up to another or to the end.
func section(t *testing.T, text, from, to string) string {
	t.Helper()
	_, rest, found := strings.Cut(text, from)
	if !found {
		t.Fatalf("docs/kernel.md has no %q", from)
	}
	part, _, _ := strings.Cut(rest, to)
	return part
}

var backquoted = regexp.MustCompile("`([^`]+)`")

// quoted lists what is in backquotes.
func quoted(text string) []string {
	var list []string
	for _, m := range backquoted.FindAllStringSubmatch(text, -1) {
		list = append(list, m[1])
	}
	return list
}

// firstCells lists what is in backquotes in the first column of a table, below its head.
func firstCells(table string) []string {
	var list []string
	for _, line := range strings.Split(table, "\n")[1:] {
		if cells := strings.Split(line, "|"); len(cells) > 2 {
			list = append(list, quoted(cells[1])...)
		}
	}
	return list
}

// same compares two lists without regard to order. A name that is listed twice differs.
func same(t *testing.T, what string, documented, declared []string) {
	t.Helper()
	documented, declared = slices.Sorted(slices.Values(documented)), slices.Sorted(slices.Values(declared))
	if len(declared) == 0 || !slices.Equal(documented, declared) {
		t.Errorf("%s: docs/kernel.md has %q, the code %q", what, documented, declared)
	}
}
