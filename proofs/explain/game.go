package explain

import (
	"fmt"
	"strings"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/proofs/cert"
	"github.com/mancheck/mancheck/proofs/claim"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/bind"
	"github.com/mancheck/mancheck/rules/board"
)

// game returns the tree of the strategy that a verdict relies on.
func (b *builder) game(r *proofs.Result, f *claim.Strategy) *Tree {
	sys := r.System
	goal := "the claim's condition"
	if d := b.declared(r.Instance.Claim.Name); d != nil {
		goal = "`" + ending{builder: b}.oneLine(ast.All[*ast.Force](d)[0].Goal.Span()) + "`"
	}
	player, reader, verb, ends := "the player", "", "forces", "Each leaves fewer moves to go, those of all players counted; where there are none, %s holds."
	if len(sys.Players) > 1 {
		player = sys.Players[f.Claim.Player]
		reader = strings.Join(lists.Filter(sys.Players, func(p string) bool { return p != player }), " and ")
	}
	if f.Prevents {
		reader, verb, ends = player, "is kept from", "In none of the positions %s holds."
	}
	t := &Tree{
		Title: fmt.Sprintf("How %s %s %s", player, verb, goal), States: len(f.Nodes), More: f.Left, Rest: "from which the strategy goes on",
		Intro: "Below each position stand those that come next, each with its move: the one that the strategy makes, or every legal move against it. " +
			"The interpreter has made all of them again. " + fmt.Sprintf(ends, goal),
		Game: &Game{f, sys, lists.Map(f.Nodes, func(n claim.StrategyNode) string { return said(f, n, goal) }), reader},
	}
	p := &planting{shown: len(f.Nodes), nodes: map[int]*Node{}}
	p.here = func(i, _ int) bool { return p.nodes[i] == nil }
	p.make = func(i int, above *Node) *Node {
		s := f.Nodes[i].State
		n := &Node{Board: &Board{System: sys, State: s}, Names: b.world(sys).names(s, rules.Kept{}.SpelledOut(sys)), Says: t.Game.Says[i]}
		if !f.Prevents && f.Nodes[i].Rank == 0 {
			n.Target = "goal"
		}
		if above != nil {
			n.Board.Before = &above.Board.State
		}
		return n
	}
	p.edges = func(i int) (list []edge) {
		for _, st := range f.Nodes[i].Next {
			if st.To >= 0 {
				list = joined(list, st.To, board.Player(sys, f.Nodes[i].State)+st.Move)
			}
		}
		return list
	}
	t.Roots = p.roots(num.Run(0, f.Roots))
	return t
}

// said says what is so in a position of a strategy.
func said(f *claim.Strategy, n claim.StrategyNode, goal string) string {
	text := "Here " + goal + " does not hold"
	switch {
	case !f.Prevents && n.Rank == 0:
		text = "Here " + goal + " holds"
	case !f.Prevents:
		text = fmt.Sprintf("At most %s to go", count(n.Rank, "move"))
	case !n.State.Live():
		text += ", and the game is over"
	case n.Rank == 0:
		text += ", and the moves of the claim are over"
	case len(n.Next) == 0:
		text += ", and no move is legal"
	case n.Rank < cert.Never:
		text += fmt.Sprintf(", nor for %s more", count(n.Rank, "move"))
	}
	left := lists.Filter(n.Next, func(st claim.StrategyStep) bool { return st.To < 0 })
	if len(left) > 0 {
		text += ". What follows is not drawn: " + bind.List(lists.Distinct(lists.Map(left, func(st claim.StrategyStep) string { return st.Move })))
	}
	return text + "."
}
