package residual

import (
	"math/bits"
	"slices"
	"unsafe"

	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/rules"
)

// Menu returns the actions that may be legal in a state, which depends on the status and on
// variables only. ok is false if some of the actions have a rank: which of these are legal is not
// found out one at a time.
func (s *Stepper) Menu(key []uint64) (actions []int32, ok bool) {
	m := s.menu(key)
	actions = make([]int32, 0, len(m.actions))
	for i := range m.actions {
		actions = append(actions, m.actions[i].action)
	}
	return actions, !m.ranks
}

// PlayOne plays the action at a place in the menu of a state and writes the state that it leads to
// to to, if it is legal.
func (s *Stepper) PlayOne(key []uint64, place int, to []uint64) Legality {
	switch s.run(s.enter(key, place), s.w, nil) {
	case done:
		copy(to, s.w)
		return Legal
	case illegal:
		return Illegal
	}
	return Unplayed
}

// Play plays the action at a place in the menu of a state, by its program alone or, where that does
// not do, with all others. It writes the state that it leads to to to, and reports whether it is
// legal. An error is as that of Expand. batch is overwritten.
func (s *Stepper) Play(key []uint64, place int, action int32, to []uint64, batch *pack.Batch) (legal bool, err error) {
	if how := s.PlayOne(key, place, to); how != Unplayed {
		return how == Legal, nil
	}
	batch.Reset()
	if err := s.Expand(key, batch); err != nil {
		return false, err
	}
	i := slices.Index(batch.Actions, action)
	if i < 0 {
		return false, nil
	}
	copy(to, batch.Keys[i*len(key):][:len(key)])
	return true, nil
}

// enter makes a state the one in play and returns the program of the action at a place in its menu.
func (s *Stepper) enter(key []uint64, place int) int32 {
	e := &s.menu(key).actions[place]
	copy(s.w, key)
	if e.pc < 0 {
		s.ready(e)
	}
	return e.pc
}

// MostWords bounds the words of states whose actions are specialized.
const MostWords = 4

// mostScript bounds the words of a script.
const mostScript = 2000

// words are those of a state.
type words = [MostWords]uint64

// Specialist specializes actions for states in which some fields are known and others vary. It
// executes the residual program of an action with the values that are known, follows both branches
// of a test of what varies, and writes down what is done to fields that vary.
//
// It uses the registers of the Stepper that it was made of.
type Specialist struct {
	Script Script
	Ends   []words // the known fields at each end, without what comes out of those that vary
	Work   int64   // operations executed so far
	Why    Causes  // why branches end that have to be played as a whole
	varying
	saved    []int              // registers, for branches not taken yet
	menus    map[*menu][]choice // of the Stepper that answers questions
	legal    map[int32]Legality // by program of that: how it ends, whatever there is
	explored int                // operations of these
	answers  map[question][]uint64
	inner    *Specialist // finds answers
	steers   words       // the fields on which the course of play depends
	few      bool        // some test is about few values
	pinning  bool        // these are told apart
	tried    int         // how often it was tried whether that helps
	ended    uint        // the kinds of ends in the script
	Bytes    int64       // of answers
	kind     kind        // of the operation in hand
}

// spot is a place in a program.
type spot struct {
	pc    int32
	phase int // of the operation there
}

// Phases of an operation.
const (
	atUpdate     = iota
	atSecondTest // of moves
	atMoves
	atLineTest
	atLineSecond
)

// Specialist returns a Specialist for states in which some fields vary, with at most the given
// number of seeds.
func (s *Stepper) Specialist(vary []pack.Field, seeds int) *Specialist {
	p := &Specialist{varying: varying{s: s, most: seeds, places: vary}, menus: map[*menu][]choice{}, legal: map[int32]Legality{}, answers: map[question][]uint64{}}
	for _, f := range vary {
		p.fields[f.Word] |= f.Mask << f.Shift
	}
	p.steers[s.status.Word] |= s.status.Mask << s.status.Shift
	for cell, f := range s.compiler.places {
		if f.has && s.compiler.matters(cell) {
			p.steers[f.Word] |= f.Mask << f.Shift
		}
	}
	return p
}

