package space

import (
	"context"
	"encoding/binary"
	"math/big"
	"slices"

	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/abstract"
)

// Number counts the starts that satisfy a condition without listing them. ok is false if that takes
// too long or does not follow from the seeds alone: a start may settle to another state, or have a
// fault, or the setup or the condition asks for more than sums of seeds. The error is the context's
// or an *InfiniteError.
//
// The pits are filled one after another. How many ways there are to fill the rest depends only on
// what is left of the conditions, so each of these is counted once (dynamic programming).
func Number(ctx context.Context, sys *rules.System, where rules.Expr) (n *big.Int, ok bool, err error) {
	start := sys.EmptyStart()
	cond := rules.Simplify(rules.Conjunction(sys.Start.Cond, where), func(x rules.Expr) (rules.Const, bool) {
		if c, is := x.(rules.Cell); is && c.Index == nil && c.Sort == rules.VarCell {
			return rules.Const{Value: start.Vars[c.Slot], Type: sys.TypeOf(x, nil)}, true
		}
		return rules.Const{}, false
	})
	mayMove := func(by rules.ReactionFor) bool { // or meet a fault of its own
		_, plain := by.Plain()
		return !plain || slices.ContainsFunc(rules.Conjuncts(by.When), func(x rules.Expr) bool {
			return x != rules.Expr(rules.NoMove) && rules.CanFail(x)
		})
	}
	settles := func(e rules.Reaction) bool { return !e.AtTurnEnd && slices.ContainsFunc(e.By, mayMove) }
	if len(sys.OpenParams()) > 0 || rules.CanFail(cond) || slices.ContainsFunc(sys.Reactions, settles) {
		return nil, false, nil
	}
	c := compiler{sys: sys, outcome: rules.Live}
	t := tally{search: search{ctx: ctx}, pits: len(sys.Pits), memory: map[string]*big.Int{}}
	t.conds = lists.Map(rules.Conjuncts(cond), func(x rules.Expr) constraint { return c.compile(x, true) })
	root := newBox(sys, rules.Parts{Pits: sys.Start.Free})
	if !narrowAll(t.conds, root) {
		return new(big.Int), true, nil
	}
	if open := root.unbounded(sys); len(open) > 0 {
		return nil, false, &InfiniteError{open}
	}
	t.conds = lasting(t.conds) // the root box already satisfies what this drops
	n, err = t.fill(0, root)
	return n, n != nil, err
}

// mostTallied is how many partly filled boards are looked at: for some seconds.
const mostTallied = 1 << 22

// tally counts the ways to fill pits.
type tally struct {
	search // for tick
	pits   int
	conds  []constraint
	key    []byte
	memory map[string]*big.Int // by the first open pit and what is left of the conditions
}

// fill counts the ways to fill the pits from one on with seeds in the box, so that the conditions
// hold. It is nil if it gives up.
func (t *tally) fill(pit int, b *box) (*big.Int, error) {
	if err := t.tick(); err != nil || t.nodes > mostTallied {
		return nil, err
	}
	for pit < t.pits && b.lo[pit] == b.hi[pit] {
		pit++
	}
	t.key = binary.AppendVarint(t.key[:0], int64(pit))
	for _, c := range t.conds {
		switch truth, ok := t.rest(c, pit, b); {
		case !ok:
			return nil, nil
		case truth == num.Point(0):
			return new(big.Int), nil
		}
	}
	key := string(t.key)
	if n := t.memory[key]; n != nil {
		return n, nil
	}
	if pit == t.pits {
		return big.NewInt(1), nil
	}
	n, lo, hi := new(big.Int), b.lo[pit], b.hi[pit]
	for seeds := lo; seeds <= hi; seeds++ {
		b.lo[pit], b.hi[pit] = seeds, seeds
		more, err := t.fill(pit+1, b)
		if more == nil {
			return nil, err
		}
		n.Add(n, more)
	}
	b.lo[pit], b.hi[pit] = lo, hi
	t.memory[key] = n
	return n, nil
}

// rest appends to the key what c asks of the pits from one on, and returns what is known of its
// truth. It depends on the pits before only by that. ok is false for what is no sum of seeds.
func (t *tally) rest(c constraint, pit int, b *box) (truth num.Interval, ok bool) {
	at := len(t.key)
	switch c := c.(type) {
	case both:
		t.key = append(t.key, '(')
		truth, ok = num.Point(1), true
		for _, part := range c.list {
			of, is := t.rest(part, pit, b)
			truth, ok = abstract.Apply(rules.And, truth, of), ok && is
		}
	case either:
		t.key = append(t.key, '(')
		l, isL := t.rest(c.l, pit, b)
		r, isR := t.rest(c.r, pit, b)
		truth, ok = abstract.Apply(rules.Or, l, r), isL && isR
	case *linear:
		before := num.Point(0)
		for _, x := range c.terms {
			if x.column < pit {
				before = before.Plus(x.in(b))
			}
		}
		t.key = binary.AppendVarint(append(t.key, '+'), int64(before.Lo))
		truth, ok = abstract.Comparison(c.op, c.value(b)), len(c.others) == 0 && before.IsPoint()
	case opaque:
		truth = c.value(b)
		if ok = truth.IsPoint(); !c.want {
			truth = abstract.Negation(truth)
		}
	}
	if ok && truth.IsPoint() {
		t.key = append(t.key[:at], "ft"[truth.Lo])
	}
	return truth, ok
}
