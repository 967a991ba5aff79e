// Package laws proposes what may follow from the text of the rules: pits that never lose seeds, and
// ranks that become less with each move. It looks at the rules alone, over sets of values (package
// rules/abstract), and plays nothing. What it proposes is a guess until somebody has checked it.
package laws

import (
	"reflect"
	"slices"

	"github.com/mancheck/mancheck/checker/graph"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/abstract"
)

// Edge is a way that a seed may go, from a pit to another. A strict one has to lower a rank, as
// there may be no other seed that does.
type Edge struct {
	From, Into int
	Strict     bool
}

// Growing reports for each pit whether no statement takes seeds out of it.
func Growing(sys *rules.System) []bool {
	grows := slices.Repeat([]bool{true}, len(sys.Pits))
	eachBody(sys, func(run body) {
		run(func(s rules.Stmt, e *abstract.Env) {
			from, into := e.Moves(s)
			for _, p := range from {
				grows[p] = grows[p] && len(into) == 1 && into[0] == p
			}
		})
	})
	return grows
}

// body runs a body over sets of values, and reports whether the game may go on after it.
type body func(abstract.Seer) bool

// eachBody calls f with each body of the rules.
func eachBody(sys *rules.System, f func(body)) {
	for i := range sys.Actions {
		if e := abstract.Before(sys, &sys.Actions[i]); e != nil {
			f(func(see abstract.Seer) bool { return e.Run(sys.Actions[i].Body, see) != nil })
		}
	}
	for _, by := range sys.EachReaction() {
		if e := abstract.Everywhere(sys, len(by.Locals)).Assume(by.When, true); e != nil {
			f(func(see abstract.Seer) bool { return e.Run(by.Body, see) != nil })
		}
	}
}

// deepest bounds the levels of a rank.
const deepest = 8

// Rank proposes a rank: for each level the weights of the pits. A seed that goes along may lower a
// level, and raises none unless it has lowered an earlier one. It is nil if none is found.
//
// The first level is about the ways that seeds may go at all: pits between which seeds may go to
// and fro weigh the same, and what they cannot come back from weighs more. The next one is about
// the ways they may go in moves that do not lower the first level: those whose last seed falls
// before the first pit that weighs less. And so on, until each sowing lowers some level.
func Rank(sys *rules.System) [][]int {
	for i := range sys.Actions {
		if !movesSeeds(sys.Actions[i].Body) {
			return nil
		}
	}
	return rankOf(sys, func(f func(body)) { eachBody(sys, f) }, false)
}

// rankOf proposes a rank that each of some bodies lowers. sown is whether something may have been
// sown before them.
func rankOf(sys *rules.System, each func(f func(body)), sown bool) [][]int {
	var rank [][]int
	before := -1
	for range deepest {
		edges := ways(sys, rank, each, sown)
		weights, left := heights(len(sys.Pits), edges)
		rank = append(rank, weights)
		if left == 0 {
			return rank
		}
		if left == before {
			return nil
		}
		before = left
	}
	return nil
}

// Loops proposes ranks that the rounds of loops lower, without repetitions: one for each loop of
// the rules for which one is found.
func Loops(sys *rules.System) (ranks [][][]int) {
	eachBody(sys, func(run body) {
		run(func(s rules.Stmt, head *abstract.Env) {
			w, is := s.(rules.While)
			if !is {
				return
			}
			round := func(see abstract.Seer) bool { return head.Assume(w.Cond, true).Run(w.Body, see) != nil }
			rank := rankOf(sys, func(f func(body)) { f(round) }, true)
			if rank != nil && !slices.ContainsFunc(ranks, func(r [][]int) bool { return reflect.DeepEqual(r, rank) }) {
				ranks = append(ranks, rank)
			}
		})
	})
	return ranks
}

// movesSeeds reports whether a body moves at least one seed somewhere, as a pass does not.
func movesSeeds(body []rules.Stmt) (does bool) {
	rules.WalkStmts(body, func(s rules.Stmt) {
		_, sows := s.(rules.Sow)
		t, is := s.(rules.Transfer)
		does = does || sows || is && t.Count != nil
	})
	return does
}

// ways lists the ways that seeds may go in moves that have not yet lowered one of the levels.
func ways(sys *rules.System, rank [][]int, each func(f func(body)), sown bool) []Edge {
	var all []Edge
	each(func(run body) {
		w := &walk{sys: sys, rank: rank, last: slices.Repeat([]bool{sown}, len(sys.Pits)), seen: map[Edge]bool{}}
		goesOn := run(w.see)
		for before := -1; before < len(w.edges); { // what is sown next depends on where the last seed may have fallen
			before = len(w.edges)
			run(w.see)
		}
		if goesOn { // else the rank does not matter any more
			all = append(all, w.edges...)
		}
	})
	return all
}

