package residual

import (
	"slices"

	"github.com/mancheck/mancheck/rules"
)

// A sowing may pass over pits depending on how many seeds they hold, or its pit may hold very many.
// With a program for each combination of such pits, or for each number, there would be too many
// programs. So this is a single operation, which looks at the pits when it is executed, and
// continues at the entry of a table for the pit of the last seed. A transfer between pits that
// locals hold, as in a capture of all pits of some kind, is handled the same way.

// sowing is a sowing that looks at pits when it is executed.
type sowing struct {
	lap      *rules.Lap
	onlyLast []bool
	source   place
	from     int     // the pit tried first
	count    value   // seeds to sow; nil: all of the pit
	skip     []bool  // by pit: it is always passed over
	asked    []asked // pits that may be passed over
	places   []place
	first    int32 // first entry of its table, by pit
	refused  end   // how the program ends if the sowing is impossible
}

// asked is the condition under which a pit is passed over: a test of a field, or a closure.
type asked struct {
	pit   int
	test  op
	sense bool  // the result of the test that means yes
	value value // nil: use the test
}

// sowsInPlay emits the operation if it is not known which pits are passed over, or the seeds may be
// many, and no statements follow a drop. It reports whether it did; the program has then ended.
func (b *changer) sowsInPlay(h *hand) bool {
	s := h.sow
	many := !isKnown(b.cells[h.source]) && b.places[h.source].Mask >= b.most
	if s.SkipIf == nil && !many || len(s.Drop) > 0 || s.StartAt != nil || !b.places[h.source].has {
		return false
	}
	w := sowing{
		lap: &b.sys.Laps[s.Lap], onlyLast: s.OnlyLast, source: b.places[h.source], from: h.source,
		skip: make([]bool, b.pits), places: b.places[:b.pits], refused: illegal,
	}
	if !s.OriginFirst {
		w.from = w.lap.Next[h.source]
	}
	if b.stage >= 0 {
		w.refused = bail
	}
	for pit, x := range s.SkipIf {
		if x == nil {
			continue
		}
		x = b.simplify(x)
		if c, is := x.(rules.Const); is {
			w.skip[pit] = c.Value != 0
			continue
		}
		if !slices.Contains(w.lap.Pits, pit) { // but it might be a fault
			if !rules.NeverFails(x) {
				return false
			}
			continue
		}
		k, ok := b.asked(pit, x)
		if !ok {
			return false
		}
		w.asked = append(w.asked, k)
	}
	if len(w.asked) == 0 && !many {
		return false
	}
	if s.Count != nil {
		var ok bool
		if w.count, ok = b.value(b.simplify(s.Count)); !ok {
			return false
		}
	}
	b.emitSowing(w, h.source)
	return true
}

// asked compiles the condition under which a pit is passed over.
func (b *changer) asked(pit int, x rules.Expr) (k asked, ok bool) {
	if o, sense, ok := b.bits(x); ok && (o.kind == opTest || o.kind == opLess) {
		return asked{pit: pit, test: o, sense: sense}, true
	}
	v, ok := b.value(x)
	return asked{pit: pit, value: v}, ok
}

// emitSowing emits the operation, which branches on the pit that the last seed falls into.
func (b *changer) emitSowing(w sowing, source int) {
	w.first = b.table(b.pits, func(pit int) bool { return slices.Contains(w.lap.Pits, pit) })
	b.sowings = append(b.sowings, w)
	b.emit(op{kind: opSow, x: int32(len(b.sowings) - 1)})
	b.tail = -1

	p := b.point.clone()
	p.origin = source
	p.cells[source] = unknown
	for _, pit := range w.lap.Pits {
		p.cells[pit] = unknown
	}
	p.todo = p.todo.after()
	b.bytes += 8 * len(p.cells)
	b.splits = append(b.splits, split{point: &p, part: lastPart, first: w.first})
}

