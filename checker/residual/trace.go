package residual

import (
	"math/bits"
	"slices"
)

// Tracer plays single actions, and notes what they look at in the fields of a state that are held
// while others vary. An action that sees the same there does the same with the fields that vary,
// whatever else is in those that are held: package rows plays it once for all of them.
//
// It executes the same programs as the Stepper that it was made of, whose registers it uses.
type Tracer struct {
	s *Stepper
	notes
}

// Tracer returns a Tracer that holds all fields but those with a bit in vary, which has the words
// of a key. It shares the registers of s.
func (s *Stepper) Tracer(vary []uint64) *Tracer {
	t := &Tracer{s: s, notes: notes{key: make([]uint64, s.words)}}
	for _, v := range vary {
		t.held = append(t.held, ^v)
	}
	return t
}

// Forget begins a new list of sights.
func (t *Tracer) Forget() { t.Seen = t.Seen[:0] }

// Menu returns a number that stands for the actions which may be legal in a state, and these
// actions. Both depend on the status and on variables only. ok is false if some of the actions
// have a rank: which of these are legal is not found out one at a time.
func (s *Stepper) Menu(key []uint64) (number int, actions []int32, ok bool) {
	m := s.menu(key)
	for i := range m.actions {
		actions = append(actions, m.actions[i].action)
	}
	return s.menus.index(key), actions, !m.ranks
}

// Legality says how an action was played.
type Legality int

const (
	Unplayed Legality = iota // by no program
	Illegal
	Legal
)

// Play plays the action at a place in the menu of a state and writes the state that it leads to to
// to, if it is legal.
func (t *Tracer) Play(key []uint64, place int, to []uint64) Legality {
	copy(t.key, key)
	return t.played(t.s.enter(key, place), to)
}

// PlayOne plays an action as Tracer.Play does, without notes.
func (s *Stepper) PlayOne(key []uint64, place int, to []uint64) Legality {
	how := s.run(s.enter(key, place))
	if how == done {
		copy(to, s.w)
	}
	return legality(how)
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

func legality(how end) Legality {
	switch how {
	case done:
		return Legal
	case illegal:
		return Illegal
	}
	return Unplayed
}

// Holds evaluates a predicate that asks no questions: Legal says that it holds.
func (t *Tracer) Holds(p *Predicate, key []uint64) Legality {
	copy(t.key, key)
	copy(t.s.w, key)
	t.s.view = View{Key: t.key}
	return t.played(p.pc, nil)
}

func (t *Tracer) played(pc int32, to []uint64) Legality {
	t.Carried, t.Looked = t.Carried[:0], 0
	t.s.notes = &t.notes
	how := t.run(t.s, pc)
	t.s.notes = nil
	if how == done {
		copy(to, t.s.w)
	}
	return legality(how)
}

// run is Stepper.run, with notes.
func (t *Tracer) run(s *Stepper, pc int32) end {
	s.rounds = 0
	for uint32(pc) > uint32(done) {
		if pc < 0 {
			pc = s.compiler.force(pc)
			continue
		}
		t.Work++
		o := &s.ops[pc]
		word := int(o.word)
		t.bits(word, o.clear)
		s.w[word] = s.w[word]&^o.clear + o.add
		switch o.kind {
		case opTest:
			if pc = o.no; t.same(s.w, word, o.mask, o.value) {
				pc = o.yes
			}
		case opLine:
			if o.x > 0 {
				t.guarded(s, word, &s.moves[o.x])
			}
			if pc = o.no; o.yes != o.no && (t.same(s.w, word, o.mask, 0) || o.value != o.mask && t.same(s.w, word, o.value, 0)) {
				pc = o.yes
			}
		case opSwitch:
			t.bits(word, o.mask<<o.shift)
			pc = s.tables[uint64(o.x)+s.w[word]>>(o.shift&63)&o.mask]
		case opLess:
			if pc = o.no; t.lessThan(s.w, o) {
				pc = o.yes
			}
		case opMove:
			t.carry(Part{word, uint(o.shift), o.mask}, Part{int(o.into), uint(o.targetShift), o.mask})
			n := s.w[word] >> (o.shift & 63) & o.mask
			s.w[word] -= n << (o.shift & 63)
			s.w[o.into] += n << (o.targetShift & 63)
			pc = o.yes
		case opRound:
			pc = o.yes
			if s.rounds++; s.rounds > mostRounds {
				return bail
			}
		default:
			var how end
			if pc, how = t.rare(s, o); how != done {
				return how
			}
		}
	}
	return end(pc)
}

// guarded makes guarded moves.
func (t *Tracer) guarded(s *Stepper, word int, m *guardedMoves) {
	for i := range 2 {
		if t.same(s.w, word, m.mask[i], m.value[i]) == (m.flip[i] != 0) {
			return
		}
	}
	for i, shift := range [2]uint8{m.shift, m.other} {
		if factor := m.factor[i]; factor != 0 {
			into := bits.TrailingZeros64(factor + 1<<shift)
			t.carry(Part{word, uint(shift), m.field}, Part{word, uint(into), m.field})
		}
	}
	s.w[word] += m.add(s.w[word])
}

// between notes moves between words.
func (t *Tracer) between(s *Stepper, m *wordMoves) {
	for i := range m.tests {
		x := &m.tests[i]
		if t.same(s.w, int(x.word), x.mask, x.value) == (x.flip != 0) {
			return
		}
	}
	for i := range m.moves {
		if v := &m.moves[i]; v.field != 0 {
			t.carry(Part{int(v.from), uint(v.shift), v.field}, Part{int(v.into), uint(v.targetShift), v.field})
		}
	}
}

// rare is Stepper.rare, with notes. Closures note themselves what they read.
func (t *Tracer) rare(s *Stepper, o *op) (pc int32, how end) {
	switch o.kind {
	case opPut, opTake:
		t.bits(int(o.word), o.mask<<o.shift)
	case opMoves:
		t.between(s, &s.transfers[o.x])
	case opNoMove:
		return t.noMove(s, o)
	case opSow:
		h := &s.sowings[o.x]
		t.place(&h.source)
		for i := range h.asked {
			if k := &h.asked[i]; k.value == nil && k.test.kind == opTest {
				t.same(s.w, int(k.test.word), k.test.mask, k.test.value)
			} else if k.value == nil {
				t.lessThan(s.w, &k.test)
			}
		}
	case opShift:
		x := &s.transits[o.x]
		if from := x.from(s); !s.failed && from >= 0 {
			t.place(&x.places[from])
		}
	case opPause:
		return 0, bail
	}
	return s.rare(o)
}

// noMove answers whether the player to move has no move but fallbacks.
func (t *Tracer) noMove(s *Stepper, o *op) (pc int32, how end) {
	for i := range s.menus.fields {
		f := &s.menus.fields[i]
		t.bits(f.Word, f.Mask<<f.Shift)
	}
	probe := s.prober()
	others := probe.menu(s.w).others
	carried := slices.Clone(t.Carried)
	probe.notes = &t.notes
	defer func() { probe.notes = nil }()
	for i := range others {
		e := &others[i]
		if e.pc < 0 {
			probe.ready(e)
		}
		copy(probe.w, s.w)
		how := t.run(probe, e.pc)
		t.Carried = append(t.Carried[:0], carried...)
		switch how {
		case bail:
			return 0, bail
		case done:
			return o.no, done
		}
	}
	return o.yes, done
}
