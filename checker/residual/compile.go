package residual

import (
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/abstract"
)

// force makes a program, unless it has been made, and returns its first operation. pc is the
// complement of a stub's number, or unmade plus an index in tables.
func (c *compiler) force(pc int32) int32 {
	if pc-unmade < int32(len(c.tables)) {
		return c.take(pc - unmade)
	}
	i := ^pc
	if st := &c.stubs[i]; st.pc >= 0 {
		return st.pc
	}
	var to int32
	switch st := &c.stubs[i]; st.part {
	case nothing:
		b := newBuilder(c, st.point.clone())
		b.first, b.tail, b.fresh = -1, -1, true
		for !b.step() {
		}
		to = b.first
	case beginning:
		to = c.made(c.beginning(st.value/2, st.value%2 == 1, st.point.env))
	default:
		p := st.point.clone()
		p.know(st.part, st.value)
		to = c.made(p)
	}
	// Making the program may have moved the stubs.
	st := &c.stubs[i]
	st.pc = to
	for _, r := range st.refs {
		c.set(r, to)
	}
	st.refs = nil
	return to
}

// The operations at which a program ends. They are never executed.
const (
	bailOp    = int32(bail)
	illegalOp = int32(illegal)
	doneOp    = int32(done)
)

// builder makes the program of one point: operations in a straight line, up to a branch or an end.
type builder struct{ changer }

func newBuilder(c *compiler, p point) *builder {
	e := emitter{compiler: c, point: p, from: rules.None}
	return &builder{changer{tester{evaluator{e}}}}
}

// step compiles what comes next at the point, and reports whether the program has ended.
func (b *builder) step() bool {
	f := b.todo
	switch {
	case f == nil:
		return b.endOfBody()
	case f.next < len(f.stmts):
		return b.stmt(f.stmts[f.next])
	case f.hand != nil:
		return b.dropNext(f)
	}
	b.todo = f.up
	return false
}

// enter continues with a list of statements, and after it behind the current statement.
func (p *point) enter(body *block) {
	p.todo = &frame{block: body, up: p.todo.after()}
}

// stmt compiles one statement. What it does not handle is left to the interpreter.
func (b *builder) stmt(s rules.Stmt) bool {
	switch s := s.(type) {
	case rules.Sow:
		return b.sow(s)
	case rules.Transfer:
		return b.transfer(s)
	case rules.Set:
		return b.assign(s)
	case rules.If:
		if b.moveIf(s) {
			return b.pass()
		}
		yes, no := b.point, b.point
		yes.enter(b.blockOf(s.Then))
		no.enter(b.blockOf(s.Else))
		return b.branch(s.Cond, yes, no)
	case rules.While:
		return b.while(s)
	case rules.Stop:
		return b.stop(s.Outcome)
	}
	return b.finish(bail)
}

// while compiles the head of a loop. The seeds that are known are forgotten there, so that all
// rounds share one program.
func (b *builder) while(s rules.While) bool {
	if !b.fresh {
		for i := range b.sys.Pits {
			if b.places[i].has {
				b.cells[i] = unknown
			}
		}
		b.jump(b.point)
		return true
	}
	yes, no := b.point, b.point
	yes.todo = &frame{block: b.blockOf(s.Body), up: b.todo}
	no.todo = b.todo.after()
	return b.branch(s.Cond, yes, no)
}

// stop ends the game, or makes the action illegal. Seeds still in hand return to the pit they were
// sown from.
func (b *builder) stop(outcome int) bool {
	if outcome == rules.Illegal {
		return b.refuse()
	}
	for f := b.todo; f != nil; f = f.up {
		if f.hand != nil {
			b.gain(f.hand.source, f.hand.seeds)
		}
	}
	b.pause()
	// The status field has the player to move, or the number of players plus the outcome.
	b.plus(b.status, len(b.sys.Players)+outcome-b.mover)
	return b.finish(done)
}

// pause interrupts the program at the end of a body, if the player's actions are ranked: which of
// them are legal is known only when all bodies have been executed.
func (b *builder) pause() {
	if b.stage >= 0 || b.alone || !b.ranks[b.actor] {
		return
	}
	if b.rank != unknown {
		b.let(rankSlot, constant(b.rank))
		b.rank = unknown
	}
	b.emit(op{kind: opPause})
}

// endOfBody continues after a guard, a body, or the body of a reaction.
func (b *builder) endOfBody() bool {
	if b.stage == guarded {
		return b.guard()
	}
	if b.stage == inBody {
		if b.alone {
			return b.finish(done)
		}
		b.pause()
		b.turnEnd = b.next != b.actor || len(b.sys.Players) == 1
		b.action, b.actor, b.rank = 0, 0, 0
		b.stage = 0
		b.passTurn()
		return false
	}
	if b.stage%2 == 1 { // in the body of a reaction
		b.passTurn()
		b.stage++
		return false
	}
	return b.reaction(b.stage / 2)
}

// passTurn makes the next player the mover, and forgets what only the body needed.
func (b *builder) passTurn() {
	b.plus(b.status, b.next-b.mover)
	b.mover, b.next = b.next, 0
	b.locals, b.last, b.lastWas, b.origin = nil, unset, unset, unset
	b.fresh = false
}

// sownFirst returns the pit that an action sows from before anything else, whatever it chooses to
// do then, if that is fixed, or rules.None.
func sownFirst(a *rules.Action) int {
	if len(a.Body) > 0 {
		if s, p := rules.FirstSow(a.Body[:1]); s != nil && s.Count == nil {
			return p
		}
	}
	return rules.None
}

// guard compiles the beginning of an action. It branches on the seeds of the pit that is sown from,
// as these decide most guards.
func (b *builder) guard() bool {
	a := &b.sys.Actions[b.action]
	if p := sownFirst(a); p != rules.None && !isKnown(b.cells[p]) && b.places[p].has && b.places[p].Mask < b.most {
		b.split(part(p)) // then the guard is usually known
		return true
	}
	body := a.Body
	if b.alone && b.codec.Seeds() <= abstract.MostAdded {
		body = b.refusal(b.action)
	}
	b.action, b.stage = 0, inBody
	b.todo = &frame{block: b.blockOf(body)}
	b.fresh = false
	if a.Guard == nil {
		return false
	}
	if c, ok := b.simplify(a.Guard).(rules.Const); ok {
		if c.Value != 0 {
			return false
		}
		return b.finish(illegal)
	}
	return b.test(a.Guard, b.stub(b.point), illegalOp)
}

// refusal returns the statements by which an action may be illegal, with those before them.
func (c *compiler) refusal(action int) []rules.Stmt {
	body, is := c.refusals[action]
	if !is {
		body = abstract.Refusal(c.sys, &c.sys.Actions[action])
		c.refusals[action] = body
	}
	return body
}

// reaction compiles reaction i, or the end if there are no more.
func (b *builder) reaction(i int) bool {
	if i == len(b.sys.Reactions) {
		return b.finish(done)
	}
	e := &b.sys.Reactions[i]
	no := b.point
	no.stage += 2
	if e.AtTurnEnd && !b.turnEnd {
		b.point = no
		return false
	}
	by := &e.By[b.mover]
	yes := b.point
	yes.stage++
	yes.todo = &frame{block: b.blockOf(by.Body)}
	yes.locals, yes.next = make([]int, len(by.Locals)), b.mover
	return b.branch(by.When, yes, no)
}
