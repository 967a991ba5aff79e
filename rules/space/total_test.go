package space_test

import (
	"testing"

	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/space"
)

// TestMostSeeds: a condition on a total is better than bounds of single pits, and both add up for
// different pits.
func TestMostSeeds(t *testing.T) {
	k := func(n int) rules.Expr { return rules.Const{Value: n} }
	is := func(op rules.Op, l, r rules.Expr) rules.Expr { return rules.Binary{Op: op, L: l, R: r} }
	sum := func(pits ...int) rules.Expr { return rules.Sum{Pits: pits} }
	for i, c := range []struct {
		cond    rules.Expr
		seeds   int
		bounded bool
	}{
		{rules.Conjunction(is(rules.Eq, sum(0), k(2)), is(rules.Eq, sum(1), k(3)), is(rules.Eq, sum(2), k(4))), 9, true},
		{is(rules.Eq, sum(0, 1, 2), k(5)), 5, true},
		{is(rules.Lt, sum(0, 1, 2), k(5)), 5, true},
		{rules.Conjunction(is(rules.Eq, sum(0, 1), k(5)), is(rules.Le, sum(2), k(7))), 12, true},
		{is(rules.Le, sum(0, 1), k(5)), 0, false},
		{is(rules.Ge, sum(0, 1, 2), k(5)), 0, false},
		{is(rules.Eq, sum(0, 1, 2), rules.OpenParam{}), 0, false},
	} {
		sys := &rules.System{
			Players: []string{""}, Pits: make([]rules.Pit, 4), Params: []rules.Param{{Name: "n", Open: true}},
			Start: rules.Start{Free: []bool{true, true, true, false}, Cond: c.cond},
		}
		n, bounded := space.MostSeeds(sys)
		if bounded != c.bounded || bounded && (n < c.seeds-1 || n > c.seeds) {
			t.Errorf("%d: %d, %v; want %d, %v", i, n, bounded, c.seeds, c.bounded)
		}
	}
}
