package residual

import "github.com/mancheck/mancheck/checker/pack"

// varying says what is known in the middle of an action of the fields of a state.
type varying struct {
	s      *Stepper
	most   int          // seeds
	fields words        // the bits of the fields that vary at first
	places []pack.Field // these fields
	world
	spans
}

// world is a state in the middle of an action. The fields that vary have there what was added to
// them since the latest operation of the script.
type world struct {
	vary   words              // the bits of the fields that vary
	pinned words              // what those of the others have that did at first
	clear  words              // fields that vary and become 0 before that is added
	hidden words              // fields that vary, or to which something came from one that does
	may    [mostPlaces]uint64 // by place: the values that a field may have, if they are less than 64
	filled bool               // the fields that vary are not all empty
	steps  int                // operations since the action began
}

// words returns the state in play.
func (p *varying) words() (w words) {
	copy(w[:], p.s.w)
	return w
}

// known reports whether a field is.
func (p *varying) known(f pack.Field) bool { return p.hidden[f.Word]>>f.Shift&f.Mask == 0 }

// varies reports whether a field varies.
func (p *varying) varies(f pack.Field) bool { return p.vary[f.Word]>>f.Shift&f.Mask != 0 }

// pin makes the field known that a test was just about.
func (p *varying) pin(f pack.Field, v uint64) {
	field := f.Mask << f.Shift
	p.vary[f.Word] &^= field
	p.hidden[f.Word] &^= field
	p.s.w[f.Word] |= v << f.Shift
	p.pinned[f.Word] |= v << f.Shift
	p.filled = p.filled && v == 0
}

// What tests have told about fields that vary is kept, so that they are not tested again: a set of
// values for each.

// mostPlaces bounds the fields of which this is kept.
const mostPlaces = 16

// place returns the place of a field that varies, or -1 if no values are kept for it.
func (p *varying) place(f pack.Field) int {
	if p.most >= 64 {
		return -1
	}
	for i := range p.places[:min(len(p.places), mostPlaces)] {
		if g := &p.places[i]; g.Word == f.Word && g.Shift == f.Shift && g.Mask == f.Mask && p.varies(f) {
			return i
		}
	}
	return -1
}

// anything is all values that a field may have.
func (p *varying) anything(f pack.Field) uint64 {
	return 1<<(min(f.Mask, uint64(p.most), 63)+1) - 1
}

// shift notes that fields of a word that vary become 0, and that something is added to some.
func (p *varying) shift(word int, clear, add uint64) {
	for i := range p.places[:min(len(p.places), mostPlaces)] {
		f := &p.places[i]
		if f.Word != word || (clear|add)>>f.Shift&f.Mask == 0 {
			continue
		}
		if clear>>f.Shift&f.Mask != 0 {
			p.may[i] = 1
		}
		p.may[i] = p.may[i] << (add >> f.Shift & f.Mask) & p.anything(*f)
	}
}

// After a test whether a field that varies has one of few values, as the seeds that a chain
// captures, the values can be told apart. In each branch the field is known then: it is pinned. So
// what comes to a store is known, and what is computed from it. The branches are more, so this is
// done only where actions would else be played alone.

// mostPinned bounds the values that are told apart.
const mostPinned = 3

// mostPinning bounds how often it is tried in vain to pin fields.
const mostPinning = 16

// unpin writes what is in the fields of a word that are pinned, if that is not what was there. With
// all set these are no longer known.
func (p *Specialist) unpin(word int, all bool) {
	fields := p.fields[word] &^ p.vary[word]
	now := p.s.w[word] & fields
	if now != p.pinned[word] {
		p.Script = append(p.Script, head(scriptAdd, word, 0, 0, 0, 0), fields, now)
	}
	if all {
		p.s.w[word] -= now
		p.pinned[word] = 0
		for i, f := range p.places[:min(len(p.places), mostPlaces)] {
			if f.Word == word && fields>>f.Shift&f.Mask != 0 {
				p.may[i] = 1 << (now >> f.Shift & f.Mask)
			}
		}
		p.vary[word] |= fields
		p.hidden[word] |= fields
	}
}

// Some fields are only added to and now and then compared, as the stores of games that more than
// half of the seeds decide. A specialization does not depend on what was in such a field, as long
// as all comparisons come out the same: so it is made for a span of values.

// MostRanged bounds the fields of which a Specialist finds such spans.
const MostRanged = 2

// Span is the values from Low to High.
type Span struct{ Low, High uint8 }

// spans are those of the specialization in hand.
type spans struct {
	Within [MostRanged]Span // what may have been in the ranged fields for Script to be the same
	ranged []pack.Field
	bits   words // of these
	before words // what was in them
}

// Range makes a Specialist find spans for some fields. These must be fields of pits that lose no
// seeds.
func (p *varying) Range(fields []pack.Field) {
	p.ranged = fields
	for _, f := range fields {
		p.bits[f.Word] |= f.Mask << f.Shift
	}
}

// widen begins with all values.
func (p *varying) widen() {
	for word, w := range p.s.w {
		p.before[word] = w & p.bits[word]
	}
	for i := range p.ranged {
		p.Within[i] = Span{0, uint8(min(p.most, 255))}
	}
}

// compared notes that a field was compared, which comes out as holds says.
func (p *varying) compared(f pack.Field, holds func(v uint64) bool) {
	if p.bits[f.Word]>>f.Shift&f.Mask == 0 {
		return
	}
	for i, g := range p.ranged {
		if g.Word != f.Word || g.Shift != f.Shift || g.Mask != f.Mask {
			continue
		}
		at, before := &p.Within[i], p.before[f.Word]>>f.Shift&f.Mask
		gained := p.s.w[f.Word]>>f.Shift&f.Mask - before
		now, low, high := holds(before+gained), before, before
		for low > uint64(at.Low) && holds(low-1+gained) == now {
			low--
		}
		for high < uint64(at.High) && holds(high+1+gained) == now {
			high++
		}
		*at = Span{uint8(low), uint8(high)}
		return
	}
	p.exact(f.Word, f.Mask<<f.Shift)
}

// exact notes that more was done with some bits of a word than that they were compared.
func (p *varying) exact(word int, bits uint64) {
	for i, f := range p.ranged {
		if f.Word == word && bits>>f.Shift&f.Mask != 0 {
			v := uint8(p.before[word] >> f.Shift & f.Mask)
			p.Within[i] = Span{v, v}
		}
	}
}

// exactly is exact for a field.
func (p *varying) exactly(f pack.Field) { p.exact(f.Word, f.Mask<<f.Shift) }

// exactAll is exact for all fields, if closures have read one.
func (p *varying) exactAll(read bool) {
	for _, f := range p.ranged {
		if read {
			p.exactly(f)
		}
	}
}
