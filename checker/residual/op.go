package residual

import "context"

// kind is what an operation does after its update.
type kind uint8

const (
	opLine   kind = iota // makes guarded moves; then continues at yes if word & mask = 0 or word & value = 0, else at no
	opTest               // continues at yes if word & mask = value, else at no
	opLess               // continues at yes if the field minus x is less than value, unsigned, else at no
	opBoth               // opLess for two fields, which both have to be less
	opIn                 // continues at yes if the field has one of the values in value, all less than 64, else at no
	opSwitch             // continues at the entry of a table for the value of the field
	opMove               // moves the contents of a field to another field, of any word
	opCond               // continues at yes if a closure gives a number other than 0, else at no; value is 1 if it is never a fault
	opPick               // continues at the entry of a table for the value of a closure
	opLet                // sets a register to the value of a closure
	opPut                // sets a field to the value of a closure
	opTake               // moves as many seeds as a closure says from one field to another
	opNoMove             // continues at yes if the player has no move but fallbacks, else at no
	opMoves              // makes guarded moves between words
	opSow                // sows, and continues at the entry of a table for the last pit
	opShift              // moves seeds between pits that closures give
	opPause              // ends a body with a rank; play continues at yes
)

// end is how a program ends. All but the last are also operations that programs lead to, where they
// end.
type end int32

const (
	bail    end = iota // the rest is left to the interpreter
	illegal            // the action cannot be executed
	done               // with a successor
	pause              // the body of an action with a rank was executed
)

// op is an operation. First it updates its word: the bits of clear become 0, then add is added. So
// a sowing needs no operation of its own.
//
// Most operations are lines, including those that only update and those with a single test, which
// makes the next operation easy for the processor to predict. What a line tests is rare, such as an
// empty side of the board.
type op struct {
	clear, add         uint64
	mask, value        uint64
	less               uint64 // the fields that seeds are taken from in add, for specialization
	yes, no            int32  // the next operation, or the complement of a stub's number
	x                  int32  // a closure or a table; for opLess the number subtracted
	pick               int32  // for opPick; for opCond the number of a linear condition, from 1, or 0
	word, into         uint16
	shift, targetShift uint8 // of the field, and of the field in into; for opBoth of the two
	kind               kind
	_                  [1]byte // pads the struct to 64 bytes, a cache line
}

// guardedMoves are up to two moves of whole fields within a word, which are made if two tests hold.
// The zero value makes none.
//
// They need no branch: whether there is a capture is nearly random, and a mispredicted branch takes
// longer than everything done here.
type guardedMoves struct {
	mask, value  [2]uint64 // by test: it holds if word & mask = value
	factor       [2]uint64 // by move: the seeds times this are added to the word
	field        uint64    // the mask of both fields
	shift, other uint8     // of the fields that are moved
	flip         [2]int8   // by test: -1 if it has to fail, else 0
}

// add returns what the moves add to word w.
func (m *guardedMoves) add(w uint64) uint64 {
	first, second := ifZero(w&m.mask[0]^m.value[0]), ifZero(w&m.mask[1]^m.value[1])
	holds := (first ^ uint64(m.flip[0])) & (second ^ uint64(m.flip[1]))
	moved := w>>(m.shift&63)&m.field*m.factor[0] + w>>(m.other&63)&m.field*m.factor[1]
	return moved & uint64(int64(holds)>>63)
}

// fields returns the bits that the moves read or change.
func (m *guardedMoves) fields() uint64 {
	into := m.field*(m.factor[0]+1<<m.shift) | m.field*(m.factor[1]+1<<m.other)
	return m.mask[0] | m.mask[1] | m.field<<m.shift | m.field<<m.other | into
}

// ifZero returns a number whose highest bit is set if and only if x is 0.
func ifZero(x uint64) uint64 { return (x - 1) &^ x }

// wordMoves are guardedMoves whose fields may be in different words and have different widths.
type wordMoves struct {
	tests [2]wordTest
	moves [2]wordMove
}

// wordTest holds if word & mask = value or, with all bits of flip set, if that is not so.
type wordTest struct {
	mask, value uint64
	flip        uint64
	word        uint16
}

func (t *wordTest) holds(w []uint64) uint64 { return ifZero(w[t.word]&t.mask^t.value) ^ t.flip }

