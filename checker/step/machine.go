// Package step is the compiled stepper: a fast equivalent of rules/interp.
//
// Compile turns every guard, body and reaction of a System into Go closures over the registers of a
// Machine: the cells of the current state, the pits of the last seed and of the sowing, and the
// locals of the body. A step allocates nothing.
//
//	compile.go  actions, reactions, blocks of statements
//	exprs.go    expressions
//	compare.go  conditions
//	sow.go      sowing
//	loop.go     `while`, and the detection of loops that never end
//	machine.go  the registers; successors, starts, predicates
//	fault.go    faults of the rules in play
//
// Closures panic with a *Fault for a fault of the rules, with a *rules.LimitError for what cannot
// be computed, and with an *ended after the end of the context. The methods of Machine turn these
// panics into errors, and no others. Overflow of seeds is not checked, because the seeds of a state
// add up to an int and no step makes any.
package step

import (
	"cmp"
	"context"
	"math"

	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules"
)

// Flat is a state in flat form.
type Flat = pack.Flat

// unset is the value of the last pit, and of the pit sown from, in a body that has not sown.
const unset = rules.None - 1

// Machine plays one compiled System. Each goroutine needs its own; see Clone.
type Machine struct {
	prog *program
	registers
	work  *Flat    // the state that successors are built in
	probe *Machine // answers whether a state has a legal move; made when needed
	here  Flat     // the state that probe is asked about
	loops []loopMemory
	masks [][]bool // by sowing with conditions: the pits that it skips
	aside error    // a fault of another action than the current one
	view  View     // of the condition being evaluated
	ctx   context.Context
	ticks int // work done since the context was checked
}

// registers has what closures read and write.
type registers struct {
	cells   []int
	mover   int
	outcome int
	last    int
	lastWas int
	origin  int
	next    int // the player to move after the action
	rank    int
	locals  []int
}

// Clone returns a machine for the same System that shares nothing mutable with m.
func (m *Machine) Clone() *Machine {
	c := newMachine(m.prog)
	c.ctx = m.ctx
	return c
}

// Within makes m, and clones made of it later, play only until ctx ends, because a single move may
// take very long. Methods then return the error of ctx.
func (m *Machine) Within(ctx context.Context) { m.ctx, m.probe = ctx, nil }

func newMachine(p *program) *Machine {
	m := &Machine{prog: p, ctx: context.Background(), work: pack.NewFlat(p.sys), loops: make([]loopMemory, p.loops)}
	m.locals = make([]int, p.locals)
	for range p.masks {
		m.masks = append(m.masks, make([]bool, len(p.sys.Pits)))
	}
	return m
}

// System returns the System that was compiled.
func (m *Machine) System() *rules.System { return m.prog.sys }

// often is how much work is done between two checks of the context, counted in seeds dropped one by
// one and in cells that a round of a loop handles.
const often = 1 << 10

// tick counts work, and checks the context from time to time.
func (m *Machine) tick(work int) {
	if m.ticks += work; m.ticks >= often {
		m.ticks = 0
		if err := m.ctx.Err(); err != nil {
			panic(&ended{err})
		}
	}
}

// Successors calls yield for every legal action of s, in the order of the System's Actions, with
// the settled state that it leads to. That state belongs to m and is valid until yield returns. If
// yield returns false there are no further calls. An error is a *Fault, a *rules.LimitError, or the
// error of the context given to Within. A fault of an action that a reaction tried may be returned
// after all calls.
func (m *Machine) Successors(s *Flat, yield func(action int, to *Flat) bool) (err error) {
	defer recoverFault(&err)
	m.aside = nil
	if s.Outcome != rules.Live {
		return nil
	}
	least := m.leastRank(s)
	for _, a := range m.prog.byMover[s.Mover] {
		if !m.try(a, s) || m.rank < least {
			continue
		}
		m.conclude(s.Mover)
		if !yield(a.index, m.work) {
			break
		}
	}
	return m.aside
}

// Do executes one action in s. It is legal if and only if Successors would yield it, with this
// state, unless another action has a fault. A *Fault is one of the action itself.
func (m *Machine) Do(s *Flat, action int) (to *Flat, legal bool, err error) {
	defer recoverFault(&err)
	a := m.prog.actions[action]
	if s.Outcome != rules.Live || m.prog.sys.Actions[action].Mover != s.Mover {
		return nil, false, nil
	}
	least := m.leastRank(s)
	if !m.try(a, s) || m.rank < least {
		return nil, false, nil
	}
	m.conclude(s.Mover)
	return m.work, true, nil
}

