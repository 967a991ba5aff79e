package space

import (
	"context"
	"maps"
	"math/big"
	"slices"

	"github.com/mancheck/mancheck/rules"
)

// Number returns how many starts satisfy a condition, without listing them. ok is false if that
// does not follow from the numbers of seeds alone: if a start may settle to another state, or the
// setup or the condition asks for more than seeds, or for what takes too long. The error is the context's or an
// *InfiniteError. No moves are tried, so their faults are not met.
//
// The pits are filled one after another. How many ways there are to fill the rest depends only on
// what is left of the conditions, so each of these is counted once (dynamic programming). Where all
// that is left is the sum of n pits, there are C(sum+n-1, n-1).
func Number(ctx context.Context, sys *rules.System, where rules.Expr) (n *big.Int, ok bool, err error) {
	for _, e := range sys.Reactions {
		if !e.AtTurnEnd && slices.ContainsFunc(e.By, mayMove) {
			return nil, false, nil
		}
	}
	start := sys.EmptyStart()
	cond := rules.Simplify(rules.Conjunction(sys.Start.Cond, where), func(x rules.Expr) (rules.Const, bool) {
		c, is := x.(rules.Cell)
		if !is || c.Index != nil || c.Sort != rules.VarCell {
			return rules.Const{}, false
		}
		return rules.Const{Value: start.Vars[c.Slot], Type: sys.TypeOf(x, nil)}, true
	})
	if rules.Mentions(cond, asksMore) {
		return nil, false, nil
	}
	t := tally{search: search{ctx: ctx}, sys: sys, memory: map[string]*big.Int{}}
	n, ok, err = t.fill(0, rules.Conjuncts(cond))
	return n, ok && err == nil, err
}

// mayMove reports whether a reaction may do more than end the game, or meet a fault of its own.
func mayMove(by rules.ReactionFor) bool {
	_, plain := by.Plain()
	return !plain || slices.ContainsFunc([]int{0, 1}, func(none int) bool {
		return rules.CanFail(rules.Simplify(by.When, func(x rules.Expr) (rules.Const, bool) {
			return rules.Const{Value: none, Type: rules.TruthType}, x == rules.Expr(rules.NoMove)
		}))
	})
}

// asksMore reports whether an expression asks for more than the seeds in fixed pits.
func asksMore(x rules.Expr) bool {
	switch x := x.(type) {
	case rules.Question, rules.OpenParam, rules.Old:
		return true
	case rules.Cell:
		return x.Index != nil || x.Sort != rules.PitCell
	case rules.Const, rules.Sum, rules.Lookup, rules.Not, rules.Binary, rules.Cond:
	}
	return false
}

// mostTallied is how many conditions on how many pits are told apart.
const mostTallied = 1 << 17

// tally counts the ways to fill pits.
type tally struct {
	search // for tick
	sys    *rules.System
	memory map[string]*big.Int // by the first pit and what is left of the conditions
}

// fill counts the ways to fill the pits from one on, so that conditions hold.
func (t *tally) fill(pit int, conds []rules.Expr) (n *big.Int, ok bool, err error) {
	if err := t.tick(); err != nil {
		return nil, false, err
	}
	var left []rules.Expr
	key := string(rune(pit))
	for _, c := range conds {
		switch c := level(c).(type) {
		case rules.Const:
			if c.Value == 0 {
				return new(big.Int), true, nil
			}
		default:
			left = append(left, c)
			key += "\n" + rules.ExactString(t.sys, c)
		}
	}
	if pit == len(t.sys.Pits) {
		return big.NewInt(1), len(left) == 0, nil
	}
	known := t.memory[key]
	if known != nil || len(t.memory) == mostTallied {
		return known, known != nil, nil
	}
	if n = t.spread(pit, left); n == nil {
		n, ok, err = t.each(pit, left)
		if !ok || err != nil {
			return nil, false, err
		}
	}
	t.memory[key] = n
	return n, true, nil
}

