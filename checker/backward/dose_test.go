package backward_test

import (
	"fmt"

	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/rulestest"
)

// Outcomes of the dose System.
const (
	lose = iota // SR005
	win         // SR006
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

// dose is Solitaire Mancala (DOSE 2015) with rows of n holes and any number of stones. Pits are numbered as drawn: 0 to n-1 are the
// upper holes, n to 2n-1 the lower ones, 2n and 2n+1 the left and the right store.
func dose(n int) *rules.System {
	size, left, right := 2*n+2, 2*n, 2*n+1
	sys := &rules.System{
		Name: "SolitaireMancala", Players: []string{""}, Opposite: make([]int, size),
		Params:   []rules.Param{{Name: "stones", Open: true}},
		Moves:    []rules.Move{{Label: "SR003"}, {Label: "SR004"}},
		Outcomes: []rules.Outcome{{Label: "SR005", Kind: rules.LoseOutcome}, {Label: "SR006", Kind: rules.WinOutcome}, {Label: rules.EndlessLabel, Kind: rules.EndlessOutcome}},
		Endings:  []rules.Ending{{Outcome: win, By: []rules.EndingFor{{When: equal(all(span(0, 2*n)...), number(0))}}}},
		Vars:     []rules.Var{{Name: "selected", Kind: rules.PitVar, Domain: span(-1, 2*n+1), Init: rules.None}},
		Start:    rules.Start{Free: set(size, span(0, size)...), Cond: equal(all(span(0, 2*n)...), rules.OpenParam{})},
	}
	for p := range 2 * n {
		sys.Pits = append(sys.Pits, rules.Pit{Name: fmt.Sprintf("hole%02d", p+1), Group: "hole", Index: p + 1, Owner: rules.None})
		sys.Start.Cond = rules.Conjunction(sys.Start.Cond, rules.Binary{Op: rules.Ge, L: seedsIn(p), R: number(1)})
	}
	sys.Pits = append(sys.Pits, rules.Pit{Name: "store01", Owner: rules.None}, rules.Pit{Name: "store02", Owner: rules.None})
	sys.Start.Cond = rules.Conjunction(sys.Start.Cond, equal(seedsIn(left), number(0)), equal(seedsIn(right), number(0)))
	ring := append(span(0, n), right)
	for p := 2*n - 1; p >= n; p-- {
		ring = append(ring, p)
	}
	ring = append(ring, left)
	back := make([]int, size)
	for i, p := range ring {
		back[size-1-i] = p
		sys.Opposite[i] = rules.None
	}
	sys.Laps = []rules.Lap{rulestest.NewLap("clockwise", true, size, ring...), rulestest.NewLap("anticlockwise", true, size, back...)}
	for p := range 2 * n {
		sys.Actions = append(sys.Actions, rules.Action{
			Label: "SR003", Guard: equal(variable(0), number(rules.None)),
			Body: []rules.Stmt{rules.SetVar(0, number(p))},
		})
	}
	for lap := range 2 {
		sys.Actions = append(sys.Actions, doseRound(sys, lap))
	}
	return sys
}

func doseRound(sys *rules.System, lap int) rules.Action {
	size := len(sys.Pits)
	stores := set(size, size-2, size-1)
	return rules.Action{
		Move: 1, Label: []string{"SR004(A)", "SR004(B)"}[lap],
		Guard: rules.Not{X: equal(variable(0), number(rules.None))},
		Body: []rules.Stmt{
			rules.Sow{Source: variable(0), Lap: lap, OnlyLast: stores},
			rules.If{
				Cond: rules.In(rules.Last, stores),
				Then: []rules.Stmt{rules.SetVar(0, sys.Before(rules.Last, lap))},
				Else: []rules.Stmt{rules.If{
					Cond: equal(rules.LastWas, number(0)),
					Then: []rules.Stmt{rules.Stop{Outcome: lose}},
					Else: []rules.Stmt{rules.SetVar(0, rules.Last)},
				}},
			},
		},
	}
}

// position is a state of dose(n) that goes on, with a selected hole and seeds in some holes, both counted from 1 as in the
// paper.
func position(sys *rules.System, selected int, seeds map[int]int) rules.State {
	s := sys.EmptyStart()
	s.Vars[0] = selected - 1
	for hole, n := range seeds {
		s.Seeds[hole-1] = n
	}
	return s
}
