package residual

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
