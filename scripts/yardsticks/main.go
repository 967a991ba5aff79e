// Command yardsticks measures how the code is built, and fails if it gets worse than the limits in
// limits.txt beside it. It prints all figures, or with -q only those that are worse.
//
//	lines      of Go without tests: of the program, of the judge and other helpers of tests
//	switches   files with a switch over the kinds of statements or terms
//	claims     packages with a switch over the kinds of claims
//	methods    types with more than forty methods
//	back       calls inside a package from a file to one above it, in the order of its files that
//	           has the fewest
//	texts      places in package proofs and below that look into an English text
//
// Lines are printed by package with -lines, and have no limit: new abilities need code.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strconv"
	"strings"
)

func main() {
	quiet := flag.Bool("q", false, "print only what is worse than the limits")
	lines := flag.Bool("lines", false, "print the lines of each package")
	update := flag.Bool("update", false, "make the figures the limits")
	flag.Parse()
	if err := run(*quiet, *lines, *update); err != nil {
		fmt.Fprintln(os.Stderr, "yardsticks:", err)
		os.Exit(1)
	}
}

// limits is the file with the greatest value that each figure may have.
const limits = "scripts/yardsticks/limits.txt"

// run measures the packages below the current folder and compares the figures with the limits. A
// figure without a limit must be 0.
func run(quiet, lines, update bool) error {
	packages, err := load(".")
	if err != nil {
		return err
	}
	if lines {
		for _, p := range packages {
			fmt.Printf("%7d %s\n", p.lines, p.dir)
		}
	}
	figures := measure(packages)
	bounds, err := readLimits()
	if err != nil && !update {
		return err
	}
	if update {
		return writeLimits(figures)
	}
	worse := 0
	for _, f := range figures {
		bound, limited := bounds[f.name]
		bad := !f.free && (!limited && f.value > 0 || f.value > bound)
		if bad {
			worse++
			fmt.Printf("%s is %d, and was at most %d\n", f.name, f.value, bound)
			for _, w := range f.where {
				fmt.Println("\t" + w)
			}
		} else if !quiet {
			fmt.Printf("%7d %s\n", f.value, f.name)
		}
	}
	if worse > 0 {
		return fmt.Errorf("%d figures are worse", worse)
	}
	return nil
}

// figure is one measurement.
type figure struct {
	name  string
	value int
	where []string // the places that count
	free  bool     // there is no limit
}

// folder is a package, without its tests.
type folder struct {
	dir   string
	fset  *token.FileSet
	files []*ast.File
	names []string // of the files
	lines int
}

