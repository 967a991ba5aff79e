package residual

import (
	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/rules"
)

// evaluator evaluates expressions as far as their parts are known, and makes the program branch
// where they are not.
type evaluator struct{ emitter }

// value computes a number from the state of a running program. If it runs into a fault it sets
// failed.
type value func(*Stepper) int

func constant(v int) value { return func(*Stepper) int { return v } }

// simplify evaluates the parts of an expression that are known.
func (b *evaluator) simplify(x rules.Expr) rules.Expr {
	p := b.point
	if b.from != rules.None {
		p.origin = b.from
	}
	return rules.Simplify(x, func(x rules.Expr) (rules.Const, bool) {
		if c, is := x.(rules.Cell); is && c.Index == nil {
			v, ok := p.known(c)
			return rules.Const{Value: v, Type: b.sys.TypeOf(c, nil)}, ok
		}
		return rules.Const{}, false
	})
}

// known returns the value of a cell without an index.
func (p *point) known(c rules.Cell) (v int, ok bool) {
	switch c.Sort {
	case rules.LocalCell:
		v = p.locals[c.Slot]
	case rules.RegisterCell:
		return p.register(c.Slot)
	case rules.PitCell:
		v = p.cells[c.Slot]
	case rules.VarCell:
		v = p.cells[p.pits+c.Slot]
	}
	return v, isKnown(v)
}

func isKnown(v int) bool { return v != unknown && v != nonEmpty }

func (p *point) register(reg int) (v int, ok bool) {
	switch reg {
	case rules.LastReg:
		return p.last, p.last != unset
	case rules.LastWasReg:
		return p.lastWas, p.lastWas >= 0
	case rules.OriginReg:
		return p.origin, p.origin != unset
	case rules.MoverReg:
		return p.mover, !p.claim
	case rules.OutcomeReg:
		return rules.Live, !p.claim
	}
	return 0, false
}

// pick returns the value of an expression. If it is not known, ok is false: the program has ended
// with a branch on some part that it depends on, and each branch evaluates the current statement
// again.
func (b *evaluator) pick(x rules.Expr) (v int, ok bool) {
	x = b.simplify(x)
	if c, is := x.(rules.Const); is {
		return c.Value, true
	}
	part := b.unknownPart(x)
	if part == nothing {
		b.finish(bail)
		return 0, false
	}
	b.split(part)
	return 0, false
}

// unknownPart returns a part that x depends on and that a program can find out, or nothing.
func (b *evaluator) unknownPart(x rules.Expr) part {
	found := nothing
	rules.Walk(x, func(x rules.Expr) bool {
		switch x := x.(type) {
		case rules.Cell:
			if x.Index == nil && found == nothing {
				found = b.partOf(x)
			}
		case rules.Sum:
			if found == nothing && len(x.Pits) > 0 {
				found = b.partOf(rules.PitAt(x.Pits[0]))
			}
		case rules.Const, rules.OpenParam, rules.Lookup, rules.Not, rules.Binary, rules.Cond, rules.Question, rules.Old:
		}
		return found == nothing
	})
	return found
}

// partOf returns the part that an unknown cell is, or nothing if a program cannot find out its
// value.
func (b *evaluator) partOf(c rules.Cell) part {
	switch {
	case c.Sort == rules.LocalCell:
		return part(len(b.cells) + c.Slot)
	case c.IsRegister(rules.LastWasReg) && (b.lastWas == unknown || b.lastWas == derived):
		return lastWasPart
	case c.Sort == rules.RegisterCell:
		return nothing
	}
	cell := c.Slot
	if c.Sort == rules.VarCell {
		cell += b.pits
	}
	if !b.places[cell].has {
		return nothing // it is lost
	}
	return part(cell)
}