// Specialize specializes the action at a place in the menu of states with so many seeds in the
// fields that vary. These are 0 in key. It sets Script and Ends.
func (p *Specialist) Specialize(key []uint64, total, place int) {
	p.begin(p.s.enter(key, place), total)
	if why := p.Why; p.few && !p.pinning && why&(1<<causeSown|1<<causeCompared) != 0 && p.tried < mostPinning {
		p.pinning = true
		p.begin(p.s.enter(key, place), total)
		p.pinning = p.Why != why
		p.tried++
	}
}

// Condition specializes a predicate that asks no questions. The ends are where it holds.
func (p *Specialist) Condition(x *Predicate, key []uint64, total int) {
	copy(p.s.w, key)
	p.s.view = View{Key: p.s.w}
	p.begin(x.pc, total)
}

func (p *Specialist) begin(pc int32, total int) {
	p.world = world{vary: p.fields, hidden: p.fields, filled: total > 0}
	for i := range p.places[:min(len(p.places), mostPlaces)] {
		p.may[i] = p.anything(p.places[i])
	}
	p.run(pc)
}

// run specializes the rest of a program, as things are known.
func (p *Specialist) run(pc int32) {
	p.Script, p.Ends, p.saved, p.Why, p.ended = p.Script[:0], p.Ends[:0], p.saved[:0], 0, 0
	p.s.varies, p.s.watch.ranged, p.s.read = p.hidden[:len(p.s.w)], p.bits, false
	p.widen()
	p.walk(spot{pc: pc})
	p.exactAll(p.s.read)
	p.s.varies = nil
}

// walk continues an action at a spot, and writes all that may follow.
func (p *Specialist) walk(at spot) {
	for more := true; more; {
		switch {
		case len(p.Script) > mostScript, p.steps > mostOperations:
			p.kind = opPause
			at, more = p.alone()
		case at.pc < 0:
			at.pc = p.s.compiler.force(at.pc)
		case at.pc == doneOp:
			p.flushAll()
			end := p.words()
			for word := range p.s.w {
				p.unpin(word, false)
				end[word] &^= p.fields[word]
			}
			p.Ends = append(p.Ends, end)
			at, more = p.write(head(scriptLegal, 0, 0, 0, 0, len(p.Ends)-1))
		case at.pc == illegalOp:
			at, more = p.write(head(scriptIllegal, 0, 0, 0, 0, 0))
		case at.pc < doneOp:
			p.kind = opPause
			at, more = p.alone()
		default:
			p.Work++
			p.steps++
			at, more = p.step(&p.s.ops[at.pc], at)
		}
	}
}

// alone ends a branch that depends on more than the fields that vary.
func (p *Specialist) alone() (spot, bool) {
	p.s.failed = false
	p.Why |= 1 << causeOf(p.kind)
	return p.write(head(scriptAlone, 0, 0, 0, 0, 0))
}

// write ends a branch.
func (p *Specialist) write(h uint64) (spot, bool) {
	p.Script = append(p.Script, h)
	p.ended |= 1 << (h & 0xff)
	return spot{}, false
}

