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
	plies   []*ply
	path    []place
	actions []int // of the path
	near    []int // by action: see nearness
	flat    *pack.Flat
	nodes   int64
	fetched uint64 // of no meaning; what is stored here is loaded first
}

// place is a position on the path. A move never brings seeds back into play, so a position can only
// be repeated while as many are in play.
type place struct {
	key    []uint64
	inPlay int
}

func newSeeker(ctx context.Context, g *game, t *team) *seeker {
	return &seeker{
		game: g, ctx: ctx, stepper: residual.New(g.machine.Clone(), g.codec), flat: pack.NewFlat(g.sys),
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
	mover := int(key[s.status.Word] >> s.status.Shift & s.status.Mask)
	lo, hi := s.futureOf(mover, inPlay)
	k := s.table.find(name, lo, hi)
	lo, hi = k.lo, k.hi
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
	s.team.begin(name)
	best, step, err := s.tryMoves(depth, key, mover, k.step, alpha, min(beta, hi))
	if s.path = s.path[:len(s.path)-1]; err != nil {
		s.team.giveUp(name)
		return 0, err
	}
	if s.team.crowded() {
		k = s.table.find(name, lo, hi)
		lo, hi = k.lo, k.hi
	}
	if best <= alpha {
		hi = min(hi, best)
	} else if best >= beta {
		lo = max(lo, best)
	} else {
		lo, hi = best, best
	}
	s.table.store(name, known{lo: lo, hi: hi, step: step, work: bits.Len64(uint64(s.nodes - before))})
	return best, nil
}

// isBusy reports whether somebody else searches what a move leads to now.
func (s *seeker) isBusy(p *ply, m *move) bool {
	return s.team.crowded() && s.table.find(p.names[m.name:][:s.table.words], m.lo, m.hi).busy
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
	for i := len(s.path) - 1; i >= 0 && s.path[i].inPlay == inPlay; i-- {
		if slices.Equal(s.path[i].key, key) {
			return errRepeats
		}
	}
	if depth == deepest {
		return errDeep
	}
	s.path = append(s.path, place{key, inPlay})
	return nil
}

// ply returns the work space for a depth.
func (s *seeker) ply(depth int) *ply {
	for depth >= len(s.plies) {
		s.plies = append(s.plies, &ply{})
	}
	return s.plies[depth]
}

// tryMoves returns the best bound that a move gives, and the move.
func (s *seeker) tryMoves(depth int, key []uint64, mover, first, alpha, beta int) (best, step int, err error) {
	p := s.ply(depth)
	if err := s.list(p, key, mover, first, alpha, beta); err != nil {
		return 0, 0, err
	}
	best, step = p.best, p.step
	if best >= beta {
		return best, step, nil
	}
	// The moves of greatest promise come first. A sort of all of them would be wasted where one of
	// the first is enough.
	most := math.MinInt // of what moves are worth that are not tried
	for i := 0; i < len(p.moves); i++ {
		p.advance(i)
		m := p.moves[i]
		if m.hi <= max(alpha, best) {
			most = max(most, m.hi)
			continue
		}
		if m.lo == m.hi {
			continue // best has it
		}
		if i > 0 && m.open && !m.late && s.isBusy(p, &m) {
			p.moves[i].late, p.moves[i].promise = true, math.MinInt
			i--
			continue
		}
		v, err := s.follow(depth, p, &m, max(alpha, best), beta)
		if err != nil {
			return 0, 0, err
		}
		if v > best {
			best, step = v, m.step
		}
		if best >= beta {
			return best, step, nil
		}
	}
	return max(best, most), step, nil
}

// Promise adds up what is won, as much as for some seeds if the player moves again, and how near
// the pit sown from is to where seeds leave the player's pits.
const (
	gainShift  = 10
	againShift = 12
)

// follow searches the state that a move leads to.
func (s *seeker) follow(depth int, p *ply, m *move, alpha, beta int) (int, error) {
	words, w := len(s.mask), s.table.words
	key, name := p.steps.Keys[m.step*words:][:words:words], p.names[m.name:][:w:w]
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
	p.steps.Reset()
	if err := s.stepper.Expand(key, &p.steps); err != nil {
		return err
	}
	if len(p.steps.Actions) == 0 {
		return errStuck
	}
	words, account := len(s.mask), s.account(key)
	p.moves, p.best = p.moves[:0], math.MinInt
	for i := range p.steps.Actions {
		m, err := s.move(i, int(p.steps.Actions[i]), p.steps.Keys[i*words:][:words], mover, account)
		if err != nil {
			s.actions = append(s.actions, int(p.steps.Actions[i]))
			return err
		}
		if i == first {
			m.promise = math.MaxInt
		}
		p.moves = append(p.moves, m)
		p.learn(&m)
	}
	if s.tables != nil && p.best < beta {
		s.lookUp(p, side(mover), alpha)
	}
	if p.best < beta {
		s.recall(p, alpha)
	}
	return nil
}

// recall finds what the table of positions knows of moves that may be worth more than alpha. The
// names of all positions are fetched at the same time.
func (s *seeker) recall(p *ply, alpha int) {
	words := len(s.mask)
	p.open = p.open[:0]
	for i := range p.moves {
		if m := &p.moves[i]; m.open && m.hi > alpha {
			m.name = len(p.open) / words * s.table.words
			p.open = append(p.open, p.steps.Keys[i*words:][:words]...)
		}
	}
	p.names, p.buffer = s.names(p.open, p.names[:0], p.buffer)
	s.fetched = s.table.fetch(p.names)
	for i := range p.moves {
		m := &p.moves[i]
		if !m.open || m.hi <= alpha {
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

// move says what is known of a step to a state, without looking it up.
func (s *seeker) move(step, action int, to []uint64, mover, account int) (m move, err error) {
	sign := side(mover)
	m.step = step
	status := to[s.status.Word] >> s.status.Shift & s.status.Mask
	if status >= s.players {
		v, err := s.ended(to, s.flat)
		m.lo, m.over = sign*(v-account), true
		m.hi, m.promise = m.lo, m.lo
		return m, err
	}
	m.same, m.open = int(status) == mover, true
	m.inPlay = s.inPlay(to)
	m.gain = sign * (s.account(to) - account)
	lo, hi := s.futureOf(mover, m.inPlay)
	m.lo, m.hi = m.gain+lo, m.gain+hi
	if m.same {
		m.promise = 1 << againShift
	}
	m.promise += m.gain<<gainShift + s.near[action]
	return m, nil
}
