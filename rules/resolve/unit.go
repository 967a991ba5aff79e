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
	"context"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules/bind"
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
	Bound      *bind.Program   // what the names stand for

	bound  map[*ast.Variant]*bind.Variant
	files  map[ast.Decl]string
	shared shared
}

// Collect binds the names of files, which list imports first and the root last. A name that is
// declared twice is reported.
func Collect(files []*ast.File) (*Unit, diag.List) {
	p := bind.Bind(files)
	u := &Unit{
		Boards: p.Boards, Positions: p.Positions, Strategies: p.Strategies, Defines: p.Defines, Claims: p.Claims,
		Bound: p, bound: map[*ast.Variant]*bind.Variant{}, files: map[ast.Decl]string{},
	}
	for _, v := range p.Variants {
		u.Variants = append(u.Variants, v.Variant)
		u.bound[v.Variant] = v
	}
	for _, f := range files {
		for _, d := range f.Decls {
			u.files[d] = f.Path
		}
	}
	return u, p.Mistakes
}

// text returns a piece of a source in one line, for messages.
func (u *Unit) text(r diag.Range) string { return u.Bound.Text(r) }

// ended reports whether the context has ended, so that resolution should stop.
func (u *Unit) ended() bool { return u.Context != nil && u.Context.Err() != nil }

// Variant finds the variant called name, or the only one if name is empty. If there is none it
// reports that at r and returns nil.
func (u *Unit) Variant(name string, r diag.Range, diags *diag.List) *ast.Variant {
	if v := u.Bound.Variant(name, r, diags); v != nil {
		return v.Variant
	}
	return nil
}