// step executes an operation, or a phase of it.
func (p *Specialist) step(o *op, at spot) (spot, bool) {
	p.kind = o.kind
	if at.phase == atUpdate && !p.update(o) {
		return p.alone()
	}
	word, yes, no := int(o.word), spot{pc: o.yes}, spot{pc: o.no}
	f := pack.Field{Word: word, Shift: uint(o.shift), Mask: o.mask}
	switch o.kind {
	case opTest:
		return p.test(word, o.mask, o.value, yes, no)
	case opLine:
		return p.line(o, at)
	case opMoves:
		return p.between(&p.s.transfers[o.x], at, yes)
	case opLess, opIn:
		return p.field(o, f, yes, no)
	case opBoth:
		less := *o
		if less.kind = opLess; at.phase == atUpdate {
			return p.field(&less, f, spot{at.pc, atSecondTest}, no)
		}
		f.Shift = uint(o.targetShift)
		return p.field(&less, f, yes, no)
	case opSwitch:
		if p.known(f) {
			p.exactly(f)
			return spot{pc: p.s.tables[uint64(o.x)+p.s.w[word]>>(o.shift&63)&o.mask]}, true
		}
		return p.alone()
	case opMove:
		return p.after(p.move(f, pack.Field{Word: int(o.into), Shift: uint(o.targetShift), Mask: o.mask}), yes)
	case opNoMove:
		return p.ask(yes, no)
	case opCond:
		return p.condition(o, yes, no)
	case opPause:
		return p.alone()
	}
	return p.rare(o, f)
}

// after continues at a spot if all that was done before is written.
func (p *Specialist) after(ok bool, at spot) (spot, bool) {
	if !ok {
		return p.alone()
	}
	return at, true
}

// update makes the update of an operation, unless it takes seeds from a field that varies: that
// could borrow from another field, as it is not known how many are in it.
func (p *Specialist) update(o *op) bool {
	word := int(o.word)
	v := p.vary[word]
	if o.clear&p.hidden[word]&^v != 0 || o.less&v != 0 {
		return false
	}
	p.exact(word, o.clear|o.less)
	p.s.w[word] = p.s.w[word]&^o.clear + o.add
	p.clear[word] |= o.clear & v
	p.filled = p.filled && p.clear[word] == 0
	return true
}

// flush writes what was added to the fields of a word that vary.
func (p *Specialist) flush(word int) {
	if add, clear := p.s.w[word]&p.vary[word], p.clear[word]; add|clear != 0 {
		p.shift(word, clear, add)
		p.Script = append(p.Script, head(scriptAdd, word, 0, 0, 0, 0), clear, add)
		p.s.w[word] -= add
		p.clear[word] = 0
	}
}

func (p *Specialist) flushAll() {
	for word := range p.s.w {
		p.flush(word)
	}
}

// test continues where a test of bits leads to.
func (p *Specialist) test(word int, mask, value uint64, yes, no spot) (spot, bool) {
	known := mask &^ p.vary[word]
	if shift := uint(bits.TrailingZeros64(known)); known&p.bits[word] != 0 {
		p.compared(pack.Field{Word: word, Shift: shift, Mask: known >> shift}, func(v uint64) bool { return v<<shift == value&known })
	}
	switch {
	case known&p.hidden[word] != 0:
		return p.alone()
	case (p.s.w[word]^value)&known != 0 || value&^mask != 0:
		return no, true
	case mask == known:
		return yes, true
	}
	if mask &^= known; value&mask == 0 && p.filled && p.all(mask, word) {
		return no, true
	}
	p.flush(word)
	if shift := uint(bits.TrailingZeros64(mask)); value&mask>>shift < 64 {
		if f := (pack.Field{Word: word, Shift: shift, Mask: mask >> shift}); p.place(f) >= 0 {
			return p.in(f, 1<<(value&mask>>shift), yes, no)
		}
	}
	return p.branch(yes, no, head(scriptTest, word, 0, 0, 0, 0), mask, value&mask)
}

// all reports whether bits of a word are those of all fields that vary.
func (p *Specialist) all(mask uint64, word int) bool {
	var w words
	w[word] = mask
	return w == p.vary
}

// fork writes what follows a test, which was just written, if it holds. It continues where it does
// not hold.
func (p *Specialist) fork(test int, yes, no spot) (spot, bool) {
	p.forked(test, func() { p.walk(yes) })
	return no, true
}

// forked writes what follows a test, which was just written, if it holds. Then things are as
// before.
func (p *Specialist) forked(test int, follow func()) {
	w, before, n := p.words(), p.world, len(p.saved)
	p.saved = append(p.saved, p.s.regs...)
	follow()
	p.Script[test] |= uint64(len(p.Script)) << 40
	p.world = before
	copy(p.s.w, w[:])
	copy(p.s.regs, p.saved[n:])
	p.saved = p.saved[:n]
}

