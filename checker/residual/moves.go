package residual

import (
	"slices"

	"github.com/mancheck/mancheck/rules"
)

// movement is a statement that moves all seeds of a known pit to another one.
type movement struct{ from, into int }

// moveIf makes a statement that moves seeds between known pits under a condition, and else does
// nothing, into a line, and reports whether it did. The program is the same in both cases; what it
// does not know afterwards is how many seeds these pits have.
func (b *builder) moveIf(s rules.If) bool {
	if len(s.Else) > 0 || len(s.Then) == 0 || len(s.Then) > 2 {
		return false
	}
	tests := b.tests(b.simplify(s.Cond), nil)
	if len(tests) == 0 || len(tests) > 2 {
		return false
	}
	list := b.movements(s.Then)
	if list == nil || b.changesLastWas(list) {
		return false
	}
	if !b.moveInWord(tests, list) {
		b.moveBetween(tests, list)
	}
	for _, mv := range list {
		b.perhaps(mv)
	}
	return true
}

// moveInWord makes the moves into a line if all is in one word, and the pits have fields of the
// same width.
func (b *builder) moveInWord(tests []flipped, list []movement) bool {
	m, word := guardedMoves{}, tests[0].word
	for i, t := range tests {
		if t.word != word {
			return false
		}
		m.mask[i], m.value[i], m.flip[i] = t.mask, t.value, t.flip
	}
	for i, mv := range list {
		from, into := b.places[mv.from], b.places[mv.into]
		if from.Word != int(word) || into.Word != int(word) || from.Mask != into.Mask || i > 0 && from.Mask != m.field {
			return false
		}
		m.factor[i], m.field = 1<<into.Shift-1<<from.Shift, from.Mask
		if i == 0 {
			m.shift = uint8(from.Shift)
		} else {
			m.other = uint8(from.Shift)
		}
	}
	b.moves = append(b.moves, m)
	o := always
	o.word, o.x = word, int32(len(b.moves)-1)
	b.emit(o)
	return true
}

// moveBetween makes the moves into an operation of their own.
func (b *builder) moveBetween(tests []flipped, list []movement) {
	var m wordMoves
	for i, t := range tests {
		m.tests[i] = wordTest{t.mask, t.value, uint64(int64(t.flip)), t.word}
	}
	for i, mv := range list {
		from, into := b.places[mv.from], b.places[mv.into]
		m.moves[i] = wordMove{from.Mask, uint16(from.Word), uint16(into.Word), uint8(from.Shift), uint8(into.Shift)}
	}
	b.transfers = append(b.transfers, m)
	b.emit(op{kind: opMoves, x: int32(len(b.transfers) - 1)})
}

// flipped is a test of bits that has to hold, or to fail with a flip of -1.
type flipped struct {
	op
	flip int8
}

// tests appends the tests of bits that a condition consists of. It returns nil if it consists of
// anything else.
func (b *builder) tests(x rules.Expr, list []flipped) []flipped {
	if c, is := x.(rules.Binary); is && c.Op == rules.And {
		if list = b.tests(c.L, list); list == nil {
			return nil
		}
		return b.tests(c.R, list)
	}
	flip := int8(0)
	for not, is := x.(rules.Not); is; not, is = x.(rules.Not) {
		x, flip = not.X, ^flip
	}
	o, sense, ok := b.bits(x)
	if !ok || o.kind != opTest {
		return nil
	}
	if !sense {
		flip = ^flip
	}
	return append(list, flipped{o, flip})
}

// movements returns what statements move, or nil if they do anything else, or if it is not all the
// same in which order they do it.
func (b *builder) movements(stmts []rules.Stmt) []movement {
	var list []movement
	for _, s := range stmts {
		t, is := s.(rules.Transfer)
		if !is || t.Count != nil {
			return nil
		}
		from, ok1 := b.simplify(t.From).(rules.Const)
		into, ok2 := b.simplify(t.Into).(rules.Const)
		if !ok1 || !ok2 || from.Value == rules.None || into.Value == rules.None || from.Value == into.Value {
			return nil
		}
		if !b.places[from.Value].has || !b.places[into.Value].has {
			return nil
		}
		list = append(list, movement{from.Value, into.Value})
	}
	if len(list) == 2 {
		one, two := list[0], list[1]
		if one.from == two.from || one.into == two.from || one.from == two.into {
			return nil
		}
	}
	return list
}

// changesLastWas reports whether `last was` is derived from one of the pits, and read later.
func (b *builder) changesLastWas(list []movement) bool {
	if b.lastWas != derived || !slices.ContainsFunc(list, func(m movement) bool { return m.from == b.last || m.into == b.last }) {
		return false
	}
	behind := *b.todo
	behind.next++
	after := point{todo: &behind}
	return after.reads().lastWas
}

// perhaps notes that seeds may have been moved.
func (b *builder) perhaps(m movement) {
	if b.lastWas == derived && (m.from == b.last || m.into == b.last) {
		b.lastWas = lost // nothing reads it
	}
	if b.cells[m.from] != 0 {
		b.cells[m.from] = unknown
	}
	switch v := b.cells[m.into]; {
	case isKnown(v) && v > 0:
		b.cells[m.into] = nonEmpty
	case v != nonEmpty:
		b.cells[m.into] = unknown
	}
}
