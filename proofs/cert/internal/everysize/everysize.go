// Package everysize has conditions on the rules for one board under which a law holds there, and on
// every larger board as well. A larger board has more pits, inserted between the two of a seam. The
// laws are about bodies of moves and reactions, whatever the state is, so none of them depends on
// the starts, or on parameters that are open.
//
//	everysize.go  places in the rules, for messages
//	falling.go    each move lowers a rank
//	growing.go    no statement takes seeds out of some pits
//	total.go      how many seeds the starts have
//
// docs/certificates.md has the arguments.
package everysize

import (
	"fmt"

	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/family"
)

// body is what is carried out in a move, or after one, with its place for messages.
type body struct {
	name  string
	line  int
	stmts []rules.Stmt
}

// why returns the condition that a body does not satisfy, in words.
func (b *body) why(format string, args ...any) string {
	return fmt.Sprintf("%s (line %d) "+format, append([]any{b.name, b.line}, args...)...)
}

// unknown refuses a statement that the conditions were not written for.
func (b *body) unknown() string { return b.why("has a statement of which nothing is known") }

// moves lists the bodies of all actions.
func moves(sys *rules.System) []body {
	var list []body
	for i, a := range sys.Actions {
		list = append(list, body{"the move `" + sys.ActionName(i) + "`", sys.Moves[a.Move].At.Start.Line, a.Body})
	}
	return list
}

// reactions lists the bodies of what follows moves.
func reactions(sys *rules.System) []body {
	var list []body
	for _, r := range sys.Reactions {
		for _, by := range r.By {
			list = append(list, body{"what follows moves", r.At.Start.Line, by.Body})
		}
	}
	return list
}

// notIn returns why the pits of the seams are not outside some pits; nothing if they are.
func notIn(sys *rules.System, seams []family.Seam, sinks []bool) string {
	for _, s := range seams {
		for _, p := range []int{s.X, s.Y} {
			if sinks[p] {
				return fmt.Sprintf("the board grows at `%s`, which is not to lose seeds", sys.Pits[p].Name)
			}
		}
	}
	return ""
}

// pitOf returns the pit that an expression always is, or None.
func pitOf(x rules.Expr) int {
	if k, is := x.(rules.Const); is && k.Type == rules.PitType {
		return k.Value
	}
	return rules.None
}
