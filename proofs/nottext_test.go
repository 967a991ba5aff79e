package proofs_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Sentences are for people. These are the functions that make them of verdicts, and the method
// that quotes words that did not come from package say.
var (
	sentences = []string{"Sentence", "Finding", "Reason", "Notes", "Gap", "Scope", "Value", "Worth", "Table", "Variant", "Describe"} // of package say
	quotes    = "ForSentence"                                                                                                        // of verdict.Detail
	lines     = "Sentence"                                                                                                           // of proofs.Result
)

// TestNoVerdictComparedAsText: no sentence about a verdict is compared with anything, searched,
// taken apart or looked up, in anything but the tests; and the words of solvers, rules and engines
// are read by package say alone.
func TestNoVerdictComparedAsText(t *testing.T) {
	for _, root := range []string{".", "../cmd", "../scripts"} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			if strings.HasPrefix(path, "say/") {
				return nil
			}
			for _, what := range comparedAsText(file) {
				t.Errorf("%s: %s", path, what)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// comparedAsText lists what a file does with sentences that only data is for.
func comparedAsText(file *ast.File) (found []string) {
	isSentence := sentencesIn(file)
	holds := func(nodes ...ast.Expr) bool {
		return slices.ContainsFunc(nodes, func(x ast.Expr) bool { return x != nil && isSentence(x) })
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if n.Sel.Name == quotes {
				found = append(found, "the words of others are read")
			}
		case *ast.BinaryExpr:
			if n.Op != token.ADD && holds(n.X, n.Y) {
				found = append(found, "a sentence is compared: "+n.Op.String())
			}
		case *ast.SwitchStmt:
			if holds(n.Tag) {
				found = append(found, "a switch over sentences")
			}
		case *ast.CaseClause:
			if holds(n.List...) {
				found = append(found, "a case that is a sentence")
			}
		case *ast.IndexExpr:
			if holds(n.X, n.Index) {
				found = append(found, "a sentence is looked up, or taken apart")
			}
		case *ast.SliceExpr:
			if holds(n.X) {
				found = append(found, "a sentence is taken apart")
			}
		case *ast.CallExpr:
			if of, name, ok := function(n.Fun); ok && slices.Contains([]string{"strings", "slices", "bytes", "regexp", "strconv"}, of) && name != "Join" && holds(n.Args...) {
				found = append(found, of+"."+name+" of a sentence")
			}
		}
		return true
	})
	return found
}

// sentencesIn returns a test whether an expression is a sentence: made by package say or by
// proofs.Result, or a variable that got one anywhere in its function.
func sentencesIn(file *ast.File) func(ast.Expr) bool {
	made := func(x ast.Expr) bool {
		call, ok := x.(*ast.CallExpr)
		if !ok {
			return false
		}
		of, name, ok := function(call.Fun)
		return ok && (of == "say" && slices.Contains(sentences, name) || name == lines && len(call.Args) == 0)
	}
	named := map[string]bool{} // by function and variable
	within := func(x ast.Expr) *ast.FuncDecl {
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Pos() <= x.Pos() && x.End() <= f.End() {
				return f
			}
		}
		return nil
	}
	key := func(id *ast.Ident) string {
		if f := within(id); f != nil {
			return f.Name.Name + "." + id.Name
		}
		return id.Name
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if a, ok := n.(*ast.AssignStmt); ok && len(a.Lhs) == len(a.Rhs) {
			for i, x := range a.Rhs {
				if id, ok := a.Lhs[i].(*ast.Ident); ok && made(x) {
					named[key(id)] = true
				}
			}
		}
		return true
	})
	return func(x ast.Expr) bool {
		if p, ok := x.(*ast.ParenExpr); ok {
			x = p.X
		}
		if id, ok := x.(*ast.Ident); ok {
			return named[key(id)]
		}
		return made(x)
	}
}

// function is the name of a called function, and what stands before it.
func function(x ast.Expr) (of, name string, ok bool) {
	sel, ok := x.(*ast.SelectorExpr)
	if !ok {
		return "", "", false
	}
	if id, is := sel.X.(*ast.Ident); is {
		of = id.Name
	}
	return of, sel.Sel.Name, true
}

// TestComparedAsText: what the test above looks for is found.
func TestComparedAsText(t *testing.T) {
	for body, want := range map[string]int{
		`_ = strings.HasSuffix(r.Sentence(), "x")`:        1,
		`if say.Reason(r.Open) == "x" { return }`:         1,
		`text := say.Finding(s, f); _ = text != other`:    1,
		`switch r.Sentence() { case "x": }`:               1,
		`_ = known[say.Gap(g)]`:                           1,
		`_ = f.Words.ForSentence()`:                       1,
		`text := r.Sentence(); _ = text[2:]`:              1,
		`text := "a: " + r.Sentence(); fmt.Println(text)`: 0,
		`_ = strings.Join(say.Notes(v), "; ")`:            0,
		`if r.Found != nil { fmt.Println(say.Gap(g)) }`:   0,
		`_ = verdict.Same(r.Found, verdict.Number.Of(3))`: 0,
	} {
		file, err := parser.ParseFile(token.NewFileSet(), "x.go", "package x\nfunc f() { "+body+" }", parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		if got := comparedAsText(file); len(got) != want {
			t.Errorf("%s: found %q", body, got)
		}
	}
}
