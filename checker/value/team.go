package value

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
)

// team is the searches that answer a question together. They share the table of positions: what
// one finds saves the others work. Each marks the large positions that it is searching, and puts
// off moves to those that somebody else is searching, as long as there are others (after J.-C.
// Weill, The ABDADA distributed minimax-search algorithm, 1996). The first two moves are not put
// off: where one of these decides, the work on a third would be in vain. Whoever comes to the end
// first has the answer.
//
// A short search is not worth it, and one seeker works alone.
type team struct {
	memory   *memory
	table    *transpositions // that of the memory
	seekers  []*seeker       // the others are made when they are needed
	tables   Tables          // nil: none
	threads  int
	maxNodes int64 // nodes; 0: no limit
	several  bool  // more than one of them works
	nodes    atomic.Int64
	ended    atomic.Bool
}

// breath is the number of positions after which a search looks around.
const breath = 1 << 10

// alone is the number of positions from which on a question is worth a team. Tests change it.
var alone int64 = 1 << 15

var (
	// errNodes says that the limit on positions is reached.
	errNodes = errors.New("the limit of positions is reached")
	// errLong says that the question is worth a team.
	errLong = errors.New("the search is long")
	// errEnded says that another seeker has come to an end.
	errEnded = errors.New("the search is ended")
)

// The part of the memory that the table of positions may take: while it grows there are two of
// them. A table that is kept, or that searches of other games have beside theirs, is smaller.
const (
	tableShare = 2
	keptShare  = 4
)

// newTeam returns a team of one.
func newTeam(ctx context.Context, g *game, opts Options) *team {
	bytes := opts.Memory() / tableShare
	if opts.Recall != nil {
		bytes = bytes * tableShare / keptShare
	}
	t := &team{threads: opts.Workers(), maxNodes: opts.MaxStates, tables: opts.Tables}
	t.table = newTranspositions(g.nameWords(), g.nameLimit(), g.greatestFuture(), bytes)
	t.memory = &memory{table: t.table}
	t.seekers = []*seeker{newSeeker(ctx, g, t)}
	return t
}

// breathe checks the limits, and makes room in the table.
func (t *team) breathe(s *seeker) error {
	total := t.nodes.Add(breath)
	switch {
	case s.ctx.Err() != nil:
		return s.ctx.Err()
	case t.maxNodes > 0 && total > t.maxNodes:
		return errNodes
	case t.several && t.ended.Load():
		return errEnded
	case len(t.seekers) < t.hands() && total > alone && t.table.shared():
		return errLong
	}
	if !t.table.full() {
		return nil
	}
	t.table.growing.RUnlock()
	t.table.growByOne()
	t.table.growing.RLock()
	return nil
}

// hands is how many seekers the team may have: others may search the same game.
func (t *team) hands() int { return t.threads / int(max(t.memory.users.Load(), 1)) }

// crowded reports whether others use the table at the same time.
func (t *team) crowded() bool { return t.several || t.memory.users.Load() > 1 }

// begin notes that a seeker searches a position, and giveUp that it was not finished.
func (t *team) begin(name []uint64) {
	if t.crowded() && name != nil {
		t.table.mark(name, true)
	}
}

func (t *team) giveUp(name []uint64) {
	if name != nil {
		t.table.mark(name, false)
	}
}

// question asks what a state is worth, for the player to move there and besides the account.
type question struct {
	key, name   []uint64
	alpha, beta int
}

func (s *seeker) answer(q *question) (int, error) {
	s.path, s.actions = s.path[:0], s.actions[:0]
	return s.search(0, q.key, q.name, s.inPlay(q.key), q.alpha, q.beta)
}

// ask answers a question. If that fails, the actions are those that lead to where it did.
func (t *team) ask(ctx context.Context, q *question) (v int, actions []int, err error) {
	if worth := t.hands() > 1 && t.table.shared(); !worth || len(t.seekers) == 1 && alone > 0 {
		s := t.seekers[0]
		if v, err = s.answer(q); err != errLong {
			return v, s.actions, err
		}
		err = nil
	}
	if err := t.gather(ctx); err != nil {
		return 0, nil, err
	}
	t.table.growing.RUnlock() // whoever waits for the others does not keep the table from growing
	defer t.table.growing.RLock()
	t.several = true
	t.ended.Store(false)
	values, errs := make([]int, len(t.seekers)), make([]error, len(t.seekers))
	var group sync.WaitGroup
	for i, s := range t.seekers {
		group.Go(func() {
			t.table.growing.RLock()
			defer t.table.growing.RUnlock()
			values[i], errs[i] = s.answer(q)
			t.ended.Store(true)
		})
	}
	group.Wait()
	t.several = false
	for i, e := range errs {
		if e == nil {
			return values[i], nil, nil
		}
		if e != errEnded && err == nil {
			actions, err = t.seekers[i].actions, e
		}
	}
	return 0, actions, err
}

// gather makes the other seekers.
func (t *team) gather(ctx context.Context) error {
	first := t.seekers[0]
	for len(t.seekers) < t.threads {
		g, err := first.clone(ctx)
		if err != nil {
			return err
		}
		t.seekers = append(t.seekers, newSeeker(ctx, g, t))
	}
	return nil
}

// work returns the numbers of positions that were examined, and looked up in tables.
func (t *team) work() (nodes, looked int64) {
	for _, s := range t.seekers {
		nodes += s.nodes
		looked += s.looked
	}
	if looked == 0 && t.memory.looked.Load() {
		looked = 1 // or more, by others
	}
	return nodes, looked
}
