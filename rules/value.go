package rules

import (
	"slices"
	"strconv"

	"github.com/mancheck/mancheck/dsl/num"
)

// Apply computes l op r. The error is num.ErrZero, or num.ErrRange if the result is out of range.
// Truth values are 0 and 1.
func Apply(op Op, l, r int) (int, error) {
	switch op {
	case Or:
		return num.Truth(l != 0 || r != 0), nil
	case And:
		return num.Truth(l != 0 && r != 0), nil
	case Add:
		return ranged(num.Add(l, r))
	case Sub:
		return ranged(num.Sub(l, r))
	case Mul:
		return ranged(num.Mul(l, r))
	case Min:
		return min(l, r), nil
	case Max:
		return max(l, r), nil
	case Div, Mod:
		return divide(op, l, r)
	}
	return num.Truth(compare(op, l, r)), nil
}

func ranged(v int, ok bool) (int, error) {
	if !ok {
		return 0, num.ErrRange
	}
	return v, nil
}

func compare(op Op, l, r int) bool {
	switch op {
	case Eq:
		return l == r
	case Ne:
		return l != r
	case Lt:
		return l < r
	case Le:
		return l <= r
	case Gt:
		return l > r
	default:
		return l >= r
	}
}

func divide(op Op, l, r int) (int, error) {
	switch {
	case r == 0:
		return 0, num.ErrZero
	case op == Div:
		return num.Div(l, r), nil
	}
	return num.Mod(l, r), nil
}

// ApplyAll returns an interval that holds l op r for all numbers of two intervals, for an operator
// on numbers. Only a division by one positive number bounds anything.
func ApplyAll(op Op, l, r num.Interval) num.Interval {
	positive := r.IsPoint() && r.Lo > 0
	switch {
	case op == Add:
		return l.Plus(r)
	case op == Sub:
		return l.Minus(r)
	case op == Mul:
		return l.Times(r)
	case op == Min:
		return num.Interval{Lo: min(l.Lo, r.Lo), Hi: min(l.Hi, r.Hi)}
	case op == Max:
		return num.Interval{Lo: max(l.Lo, r.Lo), Hi: max(l.Hi, r.Hi)}
	case op == Div && positive:
		return l.Div(r.Lo)
	case op == Mod && positive:
		return l.Mod(r.Lo)
	}
	return num.Anything
}

// ValueName returns a value of a type in readable form: the name of a pit, player, outcome or
// enumeration value, true or false, none, or a number. A value without a name is written as a
// number.
func (s *System) ValueName(t Type, v int) string {
	switch {
	case v == None && t.namesNone():
		return "none"
	case !s.isNamed(t, v):
		return strconv.Itoa(v)
	}
	switch t {
	case TruthType:
		return strconv.FormatBool(v != 0)
	case PitType:
		return s.Pits[v].Name
	case PlayerType:
		return s.Players[v]
	case OutcomeType:
		return s.OutcomeName(v)
	}
	e, _ := t.Enum()
	return s.Enums[e][v]
}

// Leader returns the player with the greatest of some scores, or None if several have it.
func Leader(scores []int) int {
	top := slices.Max(scores)
	if first := slices.Index(scores, top); !slices.Contains(scores[first+1:], top) {
		return first
	}
	return None
}
