// Package vet looks for what is allowed but probably not meant.
//
//	vet.go      what is found at once
//	unused.go   declarations that nothing uses
//	flow.go     values that are only set or only read, names that hide others, statements that are
//	            never carried out
//	meaning.go  endings whose `mover` is not the one who moved, `going` in bodies
//	and_or.go   conditions that mix `and` and `or`
//	players.go  players without pits
//	loops.go    loops that cannot end, relays out of stores
//	foreign.go  positions of claims that no play comes to
//	idle.go     moves and outcomes that occur in no play, by a search
//	gap.go      laps that go on from an empty pit, by play
//	meant.go    comments that say what is meant
package vet

import (
	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules/bind"
)

// Unused reports parameters, groups, laps, relations, definitions, procedures, positions and
// strategies of a file that nothing uses. Giving a parameter a value is no use of it. A file
// without claims may declare definitions, procedures, positions and strategies for other files.
func Unused(f *ast.File, symbols *bind.Symbols) diag.List {
	own, claims := map[diag.Range]bool{}, false // of variants
	for _, decl := range f.Decls {
		if v, is := decl.(*ast.Variant); is {
			ownNames(v, own)
		}
		_, is := decl.(*ast.Claim)
		claims = claims || is
	}
	var diags diag.List
	for _, s := range symbols.All {
		for _, at := range s.Decls {
			if at.File == f.Path && !s.Read() && (own[at] || claims && shared(s)) {
				diags.Warnf(diag.Unused, at, "nothing uses the %s `%s`", s.Kind, s.Name).WithHelp("use it, or leave it out")
			}
		}
	}
	return diags
}

// ownNames adds the places where a variant declares what it has to use. The first lap is always
// used: it is the order in which boards are compared and written.
func ownNames(v *ast.Variant, own map[diag.Range]bool) {
	for _, item := range v.Items {
		switch item := item.(type) {
		case *ast.Param:
			own[item.Name.Range] = true
		case *ast.Define:
			own[item.Name.Range] = true
		case *ast.Procedure:
			own[item.Name.Range] = true
		case *ast.Board:
			first := true
			for _, line := range item.Lines {
				switch line := line.(type) {
				case *ast.Group:
					own[line.Name.Range] = true
				case *ast.Facing:
					own[line.Name.Range] = true
				case *ast.Lap:
					own[line.Name.Range] = !first
					first = false
				}
			}
		}
	}
}

// shared reports whether a symbol is one that a file declares outside of its variants, to use it or
// for other files.
func shared(s *bind.Symbol) bool {
	switch s.Kind {
	case bind.DefinitionName, bind.ProcedureName:
		return s.Of == ""
	case bind.PositionName, bind.StrategyName:
		return true
	}
	return false
}
