package claim

import (
	"github.com/mancheck/mancheck/checker/value"
	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/abstract"
	"github.com/mancheck/mancheck/rules/build"
)

// worth1 returns bounds for the value of one position, to the first player.
func worth1(lo, hi int) verdict.Worth {
	return verdict.Worth{Player: value.First, Lo: lo, Hi: hi, Positions: 1}
}

// Package verdict must use the same numbers for a missing bound as package value. The index is out
// of range at compile time if it does not.
var _ = [1]int{}[value.NoLower-verdict.NoLower+value.NoUpper-verdict.NoUpper]

// worthTo turns a value for the first player into one for the given player.
func worthTo(w verdict.Worth, player int) verdict.Worth {
	if player == value.Second {
		w = w.Negated()
	}
	w.Player = player
	return w
}

// both returns bounds for positions taken together. If they are for different players, the result
// is for whoever is to move.
func both(b, c verdict.Worth) verdict.Worth {
	if b.Player != c.Player {
		b.Player = build.ToMove
	}
	return verdict.Worth{Player: b.Player, Lo: min(b.Lo, c.Lo), Hi: max(b.Hi, c.Hi), Positions: b.Positions + c.Positions}
}

// compare reports whether every number within the bounds satisfies the comparison with n, or none
// does. A missing bound allows any number on its side.
func compare(b verdict.Worth, op rules.Op, n int) (all, none bool) {
	numbers := num.Anything
	if lo, known := b.AtLeast(); known {
		numbers.Lo = lo
	}
	if hi, known := b.AtMost(); known {
		numbers.Hi = hi
	}
	is := abstract.Apply(op, numbers, num.Point(n))
	return is == num.Point(1), is == num.Point(0)
}
