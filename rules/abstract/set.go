package abstract

import "slices"

// Set is a set of possible values of an expression. With Any nothing is known; otherwise Values
// lists the members in increasing order. Sets are never changed in place.
type Set struct {
	Any    bool
	Values []int
}

// Anything is the set of which nothing is known.
var Anything = Set{Any: true}

// Of returns the set of these values.
func Of(values ...int) Set {
	if len(values) == 1 {
		return Set{Values: []int{values[0]}}
	}
	sorted := slices.Clone(values)
	slices.Sort(sorted)
	return Set{Values: slices.Compact(sorted)}
}

// Has reports whether v may be a member.
func (s Set) Has(v int) bool {
	if s.Any {
		return true
	}
	_, found := slices.BinarySearch(s.Values, v)
	return found
}

// Empty reports whether there is no member: the expression is never evaluated.
func (s Set) Empty() bool { return !s.Any && len(s.Values) == 0 }

// Single returns the only member, if there is exactly one.
func (s Set) Single() (value int, ok bool) {
	if s.Any || len(s.Values) != 1 {
		return 0, false
	}
	return s.Values[0], true
}

// Union returns the set of the members of either.
func (s Set) Union(t Set) Set {
	if s.Any || t.Any {
		return Anything
	}
	if s.Equal(t) || t.Empty() {
		return s
	}
	l, r := s.Values, t.Values
	both := make([]int, 0, len(l)+len(r))
	for len(l) > 0 && len(r) > 0 {
		least := min(l[0], r[0])
		both = append(both, least)
		if l[0] == least {
			l = l[1:]
		}
		if r[0] == least {
			r = r[1:]
		}
	}
	return Set{Values: append(append(both, l...), r...)}
}

// Intersect returns the set of the members of both.
func (s Set) Intersect(t Set) Set {
	if s.Any {
		return t
	}
	if t.Any {
		return s
	}
	return s.Filter(t.Has)
}

// Filter keeps the members that pass. Anything stays Anything.
func (s Set) Filter(keep func(int) bool) Set {
	if s.Any {
		return s
	}
	var out Set
	for _, v := range s.Values {
		if keep(v) {
			out.Values = append(out.Values, v)
		}
	}
	return out
}

// Within reports whether every member is one of values. Anything is within nothing.
func (s Set) Within(values []int) bool {
	return !s.Any && !slices.ContainsFunc(s.Values, func(v int) bool { return !slices.Contains(values, v) })
}

// Equal reports whether s and t are the same set.
func (s Set) Equal(t Set) bool { return s.Any == t.Any && slices.Equal(s.Values, t.Values) }
