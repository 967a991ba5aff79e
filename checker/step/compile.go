package step

import (
	"fmt"

	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules"
)

// flow says how the carrying out of statements ended.
type flow int

const (
	onward   flow = iota // the next statement is to be carried out
	finished             // the game is over
	illegal              // the action cannot be carried out
)

type (
	number    func(*Machine) int
	condition func(*Machine) bool
	statement func(*Machine) flow
)

// program is a compiled System. It is immutable.
type program struct {
	sys     *rules.System
	after   []int // by player: who is next in turn
	byMover [][]*action
	prefers []bool // by player: some action has a `prefer`
	endings []ending
	locals  int // slots that the largest body needs
	loops   int // number of `while`s
	masks   int // number of sowings with conditions on what is skipped
}

type action struct {
	index  int
	source int // a pit without seeds makes the action illegal before anything else happens; or None
	guard  condition
	body   statement
	locals int
}

type ending struct {
	outcome   int
	noMove    bool
	atTurnEnd bool
	by        []endingFor
}

type endingFor struct {
	when   condition
	body   statement
	locals int
}

// compiler holds what the compilation of one body needs to know.
type compiler struct {
	known  map[trackKey]*track
	prog   *program
	at     diag.Range // of the statement under way: serves expressions that have no place of their own
	claims bool       // expressions about whole states are allowed
	err    error      // the first that was met
}

// Compile makes a Machine for sys. It fails only if the System is malformed.
func Compile(sys *rules.System) (*Machine, error) {
	p := &program{sys: sys, byMover: make([][]*action, len(sys.Players)), prefers: make([]bool, len(sys.Players))}
	for i := range sys.Players {
		p.after = append(p.after, (i+1)%len(sys.Players))
	}
	c := &compiler{prog: p}
	for i := range sys.Actions {
		c.action(i)
	}
	for i := range sys.Endings {
		p.endings = append(p.endings, c.ending(&sys.Endings[i]))
	}
	if c.err != nil {
		return nil, c.err
	}
	return newMachine(p), nil
}

func (c *compiler) fail(format string, args ...any) {
	if c.err == nil {
		c.err = fmt.Errorf(format, args...)
	}
}

func (c *compiler) action(i int) {
	a := &c.prog.sys.Actions[i]
	c.at = c.prog.sys.Moves[a.Move].At
	out := &action{index: i, source: sownFirst(a), locals: a.Locals}
	if a.Guard != nil {
		out.guard = c.cond(a.Guard)
	}
	out.body = c.block(a.Body)
	c.prog.locals = max(c.prog.locals, a.Locals)
	c.prog.byMover[a.Mover] = append(c.prog.byMover[a.Mover], out)
	rules.WalkStmts(a.Body, func(s rules.Stmt) {
		if _, ok := s.(rules.Prefer); ok {
			c.prog.prefers[a.Mover] = true
		}
	})
}

// sownFirst is the pit that the action sows before anything else, if that takes all its seeds and nothing evaluated before can
// be an error in the rules. Without seeds in that pit the action is illegal.
func sownFirst(a *rules.Action) int {
	if a.Guard != nil || len(a.Body) == 0 {
		return rules.None
	}
	s, ok := a.Body[0].(rules.Sow)
	if !ok || s.Count != nil || s.StartAt != nil {
		return rules.None
	}
	source, ok := s.Source.(rules.Const)
	if !ok {
		return rules.None
	}
	for _, x := range s.SkipIf {
		if _, ok := constant(x, source.Value); x != nil && !ok {
			return rules.None
		}
	}
	return source.Value
}

func (c *compiler) ending(e *rules.Ending) ending {
	out := ending{outcome: e.Outcome, noMove: e.NoMove, atTurnEnd: e.AtTurnEnd}
	c.at = c.prog.sys.Outcomes[e.Outcome].At
	for _, by := range e.By {
		f := endingFor{body: c.block(by.Body), locals: by.Locals}
		if !e.NoMove {
			f.when = c.cond(by.When)
		}
		c.prog.locals = max(c.prog.locals, by.Locals)
		out.by = append(out.by, f)
	}
	return out
}

// block compiles statements into one. The short ones, which are the most, do without a loop.
func (c *compiler) block(body []rules.Stmt) statement {
	list := make([]statement, len(body))
	for i, s := range body {
		list[i] = c.stmt(s)
	}
	switch len(list) {
	case 0:
		return func(*Machine) flow { return onward }
	case 1:
		return list[0]
	case 2:
		a, b := list[0], list[1]
		return func(m *Machine) flow {
			if how := a(m); how != onward {
				return how
			}
			return b(m)
		}
	}
	return func(m *Machine) flow {
		for _, s := range list {
			if how := s(m); how != onward {
				return how
			}
		}
		return onward
	}
}

