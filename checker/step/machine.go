// Package step is the compiled stepper: a fast equivalent of rules/interp.
//
// Compile turns every guard, body and reaction of a System into Go closures over the registers of a
// Machine: the cells of the current state, the pits of the last seed and of the sowing, the locals
// of the body. A step allocates nothing.
//
//	compile.go  actions, reactions, blocks of statements
//	exprs.go    expressions
//	compare.go  conditions: comparisons, and their frequent special forms
//	sow.go      sowing; if the skipped pits are known beforehand, along tables of the next pit
//	loop.go     `while`, and the proof that one never ends
//	machine.go  the registers; successors, starts, predicates
//	fault.go    errors in the rules met in play
//
// Closures report an error in the rules by a panic with a *Fault, what cannot be computed by one
// with a *rules.LimitError, and the end of the context by one with an *ended; the methods of
// Machine turn these into errors. Nothing else is recovered. Overflow of seeds is not checked: the
// seeds of a state add up to an int, and no step makes any.
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

// unset is the last pit, and the pit sown from, of a body that has sown nothing.
const unset = rules.None - 1

// Machine plays one compiled System. A goroutine needs its own: see Clone.
type Machine struct {
	prog *program
	registers
	work  *Flat    // where successors are built
	probe *Machine // determines whether a state has a legal move; made when needed
	here  Flat     // the state that probe is asked about
	loops []loopMemory
	masks [][]bool // by sowing with conditions: the pits that it skips
	plays []play   // with `prefer`: the legal actions so far
	aside error    // a fault that is not the current action's
	view  View     // of the predicate being evaluated
	ctx   context.Context
	ticks int // work done since the context was last looked at
}

// registers is what closures read and write.
type registers struct {
	cells   []int
	mover   int
	outcome int
	last    int
	lastWas int
	origin  int
	next    int // who moves after the action
	rank    int
	locals  []int
}

// play is an action whose body was executed, until it is known whether another is preferred to it.
type play struct {
	action  int
	next    int
	outcome int
	cells   []int
}

// Clone returns a machine for the same System that shares nothing mutable with m.
func (m *Machine) Clone() *Machine {
	c := newMachine(m.prog)
	c.ctx = m.ctx
	return c
}

// Within makes m, and clones of it that are made later, play until ctx ends. A move may take very
// long, as a loop of many rounds does. If ctx ends before it does, the error is that of ctx.
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

// often is how much work is done between two checks of the context: seeds dropped one by one, and
// cells that a round of a loop goes through.
const often = 1 << 10

// tick accounts for work, and checks the context from time to time.
func (m *Machine) tick(work int) {
	if m.ticks += work; m.ticks >= often {
		m.ticks = 0
		if err := m.ctx.Err(); err != nil {
			panic(&ended{err})
		}
	}
}

// Successors calls yield for every legal action of s, in the order of the System's Actions, with
// the settled state it leads to. That state belongs to m and is valid until yield returns; if yield
// returns false there are no further calls. An error is a *Fault, a *rules.LimitError
// or that of the context of Within; a fault of an action that a reaction tried may be returned
// after all calls.
func (m *Machine) Successors(s *Flat, yield func(action int, to *Flat) bool) (err error) {
	defer recoverFault(&err)
	m.aside = nil
	if s.Outcome != rules.Live {
		return nil
	}
	if m.prog.prefers[s.Mover] {
		m.preferred(s, yield)
		return m.aside
	}
	for _, a := range m.prog.byMover[s.Mover] {
		if !m.try(a, s) {
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
// state, if no other action met a fault. A *Fault is one of the action itself.
func (m *Machine) Do(s *Flat, action int) (to *Flat, legal bool, err error) {
	defer recoverFault(&err)
	a := m.prog.actions[action]
	if s.Outcome != rules.Live || m.prog.sys.Actions[action].Mover != s.Mover {
		return nil, false, nil
	}
	least := math.MinInt
	if m.prog.prefers[s.Mover] {
		least = m.bestRank(s)
	}
	if !m.try(a, s) || m.rank < least {
		return nil, false, nil
	}
	m.conclude(s.Mover)
	return m.work, true, nil
}

// bestRank returns the greatest rank of the actions that are legal apart from `prefer`.
func (m *Machine) bestRank(s *Flat) int {
	best := math.MinInt
	for list := m.prog.byMover[s.Mover]; len(list) > 0; {
		var legal bool
		if list, legal, _ = m.nextLegal(list, s); legal {
			best = max(best, m.rank)
		}
	}
	return best
}

// CanMove reports whether s has a legal move, which does not depend on `prefer`. An action that
// meets a fault is not legal; the error is one that was met.
func (m *Machine) CanMove(s *Flat) (can bool, err error) {
	defer recoverFault(&err)
	return m.canMove(s, m.prog.byMover)
}

// canMove reports whether one of the actions, by player, is legal.
func (m *Machine) canMove(s *Flat, actions [][]*action) (can bool, met error) {
	if s.Outcome != rules.Live {
		return false, nil
	}
	for list := actions[s.Mover]; len(list) > 0 && !can; {
		var fault error
		list, can, fault = m.nextLegal(list, s)
		met = cmp.Or(met, fault)
	}
	return can, met
}

// Settle evaluates the Reactions in a raw start, except those at the end of a turn, and executes
// those that hold.
func (m *Machine) Settle(s *Flat) (err error) {
	defer recoverFault(&err)
	m.aside = nil
	m.load(s)
	m.settle(false)
	m.store()
	s.Copy(m.work)
	return m.aside
}

// nextLegal tries actions until one is legal or meets a fault, which does not affect the others. It
// returns the remaining ones.
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

// try executes the body of an action on a copy of s and reports whether it is legal.
func (m *Machine) try(a *action, s *Flat) bool {
	if a.source >= 0 && s.Cells[a.source] == 0 {
		return false
	}
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

// store writes the registers of the current state to work, which already has its cells.
func (m *Machine) store() { m.work.Mover, m.work.Outcome = m.mover, m.outcome }

// conclude passes the turn and settles the current state, after an action by this player.
func (m *Machine) conclude(before int) {
	if m.outcome == rules.Live {
		m.mover = m.next
		m.settle(m.mover != before || len(m.prog.sys.Players) == 1)
	}
	m.store()
}

// settle evaluates the Reactions in the current state, each in what the ones before have left.
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

// react executes the body of a Reaction and reports whether the game is over. If not, the player to
// move may be another.
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

// preferred is Successors for a player who has an action with a `prefer`: all bodies are executed
// before it is known which are legal.
func (m *Machine) preferred(s *Flat, yield func(int, *Flat) bool) {
	n, best := 0, 0
	for _, a := range m.prog.byMover[s.Mover] {
		if !m.try(a, s) {
			continue
		}
		if n == 0 || m.rank > best {
			n, best = 0, m.rank
		}
		if m.rank == best {
			m.remember(n, a.index)
			n++
		}
	}
	for i := range n {
		p := &m.plays[i]
		m.load(s)
		copy(m.cells, p.cells)
		if m.next = p.next; p.outcome != rules.Live {
			m.end(p.outcome)
		}
		m.conclude(s.Mover)
		if !yield(p.action, m.work) {
			return
		}
	}
}

// remember stores the play just executed as number n.
func (m *Machine) remember(n, action int) {
	if n == len(m.plays) {
		m.plays = append(m.plays, play{cells: make([]int, len(m.cells))})
	}
	p := &m.plays[n]
	p.action, p.next, p.outcome = action, m.next, m.outcome
	copy(p.cells, m.cells)
}
