package slice

import (
	"fmt"

	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/abstract"
)

// stmt adds the needs of one statement, not those of its blocks.
func (g *graph) stmt(s rules.Stmt, e *abstract.Env) {
	switch s := s.(type) {
	case rules.Sow:
		g.sow(s, e)
	case rules.Transfer:
		g.transfer(s, e)
	case rules.Set:
		g.set(s, e)
	case rules.While:
		g.courseReads(s, e)
		g.loopChanges(s, e)
	case rules.If, rules.Stop:
		g.courseReads(s, e)
	default:
		panic(fmt.Sprintf("slice: unknown %T", s))
	}
}

// courseReads makes the course of play need all that s reads.
func (g *graph) courseReads(s rules.Stmt, e *abstract.Env) {
	e.Exprs(s, func(x rules.Expr, at *abstract.Env) { g.reads(course, x, at) })
}

// sow adds the needs of a sowing: the source, which must not be empty, and all that chooses the
// pits that get a seed.
func (g *graph) sow(s rules.Sow, e *abstract.Env) {
	from := e.Pits(s.Source)
	g.loseFrom(from)
	g.need(course, pitNodes(from)...)
	g.courseReads(s, e)
}

// loseFrom notes that seeds may be taken out of some pits.
func (g *graph) loseFrom(pits []int) {
	for _, p := range pits {
		g.loses[p] = true
	}
}

// transfer makes Into need the pits of From, which it empties. A transfer with a count is a fault
// if there are not enough seeds.
func (g *graph) transfer(s rules.Transfer, e *abstract.Env) {
	from, into := e.Pits(s.From), e.Pits(s.Into)
	g.loseFrom(from)
	if s.Count != nil {
		g.need(course, pitNodes(from)...)
		g.courseReads(s, e)
		return
	}
	g.pit(s.Into, e)
	for _, p := range into {
		g.need(pitNode(p), pitNodes(from)...)
	}
	for _, p := range append(into, from...) {
		if g.ctx.Err() != nil {
			return
		}
		g.reads(pitNode(p), s.From, e)
		g.reads(pitNode(p), s.Into, e)
	}
}

// set makes a cell need what it is set to, and the course of play if it is a register. If the value
// may be outside a variable's domain the rules have a fault, and the course of play needs it as
// well.
func (g *graph) set(s rules.Set, e *abstract.Env) {
	g.reads(course, s.To.Index, e)
	if s.To.Sort == rules.RegisterCell {
		g.reads(course, s.X, e)
	}
	for _, n := range g.cells(s.To, e) {
		g.reads(n, s.X, e)
	}
	if !e.Fits(s) {
		g.reads(course, s.X, e)
	}
}

// loopChanges makes the course of play need all that a loop may change. The pits are noted.
func (g *graph) loopChanges(w rules.While, e *abstract.Env) {
	e.Assume(w.Cond, true).Run(w.Body, func(s rules.Stmt, at *abstract.Env) {
		from, into := at.Moves(s)
		g.looped = append(append(g.looped, into...), from...)
		if set, is := s.(rules.Set); is {
			g.need(course, g.cells(set.To, at)...)
		}
	})
}
