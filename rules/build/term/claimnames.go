package term

import (
	"slices"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/bind"
)

// claimName resolves a name that only claims know: an outcome's label, or else a named position.
// Outcomes with different winners may share a label.
func claimName(e Env, ref bind.Ref, name string, at diag.Range) Value {
	labelled := lists.Where(e.Game.Sys.Outcomes, func(o rules.Outcome) bool { return o.Label == name })
	switch {
	case e.Place != InClaim:
		return e.mistake(diag.Unknown, at, "unknown name `%s`", name)
	case ref.Kind == bind.PositionName:
		return truth(readPosition(e, ref.Symbol.Node.(*ast.Position), at))
	case len(labelled) > 0:
		x := rules.False
		for _, o := range labelled {
			x = rules.Join(rules.Or, x, rules.HasOutcome(o))
		}
		return truth(x)
	}
	return e.Unknown(ref, at)
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

// readPosition resolves a named position to the condition that a state fits it.
func readPosition(e Env, p *ast.Position, at diag.Range) rules.Expr {
	if p.Of != nil && p.Of.Name != e.Game.Variant.Name.Name {
		NotItsPosition(p, e.Game.Variant, at, e.Game.Run.Diags)
		return rules.False
	}
	if slices.Contains(e.inside, p) {
		e.Game.Run.Diags.Errorf(diag.Circular, at, "position `%s` is defined by itself", p.Name.Name)
		return rules.False
	}
	e.inside, e.Locals = append(slices.Clip(e.inside), p), nil // its meaning must not depend on names bound where it is used
	conds := []rules.Expr{}
	if p.Where != nil {
		conds = append(conds, e.Cond(p.Where))
	}
	if p.Picture != nil {
		conds = append(conds, e.Game.PictureCond(p.Picture, false))
		if e.Fitted != nil {
			*e.Fitted = append(*e.Fitted, Fitted{p.Name.Name, at, seedsDrawn(p.Picture)})
		}
	}
	for i := range p.With {
		conds = append(conds, readSetting(e, &p.With[i]))
	}
	return Simple(rules.Conjunction(conds...))
}

// NotItsPosition reports a position that belongs to another variant.
func NotItsPosition(p *ast.Position, v *ast.Variant, at diag.Range, diags *diag.List) {
	diags.Errorf(diag.WhichVariant, at, "position `%s` is one of `%s`, this claim is about `%s`", p.Name.Name, p.Of.Name, v.Name.Name)
}

// readSetting resolves `variable = value` or `mover = player` in a position to a condition.
func readSetting(e Env, s *ast.Setting) rules.Expr {
	l := Bad
	switch ref := e.Ref(&s.Name); {
	case s.Index == nil:
		l = e.Name(&s.Name, s.Name.Range)
	case ref.Kind == bind.VariableName:
		l = e.varValue(*e.Game.Variable(ref.Symbol), s.Index, ref.Name, s.Range)
	default:
		e.Unknown(ref, s.Name.Range)
	}
	return compare(e, rules.Eq, operand{l, s.Name.Range}, operand{e.Expr(s.Value), s.Value.Span()})
}
