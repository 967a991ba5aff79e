package residual

import (
	"slices"

	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/rules"
)

// Registers of a running program. The locals come after these.
const (
	rankSlot = iota
	lastWasSlot
	idleSlot // written only
	firstLocal
)

// maxBytes bounds the memory for the programs of a Stepper, as estimated. What comes beyond is left
// to the closure stepper.
const maxBytes = 48 << 20

// Bytes that a stub takes at least, and a point besides its cells.
const (
	stubBytes  = 64
	pointBytes = 512 // with about four operations
)

// maxBranches bounds the fields that a program branches on by a table.
const maxBranches = 1 << 8

// compiler makes residual programs.
type compiler struct {
	*Stepper
	places []place      // by cell: pits, then variables
	course *rules.Parts // what play depends on; nil: not known yet
	blocks map[string]*block
	lists  map[*rules.Stmt]*block
	void   *block // without statements
	stubs  []stub
	known  map[string]int32 // stubs by the key of their point
	ranks  []bool           // by player: some action has a rank
	slots  int              // registers that the programs need
	bytes  int              // that the programs take, as estimated
}

// place is where the value of a cell lies in a packed state.
type place struct {
	pack.Field
	has    bool
	domain []int // the value is the one with this index; nil: the field holds the value itself
}

// stub is a program that may have to be made yet.
type stub struct {
	pc    int32 // its first operation; -1: not made
	refs  []ref // operations that lead to it
	point *point
	part  part // of the point, that has the value; nothing: none; beginning: value says which
	value int
}

// pick is a branch on the value of a part, with an entry for each value met so far.
type pick struct {
	point *point
	part  part
	to    map[int]int32
}

// ref is an edge of an operation, or an entry of a table.
type ref struct {
	op   int32
	edge uint8
}

const (
	yesEdge uint8 = iota
	noEdge
	tableEdge
)

func newCompiler(s *Stepper) *compiler {
	c := &compiler{
		Stepper: s, known: map[string]int32{}, blocks: map[string]*block{}, lists: map[*rules.Stmt]*block{},
		void: &block{reads: make([]uses, 1)}, slots: firstLocal, ranks: make([]bool, len(s.sys.Players)),
	}
	c.tables = make([]int32, 1) // so that no table begins at 0
	c.moves = make([]guardedMoves, 1)
	c.ops = make([]op, doneOp+1) // there are no operations in the places of ends
	for cell := range len(s.sys.Pits) + len(s.sys.Vars) {
		f, has := s.codec.Cell(cell)
		p := place{Field: f, has: has}
		if !has {
			p.Field, p.domain, p.has = s.codec.Domain(cell)
		}
		c.places = append(c.places, p)
	}
	for i := range s.sys.Actions {
		a := &s.sys.Actions[i]
		c.slots = max(c.slots, firstLocal+len(a.Locals))
		c.ranks[a.Mover] = c.ranks[a.Mover] || rules.EffectsOf(a.Body).Ranks
	}
	for i := range s.sys.Reactions {
		for _, by := range s.sys.Reactions[i].By {
			c.slots = max(c.slots, firstLocal+len(by.Locals))
		}
	}
	return c
}

// begin returns the stub of an action, or if it is alone of its guard and body.
func (c *compiler) begin(action int, alone bool, known env) int32 {
	c.stubs = append(c.stubs, stub{pc: -1, part: beginning, value: 2*action + truth(alone), point: &point{env: known}})
	return ^int32(len(c.stubs) - 1)
}

// beginning is the point at which an action begins.
func (c *compiler) beginning(action int, alone bool, known env) point {
	a := &c.sys.Actions[action]
	p := point{alone: alone, stage: guarded, actor: a.Mover, action: action, env: known}
	p.locals, p.next, p.mover = make([]int, len(a.Locals)), (a.Mover+1)%len(c.sys.Players), a.Mover
	return p
}

// start is what is known of any packed state.
func (c *compiler) start() env {
	e := env{pits: len(c.sys.Pits), last: unset, lastWas: unset, origin: unset}
	for cell := range c.places {
		e.cells = append(e.cells, unknown)
		if !c.places[cell].has {
			e.cells[cell] = c.codec.Rest(cell)
		}
	}
	return e
}

