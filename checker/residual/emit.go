package residual

import "github.com/mancheck/mancheck/checker/pack"

// emitter puts operations one behind the other.
type emitter struct {
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
func (b *emitter) emit(o op) int32 {
	if !b.empty() && int(o.word) != b.word && ownWord(&o) {
		b.emit(always)
	}
	at := b.op(o)
	b.append(at)
	b.tail = at
	return at
}

// append puts an operation behind the ones before. It takes over the update.
func (b *emitter) append(at int32) {
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
func (b *emitter) follow(at int32) {
	if b.first < 0 {
		b.first = at
	}
	if b.tail >= 0 {
		b.goOn(b.tail, at)
	}
	b.fresh = false
}

// goOn lets an operation that does not branch lead to a program.
func (b *emitter) goOn(at, pc int32) {
	b.link(ref{at, yesEdge}, pc)
	if b.ops[at].kind == opLine {
		b.link(ref{at, noEdge}, pc)
	}
}

// finish ends the program. What it has done to the state matters only if there is a successor.
func (b *emitter) finish(how end) {
	if how == done && !b.empty() && !b.joinsUpdate() {
		b.emit(always)
	}
	b.follow(int32(how))
}

// refuse ends the program because the action cannot be executed. In a reaction that is a fault.
func (b *emitter) refuse() {
	if b.stage >= 0 {
		b.finish(bail)
		return
	}
	b.finish(illegal)
}

// jump ends the program at another point.
func (b *emitter) jump(p point) {
	if b.tail >= 0 && (b.empty() || b.joinsUpdate()) {
		b.goOn(b.tail, b.stub(p))
		return
	}
	b.goOn(b.emit(always), b.stub(p))
}

// plus adds to a field; the sum is known to fit.
func (b *emitter) plus(f pack.Field, n int) {
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

// pass goes on behind the current statement.
func (b *emitter) pass() bool {
	f := *b.todo
	f.next++
	b.todo = &f
	b.fresh = false
	return false
}

// joins makes a test with the update before it a part of the line that was emitted last.
func (b *emitter) joins(at int32) bool {
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
func (b *emitter) joinsUpdate() bool {
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

// close returns the number of a closure.
func (b *emitter) close(v value) int32 {
	b.closure = append(b.closure, v)
	return int32(len(b.closure) - 1)
}
