package term

import (
	"slices"

	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/rules"
)

// Extent returns an interval that has all values of a number, in any state of the right shape. What
// is in a pit has no upper bound, as a position may have more seeds than the setup.
func (s *Scope) Extent(x rules.Expr) num.Interval {
	switch x := any(x).(type) { // of others nothing is known
	case rules.Const:
		return num.Point(x.Value)
	case rules.Sum:
		return num.AtLeast(0)
	case rules.Cell:
		switch x.Sort {
		case rules.PitCell:
			return num.AtLeast(0)
		case rules.VarCell:
			out := num.Interval{Lo: num.Inf, Hi: -num.Inf}
			for _, slot := range x.Slots(0) {
				domain := s.Sys.Vars[slot].Domain
				out = out.Hull(num.Range(slices.Min(domain), slices.Max(domain)))
			}
			return out
		}
	case rules.Lookup:
		if x.Table.Kind == rules.IndexOf && len(x.Table.Of) > 0 {
			return num.Range(slices.Min(x.Table.Of), slices.Max(x.Table.Of))
		}
	case rules.Cond:
		return s.Extent(x.Then).Hull(s.Extent(x.Else))
	case rules.Binary:
		return rules.ApplyAll(x.Op, s.Extent(x.L), s.Extent(x.R))
	}
	return num.Anything
}
