package value

import (
	"context"
	"errors"
	"math"
	"math/bits"
	"slices"

	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/checker/residual"
)

// errRepeats says that a play came back to a position. A search cannot tell what that is worth.
var errRepeats = errors.New("play can come back to a position")

// errStuck says that a player has no move.
var errStuck = openEnd(stuckReason)

// errDeep says that plays are too long for a search.
var errDeep = errors.New("plays are too long to be searched")

// deepest is the length of the longest play that is searched.
const deepest = 1 << 14

// seeker searches for the value of a state by alpha-beta with a table of positions.
//
// All numbers are for the player to move, and count what is won besides the account. Bounds are
// proved: each comes from plays to the end, or from the seeds in play where every play ends. What
// is found does not depend on what the table has forgotten.
//
// A position that is on the path to itself has no value here, and the search fails. So it does at
// an open end. Otherwise what it finds is right also if there are endless plays and open ends: the
// bounds that it proves need none of them.
type seeker struct {
	*game
	ctx     context.Context
	stepper *residual.Stepper
	team    *team
	table   *transpositions
	lookup
	effort
	plies   []*ply
	path    []place
	actions []int // of the path
	near    []int // by action: see nearness
	flat    *pack.Flat
	nodes   int64
	lenient bool // an open end is worth anything, and no reason to fail
}

// place is a position on the path. A move never brings seeds back into play, so a position can only
// be repeated while as many are in play.
type place struct {
	key    []uint64
	inPlay int
}

func newSeeker(ctx context.Context, g *game, t *team) *seeker {
	return &seeker{
		game: g, ctx: ctx, stepper: residual.New(ctx, g.sys, g.codec), flat: pack.NewFlat(g.sys),
		team: t, table: t.table, near: nearness(g.sys), lookup: newLookup(g, t.tables),
	}
}

// side is 1 for the player who wants the value great, and -1 for the other one.
func side(mover int) int {
	if maximizes(mover) {
		return 1
	}
	return -1
}

// search returns a bound on the value of a live state: an upper one if it is at most alpha, a lower
// one if it is at least beta, and otherwise the value.
func (s *seeker) search(depth int, key, name []uint64, inPlay, alpha, beta int) (int, error) {
	mover := s.mover(key)
	lo, hi := s.futureOf(mover, inPlay)
	first := -1
	if name != nil {
		k := s.table.find(name, lo, hi)
		lo, hi, first = k.lo, k.hi, int(k.step)
	}
	switch {
	case lo >= beta || lo == hi:
		return lo, nil
	case hi <= alpha:
		return hi, nil
	}
	if err := s.enter(depth, key, inPlay); err != nil {
		return 0, err
	}
	before := s.nodes
	if s.isLarge(depth) {
		s.team.begin(name)
	}
	best, step, err := s.tryMoves(depth, key, name, mover, first, alpha, min(beta, hi))
	if s.path = s.path[:len(s.path)-1]; err != nil {
		s.team.giveUp(name)
		return 0, err
	}
	if s.note(depth, inPlay, s.nodes-before); name == nil {
		if name = s.plies[depth].name; name == nil {
			return best, nil
		}
	}
	if s.team.crowded() {
		k := s.table.find(name, lo, hi)
		lo, hi = k.lo, k.hi
	}
	if best <= alpha {
		hi = min(hi, best)
	} else if best >= beta {
		lo = max(lo, best)
	} else {
		lo, hi = best, best
	}
	s.table.store(name, known{bounds{lo, hi}, int32(step), int32(bits.Len64(uint64(s.nodes - before))), false})
	return best, nil
}

// isBusy reports whether somebody else searches what a move leads to now.
func (s *seeker) isBusy(depth int, p *ply, m *move) bool {
	return s.team.crowded() && m.name >= 0 && s.isLarge(depth+1) && s.table.find(s.moveName(p, m), m.lo, m.hi).busy
}

// futureOf is future for the player to move.
func (s *seeker) futureOf(mover, inPlay int) (lo, hi int) {
	lo, hi = s.future(inPlay)
	if !maximizes(mover) {
		return -hi, -lo
	}
	return lo, hi
}

