package body

import (
	"strconv"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build/term"
)

// options lists the ways to make a choice. They must not depend on the state.
func (c choosing) options(ch *ast.Choice) []option {
	if given := ch.Options(); given != nil {
		return lists.Map(given, func(o ast.Option) option { return c.option(ch, o) })
	}
	v := c.env.Domain(ch.Set)
	switch v.Type.Kind {
	case term.RangeKind:
		return c.rangeOptions(ch, v)
	case term.ListKind:
		return lists.Map(v.List, func(x term.Value) option { return option{value: c.chosen(ch, x), text: c.env.Game.Text(x)} })
	}
	return c.pitOptions(ch, term.AsSet(c.env, v, ch.Set.Span()))
}

// option resolves one option that is written out.
func (c choosing) option(ch *ast.Choice, o ast.Option) option {
	v := c.chosen(ch, c.env.Expr(o.Value))
	out := option{value: v, text: c.env.Game.Text(v)}
	if n, ok := o.Value.(*ast.Name); ok {
		out.text = n.Name
	}
	if o.Notation != nil {
		out.notation = o.Notation.Text
	}
	if o.Label != nil {
		out.label = o.Label.Text
	}
	return out
}

// chosen resolves what is chosen to a constant. A bare value name gets the type of the state
// variable of the choice's name, and a set with one pit becomes that pit.
func (c choosing) chosen(ch *ast.Choice, v term.Value) term.Value {
	if v.Type.Kind == term.SetKind && term.OnePit(c.env, v) {
		v = term.PitValue(term.AsPit(c.env, v, ch.Range))
	}
	if of := c.env.Game.Variable(c.env.Game.Bound.Symbol(ch.Name.Name)); of != nil && v.Type.Kind == term.EnumNameKind {
		v = term.Value{Type: of.Type, X: term.AsType(c.env, of.Type, v, ch.Range)}
	}
	if v.Type.Kind == term.EnumNameKind {
		v = term.LonelyName(c.env, v, ch.Range)
	}
	if _, ok := term.ConstOf(v.X); !ok && (v.Type.Kind != term.LapKind || v.X != nil) {
		c.env.Game.Run.Diags.Errorf(diag.NotConstant, ch.Range, "the set of choices must be known before play").
			WithHelp("choose from a fixed set and restrict it with `where`")
		return term.Bad
	}
	return v
}

// pitOptions lists the members of a set as options, each with the condition of its membership.
func (c choosing) pitOptions(ch *ast.Choice, s term.PitSet) []option {
	var list []option
	for _, m := range s.Elems {
		if _, ok := term.ConstOf(m.Pit); !ok {
			c.env.Game.Run.Diags.Errorf(diag.NotConstant, ch.Set.Span(), "the pits to choose from must be known before play").
				WithHelp("choose from a group and restrict it with `where`")
			return nil
		}
		v := term.PitValue(m.Pit)
		list = append(list, option{value: v, text: c.env.Game.Text(v), cond: m.Cond})
	}
	return list
}

// rangeOptions lists the numbers of a range as options. Where an end depends on play, they are all
// numbers that the range can have, each with the condition that it has it.
func (c choosing) rangeOptions(ch *ast.Choice, v term.Value) []option {
	lo, hi := c.env.Game.Extent(v.Lo).Lo, c.env.Game.Extent(v.Hi).Hi
	_, below := term.ConstOf(v.Lo)
	_, above := term.ConstOf(v.Hi)
	switch {
	case !(below && above) && c.goes:
		c.env.Game.Run.Diags.Errorf(diag.NotConstant, ch.Set.Span(), "the ends of this range must be known before play, because the move can go on").
			WithHelp("choose from a fixed range and restrict it with `where`")
		return nil
	case lo == -num.Inf || hi == num.Inf:
		d := c.env.Game.Run.Diags.Errorf(diag.NotConstant, ch.Set.Span(), "it must be known before play between which numbers this range lies")
		d.WithHelp("write `choose %s in 1..6 where …`, or an end such as `min(6, …)`", ch.Name.Name)
		return nil
	case hi-lo >= maxActions:
		c.env.Game.Run.Diags.Errorf(diag.TooBig, ch.Set.Span(), "%d values to choose from", hi-lo+1)
		return nil
	}
	var list []option
	for n := lo; n <= hi; n++ {
		o := option{value: term.Number(rules.Number(n)), text: strconv.Itoa(n)}
		is := rules.Join(rules.And,
			term.Simple(rules.Binary{Op: rules.Ge, L: rules.Number(n), R: v.Lo}), term.Simple(rules.Binary{Op: rules.Le, L: rules.Number(n), R: v.Hi}))
		if o.cond = is; is != rules.False {
			list = append(list, o)
		}
	}
	return list
}