// branch writes a test, and what follows.
func (p *Specialist) branch(yes, no spot, test ...uint64) (spot, bool) {
	p.Script = append(p.Script, test...)
	return p.fork(len(p.Script)-len(test), yes, no)
}

// line continues a line.
func (p *Specialist) line(o *op, at spot) (spot, bool) {
	word, m := int(o.word), &p.s.moves[o.x]
	moves, tests, second := spot{at.pc, atMoves}, spot{at.pc, atLineTest}, spot{at.pc, atLineSecond}
	switch {
	case at.phase == atUpdate && o.x > 0:
		return p.guard(word, m.mask[0], m.value[0], m.flip[0] != 0, spot{at.pc, atSecondTest}, tests)
	case at.phase == atSecondTest:
		return p.guard(word, m.mask[1], m.value[1], m.flip[1] != 0, moves, tests)
	case at.phase == atMoves:
		for i, shift := range [2]uint8{m.shift, m.other} {
			if m.factor[i] == 0 {
				continue
			}
			into := bits.TrailingZeros64(m.factor[i] + 1<<shift)
			if !p.move(pack.Field{Word: word, Shift: uint(shift), Mask: m.field}, pack.Field{Word: word, Shift: uint(into), Mask: m.field}) {
				return p.alone()
			}
		}
	case at.phase == atLineSecond:
		return p.test(word, o.value, 0, spot{pc: o.yes}, spot{pc: o.no})
	}
	switch {
	case o.yes == o.no:
		return spot{pc: o.yes}, true
	case o.value == o.mask:
		second = spot{pc: o.no}
	}
	return p.test(word, o.mask, 0, spot{pc: o.yes}, second)
}

// guard is test for a test that may have to fail.
func (p *Specialist) guard(word int, mask, value uint64, flip bool, yes, no spot) (spot, bool) {
	if flip {
		yes, no = no, yes
	}
	return p.test(word, mask, value, yes, no)
}

// between continues moves between words.
func (p *Specialist) between(m *wordMoves, at, yes spot) (spot, bool) {
	if at.phase == atMoves {
		for i := range m.moves {
			v := &m.moves[i]
			from := pack.Field{Word: int(v.from), Shift: uint(v.shift), Mask: v.field}
			if v.field != 0 && !p.move(from, pack.Field{Word: int(v.into), Shift: uint(v.targetShift), Mask: v.field}) {
				return p.alone()
			}
		}
		return yes, true
	}
	t := &m.tests[at.phase]
	return p.guard(int(t.word), t.mask, t.value, t.flip != 0, spot{at.pc, at.phase + 1}, yes)
}

// field continues where a test leads to whether a field is in a range, or has one of some values.
func (p *Specialist) field(o *op, f pack.Field, yes, no spot) (spot, bool) {
	holds := func(v uint64) bool { return v-uint64(o.x) < o.value }
	if o.kind == opIn {
		holds = func(v uint64) bool { return o.value>>v&1 != 0 }
	}
	switch {
	case p.known(f):
		if p.compared(f, holds); holds(p.s.w[f.Word] >> f.Shift & f.Mask) {
			return yes, true
		}
		return no, true
	case f.Mask<<f.Shift&^p.vary[f.Word] != 0:
		return p.alone()
	}
	p.flush(f.Word)
	if _, set, ok := o.values(); o.kind == opIn || ok && p.place(f) >= 0 {
		return p.in(f, set, yes, no)
	}
	return p.branch(yes, no, head(scriptLess, f.Word, int(f.Shift), 0, 0, 0), f.Mask, uint64(o.x), o.value)
}

