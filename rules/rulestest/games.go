// Package rulestest makes Systems for tests of engines: a few games with known counts, built by
// hand so that an engine can be tested without the language, and random Systems with random states.
package rulestest

import (
	"fmt"
	"slices"

	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/rules"
)

// Shorthands for expressions.
func k(v int) rules.Expr                             { return rules.Number(v) }
func pit(p int) rules.Expr                           { return rules.FixedPit(p) }
func seeds(p int) rules.Expr                         { return rules.PitAt(p) }
func variable(i int) rules.Expr                      { return rules.VarAt(i) }
func binary(op rules.Op, l, r rules.Expr) rules.Expr { return rules.Binary{Op: op, L: l, R: r} }
func and(xs ...rules.Expr) rules.Expr                { return rules.Conjunction(xs...) }

// NewLap makes a lap of the given pits, in this order, on a board of n.
func NewLap(name string, ring bool, n int, pits ...int) rules.Lap {
	l := rules.Lap{Name: name, Ring: ring, Owner: rules.None, Pits: pits, Next: make([]int, n), Prev: make([]int, n)}
	for p := range n {
		l.Next[p], l.Prev[p] = rules.None, rules.None
	}
	for i, p := range pits {
		if i+1 < len(pits) || ring {
			q := pits[(i+1)%len(pits)]
			l.Next[p], l.Prev[q] = q, p
		}
	}
	return l
}

// Gather moves all seeds of some pits into one. The pits are fixed before play, or do not depend on
// seeds.
func Gather(into rules.Expr, from ...rules.Expr) []rules.Stmt {
	var body []rules.Stmt
	for _, x := range from {
		body = append(body, rules.Transfer{From: x, Into: into})
	}
	return body
}

// members returns membership by pit, on a board of n pits.
func members(n int, pits ...int) []bool {
	set := make([]bool, n)
	for _, p := range pits {
		set[p] = true
	}
	return set
}

// addGroup fills in pits and makes them a group. Their names are numbered from 1.
func addGroup(sys *rules.System, name string, owner int, pits ...int) {
	for i, p := range pits {
		sys.Pits[p] = rules.Pit{Name: fmt.Sprintf("%s%d", name, i+1), Group: name, Index: i + 1, Owner: owner}
	}
	sys.Groups = append(sys.Groups, rules.Group{Name: name, Pits: pits})
}

// Kalah is Kalah with m pits a side and n seeds a pit. The game is over as soon as a side is empty,
// and each owner takes what lies on his side. With empty a capture needs no seeds opposite. Pits
// lie in sowing order: south's, his store, north's, his store.
func Kalah(m, n int, empty bool) *rules.System {
	size := 2*m + 2
	sys := &rules.System{
		Name: "Kalah", Players: []string{"South", "North"}, Pits: make([]rules.Pit, size),
		Relations: []rules.Relation{{Name: "opposite", To: make([]int, size)}}, Moves: []rules.Move{{Label: "sow"}},
		Outcomes: []rules.Outcome{{Label: "end", Kind: rules.EndOutcome}, {Label: rules.EndlessLabel, Kind: rules.EndlessOutcome}},
	}
	south, north := num.Run(0, m), num.Run(m+1, m)
	addGroup(sys, "south", 0, south...)
	addGroup(sys, "south_store", 0, m)
	addGroup(sys, "north", 1, north...)
	addGroup(sys, "north_store", 1, 2*m+1)
	sys.Laps = []rules.Lap{NewLap("ccw", true, size, num.Run(0, size)...)}
	for p := range size {
		sys.Relations[0].To[p] = 2*m - p
	}
	sys.Relations[0].To[m], sys.Relations[0].To[2*m+1] = rules.None, rules.None
	for p := range 2 {
		for i := range m {
			sys.Actions = append(sys.Actions, kalahAction(sys, m, p, p*(m+1)+i, empty))
		}
	}
	sys.Reactions = []rules.Reaction{kalahEnding(m)}
	sys.Scores = []rules.Expr{seeds(m), seeds(2*m + 1)}
	kalahStart(sys, m, n)
	return sys
}