// stub returns the program of a point: an operation, or ^stub.
func (c *compiler) stub(p point) int32 {
	p = p.clone()
	p.forget()
	key := p.key()
	i, ok := c.known[key]
	if !ok {
		if c.bytes > maxBytes {
			return bailOp
		}
		c.bytes += stubBytes + pointBytes + len(key) + 8*len(p.cells)
		i = int32(len(c.stubs))
		c.known[key] = i
		c.stubs = append(c.stubs, stub{pc: -1, point: &p, part: nothing})
	}
	if pc := c.stubs[i].pc; pc >= 0 {
		return pc
	}
	return ^i
}

// force makes the program of a stub if it was not reached before, and returns it.
func (c *compiler) force(pc int32) int32 {
	i := ^pc
	if st := &c.stubs[i]; st.pc >= 0 {
		return st.pc
	}
	var to int32
	switch st := &c.stubs[i]; st.part {
	case nothing:
		b := builder{compiler: c, point: st.point.clone(), first: -1, tail: -1, fresh: true, from: rules.None}
		b.build()
		to = b.first
	case beginning:
		to = c.made(c.beginning(st.value/2, st.value%2 == 1, st.point.env))
	default:
		p := st.point.clone()
		p.know(st.part, st.value)
		if st.part == lastPart && !c.places[st.value].has {
			p.lastWas = lost
		}
		to = c.made(p)
	}
	st := &c.stubs[i]
	st.pc = to
	for _, r := range st.refs {
		c.set(r, to)
	}
	st.refs = nil
	return to
}

// made is stub for a program that is needed at once.
func (c *compiler) made(p point) int32 {
	to := c.stub(p)
	if to < 0 {
		to = c.force(to)
	}
	return to
}

func (c *compiler) set(r ref, pc int32) {
	switch r.edge {
	case yesEdge:
		c.ops[r.op].yes = pc
	case noEdge:
		c.ops[r.op].no = pc
	case tableEdge:
		c.tables[r.op] = pc
	}
}

// link lets an edge lead to a program, which may have to be made yet.
func (c *compiler) link(r ref, pc int32) {
	c.set(r, pc)
	if pc < 0 {
		st := &c.stubs[^pc]
		st.refs = append(st.refs, r)
	}
}

// op adds an operation.
func (c *compiler) op(o op) int32 {
	c.ops = append(c.ops, o)
	return int32(len(c.ops) - 1)
}

// Where a program goes on that ends.
const (
	bailOp    = int32(bail)
	illegalOp = int32(illegal)
	doneOp    = int32(done)
)

// builder makes the program of one point: a straight line of operations, up to a branch.
type builder struct {
	*compiler
	point
	first int32 // of the operations; -1: none so far
	tail  int32 // the operation whose yes is the next one; -1: none
	fresh bool  // nothing was done since the point
	from  int   // during the evaluation of a sowing: the pit sown from; otherwise None
	update
}

// update is a change of one word that the next operation makes.
type update struct {
	clear, add uint64
	touched    uint64 // the fields that it changes
	word       int
}

func (u update) empty() bool { return u.clear == 0 && u.add == 0 }

// always is a line that goes on at yes, which is the same as no. That it goes on at no, unless the
// word is zero, is like other lines.
var always = op{kind: opLine, mask: ^uint64(0), value: ^uint64(0)}

// emit adds an operation behind the ones before. It takes over the update.
func (b *builder) emit(o op) int32 {
	if !b.empty() && int(o.word) != b.word && ownWord(&o) {
		b.emit(always)
	}
	at := b.op(o)
	b.append(at)
	b.tail = at
	return at
}

// append puts an operation behind the ones before. It takes over the update.
func (b *builder) append(at int32) {
	o := &b.ops[at]
	if !b.empty() {
		o.word, o.clear, o.add = uint16(b.word), b.clear, b.add
		b.update = update{}
	}
	b.follow(at)
}

// ownWord reports whether an operation that is emitted works on a word of its own.
func ownWord(o *op) bool {
	switch o.kind {
	case opSwitch, opMove, opPut, opTake:
		return true
	case opLine:
		return o.x != 0
	}
	return false
}

// follow lets the operations so far lead to at.
func (b *builder) follow(at int32) {
	if b.first < 0 {
		b.first = at
	}
	if b.tail >= 0 {
		b.goOn(b.tail, at)
	}
	b.fresh = false
}

// goOn lets an operation that does not branch lead to a program.
func (b *builder) goOn(at, pc int32) {
	b.link(ref{at, yesEdge}, pc)
	if b.ops[at].kind == opLine {
		b.link(ref{at, noEdge}, pc)
	}
}