// oneOfFew writes a test for each of some values of the field at a place, or for each of all
// others, and what follows if it has it. It returns where to continue if it has none of them, and
// whether that is better than one test.
func (p *Specialist) oneOfFew(place int, set uint64, yes, no spot) (spot, bool) {
	may := p.may[place]
	if bits.OnesCount64(set) > mostPinned {
		set, yes, no = may&^set, no, yes
	}
	few := bits.OnesCount64(set) <= mostPinned
	p.few = p.few || few
	if !few || !p.pinning {
		return no, false
	}
	f := p.places[place]
	for left := set; left != 0; left &= left - 1 {
		v := uint64(bits.TrailingZeros64(left))
		at := len(p.Script)
		p.Script = append(p.Script, head(scriptTest, f.Word, 0, 0, 0, 0), f.Mask<<f.Shift, v<<f.Shift)
		p.forked(at, func() {
			p.pin(f, v)
			p.walk(yes)
		})
	}
	p.may[place] = may &^ set
	return no, true
}

// compare continues where a linear condition leads to.
func (p *Specialist) compare(l *linear, yes, no spot) (spot, bool) {
	if !l.sense {
		yes, no = no, yes
	}
	p.flushAll()
	s, n, at := p.s, l.n, len(p.Script)
	for i := range l.rest {
		s.saw = nothingSeen
		if n += l.rest[i].times * l.rest[i].value(s); s.failed || s.saw != nothingSeen {
			return p.alone()
		}
	}
	p.Script = append(p.Script, 0, 0)
	low, high := 0, 0
	for i := range l.terms {
		t := &l.terms[i]
		switch {
		case p.known(t.Field):
			p.exactly(t.Field)
			n += t.times * int(s.w[t.Word]>>t.Shift&t.Mask)
			continue
		case !p.varies(t.Field):
			p.Script = p.Script[:at]
			return p.alone()
		}
		low, high = low+min(t.times, 0)*p.most, high+max(t.times, 0)*p.most
		p.Script = append(p.Script, uint64(t.Word)|uint64(t.Shift)<<8|t.Mask<<16|uint64(t.times)<<48)
	}
	kind, terms := scriptBelow, len(p.Script)-at-2
	if l.equal {
		kind = scriptZero
	}
	switch {
	case l.equal && (n+low > 0 || n+high < 0), !l.equal && n+low >= 0:
		p.Script = p.Script[:at]
		return no, true
	case !l.equal && n+high < 0, l.equal && terms == 0:
		p.Script = p.Script[:at]
		return yes, true
	}
	p.Script[at], p.Script[at+1] = head(kind, terms, 0, 0, 0, 0), uint64(n)
	return p.fork(at, yes, no)
}

// move moves all seeds of a field to another one.
func (p *Specialist) move(from, into pack.Field) bool {
	if p.known(from) {
		p.exactly(from)
		n := p.s.w[from.Word] >> from.Shift & from.Mask
		p.s.w[from.Word] -= n << from.Shift
		p.s.w[into.Word] += n << into.Shift
		return true
	}
	if !p.varies(from) {
		return false
	}
	p.flush(from.Word)
	p.flush(into.Word)
	if p.fields[into.Word]>>into.Shift&into.Mask != 0 && !p.varies(into) {
		p.unpin(into.Word, true)
	}
	kind := scriptMove
	if !p.varies(into) {
		kind, p.filled = scriptOut, false
		p.hidden[into.Word] |= into.Mask << into.Shift
	}
	if i := p.place(into); i >= 0 {
		p.may[i] = p.anything(into)
	}
	if i := p.place(from); i >= 0 {
		p.may[i] = 1
	}
	p.Script = append(p.Script, head(kind, from.Word, int(from.Shift), into.Word, int(into.Shift), 0), from.Mask)
	return true
}

// in continues where a test leads to whether a field that varies has one of some values.
func (p *Specialist) in(f pack.Field, set uint64, yes, no spot) (spot, bool) {
	i := p.place(f)
	if i < 0 {
		return p.branch(yes, no, head(scriptIn, f.Word, int(f.Shift), 0, 0, 0), f.Mask, set)
	}
	may := p.may[i]
	switch set &= may; set {
	case 0:
		return no, true
	case may:
		return yes, true
	}
	if to, ok := p.oneOfFew(i, set, yes, no); ok {
		return to, true
	}
	at := len(p.Script)
	p.Script = append(p.Script, head(scriptIn, f.Word, int(f.Shift), 0, 0, 0), f.Mask, set)
	p.forked(at, func() {
		p.may[i] = set
		p.walk(yes)
	})
	p.may[i] = may &^ set
	return no, true
}

