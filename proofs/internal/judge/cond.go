package judge

import (
	"slices"

	"github.com/mancheck/mancheck/dsl/ast"
)

// conditional is `E if C else F`, of which only one branch is evaluated. Beside a number a pit is
// its seeds. Which of two laps it is, only play knows.
func (e *scope) conditional(x *ast.Cond) value {
	taken, other := x.Then, x.Else
	if !e.cond(x.If) {
		taken, other = other, taken
	}
	v := e.expr(taken)
	switch {
	case v.kind == listKind && len(v.list) == 0:
		return setOf(nil)
	case v.pitLike() && e.numeric(other):
		return number(e.asInt(v))
	case v.kind == pitKind && v.i == none && e.isPlayer(other):
		return v.player()
	case v.kind == lapKind:
		v.played = true
	}
	return v
}

// numeric tells whether an expression is a number. It evaluates nothing that may meet a fault.
func (e *scope) numeric(x ast.Expr) bool {
	switch x := x.(type) {
	case *ast.Int:
		return true
	case *ast.Paren:
		return e.numeric(x.X)
	case *ast.Unary:
		return x.Op == "-" || x.Op == "old" && e.numeric(x.X)
	case *ast.Cond:
		return e.numeric(x.Then) || e.numeric(x.Else)
	case *ast.Quant:
		return x.Kind == "number"
	case *ast.Binary:
		switch x.Op {
		case "-", "*", "div", "mod":
			return true
		case "+":
			return e.numeric(x.L) || e.numeric(x.R)
		}
	case *ast.Name:
		if l := e.find(x.Name); l != nil {
			return l.v.kind == intKind
		}
		return x.Name == "empty" || e.numericName(x.Name)
	case *ast.Call:
		functions := []string{"total", "seeds", "index", "min", "max"}
		return slices.Contains(functions, x.Func.Name) || e.find(x.Func.Name) == nil && e.numericName(x.Func.Name)
	}
	return false
}

// isPlayer tells whether an expression that has a value is a player.
func (e *scope) isPlayer(x ast.Expr) bool {
	var v value
	fine := e.readable(func() { v = e.expr(x) })
	return fine && v.kind == playerKind
}

// numericName tells whether a parameter, a variable or a definition is a number.
func (e *scope) numericName(name string) bool {
	if v, is := e.g.params[name]; is {
		return v.kind == intKind
	}
	if d := e.g.decls[name]; d != nil {
		for _, slot := range d.slot {
			return e.g.slots[slot].kind == intKind
		}
	}
	if d := e.definition(name); d != nil {
		c := *e
		c.def, c.names = d, nil
		for _, p := range d.Params {
			c.names = &local{name: p.Name.Name, v: unread(p.Sort.Name), outer: c.names}
		}
		return c.numeric(d.Value)
	}
	return false
}

// unread is a value of a sort, of which only the kind matters.
func unread(sort string) value {
	if sort == "number" {
		return number(num{})
	}
	return pitOf(none)
}