// enter puts a position on the path.
func (s *seeker) enter(depth int, key []uint64, inPlay int) error {
	if s.nodes++; s.nodes%breath == 0 {
		if err := s.team.breathe(s); err != nil {
			return err
		}
	}
	if s.team.maxNodes > 0 && s.nodes > s.team.maxNodes {
		return errNodes
	}
	if s.repeats(key, inPlay) {
		return errRepeats
	}
	if depth == deepest {
		return errDeep
	}
	s.path = append(s.path, place{key, inPlay})
	return nil
}

// repeats reports whether a position is on the path to itself.
func (s *seeker) repeats(key []uint64, inPlay int) bool {
	for i := len(s.path) - 1; i >= 0 && s.path[i].inPlay == inPlay; i-- {
		if slices.Equal(s.path[i].key, key) {
			return true
		}
	}
	return false
}

// ply returns the work space for a depth.
func (s *seeker) ply(depth int) *ply {
	for depth >= len(s.plies) {
		s.plies = append(s.plies, &ply{})
	}
	return s.plies[depth]
}

// moveName returns the name of what a move leads to, or nil.
func (s *seeker) moveName(p *ply, m *move) []uint64 {
	if m.name < 0 {
		return nil
	}
	return p.names[m.name:][:s.table.words:s.table.words]
}

// tryMoves returns the best bound that a move gives, and the move.
func (s *seeker) tryMoves(depth int, key, name []uint64, mover, first, alpha, beta int) (best, step int, err error) {
	p := s.ply(depth)
	p.name = name
	if err := s.list(p, key, mover, first, alpha, beta); err != nil {
		return 0, 0, err
	}
	best, step = p.best, p.step
	if best >= beta {
		return best, step, nil
	}
	// The moves of greatest promise come first. A sort would be wasted where one is enough.
	most := math.MinInt // of what moves are worth that are not tried
	for {
		m := p.next()
		if m == nil {
			return max(best, most), step, nil
		}
		if m.done = true; m.hi <= max(alpha, best) {
			most = max(most, m.hi)
			continue
		}
		if m.lo == m.hi {
			continue // best has it
		}
		if m.open && !m.late && s.isBusy(depth, p, m) {
			m.late, m.done, m.promise = true, false, math.MinInt
			continue
		}
		if p.name == nil {
			if k := s.recallLate(p, key); k.lo >= beta {
				return k.lo, int(k.step), nil
			} else if k.hi <= alpha {
				return k.hi, int(k.step), nil
			}
		}
		v, err := s.follow(depth, p, m, max(alpha, best), beta)
		if err != nil {
			return 0, 0, err
		}
		if v > best {
			best, step = v, int(m.step)
		}
		if best >= beta {
			return best, step, nil
		}
	}
}

// Promise adds up what is won, as much as for some seeds if the player moves again, and how near
// the pit sown from is to where seeds leave the player's pits.
const (
	gainShift  = 10
	againShift = 12
)

// follow searches the state that a move leads to.
func (s *seeker) follow(depth int, p *ply, m *move, alpha, beta int) (int, error) {
	key, name := s.stepKey(p, m), s.moveName(p, m)
	s.actions = append(s.actions, int(p.steps.Actions[m.step]))
	v, err := 0, error(nil)
	if m.same {
		v, err = s.search(depth+1, key, name, m.inPlay, alpha-m.gain, beta-m.gain)
	} else {
		v, err = s.search(depth+1, key, name, m.inPlay, m.gain-beta, m.gain-alpha)
		v = -v
	}
	if err == nil { // otherwise the path tells where
		s.actions = s.actions[:len(s.actions)-1]
	}
	return m.gain + v, err
}

// list lists the moves of a position, with what is known of them: that of states that are finished,
// then that of the tables, and then that of the table of positions. It ends early when one is worth
// at least beta. A move that is worth at most alpha is not looked up.
func (s *seeker) list(p *ply, key []uint64, mover, first, alpha, beta int) error {
	if err := s.expand(p, key, mover, first); err != nil || p.best >= beta {
		return err
	}
	s.name(p, alpha)
	if s.tables != nil {
		if s.lookUp(p, side(mover)); p.best >= beta {
			return nil
		}
	}
	s.recall(p)
	return nil
}

