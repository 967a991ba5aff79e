package result

import (
	"slices"

	"github.com/mancheck/mancheck/proofs/cert"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/space"
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

// Parts converts the kept parts of states for the certificate checker.
func Parts(k space.Kept) cert.Parts { return cert.Parts{Pits: k.Pits, Vars: k.Vars, Over: k.Over} }
