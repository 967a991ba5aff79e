package value

import "github.com/mancheck/mancheck/checker/pack"

// ply is the work space of a position.
type ply struct {
	name  []uint64 // of the position, or nil
	own   []uint64 // room for the name
	steps pack.Batch
	names []uint64 // of the positions of steps to states that are neither finished nor in the tables
	moves []move
	best  int // the greatest lower bound of a move, which is that of step
	step  int
}

// move is a step from a position.
type move struct {
	bounds           // of what it is worth
	gain       int   // what it adds to the account
	inPlay     int   // an upper bound on the seeds in play after it
	promise    int   // moves of greater promise are tried first
	step, name int32 // its number, and the place of the name of what it leads to, if that is named
	same       bool  // the same player moves again
	over       bool  // what it leads to is finished
	open       bool  // what it leads to is neither finished nor in the tables
	looked     bool  // what it leads to is looked up in the tables
	late       bool  // it has been put off, as somebody else searches it
	done       bool  // it has been tried, or is not worth it
}

// unnamed is the place of the name of a position that needs none.
const unnamed = -1

// learn notes the lower bound of a move.
func (p *ply) learn(m *move) {
	if m.lo > p.best {
		p.best, p.step = m.lo, int(m.step)
	}
}

// stepKey returns the key of what a move leads to.
func (g *game) stepKey(p *ply, m *move) []uint64 {
	words := len(g.mask)
	return p.steps.Keys[int(m.step)*words:][:words:words]
}

// next returns the move of greatest promise that is not done, the first of several, or nil.
func (p *ply) next() *move {
	var best *move
	for i := range p.moves {
		if m := &p.moves[i]; !m.done && (best == nil || m.promise > best.promise) {
			best = m
		}
	}
	return best
}
