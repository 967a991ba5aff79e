package laws

import (
	"reflect"
	"slices"

	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/abstract"
)

// Loops proposes ranks that the rounds of loops lower, without repetitions: one for each loop of the
// rules for which one is found.
func Loops(sys *rules.System) (ranks [][][]int) {
	eachBody(sys, func(run body) {
		run(func(s rules.Stmt, head *abstract.Env) {
			w, is := s.(rules.While)
			if !is {
				return
			}
			round := func(see abstract.Seer) bool { return head.Assume(w.Cond, true).Run(w.Body, see) != nil }
			rank := rankOf(sys, func(f func(body)) { f(round) }, true)
			if rank != nil && !slices.ContainsFunc(ranks, func(r [][]int) bool { return reflect.DeepEqual(r, rank) }) {
				ranks = append(ranks, rank)
			}
		})
	})
	return ranks
}

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
