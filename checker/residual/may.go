package residual

import "github.com/mancheck/mancheck/checker/pack"

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
