// Package slice determines which pits and control variables matter to a question, so that searches
// can ignore the others.
//
// The rules are turned into a graph of needs. Its nodes are the pits, the variables, the locals of
// bodies, and one node for the course of play: which actions are legal, which way a body takes,
// which pit a sowing starts at, how the game ends, whether the goals hold. An edge from a to b says
// that a depends on b:
//
//   - the course of play needs what guards, conditions, ranks, endings, loops and goals read, and
//     also what chooses among pits or variables, or may be a fault of the rules (a division by
//     zero, a value out of range);
//   - a pit that is sown from is needed for the course of play, as a sowing from an empty pit is
//     illegal;
//   - a variable or local needs what its assignments read; a pit into which others are captured
//     needs those.
//
// Which pit `count(last)` or `last was` reads is found by package abstract; without it a store in
// which a sowing may end would always be needed. A loop needs all that its body changes: it is
// endless once a configuration recurs.
//
// What the course of play reaches in the graph is kept. Ignoring the rest is sound: if two states
// agree on what is kept, on the mover and the outcome, then the same actions are legal in both,
// each leads to states that again agree, and the goals hold in both or in neither. Seeds sown or
// captured into a pit that is not kept are never read.
//
// The setup keeps nothing, unless a goal refers to starts: a search has to determine for itself
// whether a reduced state comes from a start. Scores keep nothing either; a question about them
// names them as goals.
package slice

import (
	"context"
	"slices"

	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/abstract"
)

// Slice says what matters, and why the rest does not.
type Slice struct {
	rules.Kept
	Dropped []string // one sentence for each ignored pit and variable, in order of declaration
	Loses   []bool   // by pit: a move or a reaction may take seeds out of it
	// Steers says by pit whether the course of play depends on its seeds. That of a loop does not
	// if seeds are only ever added to the pit: where all else recurs, such pits together have as
	// many seeds as before, and with that each of them has. Pits that a loop changes are kept all
	// the same.
	Steers []bool
}

// Keep finds the least set of pits and variables, as far as the approximation of package abstract
// allows, that determines every play and the goals. Once the context is done it stops and keeps
// everything.
func Keep(ctx context.Context, sys *rules.System, goals ...rules.Expr) Slice {
	g := &graph{ctx: ctx, sys: sys, ids: map[node]int{}, loses: make([]bool, len(sys.Pits))}
	g.actions()
	g.reactions()
	for _, goal := range goals {
		if ctx.Err() != nil {
			break
		}
		g.reads(course, goal, abstract.Everywhere(sys, 0))
	}
	all := ctx.Err() != nil
	var out Slice
	for _, p := range g.looped {
		if g.loses[p] {
			g.need(course, pitNode(p))
		}
	}
	steers := g.reach(course)
	for p := range sys.Pits {
		out.Steers = append(out.Steers, all || steers(pitNode(p)))
	}
	g.need(course, pitNodes(g.looped)...)
	needed := g.reach(course)
	for p, pit := range sys.Pits {
		keep := all || needed(pitNode(p))
		out.Pits = append(out.Pits, keep)
		out.Loses = append(out.Loses, all || g.loses[p])
		out.explain(keep, pit.Name, "asks for its seeds")
	}
	for v, x := range sys.Vars {
		keep := all || needed(varNode(v))
		out.Vars = append(out.Vars, keep)
		out.explain(keep, x.Name, "reads it")
	}
	for v, asked := range overVars(sys, goals) { // what a goal never comes to ask for is not kept
		out.Over = append(out.Over, asked && out.Vars[v])
	}
	return out
}

// overVars marks the variables that matter once the game is over: those that the goals themselves
// read. A start may be over at once, with values set by an ending.
func overVars(sys *rules.System, goals []rules.Expr) []bool {
	over := make([]bool, len(sys.Vars))
	for _, goal := range goals {
		if rules.AsksFor(goal, rules.IsStart) {
			return slices.Repeat([]bool{true}, len(over))
		}
		rules.Walk(goal, func(x rules.Expr) bool {
			if c, is := x.(rules.Cell); is && c.Sort == rules.VarCell {
				for _, v := range c.Slots(len(over)) {
					over[v] = true
				}
			}
			return true
		})
	}
	return over
}

func (s *Slice) explain(kept bool, name, reads string) {
	if !kept {
		s.Dropped = append(s.Dropped, name+": no guard, effect, ending or claim "+reads)
	}
}