// walk collects the ways of one body.
type walk struct {
	sys   *rules.System
	rank  [][]int
	last  []bool // pits into which the last seed may have fallen so far
	edges []Edge
	seen  map[Edge]bool
}

// lowers compares two pits by the levels.
func (w *walk) lowers(from, into int) bool {
	for _, level := range w.rank {
		if level[from] != level[into] {
			return level[into] < level[from]
		}
	}
	return false
}

func (w *walk) add(from, into int, strict bool) {
	e := Edge{from, into, strict}
	if (from != into || strict) && !w.seen[e] {
		w.seen[e], w.edges = true, append(w.edges, e)
	}
}

func (w *walk) see(s rules.Stmt, e *abstract.Env) {
	if sow, is := s.(rules.Sow); is {
		w.sow(sow, e)
		return
	}
	from, into := e.Moves(s)
	for _, a := range from {
		for _, b := range into {
			if !w.lowers(a, b) {
				w.add(a, b, false)
			}
		}
	}
}

// sow adds the ways of a sowing, from each source as far as no level is lowered. Where the source
// depends on the last seed, that has fallen before a level was lowered.
func (w *walk) sow(s rules.Sow, e *abstract.Env) {
	if len(w.rank) > 0 && rules.Mentions(s.Source, func(x rules.Expr) bool { c, is := x.(rules.Cell); return is && c.IsRegister(rules.LastReg) }) {
		if e = e.Assume(rules.In(rules.Last, w.last), true); e == nil {
			return
		}
	}
	targets := e.Sowing(s).Targets(s)
	for _, from := range e.Pits(s.Source) {
		first := []int{w.sys.Laps[s.Lap].Next[from]}
		switch {
		case s.OriginFirst:
			first[0] = from
		case s.StartAt != nil:
			first = e.Pits(s.StartAt)
		}
		for _, p := range first {
			w.along(s, e.Sowing(s), from, p, targets)
		}
	}
}

func (w *walk) along(s rules.Sow, e *abstract.Env, from, first int, targets []int) {
	tried := make([]bool, len(w.sys.Pits))
	for p := first; p != rules.None && !tried[p]; p = w.sys.Laps[s.Lap].Next[p] {
		tried[p] = true
		switch {
		case !slices.Contains(targets, p):
		case !w.lowers(from, p):
			w.add(from, p, true)
			w.last[p] = true
		case s.OnlyLast != nil && s.OnlyLast[p]:
		case s.SkipIf == nil || s.SkipIf[p] == nil || e.Assume(s.SkipIf[p], true) == nil:
			return // the first seed to come here lowers a level
		}
	}
}

// heights returns for each pit the length of a longest way from it, where pits between which there
// are ways to and fro count as one, and the number of strict edges between such pits.
func heights(pits int, edges []Edge) (height []int, left int) {
	group, left := Groups(pits, edges)
	edges = slices.Clone(edges)
	slices.SortFunc(edges, func(a, b Edge) int { return group[a.From] - group[b.From] }) // ways lead to lower groups
	of := make([]int, pits+1)
	for _, e := range edges {
		if from, into := group[e.From], group[e.Into]; from != into {
			of[from] = max(of[from], of[into]+1)
		}
	}
	for _, g := range group {
		height = append(height, of[g])
	}
	return height, left
}

// Groups numbers the groups of pits between which there are ways to and fro, such that no way leads
// to a greater number. left is the number of strict edges within groups.
func Groups(pits int, edges []Edge) (group []int, left int) {
	below := make([][]uint32, pits)
	for _, e := range edges {
		below[e.From] = append(below[e.From], uint32(e.Into))
	}
	group = make([]int, pits)
	number := 0
	_ = graph.Components(pits, func(i int) []uint32 { return below[i] }, func(list []uint32) error {
		number++
		for _, p := range list {
			group[p] = number
		}
		return nil
	})
	for _, e := range edges {
		if e.Strict && group[e.From] == group[e.Into] {
			left++
		}
	}
	return group, left
}

// Going proposes the variable that holds the pit from which a player has to go on: the first one
// that guards of moves compare with pits. It returns the variable's name, or "".
func Going(sys *rules.System) string {
	var asked []int
	for i := range sys.Actions {
		rules.Walk(sys.Actions[i].Guard, func(x rules.Expr) bool {
			b, is := x.(rules.Binary)
			c, isCell := b.L.(rules.Cell)
			if is && b.Op == rules.Eq && isCell && c.Sort == rules.VarCell && c.Index == nil && sys.Vars[c.Slot].Type == rules.PitType {
				asked = append(asked, c.Slot)
			}
			return true
		})
	}
	if len(asked) == 0 {
		return ""
	}
	return sys.Vars[slices.Min(asked)].Name
}