// finish ends the program. What it has done to the state matters only if there is a successor.
func (b *builder) finish(how end) {
	if how == done && !b.empty() && !b.joinsUpdate() {
		b.emit(always)
	}
	b.follow(int32(how))
}

// refuse ends the program because the action cannot be executed. In a reaction that is a fault.
func (b *builder) refuse() {
	if b.stage >= 0 {
		b.finish(bail)
		return
	}
	b.finish(illegal)
}

// jump ends the program at another point.
func (b *builder) jump(p point) {
	if b.tail >= 0 && (b.empty() || b.joinsUpdate()) {
		b.goOn(b.tail, b.stub(p))
		return
	}
	b.goOn(b.emit(always), b.stub(p))
}

// plus adds to a field; the sum is known to fit.
func (b *builder) plus(f pack.Field, n int) {
	if n == 0 {
		return
	}
	if !b.empty() && b.word != f.Word {
		b.emit(always)
	}
	b.word = f.Word
	b.touched |= f.Mask << f.Shift
	b.add += uint64(n) << f.Shift
}

// build follows the statements until the program ends or branches.
func (b *builder) build() {
	for !b.step() {
	}
}

// step does the next thing at the point and reports whether the program has ended.
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

// pass goes on behind the current statement.
func (b *builder) pass() bool {
	f := *b.todo
	f.next++
	b.todo = &f
	b.fresh = false
	return false
}

// enter goes on in a list of statements, and then behind the current one.
func (p *point) enter(body *block) {
	f := *p.todo
	f.next++
	p.todo = &frame{block: body, up: &f}
}

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
	b.finish(bail)
	return true
}

// while is at the head of a loop. The point there does not depend on the seeds known, so that all
// rounds share a program.
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
	b.emit(op{kind: opRound})
	yes, no := b.point, b.point
	yes.todo = &frame{block: b.blockOf(s.Body), up: b.todo}
	f := *b.todo
	f.next++
	no.todo = &f
	return b.branch(s.Cond, yes, no)
}

// stop ends the game, or makes the action illegal. Seeds in hand return to the pit sown from.
func (b *builder) stop(outcome int) bool {
	if outcome == rules.Illegal {
		b.refuse()
		return true
	}
	for f := b.todo; f != nil; f = f.up {
		if f.hand != nil {
			b.gain(f.hand.source, f.hand.seeds)
		}
	}
	b.pause()
	b.plus(b.status, len(b.sys.Players)+outcome-b.mover)
	b.finish(done)
	return true
}

// pause ends the body of an action with a rank.
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

