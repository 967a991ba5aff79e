package main

// congkak is Congkak, as examples/congkak.sow has it: Kalah with relays, which go on from any house
// that was not empty. It knows no relay without end; there is none as long as seeds get into
// stores.
type congkak struct{ *board }

func newCongkak(m, n int) (game, bool) {
	b, ok := newBoard(m, n, (*board).storesToo)
	return congkak{b}, ok
}

func (k congkak) moves(state uint64, to []uint64) int {
	b := k.board
	before, side := state&b.all, state&northBit
	n := 0
	for house := range b.m {
		seeds := before >> (b.width * uint(house) & 63) & b.field
		if seeds == 0 {
			continue
		}
		s := &b.sown[house][seeds&63]
		after := before + s.add
		for s.pass != 0 {
			seeds = after >> (s.last & 63) & b.field
			if seeds == 1 {
				break
			}
			s = &b.sown[s.place][seeds&63]
			after += s.add
		}
		opposite := after >> (s.opposite & 63) & b.field
		taken := s.capture
		if opposite == 0 {
			taken = 0
		}
		after += taken & ((opposite+1)<<(b.store&63) - 1<<(s.last&63) - opposite<<(s.opposite&63))
		if after&b.own == 0 || after>>(b.half&63)&b.own == 0 {
			to[n] = b.swept(after, side != 0) | overBit
		} else {
			to[n] = after ^ s.pass&(after^b.turned(after)) | side ^ s.pass&northBit
		}
		n++
	}
	return n
}
