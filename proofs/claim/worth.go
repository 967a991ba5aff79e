package claim

import (
	"github.com/mancheck/mancheck/checker/value"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules"
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
	lo, hasLo := b.AtLeast()
	hi, hasHi := b.AtMost()
	switch op {
	case rules.Eq:
		return b.Known() && lo == n, hasLo && n < lo || hasHi && n > hi
	case rules.Ne:
		none, all = compare(b, rules.Eq, n)
		return all, none
	case rules.Lt:
		return hasHi && hi < n, hasLo && lo >= n
	case rules.Le:
		return hasHi && hi <= n, hasLo && lo > n
	}
	// The remaining operators are negations.
	none, all = compare(b, map[rules.Op]rules.Op{rules.Ge: rules.Lt, rules.Gt: rules.Le}[op], n)
	return all, none
}
