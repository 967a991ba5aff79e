package bind

import (
	"slices"
	"strings"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/dsl/spell"
	"github.com/mancheck/mancheck/internal/lists"
)

// Program has the declarations of some files: those of the root file and of its imports.
type Program struct {
	Variants   []*Variant
	Boards     []*ast.Board // those with a name, which variants may share
	Positions  []*ast.Position
	Strategies []*ast.Strategy
	Defines    []ast.Decl   // definitions and procedures outside of variants, in order
	Claims     []*ast.Claim // of the root file only: imported claims are checked with their own file
	Symbols    *Symbols
	// Mistakes are those in the declarations themselves, such as a name that is declared twice.
	Mistakes diag.List

	table   *table
	sources map[string][]byte
}

// Bind finds what the names of files stand for. Files list imports first and the root last.
func Bind(files []*ast.File) *Program {
	names := &table{files: map[string]*Symbol{}, given: map[diag.Range]bool{}}
	p := &Program{table: names, sources: map[string][]byte{}}
	seen := map[string]ast.Node{}
	for i, f := range files {
		p.sources[f.Path] = f.Source
		for _, d := range f.Decls {
			p.collect(d, f.Path, i == len(files)-1, seen)
		}
	}
	p.bind()
	return p
}

// collect adds a declaration. One whose name is taken is reported, and left out.
func (p *Program) collect(decl ast.Decl, path string, root bool, seen map[string]ast.Node) {
	once := func(kind Kind, name ast.Ident) bool {
		p.declare(kind, name, decl)
		key := kind.String() + " " + name.Name
		if first, dup := seen[key]; dup {
			p.Mistakes.Errorf(diag.Duplicate, name.Range, "%s `%s` is declared twice", kind, name.Name).
				WithHelp("a name stands for one thing: choose another one").WithNote(first.Span(), "first declared here")
			return false
		}
		seen[key] = decl
		return true
	}
	switch d := decl.(type) {
	case *ast.Variant:
		if once(VariantName, d.Name) {
			p.Variants = append(p.Variants, &Variant{Variant: d, Source: d, File: path, program: p, refs: map[ast.Node]Ref{}, asked: map[ast.Node]Ref{}, ranks: map[*ast.Strategy]*usage{}, columns: map[*ast.ForBoards]map[string]*Symbol{}})
		}
	case *ast.Board:
		p.board(d, once)
	case *ast.Position:
		if once(PositionName, d.Name) {
			p.Positions = append(p.Positions, d)
		}
	case *ast.Define, *ast.Procedure:
		if def := definitionOf(d); once(def.Kind, *def.Name) {
			p.Defines = append(p.Defines, d)
		}
	case *ast.Strategy:
		if once(StrategyName, d.Name) {
			p.Strategies = append(p.Strategies, d)
		}
	case *ast.Claim:
		if root && d.Name.Name != "" && once(ClaimName, d.Name) {
			p.Claims = append(p.Claims, d)
		}
	}
}

// declare adds the name of a declaration of the files to the index.
func (p *Program) declare(kind Kind, name ast.Ident, d ast.Decl) {
	p.table.declare(p.table.files, kind.String()+" "+name.Name, &Symbol{Name: name.Name, Kind: kind, Node: d}, name.Range)
}

// symbol finds a declaration of the files by its kind and name; nil: there is none.
func (p *Program) symbol(kind Kind, name string) *Symbol {
	return p.table.files[kind.String()+" "+name]
}

// board adds a board that variants may share.
func (p *Program) board(d *ast.Board, once func(Kind, ast.Ident) bool) {
	if d.Name != nil {
		p.declare(BoardName, *d.Name, d)
	}
	switch {
	case d.Name == nil:
		p.Mistakes.Errorf(diag.Missing, d.Range, "a board outside of a variant needs a name").WithHelp("write `board NAME { … }`")
	case d.With != nil:
		p.Mistakes.Errorf(diag.Misplaced, d.With[0].Range, "only a variant that names a board sets its parameters").
			WithHelp("write the value behind `param %s =`", d.With[0].Name.Name)
	case !d.Drawn:
		p.Mistakes.Errorf(diag.Missing, d.Range, "board `%s` is not drawn", d.Name.Name).WithHelp("write `board %s { … }`", d.Name.Name)
	case once(BoardName, *d.Name):
		p.Boards = append(p.Boards, d)
	}
}

// Text returns a piece of a source in one line, for messages.
func (p *Program) Text(r diag.Range) string { return diag.OneLine(p.sources[r.File], r) }

// Variant finds the variant called name, or the only one if name is empty. If there is none it
// reports that at r and returns nil.
func (p *Program) Variant(name string, r diag.Range, diags *diag.List) *Variant {
	var names []string
	for _, v := range p.Variants {
		if v.Name.Name == name || name == "" && len(p.Variants) == 1 {
			return v
		}
		names = append(names, v.Name.Name)
	}
	switch {
	case len(names) == 0:
		diags.Errorf(diag.Missing, r, "no variant is declared").WithHelp("declare one, or import the file that does")
	case name == "":
		diags.Errorf(diag.WhichVariant, r, "there are %d variants here", len(names)).
			WithHelp("say which one is meant: %s", List(names))
	default:
		Suggest(diags.Errorf(diag.Unknown, r, "unknown variant `%s`", name), name, names)
	}
	return nil
}

// Suggest adds "did you mean" to a mistake if one of names is near to name. A few names are listed
// otherwise.
func Suggest(d *diag.Diagnostic, name string, names []string) {
	slices.Sort(names)
	if near := spell.Nearest(name, names); near != "" {
		d.WithHelp("did you mean `%s`?", near)
	} else if len(names) > 0 && len(names) <= fewNames {
		d.WithHelp("known are %s", List(names))
	}
}

// fewNames have room in one line.
const fewNames = 6

// List joins names with commas, each in backquotes, for messages.
func List(names []string) string {
	return strings.Join(lists.Map(names, func(n string) string { return "`" + n + "`" }), ", ")
}
