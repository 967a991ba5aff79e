package slice

import (
	"context"
	"fmt"
	"math/bits"

	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/abstract"
)

// node is something that may be needed.
type node struct {
	kind  nodeKind
	index int // which pit, variable or local
	body  int // whose local
}

type nodeKind int

const (
	courseKind nodeKind = iota
	pitKind
	varKind
	localKind
)

// course stands for the course of play.
var course = node{kind: courseKind}

func pitNode(p int) node { return node{kind: pitKind, index: p} }
func varNode(v int) node { return node{kind: varKind, index: v} }

// graph stores what each node needs, as sets of bits: wide boards have many edges, most of which
// are found many times.
type graph struct {
	ctx    context.Context
	sys    *rules.System
	body   int // number of the current body
	ids    map[node]int
	edges  [][]uint64
	loses  []bool // by pit
	looped []int  // pits that loops may change
}

// id numbers the nodes.
func (g *graph) id(n node) int {
	i, ok := g.ids[n]
	if !ok {
		i = len(g.ids)
		g.ids[n] = i
		g.edges = append(g.edges, nil)
	}
	return i
}

func (g *graph) need(from node, to ...node) {
	f := g.id(from)
	for _, n := range to {
		t := g.id(n)
		for len(g.edges[f]) <= t/64 {
			g.edges[f] = append(g.edges[f], 0)
		}
		g.edges[f][t/64] |= 1 << (t % 64)
	}
}

// reach returns which nodes from needs, directly or not.
func (g *graph) reach(from node) func(node) bool {
	seen := make([]bool, len(g.ids)+1) // from may be new
	todo := []int{g.id(from)}
	seen[todo[0]] = true
	for len(todo) > 0 {
		n := todo[0]
		todo = todo[1:]
		for w, set := range g.edges[n] {
			for ; set != 0; set &= set - 1 {
				if m := w*64 + bits.TrailingZeros64(set); !seen[m] {
					seen[m] = true
					todo = append(todo, m)
				}
			}
		}
	}
	return func(n node) bool {
		i, ok := g.ids[n]
		return ok && seen[i]
	}
}

func (g *graph) actions() {
	for i := range g.sys.Actions {
		if g.ctx.Err() != nil {
			return
		}
		a := &g.sys.Actions[i]
		g.body++
		g.reads(course, a.Guard, abstract.Everywhere(g.sys, len(a.Locals)))
		abstract.Before(g.sys, a).Run(a.Body, g.stmt)
	}
}

func (g *graph) reactions() {
	for _, by := range g.sys.EachReaction() {
		if g.ctx.Err() != nil {
			return
		}
		g.body++
		before := abstract.Everywhere(g.sys, len(by.Locals))
		g.reads(course, by.When, before)
		before.Assume(by.When, true).Run(by.Body, g.stmt)
	}
}

// reads makes n need what the value of x depends on. The course of play needs parts of x that may
// be a fault of the rules, or choose a pit or variable.
func (g *graph) reads(n node, x rules.Expr, e *abstract.Env) {
	e.Walk(x, func(sub rules.Expr, at *abstract.Env) {
		g.need(n, g.direct(sub, at)...)
		if hazard := at.Hazard(sub); hazard != nil && n != course {
			g.reads(course, hazard, at)
		}
	})
}

// direct lists what the value of x depends on apart from its subexpressions.
func (g *graph) direct(x rules.Expr, e *abstract.Env) []node {
	switch x := x.(type) {
	case rules.Cell:
		return g.cells(x, e)
	case rules.Sum:
		return pitNodes(x.Pits)
	case rules.Question:
		if x == rules.IsStart {
			return append(pitNodes(num.Run(0, len(g.sys.Pits))), varNodes(num.Run(0, len(g.sys.Vars)))...)
		}
		return nil
	case rules.Const, rules.OpenParam, rules.Lookup, rules.Not, rules.Binary, rules.Cond, rules.Old:
		return nil
	}
	panic(fmt.Sprintf("slice: unknown %T", x))
}

// cells lists what c may be, and for `last was` the pit that it is about. Other registers affect
// the course of play themselves.
func (g *graph) cells(c rules.Cell, e *abstract.Env) []node {
	switch {
	case c.Sort == rules.PitCell:
		return pitNodes(e.Slots(c))
	case c.Sort == rules.VarCell:
		return varNodes(e.Slots(c))
	case c.Sort == rules.LocalCell:
		return []node{{kind: localKind, index: c.Slot, body: g.body}}
	case c.Slot == rules.LastWasReg:
		return pitNodes(e.Pits(rules.Last))
	}
	return nil
}

func pitNodes(pits []int) []node {
	return lists.Map(pits, pitNode)
}

func varNodes(vars []int) []node {
	return lists.Map(vars, varNode)
}

// pit makes the course of play need x, unless x is certainly a pit.
func (g *graph) pit(x rules.Expr, e *abstract.Env) {
	if e.Values(x).Has(rules.None) {
		g.reads(course, x, e)
	}
}

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
