package value

import (
	"slices"
	"sync"
	"sync/atomic"
)

// Recall keeps what searches find out about positions, for other searches of the same game with as
// many seeds, later or at the same time: from other boards play comes to the same positions. The
// zero value knows nothing. Several goroutines may use it.
//
// What a search finds does not depend on it, but for the line among several of the same worth.
type Recall struct {
	mu    sync.Mutex
	games []*memory // those in use, and the last one that was
}

// memory is what the searches of one game know together.
type memory struct {
	of     recalled
	table  *transpositions
	users  atomic.Int32
	looked atomic.Bool // some of it rests on endgame tables
}

// recalled is what positions and bounds depend on, and how positions are named.
type recalled struct {
	game   string // its hash for play
	seeds  int
	payoff Payoff
	tables Tables
	words  int
	limit  uint64
}

// about says what a team knows something of.
func (t *team) about() recalled {
	g := t.seekers[0].game
	return recalled{g.sys.PlayHash(), g.seeds, g.Payoff, t.tables, g.nameWords(), g.nameLimit()}
}

// begin gives the team the table to read, with what is known of the game if r is not nil.
func (r *Recall) begin(t *team) {
	if r != nil {
		r.attach(t)
	}
	t.table.growing.RLock()
}

// attach does not share the table of a search that was ended before it began: what its names rest
// on, such as symmetries, may not have been found, and then they mean other positions.
func (r *Recall) attach(t *team) {
	if t.seekers[0].ctx.Err() != nil {
		return
	}
	t.memory.of = t.about()
	r.mu.Lock()
	defer r.mu.Unlock()
	i := slices.IndexFunc(r.games, func(m *memory) bool { return m.of == t.memory.of })
	switch {
	case i < 0:
		r.forget(t.memory)
		r.games = append(r.games, t.memory)
	case r.games[i].table.shared() || r.games[i].users.Load() == 0:
		t.table.free()
		t.memory = r.games[i]
		t.table = t.memory.table
		t.seekers[0].table = t.table
	}
	t.memory.users.Add(1)
}

// end takes the table away from the team.
func (r *Recall) end(t *team) {
	t.table.growing.RUnlock()
	if r == nil {
		t.table.free()
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	t.memory.users.Add(-1)
	if !slices.Contains(r.games, t.memory) {
		t.table.free()
		return
	}
	r.forget(t.memory)
}

// forget gives up the games that nobody uses, but one.
func (r *Recall) forget(but *memory) {
	r.games = slices.DeleteFunc(r.games, func(m *memory) bool {
		unused := m != but && m.users.Load() == 0
		if unused {
			m.table.free()
		}
		return unused
	})
}