// condition continues where a closure leads to. If it reads one field that varies and nothing else
// that is not known, it is evaluated for all values of the field.
func (p *Specialist) condition(o *op, yes, no spot) (spot, bool) {
	s := p.s
	s.saw, s.failed = nothingSeen, false
	holds := s.closure[o.x](s) != 0
	switch f := s.field; {
	case s.saw == muchSeen && o.pick > 0:
		s.failed = false
		return p.compare(&s.linears[o.pick-1], yes, no)
	case s.saw == nothingSeen && s.failed:
		return p.alone()
	case s.saw == nothingSeen && holds:
		return yes, true
	case s.saw == nothingSeen:
		return no, true
	case !p.varies(f) || p.most >= 64:
		return p.alone()
	default:
		p.flush(f.Word)
		set, w := uint64(0), s.w[f.Word]
		for v := range min(f.Mask, uint64(p.most)) + 1 {
			s.w[f.Word] = w | v<<f.Shift
			set |= uint64(truth(s.closure[o.x](s) != 0)) << v
		}
		s.w[f.Word] = w
		if s.saw == muchSeen || s.failed {
			return p.alone()
		}
		return p.in(f, set, yes, no)
	}
}

// mostExplored bounds the operations that are looked at to find out how programs end, and so the
// programs made only for that.
const mostExplored = 20_000

// legality says how a program ends, if it ends so whatever there is in the fields it looks at. A
// loop that never ends is an end of the game, and so the action is legal.
func (p *Specialist) legality(pc int32) Legality {
	if p.succeeds(pc) {
		return Legal
	}
	return p.fails(pc)
}

// succeeds reports whether a program comes to no other end than that the action is legal.
func (p *Specialist) succeeds(pc int32) bool {
	reached := map[int32]bool{}
	for open := []int32{pc}; len(open) > 0; {
		pc, open = open[len(open)-1], open[:len(open)-1]
		if pc < 0 {
			pc = p.s.probe.compiler.force(pc)
		}
		if pc == doneOp || reached[pc] || p.legal[pc] == Legal {
			continue
		}
		next, ok := p.next(pc)
		if !ok {
			return false
		}
		reached[pc] = true
		open = append(open, next...)
	}
	for pc := range reached {
		p.legal[pc] = Legal
	}
	return true
}

// next lists where an operation continues. ok is false at an end, and if it may run into a fault or
// enough was explored.
func (p *Specialist) next(pc int32) (list []int32, ok bool) {
	if pc <= doneOp || pc == illegalOp || p.explored > mostExplored {
		return nil, false
	}
	p.explored++
	p.Work++
	switch o := p.s.probe.ops[pc]; o.kind {
	case opMove, opMoves:
		return []int32{o.yes}, true
	case opCond, opLine, opTest, opLess, opBoth, opIn:
		if o.kind == opCond && o.value == 0 {
			return nil, false
		}
		return []int32{o.yes, o.no}, true
	case opSwitch:
		return p.s.probe.tables[o.x:][:min(o.mask, uint64(p.most))+1], true
	}
	return nil, false
}

// fails returns Illegal if a program comes to no other end, and otherwise Unplayed.
func (p *Specialist) fails(pc int32) Legality {
	if pc < 0 {
		pc = p.s.probe.compiler.force(pc)
	}
	how, is := p.legal[pc]
	switch {
	case pc == illegalOp:
		return Illegal
	case pc <= doneOp || is && how != Illegal:
		return Unplayed
	case is:
		return Illegal
	}
	p.legal[pc] = Unplayed // for a program that comes back here
	next, ok := p.next(pc)
	for _, to := range next {
		ok = ok && p.fails(to) == Illegal
	}
	if ok {
		p.legal[pc] = Illegal
	}
	return p.legal[pc]
}

