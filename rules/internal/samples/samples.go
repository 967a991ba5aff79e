// Package samples has Systems that are built by hand, so that what is below the resolver can be
// tested without it.
package samples

import (
	"fmt"
	"slices"

	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/rulestest"
)

// Short forms of expressions follow, since the Systems below are mostly expressions.

func C(v int) rules.Expr       { return rules.Number(v) }
func P(pit int) rules.Expr     { return rules.FixedPit(pit) }
func Pit(p int) rules.Expr     { return rules.PitAt(p) }
func Var(v int) rules.Expr     { return rules.VarAt(v) }
func Total(p []int) rules.Expr { return rules.Sum{Pits: p} }

// Bin is l op r.
func Bin(op rules.Op, l, r rules.Expr) rules.Expr { return rules.Binary{Op: op, L: l, R: r} }

// All is the conjunction of xs.
func All(xs ...rules.Expr) rules.Expr { return rules.Conjunction(xs...) }

// Set is membership by pit, on a board of n pits.
func Set(n int, pits []int) []bool {
	in := make([]bool, n)
	for _, p := range pits {
		in[p] = true
	}
	return in
}

// Reverse is pits in opposite order.
func Reverse(pits []int) []int {
	out := make([]int, len(pits))
	for i, p := range pits {
		out[len(pits)-1-i] = p
	}
	return out
}

// Dose is the solitaire of the DOSE 2015 contest with rows of n holes. A negative number of stones
// leaves the parameter open.
func Dose(n, stones int) *rules.System {
	d := dose{n: n, west: 0, east: n + 1, top: num.Run(1, n), bottom: num.Run(n+2, n)}
	d.holes = slices.Concat(d.top, d.bottom)
	sys := &rules.System{
		Name:    "Dose",
		Players: []string{""},
		Params: []rules.Param{
			{Name: "n", Value: n, Lo: 1, Hi: 20, HasHi: true},
			{Name: "stones", Value: stones, Lo: 2 * n, Open: stones < 0},
		},
		Picture:   [][][]int{{{d.west}, d.top, {d.east}}, {nil, d.bottom, nil}},
		Relations: []rules.Relation{{Name: "opposite", To: make([]int, 2*n+2)}},
		Moves:     []rules.Move{{Label: "SR003"}, {Label: "SR004"}},
		Outcomes: []rules.Outcome{
			{Label: "SR005", Kind: rules.LoseOutcome},
			{Label: "SR006", Kind: rules.WinOutcome},
			{Label: rules.EndlessLabel, Kind: rules.EndlessOutcome},
		},
		Reactions: []rules.Reaction{rulestest.EndIf(1, 1, Bin(rules.Eq, Total(d.holes), C(0)))},
	}
	d.pits(sys)
	sys.Vars = []rules.Var{{Name: "selected", Type: rules.PitType, Domain: append([]int{rules.None}, d.holes...), Init: rules.None, Default: rules.None}}
	sys.Start = d.start(sys, stones)
	d.actions(sys)
	return sys
}

type dose struct {
	n, west, east      int
	top, bottom, holes []int
}

func (d dose) pits(sys *rules.System) {
	for i := range sys.Relations[0].To {
		sys.Relations[0].To[i] = rules.None
		sys.Pits = append(sys.Pits, rules.Pit{Group: "hole", Owner: rules.None})
	}
	for i, p := range d.holes {
		sys.Pits[p].Index = i + 1
		sys.Pits[p].Name = fmt.Sprintf("hole%02d", i+1)
	}
	for i, p := range []int{d.west, d.east} {
		sys.Pits[p] = rules.Pit{Name: fmt.Sprintf("store%02d", i+1), Group: "store", Index: i + 1, Owner: rules.None}
	}
	n := len(sys.Pits)
	ring := slices.Concat(d.top, []int{d.east}, Reverse(d.bottom), []int{d.west})
	sys.Laps = []rules.Lap{rulestest.NewLap("clockwise", true, n, ring...), rulestest.NewLap("anticlockwise", true, n, Reverse(ring)...)}
	sys.Groups = []rules.Group{{Name: "store", Pits: []int{d.west, d.east}}, {Name: "hole", Pits: d.holes}, {Name: "pit", Pits: num.Run(0, n)}}
}

func (d dose) start(sys *rules.System, stones int) rules.Start {
	sum := C(stones)
	if stones < 0 {
		sum = rules.OpenParam{Param: 1}
	}
	cond := Bin(rules.Eq, Total(d.holes), sum)
	for _, h := range d.holes {
		cond = All(cond, Bin(rules.Ge, Pit(h), C(1)))
	}
	return rules.Start{Label: "SR002", Cond: cond, Free: Set(len(sys.Pits), d.holes)}
}

func (d dose) actions(sys *rules.System) {
	chosen := Bin(rules.Ne, Var(0), P(rules.None))
	for _, h := range d.holes {
		sys.Actions = append(sys.Actions, rules.Action{
			Move: 0, Label: "SR003", Guard: rules.Not{X: chosen},
			Written: []rules.Written{{X: P(h), Pit: true}},
			Body:    []rules.Stmt{rules.SetVar(0, P(h))},
		})
	}
	for lap, name := range []string{"C", "A"} {
		sys.Actions = append(sys.Actions, rules.Action{
			Move: 1, Label: []string{"SR004(A)", "SR004(B)"}[lap], Guard: chosen,
			Written: []rules.Written{{X: Var(0), Pit: true}, {Text: name}},
			Body:    d.round(sys, lap),
		})
	}
}

