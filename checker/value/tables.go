package value

import (
	"slices"

	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/checker/symmetry"
	"github.com/mancheck/mancheck/rules"
)

// Tables knows what positions with few seeds in play are worth (package endgame).
type Tables interface {
	// Fits reports whether the futures are those of a game.
	Fits(*rules.System, Payoff) bool
	// Swap is the symmetry by which the futures of positions with the second player to move are
	// found (Positions), or nil.
	Swap() *symmetry.Symmetry
	// Seeds is the number of seeds in play of the largest positions that are known.
	Seeds() int
	// Len is the number of entries.
	Len() uint64
	// Futures writes the futures of positions with these entries (Positions.Find), or NoFuture.
	Futures(entries []uint64, futures []int8)
}

// lookup looks positions up in tables. It does nothing if there are none that fit.
type lookup struct {
	tables  Tables
	seeds   int // seeds in play
	entries entries
	steps   []int    // those whose positions are looked up
	keys    []uint64 // of their positions
	ranks   []uint64
	found   []int8 // by rank
	looked  int64  // positions, in all
}

// newLookup returns a lookup for a game. Its states may have more seeds than those of the tables,
// and fields that are wider; the ranks are the same.
func newLookup(g *game, t Tables) lookup {
	if t == nil || !t.Fits(g.sys, g.Payoff) || g.divides() != nil {
		return lookup{}
	}
	r, ok := pack.NewRanker(g.position, t.Seeds(), false)
	if !ok {
		return lookup{}
	}
	e := newEntries(g.sys, r, g.position, t.Swap())
	if e.len() != t.Len() {
		return lookup{}
	}
	return lookup{tables: t, seeds: t.Seeds(), entries: e}
}

// lookUp looks up the positions that moves lead to, for the player of the given side. It leaves out
// moves that are worth at most alpha.
func (s *seeker) lookUp(p *ply, side, alpha int) {
	l, words := &s.lookup, len(s.mask)
	l.steps, l.keys = l.steps[:0], l.keys[:0]
	for i := range p.moves {
		if m := &p.moves[i]; m.open && m.inPlay <= l.seeds && m.hi > alpha {
			l.steps, l.keys = append(l.steps, i), append(l.keys, p.steps.Keys[i*words:][:s.words]...)
		}
	}
	n := len(l.steps)
	if n == 0 {
		return
	}
	l.ranks, l.found = slices.Grow(l.ranks[:0], n)[:n], slices.Grow(l.found[:0], n)[:n]
	if l.looked += int64(n); !s.team.memory.looked.Load() {
		s.team.memory.looked.Store(true)
	}
	l.entries.find(l.keys, l.ranks)
	l.tables.Futures(l.ranks, l.found)
	for i, step := range l.steps {
		if f := l.found[i]; f != NoFuture {
			m := &p.moves[step]
			m.open = false
			m.lo = m.gain + side*(s.margin.constant+int(f))
			m.hi = m.lo
			p.learn(m)
		}
	}
}
