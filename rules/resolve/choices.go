package resolve

import (
	"strconv"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/rules"
)

// options lists the ways to make a choice. They must not depend on the state.
func (c choosing) options(ch *ast.Choice) []option {
	if given := ch.Options(); given != nil {
		var list []option
		for _, o := range given {
			list = append(list, c.option(ch, o))
		}
		return list
	}
	v := c.env.domain(ch.Set)
	switch v.typ.kind {
	case kRange:
		return c.rangeOptions(ch, v)
	case kList:
		var list []option
		for _, x := range v.list {
			list = append(list, option{value: c.chosen(ch, x), text: c.env.text(x)})
		}
		return list
	}
	return c.pitOptions(ch, c.env.asSet(v, ch.Set.Span()))
}

// option resolves one option that is written out.
func (c choosing) option(ch *ast.Choice, o ast.Option) option {
	v := c.chosen(ch, c.env.expr(o.Value))
	out := option{value: v, text: c.env.text(v)}
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
func (c choosing) chosen(ch *ast.Choice, v value) value {
	if v.typ.kind == kSet && c.env.onePit(v) {
		v = pitValue(c.env.asPit(v, ch.Range))
	}
	ent, ok := c.env.made[c.env.bound.Symbol(ch.Name.Name)]
	if v.typ.kind == kEnumName && ok && ent.kind == entVar {
		t := c.env.vars[ent.index].typ
		v = value{typ: t, x: c.env.asType(t, v, ch.Range)}
	}
	if v.typ.kind == kEnumName {
		v = c.env.lonelyName(v, ch.Range)
	}
	if _, ok := constOf(v.x); !ok && (v.typ.kind != kLap || v.x != nil) {
		c.env.diags.Errorf(diag.NotConstant, ch.Range, "the set of choices must be known before play").
			WithHelp("choose from a fixed set and restrict it with `where`")
		return bad
	}
	return v
}

// pitOptions lists the members of a set as options, each with the condition of its membership.
func (c choosing) pitOptions(ch *ast.Choice, s setValue) []option {
	var list []option
	for _, m := range s.elems {
		if _, ok := constOf(m.pit); !ok {
			c.env.diags.Errorf(diag.NotConstant, ch.Set.Span(), "the pits to choose from must be known before play").
				WithHelp("choose from a group and restrict it with `where`")
			return nil
		}
		v := pitValue(m.pit)
		list = append(list, option{value: v, text: c.env.text(v), cond: m.cond})
	}
	return list
}

// rangeOptions lists the numbers of a range as options. Where an end depends on play, they are all
// numbers that the range can have, each with the condition that it has it.
func (c choosing) rangeOptions(ch *ast.Choice, v value) []option {
	lo, hi := c.env.extent(v.lo).Lo, c.env.extent(v.hi).Hi
	_, below := constOf(v.lo)
	_, above := constOf(v.hi)
	switch {
	case !(below && above) && c.goes:
		c.env.diags.Errorf(diag.NotConstant, ch.Set.Span(), "the ends of this range must be known before play, because the move can go on").
			WithHelp("choose from a fixed range and restrict it with `where`")
		return nil
	case lo == -num.Inf || hi == num.Inf:
		d := c.env.diags.Errorf(diag.NotConstant, ch.Set.Span(), "it must be known before play between which numbers this range lies")
		d.WithHelp("write `choose %s in 1..6 where …`, or an end such as `min(6, …)`", ch.Name.Name)
		return nil
	case hi-lo >= maxActions:
		c.env.diags.Errorf(diag.TooBig, ch.Set.Span(), "%d values to choose from", hi-lo+1)
		return nil
	}
	var list []option
	for n := lo; n <= hi; n++ {
		o := option{value: number(rules.Number(n)), text: strconv.Itoa(n)}
		is := rules.Join(rules.And,
			simple(rules.Binary{Op: rules.Ge, L: rules.Number(n), R: v.lo}), simple(rules.Binary{Op: rules.Le, L: rules.Number(n), R: v.hi}))
		switch is {
		case rules.False:
			continue
		case rules.True:
		default:
			o.cond = is
		}
		list = append(list, o)
	}
	return list
}
