package backward_test

import (
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/rulestest"
)

// Outcomes of the dose System.
const (
	win  = iota // SR006
	lose        // SR005
)

func number(v int) rules.Expr          { return rules.Const{Value: v} }
func seedsIn(p int) rules.Expr         { return rules.PitAt(p) }
func variable(v int) rules.Expr        { return rules.VarAt(v) }
func all(p ...int) rules.Expr          { return rules.Sum{Pits: p} }
func equal(l, r rules.Expr) rules.Expr { return rules.Binary{Op: rules.Eq, L: l, R: r} }

func span(lo, n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = lo + i
	}
	return list
}

func set(n int, pits ...int) []bool {
	s := make([]bool, n)
	for _, p := range pits {
		s[p] = true
	}
	return s
}

// dose is the solitaire with any number of stones. Pits are numbered clockwise from the upper left
// hole, and the stores come last.
func dose(n int) *rules.System {
	sys := rulestest.Solitaire(n)
	sys.Params = []rules.Param{{Name: "stones", Open: true}}
	sys.Start.Free = set(2*n+2, span(0, 2*n+2)...)
	sys.Start.Cond = rules.Conjunction(equal(all(span(0, 2*n)...), rules.OpenParam{}), sys.Start.Cond,
		equal(seedsIn(2*n), number(0)), equal(seedsIn(2*n+1), number(0)))
	return sys
}

// position returns a live state of dose(n), with a selected hole and seeds in some upper holes,
// both counted from 1 as in the paper.
func position(sys *rules.System, selected int, seeds map[int]int) rules.State {
	s := sys.EmptyStart()
	s.Vars[0] = selected - 1
	for hole, n := range seeds {
		s.Seeds[hole-1] = n
	}
	return s
}
