package resolve

import (
	"slices"
	"strconv"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/rules"
)

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

// extent returns an interval that has all values of a number, in any state of the right shape. What
// is in a pit has no upper bound, as a position may have more seeds than the setup.
func (s *scope) extent(x rules.Expr) num.Interval {
	switch x := any(x).(type) { // of others nothing is known
	case rules.Const:
		return num.Point(x.Value)
	case rules.Sum:
		return num.AtLeast(0)
	case rules.Cell:
		return s.extentOfCell(x)
	case rules.Lookup:
		if x.Table.Kind == rules.IndexOf && len(x.Table.Of) > 0 {
			return num.Range(slices.Min(x.Table.Of), slices.Max(x.Table.Of))
		}
	case rules.Cond:
		return s.extent(x.Then).Hull(s.extent(x.Else))
	case rules.Binary:
		return rules.ApplyAll(x.Op, s.extent(x.L), s.extent(x.R))
	}
	return num.Anything
}

// extentOfCell is that of what a cell holds.
func (s *scope) extentOfCell(x rules.Cell) num.Interval {
	switch x.Sort {
	case rules.PitCell:
		return num.AtLeast(0)
	case rules.VarCell:
		out := num.Interval{Lo: num.Inf, Hi: -num.Inf}
		for _, slot := range x.Slots(0) {
			domain := s.sys.Vars[slot].Domain
			out = out.Hull(num.Range(slices.Min(domain), slices.Max(domain)))
		}
		return out
	}
	return num.Anything
}
