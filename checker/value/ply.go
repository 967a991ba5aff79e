package value

import "github.com/mancheck/mancheck/checker/pack"

// ply is the work space of a position.
type ply struct {
	steps  pack.Batch
	open   []uint64 // the keys of the steps to states that are neither finished nor in the tables
	names  []uint64 // of their positions
	buffer []uint64
	moves  []move
	best   int // the greatest lower bound of a move, which is that of step
	step   int
}

// move is a step from a position.
type move struct {
	step    int // its number
	name    int // the place of the name of what it leads to, if that is open
	lo, hi  int // bounds on what it is worth
	gain    int // what it adds to the account
	same    bool
	over    bool
	open    bool // what it leads to is neither finished nor in the tables
	inPlay  int
	promise int  // moves of greater promise are tried first
	late    bool // it has been put off, as somebody else searches it
}

// learn notes the lower bound of a move.
func (p *ply) learn(m *move) {
	if m.lo > p.best {
		p.best, p.step = m.lo, m.step
	}
}

// advance brings the move of greatest promise to a place, before those of equal or lower promise.
// Of several it is the first.
func (p *ply) advance(to int) {
	at := to
	for i := to + 1; i < len(p.moves); i++ {
		if p.moves[i].promise > p.moves[at].promise {
			at = i
		}
	}
	m := p.moves[at]
	copy(p.moves[to+1:at+1], p.moves[to:at])
	p.moves[to] = m
}
