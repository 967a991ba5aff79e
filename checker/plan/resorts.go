package plan

import "github.com/mancheck/mancheck/rules"

// LastResorts says which of the actions of a menu are legal only where none is that is no fallback.
// These need no plan: where another one is legal they are not, and elsewhere there are few states.
// There are none if some other fallback, which does not count, may be legal with them.
func LastResorts(sys *rules.System, actions []int32) []bool {
	list := make([]bool, len(actions))
	for i, a := range actions {
		if list[i] = sys.Actions[a].LastResort(); sys.Actions[a].Fallback && !list[i] {
			return make([]bool, len(actions))
		}
	}
	return list
}
