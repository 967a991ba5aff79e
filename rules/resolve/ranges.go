package resolve

import (
	"slices"

	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/rules"
)

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