// sow executes a sowing, and returns where the program continues. how is done unless the program
// ends.
func (s *Stepper) sow(o *op) (pc int32, how end) {
	h := &s.sowings[o.x]
	held := int(s.w[h.source.Word] >> (h.source.Shift & 63) & h.source.Mask)
	n := held
	if h.count != nil {
		n = h.count(s)
	}
	s.skip = append(s.skip[:0], h.skip...)
	for i := range h.asked {
		s.skip[h.asked[i].pit] = h.asked[i].holds(s)
	}
	switch {
	case s.failed:
		s.failed = false
		return 0, bail
	case n < 1 || n > held:
		return 0, h.refused
	}
	s.w[h.source.Word] -= uint64(n) << (h.source.Shift & 63)
	last := rules.None
	for at := h.from; n > 0; n-- {
		if last = Place(h.lap, s.skip, h.onlyLast, at, n == 1); last == rules.None {
			return 0, h.refused
		}
		if f := &h.places[last]; f.has {
			s.w[f.Word] += 1 << (f.Shift & 63)
		}
		at = h.lap.Next[last]
		if n > 2*len(h.lap.Pits) {
			n -= s.wholeRounds(h, last, n-1)
		}
	}
	return s.tables[int(h.first)+last], done
}

// wholeRounds sows whole rounds at once after a seed that fell into a pit, and returns of how many
// seeds. At least one is left.
func (s *Stepper) wholeRounds(h *sowing, pit, seeds int) int {
	next := func(q int) int { return Place(h.lap, s.skip, h.onlyLast, h.lap.Next[q], false) }
	round := 1
	for q := next(pit); q != pit; q = next(q) {
		if round++; q == rules.None || round > len(h.lap.Pits) {
			return 0
		}
	}
	whole := (seeds - 1) / round
	for range round {
		pit = next(pit)
		if f := &h.places[pit]; f.has {
			s.w[f.Word] += uint64(whole) << (f.Shift & 63)
		}
	}
	return whole * round
}

// Place returns the pit for a seed that is to fall into at, or into the next pit on the lap that
// takes it. last says whether it is the last seed. The result is rules.None at the end of a lap
// that is no ring, and if no pit takes the seed. skip and onlyLast may be nil.
func Place(lap *rules.Lap, skip, onlyLast []bool, at int, last bool) int {
	for range len(lap.Pits) + 1 {
		if at == rules.None || (skip == nil || !skip[at]) && (last || onlyLast == nil || !onlyLast[at]) {
			return at
		}
		at = lap.Next[at]
	}
	return rules.None
}

func (k *asked) holds(s *Stepper) bool {
	if k.value != nil {
		return k.value(s) != 0
	}
	w := s.w[k.test.word]
	if k.test.kind == opTest {
		return (w&k.test.mask == k.test.value) == k.sense
	}
	return (w>>(k.test.shift&63)&k.test.mask-uint64(k.test.x) < k.test.value) == k.sense
}

// isRegister reports whether an expression is a local whose value is in a register of the running
// program.
func (b *changer) isRegister(x rules.Expr) bool {
	c, is := b.simplify(x).(rules.Cell)
	return is && c.Sort == rules.LocalCell && c.Index == nil
}

// transit is a transfer of all seeds between pits that are known only when it is executed.
type transit struct {
	from, into value
	places     []place
}

// shift emits a transit. After it the seeds of any pit may have changed.
func (b *changer) shift(s rules.Transfer) bool {
	from, ok := b.value(b.simplify(s.From))
	into, ok2 := b.value(b.simplify(s.Into))
	if !ok || !ok2 {
		return b.finish(bail)
	}
	if b.last >= 0 {
		b.change(b.last)
	}
	b.transits = append(b.transits, transit{from, into, b.places[:b.pits]})
	b.emit(op{kind: opShift, x: int32(len(b.transits) - 1)})
	for pit := range b.pits {
		b.cells[pit] = unknown
	}
	return b.pass()
}

// shift executes a transit.
func (s *Stepper) shift(o *op) {
	t := &s.transits[o.x]
	into, from := t.into(s), t.from(s)
	if into == rules.None {
		s.failed = true
	}
	if s.failed || from == rules.None || from == into {
		return
	}
	f, to := &t.places[from], &t.places[into]
	if !f.has {
		s.failed = true
		return
	}
	n := s.w[f.Word] >> (f.Shift & 63) & f.Mask
	s.w[f.Word] -= n << (f.Shift & 63)
	if to.has {
		s.w[to.Word] += n << (to.Shift & 63)
	}
}
