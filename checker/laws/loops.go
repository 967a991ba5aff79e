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