// choice is what decides whether an action is legal: the seeds of one pit and, with some values,
// more.
type choice struct {
	field pack.Field
	set   uint64 // the values with which it is legal, all less than 64
	more  uint64 // the values with which more decides
	first int32  // the entry of a table for the value 0
}

// choices returns what decides for each action of a menu, but for fallbacks. It is nil if their
// programs do not begin with the seeds of a pit.
func (p *Specialist) choices(m *menu) []choice {
	if list, is := p.menus[m]; is {
		return list
	}
	p.menus[m] = nil
	list := []choice{}
	for i := range m.others {
		e := &m.others[i]
		if e.pc < 0 {
			p.s.probe.ready(e)
		}
		o := p.s.probe.ops[e.pc]
		if o.kind != opSwitch || o.clear|o.add != 0 || p.most >= 64 {
			return nil
		}
		c := choice{field: pack.Field{Word: int(o.word), Shift: uint(o.shift), Mask: o.mask}, first: o.x}
		for v := range min(o.mask, uint64(p.most)) + 1 {
			switch p.legality(p.s.probe.tables[uint64(o.x)+v]) {
			case Legal:
				c.set |= 1 << v
			case Unplayed:
				c.more |= 1 << v
			}
		}
		list = append(list, c)
	}
	p.menus[m] = list
	return list
}

// question is what the answer to a question about moves depends on.
type question struct {
	menu          *menu
	known, hidden words
}

// mostAnswers bounds the answers that are kept.
const mostAnswers = 1 << 15

// sets returns for each choice of a menu the values with which the action is legal, as things are
// known, but for some fields that are as good as hidden. It is nil if some action depends on
// several fields that vary, or on these.
func (p *Specialist) sets(m *menu, list []choice, hide words) []uint64 {
	q, n := question{menu: m}, 0
	for i := range list {
		n += bits.OnesCount64(list[i].more)
	}
	if n > 0 {
		for word, w := range p.s.w {
			q.hidden[word] = p.hidden[word] | ^p.steers[word] | hide[word]
			q.known[word] = w &^ q.hidden[word]
		}
	}
	if sets, is := p.answers[q]; is {
		return sets
	}
	sets := make([]uint64, 0, len(list))
	for i := range list {
		set, ok := p.resolve(&q, &list[i])
		if !ok {
			sets = nil
			break
		}
		sets = append(sets, set)
	}
	if len(p.answers) >= mostAnswers {
		clear(p.answers)
	}
	p.answers[q] = sets
	p.Bytes = int64(len(p.answers)) * int64(unsafe.Sizeof(q)+64+8*uintptr(len(list)))
	return sets
}

// resolve returns the values with which an action is legal. ok is false if the seeds of its pit and
// what is known do not decide. Values that are too great for the seeds there are count like the
// greatest that is not, so that sets are few.
func (p *Specialist) resolve(q *question, c *choice) (set uint64, ok bool) {
	set = c.set
	if c.more == 0 {
		return set, true
	}
	if p.inner == nil {
		p.inner = p.s.probe.Specialist(nil, p.most)
	}
	f, in := c.field, p.inner
	field := f.Mask << f.Shift
	most := p.most
	for _, g := range p.s.compiler.places[:len(p.s.sys.Pits)] {
		if g.has && (g.Word != f.Word || g.Shift != f.Shift) {
			most -= int(q.known[g.Word] >> g.Shift & g.Mask)
		}
	}
	for more := c.more; more != 0; more &= more - 1 {
		v := bits.TrailingZeros64(more)
		if v > most && v > 0 {
			set |= set >> (v - 1) & 1 << v
			continue
		}
		copy(in.s.w, q.known[:])
		in.s.w[f.Word] = in.s.w[f.Word]&^field | uint64(v)<<f.Shift
		in.world = world{hidden: q.hidden}
		for word, fields := range p.fields {
			in.vary[word] = q.hidden[word] & fields
		}
		in.vary[f.Word] &^= field
		in.hidden[f.Word] &^= field
		in.fields = in.vary
		in.places = nil
		in.run(p.s.probe.tables[int(c.first)+v])
		p.Work += in.Work
		in.Work = 0
		switch in.ended {
		case 1 << scriptLegal:
			set |= 1 << v
		case 1 << scriptIllegal:
		default:
			return 0, false
		}
	}
	return set, true
}