func (d dose) round(sys *rules.System, lap int) []rules.Stmt {
	n := len(sys.Pits)
	inHole := rules.In(rules.Last, Set(n, d.holes))
	return []rules.Stmt{
		rules.Sow{Source: Var(0), Lap: lap, OnlyLast: Set(n, []int{d.west, d.east})},
		rules.If{
			Cond: inHole,
			Then: []rules.Stmt{
				rules.If{Cond: Bin(rules.Eq, rules.LastWas, C(0)), Then: []rules.Stmt{rules.Stop{Outcome: 0}}},
				rules.SetVar(0, rules.Last),
			},
			Else: []rules.Stmt{rules.SetVar(0, sys.Before(rules.Last, lap))},
		},
	}
}

// Kalah has m houses a side with n seeds each.
func Kalah(m, n int, emptyCapture bool) *rules.System {
	k := kalah{m: m, pits: 2*m + 2, houses: [2][]int{num.Run(m+1, m), Reverse(num.Run(1, m))}, store: [2]int{2*m + 1, 0}}
	sys := &rules.System{
		Name:    "Kalah",
		Players: []string{"South", "North"},
		Params: []rules.Param{
			{Name: "m", Value: m, Lo: 1, Hi: 12, HasHi: true},
			{Name: "n", Value: n, Lo: 0, Hi: 100, HasHi: true},
			{Name: "empty_capture", Bool: true, Value: num.Truth(emptyCapture), Hi: 1, HasHi: true},
		},
		Relations: []rules.Relation{{Name: "opposite", To: make([]int, k.pits)}},
		Picture:   [][][]int{{{0}, num.Run(1, m), nil}, {nil, num.Run(m+1, m), {2*m + 1}}},
		Moves:     []rules.Move{{Label: "move"}},
		Outcomes:  []rules.Outcome{{Label: "end", Kind: rules.EndOutcome}, {Label: rules.EndlessLabel, Kind: rules.EndlessOutcome}},
		Scores:    []rules.Expr{Pit(2*m + 1), Pit(0)},
	}
	k.board(sys)
	k.start(sys, n)
	for player := range 2 {
		for i, h := range k.houses[player] {
			sys.Actions = append(sys.Actions, k.action(sys, player, i, h, emptyCapture))
		}
	}
	k.ending(sys)
	return sys
}

type kalah struct {
	m, pits int
	houses  [2][]int // in sowing order
	store   [2]int
}

func (k kalah) board(sys *rules.System) {
	sys.Pits = make([]rules.Pit, k.pits)
	sys.Relations[0].To[k.store[0]], sys.Relations[0].To[k.store[1]] = rules.None, rules.None
	for player, name := range []string{"south", "north"} {
		for i, h := range k.houses[player] {
			sys.Pits[h] = rules.Pit{Name: fmt.Sprint(name, i+1), Group: name, Index: i + 1, Owner: player}
			sys.Relations[0].To[h] = k.houses[1-player][k.m-1-i]
		}
		sys.Pits[k.store[player]] = rules.Pit{Name: name + "_store", Group: name + "_store", Owner: player}
		sys.Groups = append(sys.Groups, rules.Group{Name: name, Pits: k.houses[player]})
	}
	ring := slices.Concat(k.houses[0], []int{k.store[0]}, k.houses[1], []int{k.store[1]})
	sys.Laps = []rules.Lap{rulestest.NewLap("ccw", true, k.pits, ring...)}
}

func (k kalah) start(sys *rules.System, n int) {
	cond := rules.True
	for _, h := range slices.Concat(k.houses[0], k.houses[1]) {
		cond = All(cond, Bin(rules.Eq, Pit(h), C(n)))
	}
	sys.Start = rules.Start{Cond: cond, Free: Set(k.pits, slices.Concat(k.houses[0], k.houses[1]))}
}

func (k kalah) action(sys *rules.System, player, i, house int, emptyCapture bool) rules.Action {
	skip := make([]rules.Expr, k.pits)
	skip[k.store[1-player]] = rules.True
	store := P(k.store[player])
	capture := All(Bin(rules.Eq, rules.LastWas, C(0)), rules.In(rules.Last, Set(k.pits, k.houses[player])))
	if !emptyCapture {
		capture = All(capture, Bin(rules.Gt, rules.Seeds(sys.Related(rules.Last, 0)), C(0)))
	}
	return rules.Action{
		Mover: player, Label: "move",
		Written: []rules.Written{{Text: fmt.Sprint(i + 1)}},
		Body: []rules.Stmt{
			rules.Sow{Source: P(house), SkipIf: skip},
			rules.If{Cond: Bin(rules.Eq, rules.Last, store), Then: []rules.Stmt{rules.Again(player)}},
			rules.If{Cond: capture, Then: rulestest.Gather(store, rules.Last, sys.Related(rules.Last, 0))},
		},
	}
}

func (k kalah) ending(sys *rules.System) {
	empty := func(player int) rules.Expr { return Bin(rules.Eq, Total(k.houses[player]), C(0)) }
	var sweep []rules.Stmt
	for player, houses := range k.houses {
		for _, h := range houses {
			sweep = append(sweep, rules.Transfer{From: P(h), Into: P(k.store[player])})
		}
	}
	sys.Reactions = []rules.Reaction{rulestest.EndIf(2, 0, Bin(rules.Or, empty(0), empty(1)), sweep...)}
}
