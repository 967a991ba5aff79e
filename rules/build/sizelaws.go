package build

import (
	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/rules/bind"
)

// forEverySize reports whether such a property can be claimed for every size of the board.
func forEverySize(p ast.Property) bool {
	switch p := p.(type) {
	case *ast.Reach:
		return p.Kind != "reachable" && p.Within == nil
	case *ast.Terminates:
		return p.Within == nil
	case *ast.EveryStep:
		return !p.All
	}
	return false
}

// parts lists what in the property must not depend on the size in other ways than the rules may. A
// side of an equation that is a number may be any sum of products with the size: it is compared for
// more sizes than it has powers.
func (i *Instance) parts() []ast.Node {
	equation := i.equation()
	if equation == nil {
		return []ast.Node{i.Claim.ast.Property}
	}
	var list []ast.Node
	for _, side := range []ast.Expr{equation.L, equation.R} {
		if _, ok := i.degree(side); !ok { // what is a polynomial is compared
			list = append(list, side)
		}
	}
	return list
}

// equation returns the condition of an invariant that two numbers are equal, or nil.
func (i *Instance) equation() *ast.Binary {
	reach, is := i.Claim.ast.Property.(*ast.Reach)
	if !is || reach.Kind != "invariant" {
		return nil
	}
	if b, is := reach.Target.(*ast.Binary); is && b.Op == "=" {
		return b
	}
	return nil
}

// greatDegree bounds the powers of the size in a number.
const greatDegree = 8

// degree returns the greatest power of the size in a number that is made of numbers and parameters
// by sums, differences and products. ok is false for other expressions.
func (i *Instance) degree(x ast.Expr) (d int, ok bool) {
	switch x := x.(type) {
	case *ast.Int:
		return 0, true
	case *ast.Paren:
		return i.degree(x.X)
	case *ast.Unary:
		d, ok = i.degree(x.X)
		return d, ok && x.Op == "-"
	case *ast.Name:
		if i.Claim.unit.bound[i.Claim.variant].Ref(x, true).Kind != bind.ParamName {
			return 0, false
		}
		if x.Name == i.Size {
			return 1, true
		}
		for _, p := range i.System.Params {
			if p.Name == x.Name {
				return 0, !p.Bool
			}
		}
	case *ast.Binary:
		l, ok := i.degree(x.L)
		r, also := i.degree(x.R)
		switch ok = ok && also; x.Op {
		case "+", "-":
			return max(l, r), ok
		case "*":
			return l + r, ok && l+r <= greatDegree
		}
	}
	return 0, false
}