// leastRank returns the least rank with which an action is legal: the greatest of those that are
// legal apart from their ranks, if the player's actions have ranks.
func (m *Machine) leastRank(s *Flat) int {
	best := math.MinInt
	if !m.prog.prefers[s.Mover] {
		return best
	}
	for list := m.prog.byMover[s.Mover]; len(list) > 0; {
		var legal bool
		if list, legal, _ = m.nextLegal(list, s); legal {
			best = max(best, m.rank)
		}
	}
	return best
}

// CanMove reports whether s has a legal move, which does not depend on ranks. An action with a
// fault is not legal; the error is one of these faults.
func (m *Machine) CanMove(s *Flat) (can bool, err error) {
	defer recoverFault(&err)
	return m.canMove(s, m.prog.byMover)
}

// canMove reports whether one of the actions, which are listed by player, is legal.
func (m *Machine) canMove(s *Flat, actions [][]*action) (can bool, fault error) {
	if s.Outcome != rules.Live {
		return false, nil
	}
	for list := actions[s.Mover]; len(list) > 0 && !can; {
		var next error
		list, can, next = m.nextLegal(list, s)
		fault = cmp.Or(fault, next)
	}
	return can, fault
}

// Settle settles a start: it evaluates the reactions, except those at the end of a turn, and
// executes those whose condition holds.
func (m *Machine) Settle(s *Flat) (err error) {
	defer recoverFault(&err)
	m.aside = nil
	m.load(s)
	m.settle(false)
	m.store()
	s.Copy(m.work)
	return m.aside
}

// nextLegal tries actions until one is legal or has a fault. A fault does not affect other actions.
// It returns the actions that are left to try.
func (m *Machine) nextLegal(list []*action, s *Flat) (left []*action, legal bool, fault error) {
	defer func() {
		r := recover()
		if f, is := r.(*Fault); is {
			fault = f
		} else if r != nil {
			panic(r)
		}
	}()
	for left = list; len(left) > 0 && !legal; {
		a := left[0]
		left = left[1:]
		legal = m.try(a, s)
	}
	return left, legal, nil
}

// try executes the body of an action on a copy of s, and reports whether the action is legal.
func (m *Machine) try(a *action, s *Flat) bool {
	if a.guard != nil {
		m.cells, m.mover, m.outcome = s.Cells, s.Mover, s.Outcome
		m.last, m.origin = unset, unset
		if !a.guard(m) {
			return false
		}
	}
	m.load(s)
	m.next = a.next
	clear(m.locals[:a.locals])
	return a.body(m) != illegal
}

// load makes a copy of s the current state.
func (m *Machine) load(s *Flat) {
	copy(m.work.Cells, s.Cells)
	m.cells, m.mover, m.outcome = m.work.Cells, s.Mover, s.Outcome
	m.last, m.lastWas, m.origin = unset, 0, unset
	m.rank = 0
}

// store completes work, which already has the cells of the current state.
func (m *Machine) store() { m.work.Mover, m.work.Outcome = m.mover, m.outcome }

// conclude passes the turn after an action of player before, and settles the current state.
func (m *Machine) conclude(before int) {
	if m.outcome == rules.Live {
		m.mover = m.next
		m.settle(m.mover != before || len(m.prog.sys.Players) == 1)
	}
	m.store()
}

// settle evaluates the reactions in the current state, each in the state that the earlier ones
// leave.
func (m *Machine) settle(turnEnd bool) {
	for i := range m.prog.reactions {
		e := &m.prog.reactions[i]
		if e.atTurnEnd && !turnEnd {
			continue
		}
		m.last, m.origin = unset, unset
		if by := &e.players[m.mover]; by.when(m) && m.react(e, by) {
			return
		}
	}
}

// react executes the body of a reaction and reports whether the game is over. If it is not, another
// player may be to move.
func (m *Machine) react(e *reaction, by *reactionFor) (over bool) {
	m.last, m.lastWas, m.origin = unset, 0, unset
	m.next = m.mover
	clear(m.locals[:by.locals])
	if by.body(m) == illegal {
		panic(fault(diag.NoValue, e.place, "what is demanded after a move cannot be done"))
	}
	if m.outcome != rules.Live {
		return true
	}
	m.mover = m.next
	return false
}

// end ends the game with an outcome.
func (m *Machine) end(outcome int) { m.mover, m.outcome = rules.None, outcome }
