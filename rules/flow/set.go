package flow

import "slices"

// set is the values that a cell or an expression may have.
type set struct {
	any bool
	of  []int // in increasing order; nothing if any
}

// most is how many values a set lists.
const most = 256

var anything = set{any: true}

func one(v int) set { return set{of: []int{v}} }

func listed(values []int) set {
	slices.Sort(values)
	values = slices.Compact(values)
	if len(values) > most {
		return anything
	}
	return set{of: values}
}

func (s set) empty() bool { return !s.any && len(s.of) == 0 }

func (s set) has(v int) bool {
	_, found := slices.BinarySearch(s.of, v)
	return s.any || found
}

func (s set) union(t set) set {
	switch {
	case s.any || t.any:
		return anything
	case len(t.of) == 0:
		return s
	case len(s.of) == 0:
		return t
	}
	return listed(slices.Concat(s.of, t.of))
}

// among returns the members among the given values.
func (s set) among(values []int) set {
	return set{of: slices.DeleteFunc(slices.Clone(values), func(v int) bool { return !s.has(v) })}
}

func (s set) equal(t set) bool { return s.any == t.any && slices.Equal(s.of, t.of) }
