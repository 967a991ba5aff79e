package claim

import (
	"github.com/mancheck/mancheck/checker/value"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/resolve"
)

// worth1 is what is known of one position, for the first player.
func worth1(lo, hi int) verdict.Worth {
	return verdict.Worth{Player: value.First, Lo: lo, Hi: hi, Positions: 1}
}

// The ends of package value mean the same in verdicts.
var _ = [1]int{}[value.NoLower-verdict.NoLower+value.NoUpper-verdict.NoUpper]

// worthTo is what a value for the first player is to a player.
func worthTo(w verdict.Worth, player int) verdict.Worth {
	if player == value.Second {
		w = w.Negated()
	}
	w.Player = player
	return w
}

// both is what is known of positions together. The player to move need not be the same one.
func both(b, c verdict.Worth) verdict.Worth {
	if b.Player != c.Player {
		b.Player = resolve.ToMove
	}
	return verdict.Worth{Player: b.Player, Lo: min(b.Lo, c.Lo), Hi: max(b.Hi, c.Hi), Positions: b.Positions + c.Positions}
}

// compare reports whether every number in the bounds satisfies the comparison, or none does. A
// bound that is not known allows any number.
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
	none, all = compare(b, map[rules.Op]rules.Op{rules.Ge: rules.Lt, rules.Gt: rules.Le}[op], n)
	return all, none
}