// kalahAction is the move from one house: sow all seeds, but none into the opponent's store; move
// again if the last seed falls into one's own store, and else capture if it falls into one's own
// empty house.
func kalahAction(sys *rules.System, m, player, from int, empty bool) rules.Action {
	size, base := 2*m+2, player*(m+1)
	store, other := base+m, (1-player)*(m+1)+m
	skip := make([]rules.Expr, size)
	skip[other] = rules.True
	facing := sys.Related(rules.Last, 0)
	capture := and(rules.In(rules.Last, members(size, num.Run(base, m)...)), binary(rules.Eq, rules.LastWas, k(0)))
	if !empty {
		capture = and(capture, binary(rules.Gt, rules.Seeds(facing), k(0)))
	}
	return rules.Action{
		Mover: player, Label: "sow",
		Choices: []rules.Choice{{Value: from, Type: rules.PitType, Text: fmt.Sprint(from)}},
		Written: []rules.Written{{X: rules.FixedPit(from), Pit: true}},
		Body: []rules.Stmt{
			rules.Sow{Source: pit(from), SkipIf: skip},
			rules.If{Cond: binary(rules.Eq, rules.Last, pit(store)), Then: []rules.Stmt{rules.Again(player)}, Else: []rules.Stmt{
				rules.If{Cond: capture, Then: Gather(pit(store), rules.Last, facing)},
			}},
		},
	}
}

// EndIf is an ending for some number of players: when the condition holds the body is executed, and
// the game ends with the outcome.
func EndIf(players, outcome int, when rules.Expr, body ...rules.Stmt) rules.Reaction {
	by := rules.ReactionFor{When: when, Body: append(slices.Clone(body), rules.Stop{Outcome: outcome})}
	return rules.Reaction{By: slices.Repeat([]rules.ReactionFor{by}, players)}
}

// kalahEnding ends the game as soon as one side is empty, whoever is to move.
func kalahEnding(m int) rules.Reaction {
	for_ := rules.ReactionFor{
		When: binary(rules.Or, binary(rules.Eq, rules.Sum{Pits: num.Run(0, m)}, k(0)), binary(rules.Eq, rules.Sum{Pits: num.Run(m+1, m)}, k(0))),
	}
	for p := range 2 {
		for i := range m {
			for_.Body = append(for_.Body, rules.Transfer{From: pit(p*(m+1) + i), Into: pit(p*(m+1) + m)})
		}
	}
	return EndIf(2, 0, for_.When, for_.Body...)
}

// kalahStart gives each house n seeds; the stores are not free, so they are empty.
func kalahStart(sys *rules.System, m, n int) {
	sys.Start = rules.Start{Free: make([]bool, 2*m+2), Cond: rules.True}
	for p := range 2*m + 2 {
		if p%(m+1) != m {
			sys.Start.Free[p] = true
			sys.Start.Cond = and(sys.Start.Cond, binary(rules.Eq, seeds(p), k(n)))
		}
	}
}

// KalahStart is the start of a Kalah with n seeds in each pit but the stores.
func KalahStart(sys *rules.System, n int) rules.State {
	s := sys.EmptyStart()
	for p := range s.Seeds {
		if p%(len(s.Seeds)/2) != len(s.Seeds)/2-1 {
			s.Seeds[p] = n
		}
	}
	return s
}

