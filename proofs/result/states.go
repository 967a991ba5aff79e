package result

import (
	"slices"

	"github.com/mancheck/mancheck/rules"
)

// Distinct sorts states and leaves each once, in place.
func Distinct(list []rules.State) []rules.State {
	slices.SortFunc(list, rules.State.Compare)
	return slices.CompactFunc(list, rules.State.Equal)
}

// SameStates reports whether two lists have the same states, in any order and number.
func SameStates(l, r []rules.State) bool {
	return slices.EqualFunc(Distinct(slices.Clone(l)), Distinct(slices.Clone(r)), rules.State.Equal)
}
