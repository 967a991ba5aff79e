// Package build makes Systems and properties from a bound program: the System of a variant with
// chosen parameters, and the instances of a claim.
//
// A System is built from the variant alone, once for each choice of parameters, because the number
// of pits depends on them. What it is made of has packages of its own, each of which uses only
// those before it:
//
//	bind (../bind)  what the names stand for, found once for all sizes
//	term            expressions
//	board           parameters, the board, variables
//	body            starts, moves, endings
//	build           Systems: system.go, strategy.go; claims: claims.go reads their
//	                clauses, instances.go makes their instances, claim_*.go what each kind asserts
//
// For claims about every size, sizes.go reads the clause, families.go makes the instances of each
// size and compares them, and uniform.go says what the size may decide.
//
// Mistakes are collected in diagnostics rather than returned one at a time. Callers must check
// these before they use a result.
package build

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules/bind"
	"github.com/mancheck/mancheck/rules/build/board"
	"github.com/mancheck/mancheck/rules/build/term"
)

// Settings are values of parameters by name.
type Settings = board.Settings

// Value is a value for a parameter: a number, or a truth value as 0 or 1.
type Value = board.Value

// Fitted is a drawn position that states have to fit.
type Fitted = term.Fitted

// Unit has the declarations of a program: those of the root file and of its imports.
type Unit struct {
	Variants   []*ast.Variant
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
		Positions: p.Positions, Strategies: p.Strategies, Defines: p.Defines, Claims: p.Claims,
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

// Many claims are about the same game with the same parameters. Such a game is resolved once:
// resolving takes time, and the Systems of all claims of a run are in memory together.

// shared has the games of a Unit that claims have in common. These are never changed.
type shared struct {
	mu    sync.Mutex
	games map[string]*term.Scope // by their key
}

// building is a function that resolves a game: common for games that stay in memory, build for
// those that are tried once.
type building func(v *ast.Variant, g game, diags *diag.List) *term.Scope

// common returns the game that build would, perhaps shared with other claims. The caller may add to
// the result.
func (u *Unit) common(v *ast.Variant, g game, diags *diag.List) *term.Scope {
	if u.Remarks != nil || g.here != nil || g.board != nil { // each resolution makes remarks of its own; no other claim begins at that state or board
		return u.build(v, g, diags)
	}
	key := g.key(v)
	u.shared.mu.Lock()
	defer u.shared.mu.Unlock()
	if b := u.shared.games[key]; b != nil {
		return b.For(g.claim, diags)
	}
	var own diag.List
	b := u.build(v, g, &own)
	*diags = append(*diags, own...)
	b.Run.Diags = diags
	if len(own) > 0 {
		return b
	}
	if u.shared.games == nil {
		u.shared.games = map[string]*term.Scope{}
	}
	u.shared.games[key] = b
	return b.For(g.claim, diags)
}

// Forget is that of the unit of the claim.
func (c *Claim) Forget() { c.unit.Forget() }

// Forget drops the games that claims have in common. One that is asked for again is made again.
func (u *Unit) Forget() {
	u.shared.mu.Lock()
	defer u.shared.mu.Unlock()
	u.shared.games = nil
}

// key identifies what a game is made of. The places of settings are left out: they matter only for
// mistakes, and a game with mistakes is not shared.
func (g game) key(v *ast.Variant) string {
	var key strings.Builder
	fmt.Fprintf(&key, "%p %p %p %t %q", v, g.following, g.begin, g.whole, g.open)
	for _, name := range slices.Sorted(maps.Keys(g.settings)) {
		fmt.Fprintf(&key, " %q %d %t", name, g.settings[name].N, g.settings[name].Bool)
	}
	return key.String()
}
