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
)

// Unused reports parameters, groups, laps, relations, definitions, procedures, positions and
// strategies of a file that nothing uses, in the file or in what it shares with its imports. Giving
// a parameter a value is no use of it. A file without claims may declare definitions, procedures,
// positions and strategies for other files.
func Unused(f *ast.File, imports []*ast.File) diag.List {
	names := names{}
	for _, d := range shared(f, imports) {
		names.use(d)
	}
	var diags diag.List
	report := func(kind string, name ast.Ident) {
		if !names[name.Name] {
			diags.Warnf(diag.Unused, name.Range, "nothing uses the %s `%s`", kind, name.Name).
				WithHelp("use it, or leave it out")
		}
	}
	claims := false
	for _, decl := range f.Decls {
		_, is := decl.(*ast.Claim)
		claims = claims || is
	}
	for _, decl := range f.Decls {
		switch d := decl.(type) {
		case *ast.Variant:
			declared(d, report)
		case *ast.Define:
			if claims {
				report("definition", d.Name)
			}
		case *ast.Procedure:
			if claims {
				report("procedure", d.Name)
			}
		case *ast.Position:
			if claims {
				report("position", d.Name)
			}
		case *ast.Strategy:
			if claims {
				report("strategy", d.Name)
			}
		}
	}
	return diags
}

// declared reports unused parameters, definitions and procedures of a variant, and unused names of
// its board.
func declared(v *ast.Variant, report func(kind string, name ast.Ident)) {
	for _, item := range v.Items {
		switch item := item.(type) {
		case *ast.Param:
			report("parameter", item.Name)
		case *ast.Define:
			report("definition", item.Name)
		case *ast.Procedure:
			report("procedure", item.Name)
		case *ast.Board:
			drawn(item, report)
		}
	}
}

// drawn reports unused names of a board. The first lap is always used: it is the order in which
// boards are compared and written.
func drawn(b *ast.Board, report func(kind string, name ast.Ident)) {
	first := true
	for _, line := range b.Lines {
		switch line := line.(type) {
		case *ast.Group:
			report("group", line.Name)
		case *ast.Facing:
			report("relation", line.Name)
		case *ast.Lap:
			if !first {
				report("lap", line.Name)
			}
			first = false
		}
	}
}

// names has every name that is used somewhere. A name that hides another counts as a use of both,
// so some unused names are not found, but no used one is reported.
type names map[string]bool

// use collects the names in a declaration, except those that a node declares or sets.
func (used names) use(decl ast.Decl) {
	declared := map[*ast.Ident]bool{}
	ast.Inspect(decl, func(n ast.Node) bool {
		if name := declaredBy(n); name != nil {
			declared[name] = true
		}
		switch n := n.(type) {
		case *ast.Ident:
			used[n.Name] = used[n.Name] || !declared[n]
		case *ast.Name:
			used[n.Name] = true
		case *ast.Each:
			used[n.Name] = true
		}
		return true
	})
}

// shared lists the declarations that use names of the variants of f: its own, and the boards,
// definitions and procedures of the files that it imports, because the names in these have the
// meaning that f gives them.
func shared(f *ast.File, imports []*ast.File) []ast.Decl {
	list := f.Decls
	for _, other := range imports {
		if other == f {
			continue
		}
		for _, d := range other.Decls {
			switch d.(type) {
			case *ast.Board, *ast.Define, *ast.Procedure:
				list = append(list[:len(list):len(list)], d)
			}
		}
	}
	return list
}

// declaredBy returns the name that a node declares or sets, or nil.
func declaredBy(n ast.Node) *ast.Ident {
	switch n := n.(type) {
	case *ast.Param:
		return &n.Name
	case *ast.Group:
		return &n.Name
	case *ast.Lap:
		return &n.Name
	case *ast.Facing:
		return &n.Name
	case *ast.Define:
		return &n.Name
	case *ast.Procedure:
		return &n.Name
	case *ast.Position:
		return &n.Name
	case *ast.Strategy:
		return &n.Name
	case *ast.ParamRange:
		return &n.Name
	case *ast.ForAll:
		return &n.Name
	case *ast.ForSome:
		return &n.Name
	}
	return nil
}
