package rules

import "strconv"

// Apply computes l op r; it fails only for a division by zero. Truth values are 0 and 1.
func Apply(op Op, l, r int) (v int, ok bool) {
	switch op {
	case Or:
		return truth(l != 0 || r != 0), true
	case And:
		return truth(l != 0 && r != 0), true
	case Add:
		return l + r, true
	case Sub:
		return l - r, true
	case Mul:
		return l * r, true
	case Min:
		return min(l, r), true
	case Max:
		return max(l, r), true
	case Div, Mod:
		return divide(op, l, r)
	}
	return truth(compare(op, l, r)), true
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

// divide rounds to minus infinity, where Go rounds to zero.
func divide(op Op, l, r int) (int, bool) {
	if r == 0 {
		return 0, false
	}
	q, m := l/r, l%r
	if m != 0 && (m < 0) != (r < 0) {
		q, m = q-1, m+r
	}
	if op == Div {
		return q, true
	}
	return m, true
}

// ValueName is a value of the variable as people write it: the name of a pit, player or enumeration value, true or
// false, none, or a number. A value that has no name is written as a number.
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
