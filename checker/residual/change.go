package residual

import (
	"slices"

	"github.com/mancheck/mancheck/rules"
)

// changer compiles statements that change the state: sowings, transfers and assignments. Its
// methods report whether the statement ended the program.
type changer struct{ tester }

// transfer compiles a transfer of seeds between two pits.
func (b *changer) transfer(s rules.Transfer) bool {
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
		return b.finish(bail)
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
	// The number of seeds moved is not known, so it must be in a field.
	f, t := b.places[from], b.places[into]
	if !f.has {
		return b.finish(bail)
	}
	moved := b.cells[from]
	b.cells[from] = 0
	if !t.has {
		b.cells[into] = unknown // nothing can read the seeds of a pit without a field any more
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

// gain adds a known number of seeds to a pit.
func (b *changer) gain(pit, n int) {
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
func (b *changer) put(p place, n uint64) {
	if !b.empty() {
		b.emit(always)
	}
	b.update = update{clear: p.Mask << p.Shift, add: n << p.Shift, touched: p.Mask << p.Shift, word: p.Word}
}

// take compiles a transfer of a counted number of seeds.
func (b *changer) take(s rules.Transfer) bool {
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
		return b.finish(bail)
	}
	b.change(from)
	b.change(into)
	b.cells[from], b.cells[into] = unknown, unknown
	f, t := b.places[from], b.places[into]
	b.emit(op{kind: opTake, word: uint16(f.Word), into: uint16(t.Word), shift: uint8(f.Shift), targetShift: uint8(t.Shift), mask: f.Mask, x: b.close(count)})
	return b.pass()
}

// let sets a register of the running program to v.
func (b *changer) let(slot int, v value) {
	b.emit(op{kind: opLet, value: uint64(slot), x: b.close(v)})
}

// assign compiles an assignment to a variable, a local or a register.
func (b *changer) assign(s rules.Set) bool {
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
	return b.finish(bail)
}

// keep assigns to a local or the rank. A value that is not known goes into a register, and known
// then says so.
func (b *changer) keep(known *int, slot int, x rules.Expr) bool {
	x = b.simplify(x)
	if c, ok := x.(rules.Const); ok {
		*known = c.Value
		return b.pass()
	}
	v, ok := b.value(x)
	if !ok {
		return b.finish(bail)
	}
	b.let(slot, v)
	*known = unknown
	return b.pass()
}

// assignVar compiles an assignment to a state variable. A value outside its domain is a fault.
func (b *changer) assignVar(s rules.Set) bool {
	slot := s.To.Slot
	if s.To.Index != nil {
		i, ok := b.pick(s.To.Index)
		if !ok {
			return true
		}
		if i < 0 || i >= len(s.To.Table) || s.To.Table[i] < 0 {
			return b.finish(bail)
		}
		slot = s.To.Table[i]
	}
	cell, x := len(b.sys.Pits)+slot, b.simplify(s.X)
	p, old := b.places[cell], b.cells[cell]
	if c, ok := x.(rules.Const); ok {
		raw, fits := p.raw(c.Value, &b.sys.Vars[slot])
		if !fits {
			return b.finish(bail)
		}
		b.cells[cell] = c.Value
		if b.isNote(cell) {
			return b.pass()
		}
		if before, _ := p.raw(old, &b.sys.Vars[slot]); p.has && old != unknown {
			b.plus(p.Field, raw-before)
		} else if p.has {
			b.put(p, uint64(raw))
		}
		return b.pass()
	}
	v, ok := b.value(x)
	if !ok {
		return b.finish(bail)
	}
	b.cells[cell] = unknown
	if !p.has { // its value cannot be read any more, but the new one may be a fault
		b.let(idleSlot, b.fitting(p, slot, v))
		return b.pass()
	}
	b.emit(op{kind: opPut, word: uint16(p.Word), shift: uint8(p.Shift), mask: p.Mask, x: b.close(b.fitting(p, slot, v))})
	return b.pass()
}

// raw returns what the field of a variable holds for value v, and whether v is in its domain.
func (p place) raw(v int, x *rules.Var) (int, bool) {
	if !x.Contains(v) {
		return 0, false
	}
	if p.domain != nil {
		return slices.Index(p.domain, v), true
	}
	return v - p.Low, true
}

// fitting turns the value of a variable into what its field holds. A value outside the domain is a
// fault.
func (b *changer) fitting(p place, slot int, v value) value {
	x := &b.sys.Vars[slot]
	return func(s *Stepper) int {
		raw, fits := p.raw(v(s), x)
		s.failed = s.failed || !fits
		return raw
	}
}

// change must be called before the seeds in a pit change other than by a sowing. If `last was` is
// derived from this pit and still needed, its value goes into a register.
func (b *changer) change(pit int) {
	if b.lastWas != derived || b.last != pit {
		return
	}
	b.lastWas = lost
	if b.reads().lastWas {
		b.let(lastWasSlot, b.wasInLast())
		b.lastWas = unknown
	}
}
