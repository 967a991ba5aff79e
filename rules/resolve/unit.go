// Package resolve gives meaning to syntax trees. It makes the System of a variant with chosen
// parameters, and the instances of a claim.
//
// Resolution runs once for each choice of parameters, because the number of pits depends on them.
// The work is divided into layers, each a type that embeds or holds the ones it needs. A layer uses
// only those before it in this list:
//
//	run          mistakes, and the work that may still be done: budget.go
//	layout       pits by group and number: layout.go; and as drawn: picture.go
//	scope        what the names of a variant mean: names.go; definitions and procedures:
//	             defines.go; what the System lacks, though it follows from the picture: spare.go
//	ghosts       what claims about steps ask of the latest move: ghosts.go
//	sets         sets of pits, and seeds: sets.go
//	conversions  what is wanted in the place of values: conversions.go; what a name goes through:
//	             domain.go
//	laps         laps, fixed or decided by play: laps.go
//	words        names and words that mean a value by themselves: words.go; outcomes:
//	             outcomes.go
//	env          expressions: exprs.go; functions: calls.go; what only claims name: claimnames.go
//	parameters   values of parameters: params.go
//	drawing      pits, groups, laps, owners: drawing.go; what leads from pits to pits:
//	             relations.go; what follows from the picture: derive.go
//	variables    state variables: vars.go
//	opening      starts: setup.go; games that begin at a position instead: position.go
//	storage      values kept in locals: slots.go
//	body         statements: stmts.go; sowings, relays and chains: sowings.go; what procedures
//	             carry out: procedures.go; laps that are moves: goon.go
//	actions      moves: moves.go, ways.go; endings and reactions: reactions.go
//	resolved     a System of all that: system.go; one that many claims are about: shared.go;
//	             one in which a strategy is followed: strategy.go
//	assertion    what claims assert: property.go; each kind of it: claim_*.go
//
// For claims about every size, sizes.go reads the clause, families.go makes the instances of each
// size and compares them, and uniform.go says what the size may decide.
//
// Typed values on the way to rules.Expr are in value.go. Unit collects the declarations of the
// loaded files; claims.go reads the clauses of claims, instances.go makes their instances, and
// boards.go reads files of boards.
//
// Mistakes are collected in diagnostics rather than returned one at a time. Callers must check
// these before they use a result.
package resolve

import (
	"bytes"
	"context"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
)

// Unit has the declarations of a program: those of the root file and of its imports.
type Unit struct {
	Variants   []*ast.Variant
	Boards     []*ast.Board // those with a name, which variants may share
	Positions  []*ast.Position
	Strategies []*ast.Strategy
	Defines    []ast.Decl      // definitions and procedures in order; each may use those before it
	Context    context.Context // ends resolution early; may be nil
	Claims     []*ast.Claim    // of the root file only: imported claims are checked with their own file
	Remarks    *diag.List      // gets remarks about what is allowed but probably not meant; may be nil
	files      map[ast.Decl]string
	sources    map[string][]byte
	shared     shared
}

// Collect gathers the declarations of files, which list imports first and the root last. A name
// that is declared twice is reported.
func Collect(files []*ast.File) (*Unit, diag.List) {
	u := &Unit{files: map[ast.Decl]string{}, sources: map[string][]byte{}}
	var diags diag.List
	seen := map[string]ast.Node{}
	once := func(kind string, name ast.Ident, n ast.Node) bool {
		key := kind + " " + name.Name
		if first, dup := seen[key]; dup {
			d := diags.Errorf(diag.Duplicate, name.Range, "%s `%s` is declared twice", kind, name.Name)
			d.Notes = append(d.Notes, diag.Note{Range: first.Span(), Message: "first declared here"})
			return false
		}
		seen[key] = n
		return true
	}
	for i, f := range files {
		u.sources[f.Path] = f.Source
		for _, decl := range f.Decls {
			u.files[decl] = f.Path
			switch d := decl.(type) {
			case *ast.Variant:
				if once("variant", d.Name, d) {
					u.Variants = append(u.Variants, d)
				}
			case *ast.Board:
				switch {
				case d.Name == nil:
					diags.Errorf(diag.Missing, d.Range, "a board outside of a variant needs a name").WithHelp("write `board NAME { … }`")
				case d.With != nil:
					diags.Errorf(diag.Misplaced, d.With[0].Range, "only a variant that names a board sets its parameters").
						WithHelp("write the value behind `param %s =`", d.With[0].Name.Name)
				case !d.Drawn:
					diags.Errorf(diag.Missing, d.Range, "board `%s` is not drawn", d.Name.Name).WithHelp("write `board %s { … }`", d.Name.Name)
				case once("board", *d.Name, d):
					u.Boards = append(u.Boards, d)
				}
			case *ast.Position:
				if once("position", d.Name, d) {
					u.Positions = append(u.Positions, d)
				}
			case *ast.Define:
				if once("definition", d.Name, d) {
					u.Defines = append(u.Defines, d)
				}
			case *ast.Procedure:
				if once("procedure", d.Name, d) {
					u.Defines = append(u.Defines, d)
				}
			case *ast.Strategy:
				if once("strategy", d.Name, d) {
					u.Strategies = append(u.Strategies, d)
				}
			case *ast.Claim:
				if i == len(files)-1 && once("claim", d.Name, d) {
					u.Claims = append(u.Claims, d)
				}
			}
		}
	}
	for i, v := range u.Variants {
		u.Variants[i] = u.withBoard(v, &diags)
	}
	return u, diags
}

// text returns a piece of a source in one line, for messages.
func (u *Unit) text(r diag.Range) string {
	src := u.sources[r.File]
	if r.End.Offset > len(src) || r.Start.Offset > r.End.Offset {
		return "…"
	}
	return string(bytes.Join(bytes.Fields(src[r.Start.Offset:r.End.Offset]), []byte(" ")))
}

// ended reports whether the context has ended, so that resolution should stop.
func (u *Unit) ended() bool { return u.Context != nil && u.Context.Err() != nil }

// Variant finds the variant called name, or the only one if name is empty. If there is none it
// reports that at r and returns nil.
func (u *Unit) Variant(name string, r diag.Range, diags *diag.List) *ast.Variant {
	var names []string
	for _, v := range u.Variants {
		if v.Name.Name == name || name == "" && len(u.Variants) == 1 {
			return v
		}
		names = append(names, v.Name.Name)
	}
	switch {
	case len(names) == 0:
		diags.Errorf(diag.Missing, r, "no variant is declared").WithHelp("declare one, or import the file that does")
	case name == "":
		diags.Errorf(diag.WhichVariant, r, "there are %d variants here", len(names)).
			WithHelp("say which one is meant: %s", list(names))
	default:
		suggest(diags.Errorf(diag.Unknown, r, "unknown variant `%s`", name), name, names)
	}
	return nil
}

// passLabel is the label of `pass when E`.
const passLabel = "pass"

// asMove returns the move that an item declares, or nil. A `pass` is a move without choices.
func asMove(item ast.Item) *ast.Move {
	switch x := item.(type) {
	case *ast.Move:
		return x
	case *ast.Pass:
		return &ast.Move{At: x.At, Documented: x.Documented, Label: &ast.Label{At: x.At, Text: passLabel}, When: x.When}
	}
	return nil
}
