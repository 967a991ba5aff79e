package step

import (
	"fmt"

	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
)

// flow is how the execution of statements ended.
type flow int

const (
	onward   flow = iota // the next statement is executed
	finished             // the game is over
	illegal              // the action cannot be executed
)

// Closures for numbers, conditions and statements. They work on the registers of a Machine.
type (
	number    func(*Machine) int
	condition func(*Machine) bool
	statement func(*Machine) flow
)

// program is a compiled System. It is immutable, so machines share it.
type program struct {
	sys       *rules.System
	actions   []*action
	byMover   [][]*action
	others    [][]*action // by player: actions that are not fallbacks
	prefers   []bool      // by player: some action has a `prefer`
	reactions []reaction
	locals    int // the greatest number of locals of a body
	loops     int // number of `while` statements
	masks     int // number of sowings with conditions on the pits they skip
}

// action is a compiled action.
type action struct {
	index  int
	next   int // the player to move after it, unless its body sets another
	guard  condition
	body   statement
	locals int
}

type reaction struct {
	atTurnEnd bool
	players   []reactionFor
	place     diag.Range
}

type reactionFor struct {
	when   condition
	body   statement
	locals int
}

// compiler is the context for compiling one System or one expression.
type compiler struct {
	prog    *program
	current diag.Range // the current statement, for faults in expressions without a place
	claims  bool       // questions about whole states are allowed
	err     error      // the first error
}

// Compile returns a Machine for sys. It fails only if the System is malformed.
func Compile(sys *rules.System) (*Machine, error) {
	p := &program{sys: sys, byMover: make([][]*action, len(sys.Players)), others: make([][]*action, len(sys.Players)), prefers: make([]bool, len(sys.Players))}
	c := &compiler{prog: p}
	for i := range sys.Actions {
		c.action(i)
	}
	for i := range sys.Reactions {
		p.reactions = append(p.reactions, c.reaction(&sys.Reactions[i]))
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
	c.current = c.prog.sys.Moves[a.Move].At
	out := &action{index: i, next: (a.Mover + 1) % len(c.prog.sys.Players), locals: len(a.Locals)}
	if a.Guard != nil {
		out.guard = c.cond(a.Guard)
	}
	out.body = c.block(a.Body)
	c.prog.locals = max(c.prog.locals, len(a.Locals))
	c.prog.actions = append(c.prog.actions, out)
	c.prog.byMover[a.Mover] = append(c.prog.byMover[a.Mover], out)
	if !a.Fallback {
		c.prog.others[a.Mover] = append(c.prog.others[a.Mover], out)
	}
	c.prog.prefers[a.Mover] = c.prog.prefers[a.Mover] || rules.EffectsOf(a.Body).Ranks
}

func (c *compiler) reaction(e *rules.Reaction) reaction {
	out := reaction{atTurnEnd: e.AtTurnEnd, place: e.At}
	c.current = e.At
	for _, by := range e.By {
		c.prog.locals = max(c.prog.locals, len(by.Locals))
		out.players = append(out.players, reactionFor{when: c.cond(by.When), body: c.block(by.Body), locals: len(by.Locals)})
	}
	return out
}

// block compiles statements to one.
func (c *compiler) block(body []rules.Stmt) statement {
	list := lists.Map(body, c.stmt)
	if len(list) == 1 {
		return list[0]
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
	case rules.Transfer:
		return c.transfer(s)
	case rules.Set:
		return c.set(s)
	case rules.If:
		return c.branch(s)
	case rules.While:
		return c.while(s)
	case rules.Stop:
		outcome := s.Outcome
		if outcome == rules.Illegal {
			return func(*Machine) flow { return illegal }
		}
		return func(m *Machine) flow { m.end(outcome); return finished }
	}
	c.fail("unknown statement %T", s)
	return nil
}

func (c *compiler) branch(s rules.If) statement {
	cond, then, other := c.cond(s.Cond), c.block(s.Then), c.block(s.Else)
	return func(m *Machine) flow {
		if cond(m) {
			return then(m)
		}
		return other(m)
	}
}

// set compiles an assignment.
func (c *compiler) set(s rules.Set) statement {
	if !s.At.IsZero() {
		c.current = s.At
	}
	switch {
	case s.To.Sort == rules.VarCell:
		return c.assign(s)
	case s.To.Sort == rules.LocalCell && s.To.Index == nil:
		slot, x := s.To.Slot, c.num(s.X)
		return func(m *Machine) flow { m.locals[slot] = x(m); return onward }
	case rules.IsFixed(s.To, rules.RegisterCell, rules.RankReg):
		x := c.num(s.X)
		return func(m *Machine) flow { m.rank = x(m); return onward }
	case rules.IsFixed(s.To, rules.RegisterCell, rules.NextReg):
		x := c.num(s.X)
		return func(m *Machine) flow { m.next = x(m); return onward }
	}
	c.fail("a cell of sort %d, number %d, cannot be set", s.To.Sort, s.To.Slot)
	return nil
}

// assign compiles an assignment to a variable. A value outside its domain is a fault.
func (c *compiler) assign(s rules.Set) statement {
	cell, x := c.chosen(s.To), c.num(s.X)
	pits := len(c.prog.sys.Pits)
	vars, at := c.prog.sys.Vars, s.At
	return func(m *Machine) flow {
		i, v := cell(m), x(m)
		if !vars[i-pits].Contains(v) {
			panic(fault(diag.Overflow, at, "`%s` is set to %d, which is none of its values", vars[i-pits].Name, v))
		}
		m.cells[i] = v
		return onward
	}
}

// transfer compiles a transfer of all seeds. Both pits are evaluated before a seed moves.
func (c *compiler) transfer(s rules.Transfer) statement {
	c.current = s.At
	into := c.pit(s.Into, s.At)
	if s.Count != nil {
		return c.take(s, into)
	}
	from := c.num(s.From)
	return func(m *Machine) flow {
		if q, p := into(m), from(m); p != rules.None && p != q {
			m.cells[q] += m.cells[p]
			m.cells[p] = 0
		}
		return onward
	}
}

// take compiles a transfer of a counted number of seeds.
func (c *compiler) take(s rules.Transfer, into number) statement {
	count, from := c.num(s.Count), c.pit(s.From, s.At)
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