// load parses all packages of the module.
func load(root string) ([]*folder, error) {
	by := map[string]*folder{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name := d.Name(); path != root && (strings.HasPrefix(name, ".") || name == "testdata" || name == "node_modules") {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		dir := filepath.ToSlash(filepath.Dir(path))
		p := by[dir]
		if p == nil {
			p = &folder{dir: dir, fset: token.NewFileSet()}
			by[dir] = p
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		f, err := parser.ParseFile(p.fset, path, text, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		p.files, p.names = append(p.files, f), append(p.names, filepath.Base(path))
		p.lines += strings.Count(string(text), "\n")
		return nil
	})
	var list []*folder
	for _, p := range by {
		list = append(list, p)
	}
	sort.Slice(list, func(i, j int) bool { return list[i].dir < list[j].dir })
	return list, err
}

// ofTests reports whether a package is for tests, or a script.
func ofTests(dir string) bool {
	for _, part := range []string{"proofs/internal/judge", "dsl/dsltest", "rules/rulestest", "rules/internal/samples", "buildtest", "termtest", "faulty", "internal/cost", "internal/tier", "internal/huge/test"} {
		if strings.Contains(dir, part) {
			return true
		}
	}
	return false
}

func isScript(dir string) bool { return strings.HasPrefix(dir, "scripts") }

func measure(packages []*folder) []figure {
	program := figure{name: "lines of the program", free: true}
	helpers := figure{name: "lines of the judge and test helpers", free: true}
	statements := figure{name: "files with a switch over statements"}
	expressions := figure{name: "files with a switch over expressions"}
	claims := figure{name: "packages with a switch over claims"}
	methods := figure{name: "types with more than forty methods"}
	texts := figure{name: "texts of verdicts looked into"}
	var back []figure
	for _, p := range packages {
		switch {
		case isScript(p.dir):
			continue
		case ofTests(p.dir):
			helpers.value += p.lines
			continue
		}
		program.value += p.lines
		for i, f := range p.files {
			at := p.dir + "/" + p.names[i]
			statements.count(at, switches(f, "Sow", "While"))
			expressions.count(at, switches(f, "Lookup", "Binary", "Not"))
		}
		claims.count(p.dir, slices.ContainsFunc(p.files, func(f *ast.File) bool {
			return switches(f, "Reach", "Terminates") || switches(f, "ValueOf", "WinnerOf") || switches(f, "Terminates", "NeverStuck")
		}))
		for name, n := range methodsOf(p) {
			methods.count(fmt.Sprintf("%s.%s: %d", p.dir, name, n), n > 40)
		}
		if strings.HasPrefix(p.dir, "proofs") || strings.HasPrefix(p.dir, "cmd") {
			for _, at := range looksIntoTexts(p) {
				texts.count(at, true)
			}
		}
		if calls := backCalls(p); calls.value > 0 {
			back = append(back, calls)
		}
	}
	slices.Sort(methods.where)
	list := []figure{program, helpers, statements, expressions, claims, methods, texts}
	return append(list, back...)
}

func (f *figure) count(where string, is bool) {
	if is {
		f.value++
		f.where = append(f.where, where)
	}
}

// switches reports whether a file has a type switch with cases for all of these types.
func switches(f *ast.File, names ...string) (found bool) {
	ast.Inspect(f, func(n ast.Node) bool {
		s, is := n.(*ast.TypeSwitchStmt)
		if !is {
			return true
		}
		has := map[string]bool{}
		for _, c := range s.Body.List {
			for _, x := range c.(*ast.CaseClause).List {
				has[typeName(x)] = true
			}
		}
		found = found || !slices.ContainsFunc(names, func(name string) bool { return !has[name] })
		return true
	})
	return found
}

// typeName is the name of a type without its package.
func typeName(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.Ident:
		return x.Name
	case *ast.SelectorExpr:
		return x.Sel.Name
	case *ast.StarExpr:
		return typeName(x.X)
	case *ast.IndexExpr:
		return typeName(x.X)
	case *ast.IndexListExpr:
		return typeName(x.X)
	}
	return ""
}

// methodsOf counts the methods of each type.
func methodsOf(p *folder) map[string]int {
	n := map[string]int{}
	for _, f := range p.files {
		for _, d := range f.Decls {
			if fn, is := d.(*ast.FuncDecl); is && fn.Recv != nil {
				n[typeName(fn.Recv.List[0].Type)]++
			}
		}
	}
	return n
}

// looksIntoTexts lists the places where the text of a verdict is searched, cut or compared: calls
// of package strings, and comparisons with a text, of a field that says something in English.
func looksIntoTexts(p *folder) []string {
	said := func(x ast.Expr) bool {
		s, is := x.(*ast.SelectorExpr)
		return is && slices.Contains([]string{"Reason", "Note", "Notes", "Detail"}, s.Sel.Name)
	}
	literal := func(x ast.Expr) bool {
		l, is := x.(*ast.BasicLit)
		return is && l.Kind == token.STRING && l.Value != `""`
	}
	var list []string
	for _, f := range p.files {
		ast.Inspect(f, func(n ast.Node) bool {
			hit := false
			switch n := n.(type) {
			case *ast.CallExpr:
				s, is := n.Fun.(*ast.SelectorExpr)
				if is {
					from, isPackage := s.X.(*ast.Ident)
					looks := isPackage && from.Name == "strings" && slices.Contains([]string{"HasPrefix", "HasSuffix", "Contains", "Cut", "CutPrefix", "CutSuffix", "TrimPrefix", "TrimSuffix", "Index"}, s.Sel.Name)
					hit = looks && len(n.Args) > 0 && said(n.Args[0])
				}
			case *ast.BinaryExpr:
				hit = (n.Op == token.EQL || n.Op == token.NEQ) && (said(n.X) && literal(n.Y) || said(n.Y) && literal(n.X))
			}
			if hit {
				at := p.fset.Position(n.Pos())
				list = append(list, fmt.Sprintf("%s:%d", filepath.ToSlash(at.Filename), at.Line))
			}
			return true
		})
	}
	return list
}

// backCalls counts the pairs of functions in different files of which one calls the other against
// the order of the files.
func backCalls(p *folder) figure {
	calls := callsBetween(p)
	order := arrange(len(p.files), calls)
	fig := figure{name: "calls back in " + p.dir}
	for c := range calls {
		if order[c.from] > order[c.to] {
			fig.count(fmt.Sprintf("%s: %s -> %s: %s", p.names[c.from], c.caller, p.names[c.to], c.callee), true)
		}
	}
	slices.Sort(fig.where)
	return fig
}

// call is a function that calls one of another file.
type call struct {
	from, to       int // files
	caller, callee string
}

// callsBetween finds the calls between the files of a package. Types of other packages are not
// known, so a call through one of them is not found.
func callsBetween(p *folder) map[call]bool {
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
	conf := types.Config{Importer: empty{}, Error: func(error) {}, FakeImportC: true}
	_, _ = conf.Check(p.dir, p.fset, p.files, info)
	file := map[string]int{}
	for i, f := range p.files {
		file[p.fset.Position(f.Package).Filename] = i
	}
	calls := map[call]bool{}
	for i, f := range p.files {
		for _, d := range f.Decls {
			fn, is := d.(*ast.FuncDecl)
			if !is || fn.Body == nil {
				continue
			}
			ast.Inspect(fn.Body, func(n ast.Node) bool {
				id, is := n.(*ast.Ident)
				if !is {
					return true
				}
				callee, is := info.Uses[id].(*types.Func)
				if !is || callee.Pkg() == nil || callee.Pkg().Path() != p.dir {
					return true
				}
				if to, known := file[p.fset.Position(callee.Pos()).Filename]; known && to != i {
					calls[call{i, to, fn.Name.Name, callee.Name()}] = true
				}
				return true
			})
		}
	}
	return calls
}

// empty imports packages of which nothing is known.
type empty struct{}

func (empty) Import(path string) (*types.Package, error) {
	p := types.NewPackage(path, filepath.Base(path))
	p.MarkComplete()
	return p, nil
}

// arrange puts files in an order with few calls back: it moves one file at a time to its best place
// until that gains nothing.
func arrange(n int, calls map[call]bool) (place []int) {
	weight := make([][]int, n)
	for i := range weight {
		weight[i] = make([]int, n)
	}
	for c := range calls {
		weight[c.from][c.to]++
	}
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	for better := true; better; {
		better = false
		for at := range order {
			f := order[at]
			best, to, gain := 0, at, 0
			for i := at - 1; i >= 0; i-- { // before order[i]
				gain += weight[f][order[i]] - weight[order[i]][f]
				if gain > best {
					best, to = gain, i
				}
			}
			gain = 0
			for i := at + 1; i < n; i++ { // after order[i]
				gain += weight[order[i]][f] - weight[f][order[i]]
				if gain > best {
					best, to = gain, i
				}
			}
			if best > 0 {
				order = slices.Insert(slices.Delete(order, at, at+1), to, f)
				better = true
			}
		}
	}
	place = make([]int, n)
	for i, f := range order {
		place[f] = i
	}
	return place
}

func readLimits() (map[string]int, error) {
	f, err := os.Open(limits)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	bounds := map[string]int{}
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		number, name, ok := strings.Cut(strings.TrimSpace(lines.Text()), " ")
		n, err := strconv.Atoi(number)
		if !ok || err != nil {
			return nil, fmt.Errorf("%s: %q is not a number and a name", limits, lines.Text())
		}
		bounds[name] = n
	}
	return bounds, lines.Err()
}

func writeLimits(figures []figure) error {
	var b strings.Builder
	for _, f := range figures {
		if !f.free {
			fmt.Fprintf(&b, "%4d %s\n", f.value, f.name)
		}
	}
	return os.WriteFile(limits, []byte(b.String()), 0o666)
}