// stmt compiles one statement.
func (c *compiler) stmt(s rules.Stmt) statement {
	switch s := s.(type) {
	case rules.Sow:
		return c.sow(s)
	case rules.Gather:
		return c.gather(s)
	case rules.Take:
		return c.take(s)
	case rules.Assign:
		return c.assign(s)
	case rules.SetLocal:
		slot, x := s.Slot, c.num(s.X)
		return func(m *Machine) flow { m.locals[slot] = x(m); return onward }
	case rules.If:
		return c.branch(s)
	case rules.While:
		return c.while(s)
	case rules.Again:
		return func(m *Machine) flow { m.again = true; return onward }
	case rules.Finish:
		outcome := s.Outcome
		return func(m *Machine) flow { m.end(outcome); return finished }
	case rules.Require:
		return c.require(s)
	case rules.Prefer:
		rank := c.num(s.Rank)
		return func(m *Machine) flow { m.rank = rank(m); return onward }
	}
	c.fail("unknown statement %T", s)
	return nil
}

func (c *compiler) require(s rules.Require) statement {
	cond := c.cond(s.Cond)
	return func(m *Machine) flow {
		if cond(m) {
			return onward
		}
		return illegal
	}
}

func (c *compiler) branch(s rules.If) statement {
	cond, then := c.cond(s.Cond), c.block(s.Then)
	if len(s.Else) == 0 {
		return func(m *Machine) flow {
			if cond(m) {
				return then(m)
			}
			return onward
		}
	}
	other := c.block(s.Else)
	return func(m *Machine) flow {
		if cond(m) {
			return then(m)
		}
		return other(m)
	}
}

// assign compiles the setting of a variable. What is set must belong to the variable's domain.
func (c *compiler) assign(s rules.Assign) statement {
	c.at = s.At
	cell, x := c.variable(s.Table, s.Index, s.At), c.num(s.X)
	pits := len(c.prog.sys.Pits)
	inDomain := make([]func(int) bool, len(c.prog.sys.Vars))
	for i := range inDomain {
		inDomain[i] = domainTest(&c.prog.sys.Vars[i])
	}
	vars, at := c.prog.sys.Vars, s.At
	return func(m *Machine) flow {
		i, v := cell(m), x(m)
		if !inDomain[i-pits](v) {
			panic(fault(diag.Overflow, at, "`%s` is set to %d, which is none of its values", vars[i-pits].Name, v))
		}
		m.cells[i] = v
		return onward
	}
}

// domainTest tells values of the variable from others; most domains have no gaps.
func domainTest(v *rules.Var) func(int) bool {
	n := len(v.Domain)
	if n > 0 && v.Domain[n-1]-v.Domain[0] == n-1 {
		lo, hi := v.Domain[0], v.Domain[n-1]
		return func(x int) bool { return lo <= x && x <= hi }
	}
	return v.Contains
}

// gather compiles a capture: which pits are meant is found out before a seed is moved.
func (c *compiler) gather(s rules.Gather) statement {
	c.at = s.At
	if st := constGather(s); st != nil {
		return st
	}
	into := c.pit(s.Into, s.At)
	from := make([]number, len(s.From))
	for i, x := range s.From {
		from[i] = c.num(x)
	}
	return func(m *Machine) flow {
		var few [16]int
		pits, to := few[:0], into(m)
		for _, f := range from {
			pits = append(pits, f(m))
		}
		for _, p := range pits {
			if p != rules.None && p != to {
				m.cells[to] += m.cells[p]
				m.cells[p] = 0
			}
		}
		return onward
	}
}

// constGather compiles a sweep, in which all pits are known; nil if they are not.
func constGather(s rules.Gather) statement {
	into, ok := s.Into.(rules.Const)
	if !ok || into.Value == rules.None {
		return nil
	}
	var pits []int
	for _, x := range s.From {
		p, ok := x.(rules.Const)
		if !ok {
			return nil
		}
		if p.Value != rules.None && p.Value != into.Value {
			pits = append(pits, p.Value)
		}
	}
	to := into.Value
	return func(m *Machine) flow {
		for _, p := range pits {
			m.cells[to] += m.cells[p]
			m.cells[p] = 0
		}
		return onward
	}
}

func (c *compiler) take(s rules.Take) statement {
	c.at = s.At
	count, from, into := c.num(s.Count), c.pit(s.From, s.At), c.pit(s.Into, s.At)
	pits, at := c.prog.sys.Pits, s.At
	return func(m *Machine) flow {
		n := count(m)
		p, q := from(m), into(m)
		if n < 0 || n > m.cells[p] {
			panic(fault(diag.Overdraw, at, "a take of %d seeds from `%s`, which holds %d", n, pits[p].Name, m.cells[p]))
		}
		m.cells[p] -= n
		m.cells[q] += n
		return onward
	}
}
