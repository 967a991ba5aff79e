package residual

import "github.com/mancheck/mancheck/checker/pack"

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
