package residual

import (
	"slices"

	"github.com/mancheck/mancheck/rules"
)

// movement is a transfer of all seeds from one known pit to another.
type movement struct{ from, into int }

// moveIf turns a statement that does nothing but transfer seeds between known pits, under a
// condition, into a line without a branch. It reports whether it did. After it the program does not
// know how many seeds these pits hold, but it is the same program whether they were moved or not.
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

// moveInWord emits the transfers as part of a line, which is possible if everything is in one word
// and the fields of the pits have the same width.
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

// moveBetween emits the transfers as an operation of their own.
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

// flipped is a test of bits, which has to fail if flip is -1.
type flipped struct {
	op
	flip int8
}

// tests appends the tests of bits that a condition is the conjunction of. It returns nil for any
// other condition.
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

// movements returns the transfers that statements make. It returns nil if they do anything else, or
// if the order of the transfers matters.
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

// changesLastWas reports whether `last was` is derived from one of the pits and will still be read.
func (b *builder) changesLastWas(list []movement) bool {
	if b.lastWas != derived || !slices.ContainsFunc(list, func(m movement) bool { return m.from == b.last || m.into == b.last }) {
		return false
	}
	after := point{todo: b.todo.after()}
	return after.reads().lastWas
}

// perhaps notes that a transfer may have happened.
func (b *builder) perhaps(m movement) {
	if b.lastWas == derived && (m.from == b.last || m.into == b.last) {
		b.lastWas = lost // changesLastWas has excluded that it is read
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