// Solitaire is the Solitaire Mancala of DOSE 2015 with rows of n holes: the holes come first,
// clockwise along the top row and back along the other, then the store after the top row, then the
// one before it. Its one variable is the selected hole.
func Solitaire(n int) *rules.System {
	size := 2*n + 2
	right, left := 2*n, 2*n+1
	sys := &rules.System{
		Name: "SolitaireMancala", Players: []string{""}, Pits: make([]rules.Pit, size), Relations: []rules.Relation{{Name: "opposite", To: make([]int, size)}},
		Moves: []rules.Move{{Label: "SR003"}, {Label: "SR004"}},
		Outcomes: []rules.Outcome{
			{Label: "SR006", Kind: rules.WinOutcome},
			{Label: "SR005", Kind: rules.LoseOutcome},
			{Label: rules.EndlessLabel, Kind: rules.EndlessOutcome},
		},
	}
	addGroup(sys, "hole", rules.None, num.Run(0, 2*n)...)
	addGroup(sys, "store", rules.None, right, left)
	for p := range size {
		sys.Relations[0].To[p] = rules.None
	}
	round := append(append(append(num.Run(0, n), right), num.Run(n, n)...), left)
	back := make([]int, size)
	for i, p := range round {
		back[size-1-i] = p
	}
	sys.Laps = []rules.Lap{NewLap("clockwise", true, size, round...), NewLap("anticlockwise", true, size, back...)}
	sys.Vars = []rules.Var{{Name: "selected", Type: rules.PitType, Domain: append([]int{rules.None}, num.Run(0, 2*n)...), Init: rules.None, Default: rules.None}}
	solitaireActions(sys, n)
	empty := binary(rules.Eq, rules.Sum{Pits: num.Run(0, 2*n)}, k(0))
	sys.Reactions = []rules.Reaction{EndIf(1, 0, empty), EndIf(1, 1, rules.False)}
	sys.Start = rules.Start{Free: members(size, num.Run(0, 2*n)...), Cond: rules.True}
	for p := range 2 * n {
		sys.Start.Cond = and(sys.Start.Cond, binary(rules.Ge, seeds(p), k(1)))
	}
	return sys
}

// solitaireActions adds the selection of each hole, and the round in each direction. The hole of a
// last seed that goes into a store is the one before the store.
func solitaireActions(sys *rules.System, n int) {
	size := 2*n + 2
	for p := range 2 * n {
		sys.Actions = append(sys.Actions, rules.Action{
			Label: "SR003", Guard: binary(rules.Eq, variable(0), pit(rules.None)),
			Written: []rules.Written{{X: pit(p), Pit: true}},
			Body:    []rules.Stmt{rules.SetVar(0, pit(p))},
		})
	}
	for lap, name := range []string{"C", "A"} {
		before := sys.Before(rules.Last, lap)
		sys.Actions = append(sys.Actions, rules.Action{
			Move: 1, Label: "SR004", Guard: binary(rules.Ne, variable(0), pit(rules.None)), Written: []rules.Written{{Text: name}},
			Body: []rules.Stmt{
				rules.Sow{Source: variable(0), Lap: lap, OnlyLast: members(size, 2*n, 2*n+1)},
				rules.If{
					Cond: rules.In(rules.Last, members(size, 2*n, 2*n+1)),
					Then: []rules.Stmt{rules.SetVar(0, before)},
					Else: []rules.Stmt{rules.If{
						Cond: binary(rules.Eq, rules.LastWas, k(0)), Then: []rules.Stmt{rules.Stop{Outcome: 1}},
						Else: []rules.Stmt{rules.SetVar(0, rules.Last)},
					}},
				},
			},
		})
	}
}

// SolitaireStarts calls yield for every start of a Solitaire with a number of stones.
func SolitaireStarts(sys *rules.System, stones int, yield func(rules.State) error) error {
	s := sys.EmptyStart()
	return deal(s, len(s.Seeds)-2, stones, yield)
}

// deal distributes stones over the first pits, at least one in each, and yields every such board
// once.
func deal(s rules.State, pits, stones int, yield func(rules.State) error) error {
	if pits == 1 {
		s.Seeds[0] = stones
		return yield(s.Clone())
	}
	for c := 1; c <= stones-pits+1; c++ {
		s.Seeds[pits-1] = c
		if err := deal(s, pits-1, stones-c, yield); err != nil {
			return err
		}
	}
	return nil
}
