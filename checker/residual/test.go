package residual

import (
	"context"
	"math/bits"
	"slices"

	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/checker/slice"
	"github.com/mancheck/mancheck/rules"
)

// tester compiles conditions.
type tester struct{ evaluator }

// branch continues at one of two points. It reports whether the program ended, which is so unless
// the condition is known.
func (b *tester) branch(x rules.Expr, yes, no point) bool {
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
func (b *tester) test(x rules.Expr, yes, no int32) bool {
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
	if reads := o.kind == opTest || o.kind == opLess || o.kind == opBoth || o.kind == opIn || o.kind == opLine; reads && !b.empty() && int(o.word) != b.word {
		b.emit(always)
	}
	b.append(at)
	return true
}

// condition compiles a simplified condition that leads to yes or no. It returns the operation that
// the test begins with, and whether that was made for this condition, so that it may be changed.
func (b *tester) condition(x rules.Expr, yes, no int32) (at int32, made bool) {
	switch x := x.(type) {
	case rules.Const:
		if x.Value != 0 {
			return yes, false
		}
		return no, false
	case rules.Not:
		return b.condition(x.X, no, yes)
	case rules.Question:
		if x == rules.NoMove && !b.claim {
			if b.strayed() {
				return bailOp, false
			}
			return b.edges(op{kind: opNoMove}, yes, no), true
		}
	case rules.Binary:
		switch x.Op {
		case rules.And:
			right, fresh := b.condition(x.R, yes, no)
			at, made := b.condition(x.L, right, no)
			if made && fresh {
				b.and(at, right)
			}
			return at, made || fresh && at == right
		case rules.Or:
			right, fresh := b.condition(x.R, yes, no)
			at, made := b.condition(x.L, yes, right)
			if made && fresh {
				b.either(at, right)
			}
			return at, made || fresh && at == right
		}
	case rules.Cell, rules.Sum, rules.Lookup, rules.Cond, rules.Old, rules.OpenParam:
	}
	if split, ok := b.byWords(x); ok {
		return b.condition(split, yes, no)
	}
	if o, sense, ok := b.bits(x); ok {
		if !sense {
			yes, no = no, yes
		}
		if o == never {
			return no, false
		}
		return b.edges(o, yes, no), true
	}
	v, ok := b.value(x)
	if !ok {
		return bailOp, false
	}
	o := op{kind: opCond, x: b.close(v), pick: b.linear(x), value: uint64(truth(rules.NeverFails(x)))}
	return b.edges(o, yes, no), true
}

// strayed reports whether a cell without a field may have changed and matters to play. Then
// questions about moves cannot be answered from the packed state.
func (b *tester) strayed() bool {
	for cell, v := range b.cells {
		if !b.places[cell].has && v != b.codec.Rest(cell) && b.matters(cell) {
			return true
		}
	}
	return false
}

// matters reports whether a cell may influence which actions are legal.
func (c *compiler) matters(cell int) bool {
	if c.course == nil {
		kept := slice.Keep(context.Background(), c.sys)
		c.course = &kept.Parts
	}
	if cell < len(c.sys.Pits) {
		return c.course.HasPit(cell)
	}
	return c.course.HasVar(cell - len(c.sys.Pits))
}

// and merges the operations for the two sides of an `and` if possible: two tests of bits of the
// same word become one.
func (b *tester) and(left, right int32) {
	l, r := &b.ops[left], &b.ops[right]
	if l.kind == opTest && r.kind == opTest && l.word == r.word && l.no == r.no && l.yes == right && l.mask&r.mask == 0 {
		l.mask |= r.mask
		l.value |= r.value
		b.link(ref{left, yesEdge}, r.yes)
	}
	b.either(left, right)
}

// either merges two tests of one field, or the same tests of two, as of all stores. It merges two
// tests for zero that lead to the same program into a line, if the second one follows when the
// first fails.
func (b *tester) either(first, second int32) {
	b.oneField(first, second)
	l, r := &b.ops[first], &b.ops[second]
	if l.kind == opLess && r.kind == opLess && l.word == r.word && l.mask == r.mask && l.value == r.value && l.x == r.x && l.yes == second && l.no == r.no {
		l.kind, l.targetShift = opBoth, r.shift
		b.link(ref{first, yesEdge}, r.yes)
		return
	}
	if l.kind == opTest && r.kind == opTest && l.word == r.word && l.no == second && l.yes == r.yes && l.value|r.value == 0 {
		l.kind, l.value = opLine, r.mask
		b.link(ref{first, noEdge}, r.no)
	}
}

// oneField merges two tests of the same field into one, if the first leads to the second, and
// either may lead to the same program. Only the edge to the second is changed, since no stub refers
// to it.
func (b *tester) oneField(first, second int32) {
	l, r := &b.ops[first], b.ops[second]
	f, one, ok1 := l.values()
	g, two, ok2 := r.values()
	if !ok1 || !ok2 || f != g {
		return
	}
	edge, to, set := noEdge, r.no, one|two
	switch {
	case l.no == second && l.yes == r.yes:
	case l.no == second && l.yes == r.no && f.Mask < 64:
		to, set = r.yes, one|(2<<f.Mask-1)&^two
	case l.yes == second && l.no == r.no:
		edge, to, set = yesEdge, r.yes, one&two
	case l.yes == second && l.no == r.yes:
		edge, set = yesEdge, one&^two
	default:
		return
	}
	l.kind, l.shift, l.mask, l.value, l.x = opIn, uint8(f.Shift), f.Mask, set, 0
	b.link(ref{first, edge}, to)
}

// values returns the field that a test is about and the values with which it holds. ok is false for
// tests of something else, and if the values are not all less than 64.
func (o *op) values() (f pack.Field, set uint64, ok bool) {
	f = pack.Field{Word: int(o.word), Shift: uint(o.shift), Mask: o.mask}
	switch o.kind {
	case opIn:
		return f, o.value, true
	case opTest:
		if o.mask == 0 {
			return f, 0, false
		}
		f.Shift = uint(bits.TrailingZeros64(o.mask))
		f.Mask >>= f.Shift
		v := o.value >> f.Shift
		return f, 1 << v, v < 64 && o.value&^o.mask == 0
	case opLess:
		for v := range min(f.Mask, 63) + 1 {
			set |= uint64(truth(v-uint64(o.x) < o.value)) << v
		}
		return f, set, f.Mask < 64 || o.x == 0 && o.value <= 64
	}
	return f, 0, false
}

// never is a test that always fails.
var never = op{kind: opTest, value: 1}

// edges adds an operation that leads to yes or no.
func (b *tester) edges(o op, yes, no int32) int32 {
	at := b.op(o)
	b.link(ref{at, yesEdge}, yes)
	b.link(ref{at, noEdge}, no)
	return at
}

// bits compiles the comparison of fields with a constant to one operation on a word. If sense is
// false, the operation tests the opposite.
func (b *tester) bits(x rules.Expr) (o op, sense, ok bool) {
	c, is := x.(rules.Binary)
	if !is {
		c = rules.Binary{Op: rules.Ne, L: x, R: rules.Const{}}
	}
	k, isConst := c.R.(rules.Const)
	if !isConst {
		l, isConst := c.L.(rules.Const)
		if !isConst {
			return o, false, false
		}
		c.L, k = c.R, l
		c.Op = c.Op.Mirror()
	}
	if sum, is := c.L.(rules.Sum); is && len(sum.Pits) != 1 {
		return b.noSeeds(sum.Pits, c.Op, k.Value)
	}
	return b.field(c.L, c.Op, k.Value)
}

// byWords splits a test whether pits are empty that are in several words, into a test for each
// word.
func (b *tester) byWords(x rules.Expr) (rules.Expr, bool) {
	c, is := x.(rules.Binary)
	if !is {
		return nil, false
	}
	sum, isSum := c.L.(rules.Sum)
	zero, isConst := c.R.(rules.Const)
	op, ok := emptiness(c.Op, zero.Value)
	if !isSum || !isConst || !ok {
		return nil, false
	}
	parts := make([][]int, b.words)
	for _, p := range sum.Pits {
		if f := b.places[p]; f.has {
			parts[f.Word] = append(parts[f.Word], p)
		} else {
			return nil, false
		}
	}
	parts = slices.DeleteFunc(parts, func(pits []int) bool { return len(pits) == 0 })
	if len(parts) < 2 {
		return nil, false
	}
	join, out := rules.And, rules.Expr(nil)
	if op == rules.Ne {
		join = rules.Or
	}
	for _, pits := range parts {
		part := rules.Binary{Op: op, L: rules.Sum{Pits: pits}, R: rules.Const{}}
		if out == nil {
			out = part
		} else {
			out = rules.Binary{Op: join, L: out, R: part}
		}
	}
	return out, true
}

// emptiness returns Eq or Ne if comparing a number of seeds with k asks whether it is zero or not.
func emptiness(o rules.Op, k int) (rules.Op, bool) {
	switch {
	case k == 0 && o == rules.Eq, k == 0 && o == rules.Le, k == 1 && o == rules.Lt:
		return rules.Eq, true
	case k == 0 && o == rules.Ne, k == 0 && o == rules.Gt, k == 1 && o == rules.Ge:
		return rules.Ne, true
	}
	return o, false
}

// field compiles the comparison of one field with k.
func (b *tester) field(x rules.Expr, o rules.Op, k int) (out op, sense, ok bool) {
	var f place
	seeds, empty := false, false // it is a pit's field, and may be zero
	if c, is := x.(rules.Cell); is && b.claim && c.Sort == rules.RegisterCell && c.Slot >= rules.MoverReg {
		return b.statusTest(c.Slot, o, k)
	}
	if pit, is := rules.SeedsOf(x); is {
		f, seeds, empty = b.places[pit], true, b.cells[pit] != nonEmpty
	} else if c, is := x.(rules.Cell); is && c.Sort == rules.VarCell && c.Index == nil {
		f = b.places[b.pits+c.Slot]
	} else if is && c.IsRegister(rules.LastWasReg) && b.lastWas == derived {
		f = b.places[b.last]
		f.Low--
	}
	if !f.has || f.domain != nil && o != rules.Eq && o != rules.Ne {
		return out, false, false
	}
	if k -= f.Low; f.domain != nil {
		k = slices.Index(f.domain, k)
	}
	switch o {
	case rules.Le, rules.Gt: // v <= k is v < k+1
		k++
	}
	switch most := int(f.Mask); o {
	case rules.Eq, rules.Ne:
		if seeds && k == 0 && !empty {
			return never, o == rules.Eq, true
		}
		out = op{kind: opTest, word: uint16(f.Word), mask: f.Mask << f.Shift, value: uint64(k) << f.Shift}
		return out, o == rules.Eq, 0 <= k && k <= most
	case rules.Lt, rules.Le, rules.Gt, rules.Ge:
		sense = o == rules.Lt || o == rules.Le
		if seeds && k == 1 && !empty {
			return never, sense, true
		}
		if k == 1 { // v < 1
			return op{kind: opTest, word: uint16(f.Word), mask: f.Mask << f.Shift}, sense, true
		}
		out = op{kind: opLess, word: uint16(f.Word), shift: uint8(f.Shift), mask: f.Mask, value: uint64(k)}
		return out, sense, 0 <= k && k <= most
	}
	return out, false, false
}

// noSeeds compiles a test whether some pits, all in one word, are empty.
func (b *tester) noSeeds(pits []int, o rules.Op, k int) (out op, sense, ok bool) {
	o, ok = emptiness(o, k)
	if !ok {
		return out, false, false
	}
	sense, out = o == rules.Eq, op{kind: opTest}
	for i, p := range pits {
		f := b.places[p]
		if b.cells[p] == nonEmpty {
			return never, sense, true
		}
		if !f.has || i > 0 && int(out.word) != f.Word {
			return out, false, false
		}
		out.word = uint16(f.Word)
		out.mask |= f.Mask << f.Shift
	}
	return out, sense, len(pits) > 0
}

// statusTest compiles a comparison of the player to move or of the outcome with k.
func (b *tester) statusTest(reg int, o rules.Op, k int) (out op, sense, ok bool) {
	if o != rules.Eq && o != rules.Ne || k < -1 {
		return out, false, false
	}
	f, players := b.status, len(b.sys.Players)
	out = op{kind: opLess, word: uint16(f.Word), shift: uint8(f.Shift), mask: f.Mask, value: uint64(players)}
	switch {
	case k == -1: // Live, or None
		return out, (o == rules.Eq) == (reg == rules.OutcomeReg), true
	case reg == rules.OutcomeReg:
		k += players
	case k >= players:
		return out, false, false
	}
	if k > int(f.Mask) {
		return out, false, false
	}
	return op{kind: opTest, word: uint16(f.Word), mask: f.Mask << f.Shift, value: uint64(k) << f.Shift}, o == rules.Eq, true
}

// linear is a comparison of sums of seeds and other values, as of what a chain captures with all
// that there is: whether a weighted sum is less than 0 or, if equal is set, whether it is 0. The
// closure of the condition says the same. A Specialist needs to know of what it is a sum.
type linear struct {
	terms []term
	rest  []weighted // what is in no pit
	n     int        // added
	equal bool
	sense bool // the result that means yes
}

// term is the seeds of a field, times a weight.
type term struct {
	pack.Field
	times int
}

// weighted is a value times a weight.
type weighted struct {
	value
	times int
}

// linear returns the number of a condition among those that are linear, from 1. It is 0 if the
// condition is none.
func (b *tester) linear(x rules.Expr) int32 {
	c, is := x.(rules.Binary)
	if !is {
		return 0
	}
	l, sign := linear{sense: c.Op != rules.Ne}, 1
	switch c.Op {
	case rules.Lt, rules.Le:
	case rules.Gt, rules.Ge:
		sign = -1
	case rules.Eq, rules.Ne:
		l.equal = true
	default:
		return 0
	}
	if c.Op == rules.Le || c.Op == rules.Ge {
		l.n = -1
	}
	if !b.addTerms(&l, c.L, sign) || !b.addTerms(&l, c.R, -sign) || len(l.terms) < 2 {
		return 0
	}
	b.linears = append(b.linears, l)
	return int32(len(b.linears))
}

// addTerms adds an expression times a weight.
func (b *tester) addTerms(l *linear, x rules.Expr, times int) bool {
	if c, is := x.(rules.Const); is {
		l.n += times * c.Value
		return true
	}
	if c, is := x.(rules.Binary); is && c.Op == rules.Add {
		return b.addTerms(l, c.L, times) && b.addTerms(l, c.R, times)
	} else if is && c.Op == rules.Sub {
		return b.addTerms(l, c.L, times) && b.addTerms(l, c.R, -times)
	}
	sum, is := x.(rules.Sum)
	pits := sum.Pits
	if pit, one := rules.SeedsOf(x); one {
		pits = []int{pit}
	} else if !is {
		v, ok := b.value(x)
		l.rest = append(l.rest, weighted{v, times})
		return ok
	}
	for _, pit := range pits {
		switch f := b.places[pit]; {
		case isKnown(b.cells[pit]):
			l.n += times * b.cells[pit]
		case !f.has:
			return false
		default:
			l.terms = append(l.terms, term{f.Field, times})
		}
	}
	return true
}
