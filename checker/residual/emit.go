package residual

import "github.com/mancheck/mancheck/checker/pack"

// emitter appends operations to a program.
type emitter struct {
	*compiler
	point
	first int32 // the first operation; -1: none yet
	tail  int32 // the operation whose yes edge leads to the next one; -1: none
	fresh bool  // nothing was compiled since the point
	from  int   // while a sowing is evaluated: the pit sown from; otherwise rules.None
	// update is a change of one word that has not been emitted. The next operation makes it first.
	update
}

// update is a change of one word: the bits of clear become 0, then add is added.
type update struct {
	clear, add uint64
	less       uint64 // the fields from which something is subtracted
	touched    uint64 // the fields that it changes
	word       int
}

func (u update) empty() bool { return u.clear == 0 && u.add == 0 }

// always is a line both of whose edges lead to the same program. It takes the no edge unless the
// word is 0, which the processor predicts as well as for other lines.
var always = op{kind: opLine, mask: ^uint64(0), value: ^uint64(0)}

// emit appends an operation, which makes the pending update first.
func (b *emitter) emit(o op) int32 {
	if !b.empty() && int(o.word) != b.word && ownWord(&o) {
		b.emit(always)
	}
	at := b.op(o)
	b.append(at)
	b.tail = at
	return at
}

// append appends an operation that was added before. It makes the pending update first.
func (b *emitter) append(at int32) {
	o := &b.ops[at]
	if !b.empty() {
		o.word, o.clear, o.add, o.less = uint16(b.word), b.clear, b.add, b.less
		b.update = update{}
	}
	b.follow(at)
}

// ownWord reports whether an operation has a word of its own, so that it can make only updates of
// that word.
func ownWord(o *op) bool {
	switch o.kind {
	case opSwitch, opMove, opPut, opTake:
		return true
	case opLine:
		return o.x != 0
	}
	return false
}

// follow makes the operations so far lead to at.
func (b *emitter) follow(at int32) {
	if b.first < 0 {
		b.first = at
	}
	if b.tail >= 0 {
		b.goOn(b.tail, at)
	}
	b.fresh = false
}

// goOn makes an operation without a branch lead to a program.
func (b *emitter) goOn(at, pc int32) {
	b.link(ref{at, yesEdge}, pc)
	if b.ops[at].kind == opLine {
		b.link(ref{at, noEdge}, pc)
	}
}

// finish ends the program, and returns true. The pending update matters only if there is a
// successor.
func (b *emitter) finish(how end) bool {
	for cell := len(b.sys.Pits) + b.notes; cell < len(b.cells) && how == done && !b.alone; cell++ {
		b.plus(b.places[cell].Field, b.cells[cell])
	}
	if how == done && !b.empty() && !b.joinsUpdate() {
		b.emit(always)
	}
	b.follow(int32(how))
	return true
}

// refuse ends the program because the action cannot be executed. In a reaction that is a fault.
func (b *emitter) refuse() bool {
	if b.stage >= 0 {
		return b.finish(bail)
	}
	return b.finish(illegal)
}

// jump continues at another point, which may have a program already.
func (b *emitter) jump(p point) {
	if b.tail >= 0 && (b.empty() || b.joinsUpdate()) {
		b.goOn(b.tail, b.stub(p))
		return
	}
	b.goOn(b.emit(always), b.stub(p))
}

// plus adds n to a field. The sum is known to fit.
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
	if n < 0 {
		b.less |= f.Mask << f.Shift
	}
}

// pass continues after the current statement.
func (b *emitter) pass() bool {
	b.todo = b.todo.after()
	b.fresh = false
	return false
}

// joins merges a test, and the update before it, with the line emitted last, if possible. It
// reports whether it did.
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

// joinsUpdate merges the pending update, if there is one, with the line emitted last. The update is
// then made before the moves of the line, so it must not touch their fields. It reports whether
// there is no pending update left.
func (b *emitter) joinsUpdate() bool {
	if b.tail < 0 || b.ops[b.tail].kind != opLine {
		return false
	}
	if t := &b.ops[b.tail]; !b.empty() {
		if b.clear != 0 || int(t.word) != b.word || b.touched&b.moves[t.x].fields() != 0 {
			return false
		}
		t.add += b.add
		t.less |= b.less
		b.update = update{}
	}
	return true
}

// close stores a closure and returns its number.
func (b *emitter) close(v value) int32 {
	b.closure = append(b.closure, v)
	return int32(len(b.closure) - 1)
}