// split ends the program with a branch on the value of a part.
func (b *evaluator) split(x part) {
	if int(x) >= 0 && int(x) < len(b.cells) && b.places[x].Mask < maxBranches {
		b.splitField(x)
		return
	}
	v := b.read(x)
	p := b.point.clone()
	b.bytes += 8 * len(p.cells)
	b.picks = append(b.picks, pick{point: &p, part: x, to: map[int]int32{}})
	b.emit(op{kind: opPick, x: b.close(v), pick: int32(len(b.picks) - 1)})
	b.tail = -1
}

// splitField branches by a table with an entry for each value of a field.
func (b *evaluator) splitField(x part) {
	f := b.places[x]
	p := b.point.clone()
	b.bytes += 8 * len(p.cells)
	at := split{point: &p, part: x, place: f}
	at.first = b.table(int(f.Mask)+1, func(raw int) bool {
		cell := int(x) - b.pits
		return cell < 0 || b.sys.Vars[cell].Contains(at.value(raw)) // or no state has it
	})
	b.splits = append(b.splits, at)
	b.emit(op{kind: opSwitch, word: uint16(f.Word), shift: uint8(f.Shift), mask: f.Mask, x: at.first})
	b.tail = -1
}

// picked returns where a branch on the value of a closure continues. It adds an entry for a new
// value.
func (s *Stepper) picked(o *op) int32 {
	v := s.closure[o.x](s)
	p := &s.picks[o.pick]
	to, ok := p.to[v]
	switch {
	case ok || s.failed:
	case s.compiler.bytes > maxBytes:
		s.failed = true
	default:
		c := s.compiler
		c.bytes += 2 * stubBytes
		c.stubs = append(c.stubs, stub{pc: -1, point: p.point, part: p.part, value: v})
		to = ^int32(len(c.stubs) - 1)
		p.to[v] = to
	}
	return to
}

// read returns a closure for the value of an unknown part.
func (b *evaluator) read(x part) value {
	switch {
	case x == lastWasPart && b.lastWas == derived:
		return b.wasInLast()
	case x == lastWasPart:
		return slot(lastWasSlot)
	case int(x) < len(b.cells):
		return b.places[x].read
	}
	return slot(firstLocal + int(x) - len(b.cells))
}

func slot(i int) value { return func(s *Stepper) int { return s.regs[i] } }

// read returns the value that a field holds.
func (p place) read(s *Stepper) int {
	s.sees(p.Field)
	return p.in(s.w)
}

// in returns the value that a field holds in a key.
func (p *place) in(key []uint64) int {
	v := int(key[p.Word] >> (p.Shift & 63) & p.Mask)
	if p.domain != nil {
		return p.domain[v]
	}
	return v + p.Low
}

// value compiles a simplified expression to a closure. ok is false if no program can compute it.
func (b *evaluator) value(x rules.Expr) (value, bool) {
	switch x := x.(type) {
	case rules.Const:
		return constant(x.Value), true
	case rules.Cell:
		switch {
		case x.Index != nil:
			return b.chosen(x)
		case b.claim && x.IsRegister(rules.MoverReg):
			return (*Stepper).moverNow, true
		case b.claim && x.IsRegister(rules.OutcomeReg):
			return (*Stepper).outcomeNow, true
		}
		part := b.partOf(x)
		if part == nothing {
			return nil, false
		}
		return b.read(part), true
	case rules.Sum:
		return b.sum(x.Pits)
	case rules.Lookup:
		return b.lookup(x)
	case rules.Not:
		v, ok := b.value(x.X)
		return func(s *Stepper) int { return truth(v(s) == 0) }, ok
	case rules.Binary:
		return b.binary(x)
	case rules.Cond:
		yes, ok1 := b.value(x.If)
		then, ok2 := b.value(x.Then)
		other, ok3 := b.value(x.Else)
		return func(s *Stepper) int {
			if yes(s) != 0 {
				return then(s)
			}
			return other(s)
		}, ok1 && ok2 && ok3
	case rules.Question:
		return b.ask(x)
	case rules.Old:
		return b.old(x.X)
	case rules.OpenParam: // in setups and claims about starts only
	}
	return nil, false
}