// expand lists the moves of a position, with what is known of them without looking anything up.
func (s *seeker) expand(p *ply, key []uint64, mover, first int) error {
	p.steps.Reset()
	if err := s.stepper.Expand(key, &p.steps); err != nil {
		return err
	}
	if len(p.steps.Actions) == 0 {
		return errStuck
	}
	words, account := len(s.mask), s.account(key)
	p.moves, p.best = slices.Grow(p.moves[:0], len(p.steps.Actions))[:len(p.steps.Actions)], math.MinInt
	for i := range p.moves {
		m := &p.moves[i]
		if err := s.weigh(m, i, int(p.steps.Actions[i]), p.steps.Keys[i*words:][:words], mover, account); err != nil {
			s.actions = append(s.actions, int(p.steps.Actions[i]))
			return err
		}
		if i == first {
			m.promise = math.MaxInt
		}
		p.learn(m)
	}
	return nil
}

// name names the positions that moves lead to which may be worth more than alpha, and brings what
// is known of them into the cache.
func (s *seeker) name(p *ply, alpha int) {
	l, words := &s.lookup, len(s.mask)
	p.names, l.steps, l.ranks = p.names[:0], l.steps[:0], l.ranks[:0]
	for i := range p.moves {
		m := &p.moves[i]
		if !m.open || m.hi <= alpha {
			continue
		}
		key := p.steps.Keys[i*words:][:words]
		switch m.looked = m.inPlay <= l.seeds; {
		case m.looked && !l.named:
			l.steps, l.ranks = append(l.steps, i), append(l.ranks, l.entries.mark(key, l.entries.of(key)))
			continue
		case !m.looked && s.isShallow(m.inPlay):
			continue
		}
		m.name = int32(len(p.names))
		p.names = s.appendName(p.names, key)
		if m.looked {
			l.steps, l.ranks = append(l.steps, i), append(l.ranks, l.entries.mark(key, p.names[m.name]))
		} else {
			s.table.fetch(p.names[m.name:][:s.table.words])
		}
	}
	if len(l.ranks) > 0 {
		l.tables.Fetch(l.ranks)
	}
}

// recall finds what the table of positions knows of the positions that are named.
func (s *seeker) recall(p *ply) {
	for i := range p.moves {
		m := &p.moves[i]
		if !m.open || m.name < 0 {
			continue
		}
		lo, hi := m.lo-m.gain, m.hi-m.gain
		if !m.same {
			lo, hi = -hi, -lo
		}
		k := s.table.find(p.names[m.name:][:s.table.words], lo, hi)
		if m.lo, m.hi = m.gain+k.lo, m.gain+k.hi; !m.same {
			m.lo, m.hi = m.gain-k.hi, m.gain-k.lo
		}
		p.learn(m)
	}
}

// recallLate names a position that was not worth it before its moves were listed, and finds what
// the table of positions knows of it.
func (s *seeker) recallLate(p *ply, key []uint64) known {
	p.own = s.appendName(p.own[:0], key)
	p.name = p.own
	return s.table.find(p.name, math.MinInt, math.MaxInt)
}

// weigh says what is known of a step to a state, without looking it up.
func (s *seeker) weigh(m *move, step, action int, to []uint64, mover, account int) error {
	sign := side(mover)
	m.step, m.name, m.looked, m.late, m.done = int32(step), unnamed, false, false, false
	next := s.mover(to)
	if m.over = next >= s.players; m.over {
		v, err := s.ended(to, s.flat)
		if s.lenient && errors.As(err, new(*OpenEndError)) {
			*m = move{step: m.step, name: unnamed, over: true}
			m.lo, m.hi = s.unbounded()
			return nil
		}
		m.lo = sign * (v - account)
		m.hi, m.promise = m.lo, m.lo
		m.gain, m.inPlay, m.same, m.open = 0, 0, false, false
		return err
	}
	m.same, m.open = next == mover, true
	won := 0
	m.inPlay, won = s.divide(to)
	m.gain = sign * (won - account)
	lo, hi := s.futureOf(mover, m.inPlay)
	m.lo, m.hi = m.gain+lo, m.gain+hi
	m.promise = m.gain<<gainShift + s.near[action]
	if m.same {
		m.promise += 1 << againShift
	}
	return nil
}
