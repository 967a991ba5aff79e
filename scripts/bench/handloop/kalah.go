package main

// kalah is Kalah(m,n), as examples/kalah.sow has it with empty_capture = false.
type kalah struct{ *board }

func newKalah(m, n int) (game, bool) {
	b, ok := newBoard(m, n, (*board).storesToo)
	return kalah{b}, ok
}

// moves computes without a branch what is as likely as not.
func (k kalah) moves(state uint64, to []uint64) int {
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
		opposite := after >> (s.opposite & 63) & b.field
		taken := s.capture
		if after>>(s.last&63)&b.field != 1 {
			taken = 0
		}
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
