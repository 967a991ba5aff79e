package build

import (
	"slices"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/bind"
	"github.com/mancheck/mancheck/rules/build/board"
)

// everySize reads `for all n >= k`. The instance is resolved for k, and AtSize makes those of the
// other sizes.
func (c *Claim) everySize(cl *ast.ForAll, inst *Instance, diags *diag.List) {
	size := cl.Name.Name
	wrong := func(at diag.Range, format string, args ...any) *diag.Diagnostic {
		return diags.Errorf(diag.BadClause, at, format, args...)
	}
	if !hasParam(c.variant, cl.Name, diags) {
		return
	}
	for _, p := range ast.All[*ast.Param](c.variant) {
		switch {
		case p.Name.Name != size:
		case !c.unit.bound[c.variant].IsSize(size):
			wrong(cl.Name.Range, "`%s` does not decide how many pits there are", size).WithHelp("write `for all %s`", size)
			return
		case p.Hi != nil:
			wrong(cl.Range, "`%s` has an upper end", size).WithHelp("write a range without it, as `param %s = 3 in 3..` has, or `for %s in a..b`", size, size).
				WithNote(p.Range, "declared here")
			return
		}
	}
	switch old, set := inst.Settings[size]; {
	case set:
		wrong(cl.Range, "`%s` is set already", size).WithNote(old.At, "here")
		return
	case !forEverySize(c.ast.Property) || c.ast.Negated:
		wrong(cl.Range, "only `unreachable E`, `invariant E`, `terminates` and `from E every step gives F` can be claimed for every size")
		return
	case c.following != nil || c.begin != nil || c.list != nil:
		wrong(cl.Range, "a claim about every size has no strategy, position or file of boards")
		return
	}
	for _, other := range c.ast.Clauses {
		switch other.(type) {
		case *ast.With, *ast.ForIn, *ast.Bound:
			if slices.Contains(bind.NamesIn(other), size) {
				wrong(other.Span(), "this depends on `%s`, which stands for every size", size)
				return
			}
		case *ast.ForSome:
			wrong(other.Span(), "a claim about every size takes no `for some`")
			return
		}
	}
	least := c.eval(cl.From, inst.Settings, nil, diags)
	inst.Size = size
	inst.Settings[size] = board.Value{N: least, At: cl.From.Span()}
}

// upward marks the size in a System of the instance.
func (i *Instance) upward(sys *rules.System) *rules.System {
	if i.Size == "" {
		return sys
	}
	marked := *sys
	marked.Params = slices.Clone(sys.Params)
	for k := range marked.Params {
		marked.Params[k].Upward = marked.Params[k].Name == i.Size
	}
	return &marked
}

// forEverySize reports whether such a property can be claimed for every size of the board.
func forEverySize(p ast.Property) bool {
	switch p := any(p).(type) { // most cannot
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