// wordMove moves all seeds of a field to another.
type wordMove struct {
	field              uint64 // its mask; 0: no move
	from, into         uint16
	shift, targetShift uint8 // of the fields
}

// make makes the moves in place.
func (m *wordMoves) make(w []uint64) {
	holds := uint64(int64(m.tests[0].holds(w)&m.tests[1].holds(w)) >> 63)
	m.moves[0].make(w, holds)
	m.moves[1].make(w, holds)
}

// make makes the move where the bits of holds are set, and not where they are not.
func (v *wordMove) make(w []uint64, holds uint64) {
	n := w[v.from] >> (v.shift & 63) & v.field & holds
	w[v.from] -= n << (v.shift & 63)
	w[v.into] += n << (v.targetShift & 63)
}

// code has the residual programs made so far.
type code struct {
	ops       []op
	tables    []int32        // for opSwitch: entries for the values 0 to mask, from x on
	closure   []value        // for opCond, opPick, opLet, opPut and opTake
	picks     []pick         // for opPick
	linears   []linear       // conditions of opCond
	moves     []guardedMoves // for opLine; the first makes no moves
	transfers []wordMoves    // for opMoves
	sowings   []sowing       // for opSow
	transits  []transit      // for opShift
}

// registers is the state of a running program.
type registers struct {
	w      []uint64
	regs   []int    // values that are in no field and not known to the program
	failed bool     // a closure ran into a fault
	resume int32    // where the program continues after opPause
	skip   []bool   // by pit, for opSow
	view   View     // the view that a predicate is evaluated in
	before []uint64 // the state before the step of that view
}

// mostOperations bounds a run, and mostLines the lines with which it begins. A loop that takes more
// may be endless, which the interpreter can detect.
const (
	mostOperations = 1 << 13
	mostLines      = 1 << 8
)

// lines executes the lines at the beginning of several programs, each on a copy of w. It writes the
// resulting words to to, and where each program continues to begins. It reports whether all
// programs have ended with a successor. It is the inner loop of a search.
func (c *code) lines(w uint64, begins []begin, to []uint64) bool {
	ops, moves := c.ops, c.moves
	to = to[:len(begins)]
	others := int32(0)
	for i := range begins {
		pc, w := begins[i].pc, w
		for left := mostLines; pc > doneOp && left > 0; left-- {
			o := &ops[pc]
			if o.kind != opLine {
				break
			}
			w = w&^o.clear + o.add
			m := &moves[o.x] // as in add, which is not inlined here
			first, second := ifZero(w&m.mask[0]^m.value[0]), ifZero(w&m.mask[1]^m.value[1])
			holds := (first ^ uint64(m.flip[0])) & (second ^ uint64(m.flip[1]))
			moved := w>>(m.shift&63)&m.field*m.factor[0] + w>>(m.other&63)&m.field*m.factor[1]
			w += moved & uint64(int64(holds)>>63)
			if pc = o.no; w&o.mask == 0 || w&o.value == 0 {
				pc = o.yes
			}
		}
		begins[i].pc, to[i] = pc, w
		others |= pc ^ doneOp
	}
	return others == 0
}

// runWord executes a program on a state that is one word.
func (s *Stepper) runWord(pc int32, w uint64) (uint64, end) {
	for left := mostOperations; uint32(pc) > uint32(done); left-- {
		if pc < 0 {
			pc = s.compiler.force(pc)
			continue
		}
		if left < 0 {
			return w, bail
		}
		o := &s.ops[pc]
		w = w&^o.clear + o.add
		switch o.kind {
		case opLine:
			if o.x > 0 {
				w += s.moves[o.x].add(w)
			}
			if pc = o.no; w&o.mask == 0 || w&o.value == 0 {
				pc = o.yes
			}
		case opSwitch:
			pc = s.tables[uint64(o.x)+w>>(o.shift&63)&o.mask]
		case opTest:
			if pc = o.no; w&o.mask == o.value {
				pc = o.yes
			}
		case opLess:
			if pc = o.no; w>>(o.shift&63)&o.mask-uint64(o.x) < o.value {
				pc = o.yes
			}
		case opBoth:
			x := uint64(o.x)
			if pc = o.no; max(w>>(o.shift&63)&o.mask-x, w>>(o.targetShift&63)&o.mask-x) < o.value {
				pc = o.yes
			}
		case opIn:
			if pc = o.no; o.value>>(w>>(o.shift&63)&o.mask)&1 != 0 {
				pc = o.yes
			}
		case opMove:
			n := w >> (o.shift & 63) & o.mask
			w += n<<(o.targetShift&63) - n<<(o.shift&63)
			pc = o.yes
		default:
			s.w[0] = w
			var how end
			if pc, how = s.rare(o); how != done {
				return s.w[0], how
			}
			w = s.w[0]
		}
	}
	return w, end(pc)
}

