package rules

import (
	"strconv"

	"github.com/mancheck/mancheck/dsl/num"
)

// Apply computes l op r. The error is num.ErrZero, or num.ErrRange if the result is out of range.
// Truth values are 0 and 1.
func Apply(op Op, l, r int) (int, error) {
	switch op {
	case Or:
		return truth(l != 0 || r != 0), nil
	case And:
		return truth(l != 0 && r != 0), nil
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
	return truth(compare(op, l, r)), nil
}

func ranged(v int, ok bool) (int, error) {
	if !ok {
		return 0, num.ErrRange
	}
	return v, nil
}

func truth(b bool) int {
	if b {
		return 1
	}
	return 0
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

// ValueName returns a value of the variable in readable form: the name of a pit, player or
// enumeration value, true or false, none, or a number. A value without a name is written as a
// number.
func ValueName(sys *System, x *Var, v int) string {
	names := func(n int, name func(int) string) string {
		switch {
		case v == None:
			return "none"
		case v >= 0 && v < n:
			return name(v)
		}
		return strconv.Itoa(v)
	}
	switch x.Kind {
	case BoolVar:
		return strconv.FormatBool(v != 0)
	case PitVar:
		return names(len(sys.Pits), func(i int) string { return sys.Pits[i].Name })
	case PlayerVar:
		return names(len(sys.Players), func(i int) string { return sys.Players[i] })
	case EnumVar:
		return names(len(x.Enum), func(i int) string { return x.Enum[i] })
	}
	return strconv.Itoa(v)
}
