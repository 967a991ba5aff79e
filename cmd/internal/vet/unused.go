package vet

import (
	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules/bind"
)

// unused reports parameters, groups, laps, relations, definitions, procedures, positions and
// strategies of a file that nothing uses. Giving a parameter a value is no use of it. A file
// without claims may declare boards, definitions, procedures, positions and strategies for other
// files.
func unused(l *look) {
	own := map[diag.Range]bool{} // what variants have to use or, in a file with claims, boards
	claims := len(l.Unit.Claims) > 0
	for _, decl := range l.Root.Decls {
		switch d := decl.(type) {
		case *ast.Variant:
			for _, item := range d.Items {
				ownName(item, own)
			}
		case *ast.Board:
			if claims {
				ownName(d, own)
			}
		}
	}
	for _, s := range l.Unit.Bound.Symbols.All {
		for _, at := range s.Decls {
			if at.File == l.Path && !s.Read() && (own[at] || claims && shared(s)) {
				l.nothingUses(at, s.Kind.String(), s.Name)
			}
		}
	}
}

func (l *look) nothingUses(at diag.Range, what, name string) {
	if l.found.Diags.HasErrors() {
		return // what uses it may be where the mistake is
	}
	l.warn(diag.Unused, at, "nothing uses the %s `%s`", what, name).WithHelp("use it, or leave it out")
}

// ownName adds the places where an item declares what has to be used. The first lap of a board is
// always used: it is the order in which boards are compared and written.
func ownName(item ast.Item, own map[diag.Range]bool) {
	switch item := item.(type) {
	case *ast.Param:
		own[item.Name.Range] = true
	case *ast.Define:
		own[item.Name.Range] = true
	case *ast.Procedure:
		own[item.Name.Range] = true
	case *ast.Board:
		for _, p := range item.Params {
			own[p.Name.Range] = true
		}
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
