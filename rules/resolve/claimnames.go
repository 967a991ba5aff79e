package resolve

import (
	"slices"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/bind"
)

// claimName resolves a name that only claims know: an outcome's label, or else a named position.
func (e env) claimName(ref bind.Ref, at diag.Range) value {
	if ref.Kind == bind.PositionName {
		return truth(e.position(ref.Symbol.Node.(*ast.Position), at))
	}
	if x, known := e.hasLabel(ref.Name); known {
		return truth(x)
	}
	return e.unknown(ref, at)
}

// outcomeText resolves a text in quotes, which names an outcome.
func (e env) outcomeText(x *ast.Text) value {
	if e.place == inClaim {
		return e.claimName(e.ref(x), x.Range)
	}
	e.diags.Errorf(diag.Unknown, x.Range, "unknown name `%s`", x.Value)
	return bad
}

// Fitted is a drawn position that states have to fit.
type Fitted struct {
	Position string
	At       diag.Range   // where a condition names it
	Seeds    num.Interval // of all its pits
}

// seedsDrawn bounds the seeds of a drawn position. A pit drawn as `_` may hold any number.
func seedsDrawn(p *ast.Picture) num.Interval {
	sum := num.Point(0)
	for _, c := range p.Cells {
		switch {
		case c.Any:
			sum = sum.Plus(num.AtLeast(0))
		case !c.Bar:
			sum = sum.Plus(num.Point(c.Count))
		}
	}
	return sum
}

// position resolves a named position to the condition that a state fits it.
func (e env) position(p *ast.Position, at diag.Range) rules.Expr {
	if p.Of != nil && p.Of.Name != e.variant.Name.Name {
		notItsPosition(p, e.variant, at, e.diags)
		return rules.False
	}
	if slices.Contains(e.inside, p) {
		e.diags.Errorf(diag.Circular, at, "position `%s` is defined by itself", p.Name.Name)
		return rules.False
	}
	e.inside, e.locals = append(slices.Clip(e.inside), p), nil // its meaning must not depend on names bound where it is used
	conds := []rules.Expr{}
	if p.Where != nil {
		conds = append(conds, e.cond(p.Where))
	}
	if p.Picture != nil {
		conds = append(conds, e.pictureCond(p.Picture, false))
		if e.fitted != nil {
			*e.fitted = append(*e.fitted, Fitted{p.Name.Name, at, seedsDrawn(p.Picture)})
		}
	}
	for _, s := range p.With {
		conds = append(conds, e.setting(s))
	}
	return simple(rules.Conjunction(conds...))
}

// notItsPosition reports a position that belongs to another variant.
func notItsPosition(p *ast.Position, v *ast.Variant, at diag.Range, diags *diag.List) {
	diags.Errorf(diag.WhichVariant, at, "position `%s` is one of `%s`, this claim is about `%s`", p.Name.Name, p.Of.Name, v.Name.Name)
}

// setting resolves `variable = value` or `mover = player` in a position to a condition.
func (e env) setting(s ast.Setting) rules.Expr {
	l := bad
	switch ref := e.ref(&s.Name); {
	case s.Index == nil:
		l = e.name(&s.Name, s.Name.Range)
	case ref.Kind == bind.VariableName:
		l = e.varValue(e.vars[e.made[ref.Symbol].index], s.Index, ref.Name, s.Range)
	default:
		e.unknown(ref, s.Name.Range)
	}
	return e.compare(rules.Eq, operand{l, s.Name.Range}, operand{e.expr(s.Value), s.Value.Span()})
}
