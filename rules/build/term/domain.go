package term

import (
	"iter"
	"slices"

	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
)

// Turn is one of the values that a name of a loop or quantifier goes through. It takes part only
// where its condition holds.
type Turn struct {
	Value Value
	Cond  rules.Expr
}

// playerList returns the players in their order, as a list.
func playerList(e Env, at diag.Range) Value {
	out := Value{Type: Type{Kind: ListKind}}
	if !e.Game.TwoPlayers() {
		e.Game.Run.Diags.Errorf(diag.Misplaced, at, "a solitaire has no players")
	}
	out.List = lists.Map(num.Run(0, len(e.Game.Sys.Players)), func(player int) Value { return Value{Type: Type{Kind: PlayerKind}, X: rules.FixedPlayer(player)} })
	return out
}

// FixedTurns returns the values of a range or list. ok is false for sets of pits. The values of a
// range are produced one at a time: nested loops have a range each, of up to a million values.
func FixedTurns(e Env, v Value, at diag.Range) (turns iter.Seq[Turn], ok bool) {
	switch {
	case v.Type.Kind == RangeKind:
		return rangeTurns(e, v, at), true
	case v.Type.Kind == ListKind && len(v.List) > 0:
		var list []Turn
		for _, x := range v.List {
			if x.Type.Kind == EnumNameKind {
				x = LonelyName(e, x, at)
			}
			list = append(list, Turn{x, rules.True})
		}
		return slices.Values(list), true
	}
	return nil, false
}

// rangeTurns returns the numbers of a range whose ends are known before play. Other ranges are
// reported.
func rangeTurns(e Env, v Value, at diag.Range) iter.Seq[Turn] {
	lo, ok := ConstOf(v.Lo)
	hi, ok2 := ConstOf(v.Hi)
	switch {
	case !ok || !ok2:
		e.Game.Run.Diags.Errorf(diag.NotConstant, at, "the ends of this range must be known before play")
		return slices.Values[[]Turn](nil)
	case hi >= lo && hi-lo >= maxStatements:
		e.Game.Run.Diags.Errorf(diag.TooBig, at, "a name that goes through %d numbers", hi-lo+1)
		return slices.Values[[]Turn](nil)
	}
	return func(yield func(Turn) bool) {
		for n := lo; n <= hi; n++ {
			if e.Game.Run.Spend(1); !yield(Turn{Number(rules.Number(n)), rules.True}) {
				return
			}
		}
	}
}

// PitTurns returns the members of a set.
func PitTurns(members []elem) iter.Seq[Turn] {
	return func(yield func(Turn) bool) {
		for _, m := range members {
			if !yield(Turn{PitValue(m.Pit), m.Cond}) {
				return
			}
		}
	}
}

// fold joins the conditions for each value according to the kind of quantifier: all hold, some
// holds, or the number of those that hold. A value whose own condition does not hold takes no part.
func fold(e Env, kind string, turns iter.Seq[Turn], holds func(Turn) rules.Expr) Value {
	join := map[string]rules.Op{"each": rules.And, "some": rules.Or, "number": rules.Add}[kind]
	acc := rules.Truth(kind == "each")
	if kind == "number" {
		acc = rules.Number(0)
	}
	for m := range turns {
		e.Game.Run.Spend(1)
		h := holds(m)
		switch kind {
		case "number":
			h = Simple(rules.Cond{If: rules.Binary{Op: rules.And, L: m.Cond, R: h}, Then: rules.Number(1), Else: rules.Number(0)})
		case "each":
			h = rules.Join(rules.Or, Simple(rules.Not{X: m.Cond}), h)
		default:
			h = rules.Join(rules.And, m.Cond, h)
		}
		acc = rules.Join(join, acc, h)
	}
	if kind == "number" {
		return Number(acc)
	}
	return truth(acc)
}

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