// ask continues where the answer leads to whether the player to move has no move but fallbacks.
func (p *Specialist) ask(yes, no spot) (spot, bool) {
	p.flushAll()
	probe := p.s.prober()
	for _, f := range probe.menus.fields {
		if !p.known(f) {
			return p.alone()
		}
	}
	m := probe.menu(p.s.w)
	list := p.choices(m)
	if list == nil {
		return p.alone()
	}
	hide := p.bits
	for word, fields := range p.fields {
		hide[word] |= fields &^ p.vary[word]
	}
	sets := p.sets(m, list, hide)
	if sets == nil && hide != (words{}) {
		p.exactAll(true)
		sets = p.sets(m, list, words{})
	}
	if sets == nil && len(list) > 0 {
		return p.alone()
	}
	at := len(p.Script)
	p.Script = append(p.Script, 0)
	var open words // fields with which a move is legal if they are not empty
	for i, set := range sets {
		switch f := list[i].field; {
		case p.varies(f):
			if set == 1<<(min(f.Mask, uint64(p.most))+1)-2 {
				open[f.Word] |= f.Mask << f.Shift
			}
			p.Script = append(p.Script, uint64(f.Word)|uint64(f.Shift)<<8|f.Mask<<16, set)
		case !p.known(f):
			p.Script = p.Script[:at]
			return p.alone()
		default:
			p.exactly(f)
			if set>>(p.s.w[f.Word]>>f.Shift&f.Mask)&1 != 0 {
				p.Script = p.Script[:at]
				return no, true
			}
		}
	}
	n := (len(p.Script) - at) / 2
	switch {
	case n == 0:
		p.Script = p.Script[:at]
		return yes, true
	case p.filled && open == p.vary:
		p.Script = p.Script[:at]
		return no, true
	}
	p.Script[at] = head(scriptAny, n, 0, 0, 0, 0)
	return p.fork(at, no, yes)
}

// rare executes an operation that few games need, if all that it reads is known.
func (p *Specialist) rare(o *op, f pack.Field) (spot, bool) {
	s := p.s
	s.saw = nothingSeen
	switch o.kind {
	case opTake, opPut:
		if !p.known(f) {
			return p.alone()
		}
		p.exactly(f)
	case opSow:
		h := &s.sowings[o.x]
		p.exactly(h.source.Field)
		asked := !p.known(h.source.Field)
		for i := range h.asked {
			k := &h.asked[i]
			mask := k.test.mask
			if k.test.kind == opLess {
				mask <<= k.test.shift
			}
			if k.value == nil {
				p.exact(int(k.test.word), mask)
			}
			asked = asked || k.value == nil && mask&p.hidden[k.test.word] != 0
		}
		if asked {
			return p.alone()
		}
	case opShift:
		t := &s.transits[o.x]
		from, into := t.from(s), t.into(s)
		switch {
		case s.failed || s.saw != nothingSeen || into == rules.None:
			return p.alone()
		case from == rules.None || from == into:
			return spot{pc: o.yes}, true
		case !t.places[from].has || !t.places[into].has:
			return p.alone()
		}
		return p.after(p.move(t.places[from].Field, t.places[into].Field), spot{pc: o.yes})
	}
	pc, how := p.s.rare(o)
	if p.s.saw != nothingSeen {
		return p.alone()
	}
	if how != done {
		return spot{pc: int32(how)}, true
	}
	return spot{pc: pc}, true
}