// each is fill by trying the seeds that the conditions allow in the pit.
func (t *tally) each(pit int, conds []rules.Expr) (n *big.Int, ok bool, err error) {
	c := compiler{sys: t.sys, outcome: rules.Live}
	b := newBox(t.sys, rules.Parts{Pits: t.sys.Start.Free})
	for p := range pit {
		b.lo[p], b.hi[p] = 0, 0 // no condition reads it any more
	}
	var list []constraint
	for _, x := range conds {
		list = append(list, c.compile(x, true))
	}
	n = new(big.Int)
	if !narrowAll(list, b) {
		return n, true, nil
	}
	if open := b.unbounded(t.sys); len(open) > 0 {
		return nil, false, &InfiniteError{open}
	}
	for seeds := b.lo[pit]; seeds <= b.hi[pit]; seeds++ {
		var next []rules.Expr
		for _, x := range conds {
			x = rules.Simplify(x, func(x rules.Expr) (rules.Const, bool) {
				cell, is := x.(rules.Cell)
				return rules.Const{Value: seeds}, is && cell.Index == nil && cell.Sort == rules.PitCell && cell.Slot == pit
			})
			next = append(next, rules.Conjuncts(x)...)
		}
		more, ok, err := t.fill(pit+1, next)
		if !ok || err != nil {
			return nil, false, err
		}
		n.Add(n, more)
	}
	return n, true, nil
}

// spread is fill where the only condition is what the pits that are left hold together. It is nil
// otherwise.
func (t *tally) spread(pit int, conds []rules.Expr) *big.Int {
	if len(conds) != 1 {
		return nil
	}
	b, is := conds[0].(rules.Binary)
	if !is || b.Op != rules.Eq {
		return nil
	}
	sum, is := b.L.(rules.Sum)
	total, fixed := b.R.(rules.Const)
	if !is || !fixed || total.Value < 0 {
		return nil
	}
	for p := pit; p < len(t.sys.Pits); p++ {
		if t.sys.Start.Free[p] != slices.Contains(sum.Pits, p) {
			return nil
		}
	}
	k := int64(len(sum.Pits) - 1)
	return new(big.Int).Binomial(int64(total.Value)+k, k)
}

// level writes a comparison of linear sums of seeds with equal ones alike: each pit once, on the side
// where its factor is positive, and one number on the right.
func level(x rules.Expr) rules.Expr {
	b, is := x.(rules.Binary)
	if !is || b.Op < rules.Eq || b.Op > rules.Ge {
		return x
	}
	var l rules.Linear
	if !l.Add(b.L, 1) || !l.Add(b.R, -1) {
		return x
	}
	factors := map[int]int{}
	for _, t := range l.Terms {
		cell, is := t.X.(rules.Cell)
		if !is || cell.Sort != rules.PitCell || cell.Index != nil {
			return x
		}
		factors[cell.Slot] += t.Factor
	}
	left, right := sumOfTerms(factors, 1), sumOfTerms(factors, -1)
	right = rules.Binary{Op: rules.Add, L: right, R: rules.Number(-l.Constant)}
	return rules.Simplify(rules.Binary{Op: b.Op, L: left, R: right}, nil)
}

// sumOfTerms is the sum of the pits whose factor has the sign, each times its factor without it.
func sumOfTerms(factors map[int]int, sign int) rules.Expr {
	sum, rest := rules.Sum{}, rules.Number(0)
	for _, p := range slices.Sorted(maps.Keys(factors)) {
		switch k := sign * factors[p]; {
		case k == 1:
			sum.Pits = append(sum.Pits, p)
		case k > 1:
			rest = rules.Binary{Op: rules.Add, L: rest, R: rules.Binary{Op: rules.Mul, L: rules.PitAt(p), R: rules.Number(k)}}
		}
	}
	return rules.Binary{Op: rules.Add, L: sum, R: rest}
}