// run executes a program on a state, which is first made equal to the key unless that is nil.
func (s *Stepper) run(pc int32, state, key []uint64) end {
	for i := 0; i < len(key) && i < len(state); i++ { // faster than a copy, for few words
		state[i] = key[i]
	}
	ops := s.ops
	for left := mostOperations; uint32(pc) > uint32(done); left-- {
		if pc < 0 {
			pc = s.compiler.force(pc)
			ops = s.ops
			continue
		}
		if left < 0 {
			return bail
		}
		o := &ops[pc]
		w := &state[o.word]
		*w = *w&^o.clear + o.add
		switch o.kind {
		case opTest:
			if pc = o.no; *w&o.mask == o.value {
				pc = o.yes
			}
		case opLine:
			if o.x > 0 {
				*w += s.moves[o.x].add(*w)
			}
			if pc = o.no; *w&o.mask == 0 || *w&o.value == 0 {
				pc = o.yes
			}
		case opSwitch:
			pc = s.tables[uint64(o.x)+*w>>(o.shift&63)&o.mask]
		case opLess:
			if pc = o.no; *w>>(o.shift&63)&o.mask-uint64(o.x) < o.value {
				pc = o.yes
			}
		case opBoth:
			x := uint64(o.x)
			if pc = o.no; max(*w>>(o.shift&63)&o.mask-x, *w>>(o.targetShift&63)&o.mask-x) < o.value {
				pc = o.yes
			}
		case opIn:
			if pc = o.no; o.value>>(*w>>(o.shift&63)&o.mask)&1 != 0 {
				pc = o.yes
			}
		case opMove:
			n := *w >> (o.shift & 63) & o.mask
			*w -= n << (o.shift & 63)
			state[o.into] += n << (o.targetShift & 63)
			pc = o.yes
		case opMoves:
			s.transfers[o.x].make(state)
			pc = o.yes
		default:
			var how end
			own := s.w
			s.w = state
			pc, how = s.rare(o)
			if s.w, ops = own, s.ops; how != done {
				return how
			}
		}
	}
	return end(pc)
}

// rare executes an operation that few games need. It returns where the program continues if how is
// done; otherwise how is how the program ended.
func (s *Stepper) rare(o *op) (pc int32, how end) {
	pc, how = o.yes, done
	switch o.kind {
	case opCond:
		if s.closure[o.x](s) == 0 {
			pc = o.no
		}
	case opPick:
		pc = s.picked(o)
	case opLet:
		s.regs[o.value] = s.closure[o.x](s)
	case opPut:
		w := &s.w[o.word]
		*w = *w&^(o.mask<<o.shift) | uint64(s.closure[o.x](s))<<o.shift
	case opTake:
		s.take(o)
	case opMoves:
		s.transfers[o.x].make(s.w)
	case opNoMove:
		probe := s.prober()
		can, ok := probe.canMove(s.w, probe.menu(s.w).others)
		if s.failed = s.failed || !ok; can {
			pc = o.no
		}
	case opSow:
		pc, how = s.sow(o)
	case opShift:
		s.shift(o)
	case opPause:
		s.resume, how = pc, pause
	}
	if s.failed {
		s.failed = false
		return 0, bail
	}
	return pc, how
}

// take moves a counted number of seeds. Too many are a fault.
func (s *Stepper) take(o *op) {
	n, from := s.closure[o.x](s), s.w[o.word]>>o.shift&o.mask
	if n < 0 || uint64(n) > from {
		s.failed = true
		return
	}
	s.w[o.word] -= uint64(n) << o.shift
	s.w[o.into] += uint64(n) << o.targetShift
}

// prober returns a Stepper that answers questions about moves in the middle of a program. It has
// its own registers.
func (s *Stepper) prober() *Stepper {
	if s.probe == nil {
		s.probe = New(context.Background(), s.sys, s.codec)
		s.probe.notes = s.notes
	}
	return s.probe
}
