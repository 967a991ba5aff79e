package value

import (
	"reflect"
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
	// Fetch prepares for Futures.
	Fetch(entries []uint64)
}

// lookup looks positions up in tables. It does nothing if there are none that fit.
type lookup struct {
	tables  Tables
	seeds   int // seeds in play
	entries entries
	named   bool     // entries are the names of positions (game.names)
	steps   []int    // those whose positions are looked up
	ranks   []uint64 // of their positions
	found   []int8   // by rank
	looked  int64    // positions, in all
}

// newLookup returns a lookup for a game. Its states may have more seeds than those of the tables,
// and fields that are wider; the ranks are the same.
func newLookup(g *game, t Tables) lookup {
	if t == nil || !t.Fits(g.sys, g.Payoff) || g.divides() != nil {
		return lookup{seeds: -1}
	}
	r, ok := pack.NewRanker(g.position, t.Seeds(), false)
	if !ok {
		return lookup{seeds: -1}
	}
	e := newEntries(g.sys, r, g.position, t.Swap())
	if e.len() != t.Len() {
		return lookup{seeds: -1}
	}
	named := g.folded.image != nil && e.image != nil && g.ranker.Live() == 2*g.ranker.Boards() && reflect.DeepEqual(g.swapped, t.Swap())
	return lookup{tables: t, seeds: t.Seeds(), entries: e, named: named}
}

// lookUp looks up the positions that moves lead to, for the player of the given side.
func (s *seeker) lookUp(p *ply, side int) {
	l := &s.lookup
	n := len(l.steps)
	if n == 0 {
		return
	}
	if l.looked += int64(n); !s.team.memory.looked.Load() {
		s.team.memory.looked.Store(true)
	}
	l.found = slices.Grow(l.found[:0], n)[:n]
	l.tables.Futures(l.ranks, l.found)
	for i, step := range l.steps {
		m := &p.moves[step]
		if f := l.found[i]; f != NoFuture {
			m.open = false
			m.lo = m.gain + side*(s.margin.constant+int(f))
			m.hi = m.lo
			p.learn(m)
		} else if !l.named {
			m.name = int32(len(p.names))
			p.names = s.appendName(p.names, p.steps.Keys[step*len(s.mask):])
		}
	}
}