func (b *evaluator) binary(x rules.Binary) (value, bool) {
	l, ok1 := b.value(x.L)
	r, ok2 := b.value(x.R)
	if !ok1 || !ok2 {
		return nil, false
	}
	switch o := x.Op; o {
	case rules.And:
		return func(s *Stepper) int { return truth(l(s) != 0 && r(s) != 0) }, true
	case rules.Or:
		return func(s *Stepper) int { return truth(l(s) != 0 || r(s) != 0) }, true
	default:
		return func(s *Stepper) int { return s.apply(o, l(s), r(s)) }, true
	}
}

func (s *Stepper) apply(o rules.Op, l, r int) int {
	v, err := rules.Apply(o, l, r)
	s.failed = s.failed || err != nil
	return v
}

// sum compiles a sum of seeds.
func (b *evaluator) sum(pits []int) (value, bool) {
	n := 0
	var fields []place
	for _, p := range pits {
		switch f := b.places[p]; {
		case isKnown(b.cells[p]):
			n += b.cells[p]
		case !f.has:
			return nil, false
		default:
			fields = append(fields, f)
		}
	}
	return func(s *Stepper) int {
		n := n
		for i := range fields {
			f := &fields[i]
			s.sees(f.Field)
			n += int(s.w[f.Word] >> f.Shift & f.Mask)
		}
		return n
	}, true
}

// chosen compiles the reading of a cell that an index chooses.
func (b *evaluator) chosen(x rules.Cell) (value, bool) {
	index, ok := b.value(x.Index)
	if !ok {
		return nil, false
	}
	count, first, table := b.pits, 0, x.Table
	switch {
	case x.Sort == rules.VarCell:
		count, first = len(b.cells)-b.pits, b.pits
	case x.Sort != rules.PitCell:
		return nil, false
	}
	if table == nil {
		table = num.Run(0, count)
	}
	reads := make([]value, len(table))
	for i, slot := range table {
		switch cell := first + slot; {
		case slot < 0: // a fault
		case isKnown(b.cells[cell]):
			reads[i] = constant(b.cells[cell])
		case b.places[cell].has:
			reads[i] = b.places[cell].read
		default:
			return nil, false
		}
	}
	return func(s *Stepper) int {
		i := index(s)
		if i < 0 || i >= len(reads) || reads[i] == nil {
			s.failed = true
			return 0
		}
		return reads[i](s)
	}, true
}

func (b *evaluator) lookup(x rules.Lookup) (value, bool) {
	pit, ok := b.value(x.X)
	return func(s *Stepper) int {
		p := pit(s)
		if s.failed {
			return 0
		}
		v, ok := x.Table.Entry(p)
		s.failed = !ok
		return v
	}, ok
}

// wasInLast returns a closure for a derived `last was`.
func (b *evaluator) wasInLast() value {
	p := b.places[b.last]
	return func(s *Stepper) int { return p.read(s) - 1 }
}

// watch notes what closures read while an action is specialized.
type watch struct {
	varies []uint64   // by word, the bits that are not known; nil: nothing is noted
	saw    seen       // what was read of these
	field  pack.Field // the field of these that was read first
	ranged words      // the bits of fields that are known for now
	read   bool       // one of these was read
}

// seen is what closures have read of the fields that are not known.
type seen int

const (
	nothingSeen seen = iota
	oneSeen          // a field
	muchSeen         // more than one
)

// sees notes that a field was read.
func (s *watch) sees(f pack.Field) {
	s.read = s.read || s.varies != nil && s.ranged[f.Word]>>f.Shift&f.Mask != 0
	switch {
	case s.varies == nil || s.varies[f.Word]>>f.Shift&f.Mask == 0:
	case s.saw == nothingSeen:
		s.saw, s.field = oneSeen, f
	case s.field.Word != f.Word || s.field.Shift != f.Shift:
		s.saw = muchSeen
	}
}
