package resolve

import (
	"iter"
	"slices"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules"
)

// turn is one of the values that a name of a loop or quantifier goes through. If it has a
// condition, it takes part only where that holds.
type turn struct {
	value value
	cond  rules.Expr // nil: always
}

// isPlayers reports whether a domain is the word `player`.
func isPlayers(x ast.Expr) bool {
	n, ok := x.(*ast.Name)
	return ok && n.Name == "player"
}

// playerList returns the players in their order, as a list.
func (e conversions) playerList(at diag.Range) value {
	out := value{typ: typ{kind: kList}}
	if !e.twoPlayers() {
		e.diags.Errorf(diag.Misplaced, at, "a solitaire has no players")
	}
	for i := range e.sys.Players {
		out.list = append(out.list, value{typ: typ{kind: kPlayer}, x: rules.FixedPlayer(i)})
	}
	return out
}

// fixedTurns returns the values of a range or list. ok is false for sets of pits. The values of a
// range are produced one at a time: nested loops have a range each, of up to a million values.
func (e conversions) fixedTurns(v value, at diag.Range) (turns iter.Seq[turn], ok bool) {
	switch {
	case v.typ.kind == kRange:
		return e.rangeTurns(v, at), true
	case v.typ.kind == kList && len(v.list) > 0:
		var list []turn
		for _, x := range v.list {
			if x.typ.kind == kEnumName {
				x = e.lonelyName(x, at)
			}
			list = append(list, turn{value: x})
		}
		return slices.Values(list), true
	}
	return nil, false
}

// rangeTurns returns the numbers of a range whose ends are known before play. Other ranges are
// reported.
func (e conversions) rangeTurns(v value, at diag.Range) iter.Seq[turn] {
	lo, ok := constOf(v.lo)
	hi, ok2 := constOf(v.hi)
	switch {
	case !ok || !ok2:
		e.diags.Errorf(diag.NotConstant, at, "the ends of this range must be known before play")
		return slices.Values[[]turn](nil)
	case hi >= lo && hi-lo >= maxStatements:
		e.diags.Errorf(diag.TooBig, at, "a name that goes through %d numbers", hi-lo+1)
		return slices.Values[[]turn](nil)
	}
	return func(yield func(turn) bool) {
		for n := lo; n <= hi; n++ {
			if e.spend(1); !yield(turn{value: number(rules.Number(n))}) {
				return
			}
		}
	}
}

// pitTurns returns the members of a set.
func pitTurns(members []elem) iter.Seq[turn] {
	return func(yield func(turn) bool) {
		for _, m := range members {
			if !yield(turn{pitValue(m.pit), m.cond}) {
				return
			}
		}
	}
}

// fold joins the conditions for each value according to the kind of quantifier: all hold, some
// holds, or the number of those that hold. A value whose own condition does not hold takes no part.
func (e conversions) fold(kind string, turns iter.Seq[turn], holds func(turn) rules.Expr) value {
	join := map[string]rules.Op{"each": rules.And, "some": rules.Or, "number": rules.Add}[kind]
	acc := rules.Truth(kind == "each")
	if kind == "number" {
		acc = rules.Number(0)
	}
	for m := range turns {
		e.spend(1)
		h := holds(m)
		switch {
		case kind == "number" && m.cond != nil:
			h = simple(rules.Cond{If: rules.Binary{Op: rules.And, L: m.cond, R: h}, Then: rules.Number(1), Else: rules.Number(0)})
		case kind == "number":
			h = simple(rules.Cond{If: h, Then: rules.Number(1), Else: rules.Number(0)})
		case m.cond != nil && kind == "each":
			h = rules.Join(rules.Or, simple(rules.Not{X: m.cond}), h)
		case m.cond != nil:
			h = rules.Join(rules.And, m.cond, h)
		}
		acc = rules.Join(join, acc, h)
	}
	if kind == "number" {
		return number(acc)
	}
	return truth(acc)
}
