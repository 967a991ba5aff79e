package slice

import (
	"github.com/mancheck/mancheck/checker/slice/possible"
	"github.com/mancheck/mancheck/rules"
)

// stmt adds the needs of one statement, not those of its blocks.
func (g *graph) stmt(s rules.Stmt, e *possible.Env) {
	switch s := s.(type) {
	case rules.Gather:
		g.gather(s, e)
	case rules.Assign:
		g.assign(s, e)
	case rules.SetLocal:
		g.reads(node{kind: localKind, at: s.Slot, body: g.body}, s.X, e)
	case rules.Sow:
		g.sow(s, e)
	case rules.Take:
		g.need(course, pitNodes(e.Pits(s.From))...)
		g.courseReads(s, e)
	case rules.While:
		g.courseReads(s, e)
		g.loopChanges(s, e)
	default:
		g.courseReads(s, e)
	}
}

// courseReads makes the course of play need all that s reads.
func (g *graph) courseReads(s rules.Stmt, e *possible.Env) {
	for _, x := range rules.Exprs(s) {
		g.reads(course, x, e)
	}
}

// sow needs the source, which must not be empty, and all that chooses the pits that get a seed.
func (g *graph) sow(s rules.Sow, e *possible.Env) {
	g.need(course, pitNodes(e.Pits(s.Source))...)
	inside := e.Sowing(s)
	g.reads(course, s.Source, e)
	for _, x := range append([]rules.Expr{s.Count, s.StartAt}, s.SkipIf...) {
		g.reads(course, x, inside)
	}
}

// gather fills Into with what the pits of From hold and empties them.
func (g *graph) gather(s rules.Gather, e *possible.Env) {
	g.pit(s.Into, e)
	for _, x := range s.From {
		for _, into := range e.Pits(s.Into) {
			if g.ctx.Err() != nil {
				return
			}
			g.need(pitNode(into), pitNodes(e.Pits(x))...)
			g.reads(pitNode(into), x, e)
			g.reads(pitNode(into), s.Into, e)
		}
		for _, from := range e.Pits(x) {
			if g.ctx.Err() != nil {
				return
			}
			g.reads(pitNode(from), x, e)
			g.reads(pitNode(from), s.Into, e)
		}
	}
}

// assign makes a variable need what it is set to. If that may be none of its values the rules have a fault, and the
// course of play needs it as well.
func (g *graph) assign(s rules.Assign, e *possible.Env) {
	g.reads(course, s.Index, e)
	for _, v := range e.Vars(s.Table, s.Index) {
		g.reads(varNode(v), s.X, e)
		if !e.Values(s.X).Within(g.sys.Vars[v].Domain) {
			g.reads(course, s.X, e)
		}
	}
}

// loopChanges makes the course of play need all that a loop may change.
func (g *graph) loopChanges(w rules.While, e *possible.Env) {
	e.Assume(w.Cond, true).Run(w.Body, func(s rules.Stmt, at *possible.Env) {
		switch s := s.(type) {
		case rules.Sow:
			g.need(course, pitNodes(at.Sowing(s).Targets(s))...)
		case rules.Gather:
			g.need(course, pitNodes(at.Pits(s.Into))...)
			for _, x := range s.From {
				g.need(course, pitNodes(at.Pits(x))...)
			}
		case rules.Take:
			g.need(course, pitNodes(at.Pits(s.Into))...)
		case rules.Assign:
			g.need(course, varNodes(at.Vars(s.Table, s.Index))...)
		case rules.SetLocal:
			g.need(course, node{kind: localKind, at: s.Slot, body: g.body})
		}
	})
}