// endOfBody goes on after a guard, a body, or the body of a reaction.
func (b *builder) endOfBody() bool {
	if b.stage == guarded {
		return b.guard()
	}
	if b.stage == inBody {
		if b.alone {
			b.finish(done)
			return true
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

// passTurn gives the turn to the player who is next. What a body knew is forgotten.
func (b *builder) passTurn() {
	b.plus(b.status, b.next-b.mover)
	b.mover, b.next = b.next, 0
	b.locals, b.last, b.lastWas, b.origin = nil, unset, unset, unset
	b.fresh = false
}

// sownFirst returns the pit that an action sows before anything else, if that is fixed, or None.
func sownFirst(a *rules.Action) int {
	if len(a.Body) > 0 {
		if s, is := a.Body[0].(rules.Sow); is && s.Count == nil {
			if c, is := s.Source.(rules.Const); is {
				return c.Value
			}
		}
	}
	return rules.None
}

// guard is the beginning of an action.
func (b *builder) guard() bool {
	a := &b.sys.Actions[b.action]
	if p := sownFirst(a); p != rules.None && !isKnown(b.cells[p]) && b.places[p].has {
		b.split(part(p)) // then the guard is known, as a rule
		return true
	}
	b.action, b.stage = 0, inBody
	b.todo = &frame{block: b.blockOf(a.Body)}
	b.fresh = false
	if a.Guard == nil {
		return false
	}
	if c, ok := b.simplify(a.Guard).(rules.Const); ok {
		if c.Value != 0 {
			return false
		}
		b.finish(illegal)
		return true
	}
	return b.test(a.Guard, b.stub(b.point), illegalOp)
}

// reaction evaluates a reaction.
func (b *builder) reaction(i int) bool {
	if i == len(b.sys.Reactions) {
		b.finish(done)
		return true
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

// branch goes on at one of two points.
func (b *builder) branch(x rules.Expr, yes, no point) bool {
	b.fresh = false
	if c, ok := b.simplify(x).(rules.Const); ok {
		if b.point = no; c.Value != 0 {
			b.point = yes
		}
		return false
	}
	return b.test(x, b.stub(yes), b.stub(no))
}

// test ends the program with a branch.
func (b *builder) test(x rules.Expr, yes, no int32) bool {
	at, made := b.condition(b.simplify(x), yes, no)
	if !made {
		b.goOn(b.emit(always), at)
		return true
	}
	o := &b.ops[at]
	if o.kind == opTest && o.value == 0 {
		o.kind, o.value = opLine, o.mask
	}
	if b.joins(at) {
		return true
	}
	if reads := o.kind == opTest || o.kind == opLess || o.kind == opLine; reads && !b.empty() && int(o.word) != b.word {
		b.emit(always)
	}
	b.append(at)
	return true
}

// joins makes a test with the update before it a part of the line that was emitted last.
func (b *builder) joins(at int32) bool {
	o := &b.ops[at]
	if b.tail < 0 || o.kind != opLine || b.ops[b.tail].word != o.word || !b.joinsUpdate() {
		return false
	}
	t := &b.ops[b.tail]
	t.mask, t.value = o.mask, o.value
	b.link(ref{b.tail, yesEdge}, o.yes)
	b.link(ref{b.tail, noEdge}, o.no)
	return true
}

// joinsUpdate makes the update, if there is one, a part of the line that was emitted last. That
// makes it before its moves, which must not matter.
func (b *builder) joinsUpdate() bool {
	if b.tail < 0 || b.ops[b.tail].kind != opLine {
		return false
	}
	if t := &b.ops[b.tail]; !b.empty() {
		if b.clear != 0 || int(t.word) != b.word || b.touched&b.moves[t.x].fields() != 0 {
			return false
		}
		t.add += b.add
		b.update = update{}
	}
	return true
}

// transfer moves seeds between two pits.
func (b *builder) transfer(s rules.Transfer) bool {
	if s.Count != nil {
		return b.take(s)
	}
	if b.isRegister(s.From) || b.isRegister(s.Into) {
		return b.shift(s)
	}
	into, ok := b.pick(s.Into)
	if !ok {
		return true
	}
	from, ok := b.pick(s.From)
	if !ok {
		return true
	}
	switch {
	case into == rules.None:
		b.finish(bail)
		return true
	case from == rules.None || from == into:
		return b.pass()
	}
	b.change(from)
	b.change(into)
	if n := b.cells[from]; isKnown(n) {
		b.gain(from, -n)
		b.gain(into, n)
		return b.pass()
	}
	f, t := b.places[from], b.places[into]
	if !f.has {
		b.finish(bail)
		return true
	}
	moved := b.cells[from]
	b.cells[from] = 0
	if !t.has {
		b.lose(into)
		b.put(f, 0)
		return b.pass()
	}
	if held := b.cells[into]; held != nonEmpty && !(isKnown(held) && held > 0) {
		b.cells[into] = moved // it holds some if some were moved
	} else {
		b.cells[into] = nonEmpty
	}
	b.emit(op{kind: opMove, word: uint16(f.Word), into: uint16(t.Word), shift: uint8(f.Shift), targetShift: uint8(t.Shift), mask: f.Mask})
	return b.pass()
}

// lose makes the seeds of a pit without a field unknown.
func (b *builder) lose(pit int) { b.cells[pit] = unknown }

// gain adds a known number of seeds to a pit.
func (b *builder) gain(pit, n int) {
	p := b.places[pit]
	switch v := &b.cells[pit]; {
	case isKnown(*v):
		*v += n
	case n > 0 && p.has:
		*v = nonEmpty
	case n < 0:
		*v = unknown
	}
	if p.has {
		b.plus(p.Field, n)
	}
}

// put sets a field to a known number.
func (b *builder) put(p place, n uint64) {
	if !b.empty() {
		b.emit(always)
	}
	b.update = update{clear: p.Mask << p.Shift, add: n << p.Shift, touched: p.Mask << p.Shift, word: p.Word}
}

// take moves a counted number of seeds.
func (b *builder) take(s rules.Transfer) bool {
	from, ok := b.pick(s.From)
	if !ok {
		return true
	}
	into, ok := b.pick(s.Into)
	if !ok {
		return true
	}
	count, ok := b.value(b.simplify(s.Count))
	if !ok || from == rules.None || into == rules.None || !b.places[from].has || !b.places[into].has {
		b.finish(bail)
		return true
	}
	b.change(from)
	b.change(into)
	b.cells[from], b.cells[into] = unknown, unknown
	f, t := b.places[from], b.places[into]
	b.emit(op{kind: opTake, word: uint16(f.Word), into: uint16(t.Word), shift: uint8(f.Shift), targetShift: uint8(t.Shift), mask: f.Mask, x: b.close(count)})
	return b.pass()
}

// close returns the number of a closure.
func (b *builder) close(v value) int32 {
	b.closure = append(b.closure, v)
	return int32(len(b.closure) - 1)
}

// let sets a register of the running program.
func (b *builder) let(slot int, v value) {
	b.emit(op{kind: opLet, value: uint64(slot), x: b.close(v)})
}

// assign sets a variable, a local or a register.
func (b *builder) assign(s rules.Set) bool {
	switch {
	case s.To.Sort == rules.VarCell:
		return b.assignVar(s)
	case s.To.IsRegister(rules.NextReg):
		v, ok := b.pick(s.X)
		if !ok {
			return true
		}
		b.next = v
		return b.pass()
	case s.To.IsRegister(rules.RankReg):
		return b.keep(&b.rank, rankSlot, s.X)
	case s.To.Sort == rules.LocalCell && s.To.Index == nil:
		b.locals = slices.Clone(b.locals)
		return b.keep(&b.locals[s.To.Slot], firstLocal+s.To.Slot, s.X)
	}
	b.finish(bail)
	return true
}

// keep sets a local or the rank: what is known of it, or else its register.
func (b *builder) keep(known *int, slot int, x rules.Expr) bool {
	x = b.simplify(x)
	if c, ok := x.(rules.Const); ok {
		*known = c.Value
		return b.pass()
	}
	v, ok := b.value(x)
	if !ok {
		b.finish(bail)
		return true
	}
	b.let(slot, v)
	*known = unknown
	return b.pass()
}

// assignVar sets a control variable. A value that it cannot have is a fault.
func (b *builder) assignVar(s rules.Set) bool {
	slot := s.To.Slot
	if s.To.Index != nil {
		i, ok := b.pick(s.To.Index)
		if !ok {
			return true
		}
		if i < 0 || i >= len(s.To.Table) || s.To.Table[i] < 0 {
			b.finish(bail)
			return true
		}
		slot = s.To.Table[i]
	}
	cell, x := len(b.sys.Pits)+slot, b.simplify(s.X)
	p, old := b.places[cell], b.cells[cell]
	if c, ok := x.(rules.Const); ok {
		raw, fits := p.raw(c.Value, &b.sys.Vars[slot])
		if !fits {
			b.finish(bail)
			return true
		}
		b.cells[cell] = c.Value
		if before, _ := p.raw(old, &b.sys.Vars[slot]); p.has && old != unknown {
			b.plus(p.Field, raw-before)
		} else if p.has {
			b.put(p, uint64(raw))
		}
		return b.pass()
	}
	v, ok := b.value(x)
	if !ok {
		b.finish(bail)
		return true
	}
	b.cells[cell] = unknown
	if !p.has { // it is lost, but its new value may be a fault
		b.let(idleSlot, b.fitting(p, slot, v))
		return b.pass()
	}
	b.emit(op{kind: opPut, word: uint16(p.Word), shift: uint8(p.Shift), mask: p.Mask, x: b.close(b.fitting(p, slot, v))})
	return b.pass()
}

// raw returns what the field of a variable holds for a value, and whether it can have that value.
func (p place) raw(v int, x *rules.Var) (int, bool) {
	if !x.Contains(v) {
		return 0, false
	}
	if p.domain != nil {
		return slices.Index(p.domain, v), true
	}
	return v - p.Low, true
}

// fitting turns the value of a variable into what its field holds.
func (b *builder) fitting(p place, slot int, v value) value {
	x := &b.sys.Vars[slot]
	return func(s *Stepper) int {
		raw, fits := p.raw(v(s), x)
		s.failed = s.failed || !fits
		return raw
	}
}
