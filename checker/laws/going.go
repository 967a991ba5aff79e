package laws

import (
	"slices"

	"github.com/mancheck/mancheck/rules"
)

// Going proposes the variable that holds the pit from which a player has to go on: the first one
// that guards of moves compare with pits. It returns the variable's name, or "".
func Going(sys *rules.System) string {
	var asked []int
	for i := range sys.Actions {
		rules.Walk(sys.Actions[i].Guard, func(x rules.Expr) bool {
			b, is := x.(rules.Binary)
			c, isCell := b.L.(rules.Cell)
			if is && b.Op == rules.Eq && isCell && c.Sort == rules.VarCell && c.Index == nil && sys.Vars[c.Slot].Type == rules.PitType {
				asked = append(asked, c.Slot)
			}
			return true
		})
	}
	if len(asked) == 0 {
		return ""
	}
	return sys.Vars[slices.Min(asked)].Name
}
