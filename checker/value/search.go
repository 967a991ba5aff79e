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
	history []int // by effects, then actions: how often they were good enough, lately
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

// ply is the work space of a position.
type ply struct {
	steps  pack.Batch
	open   []uint64 // the keys of the steps to states that are neither finished nor in the tables
	names  []uint64 // of their positions
	buffer []uint64
	moves  []move
	// futures are those of the positions after the steps, for the first player; NoFuture where the
	// tables do not have them.
	futures []int8
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
	promise int // moves of greater promise are tried first
	effect  int // its place in the history
	busy    bool
	late    bool // it has been put off, as somebody else searches it
}

func newSeeker(ctx context.Context, g *game, t *team) *seeker {
	return &seeker{
		game: g, ctx: ctx, stepper: residual.New(g.machine.Clone(), g.codec), flat: pack.NewFlat(g.sys),
		team: t, table: t.table, history: make([]int, 1<<effectBits+len(g.sys.Actions)), lookup: newLookup(g, t.tables),
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
	if err := s.list(p, key, mover, first); err != nil {
		return 0, 0, err
	}
	best = math.MinInt
	for i := range p.moves {
		if m := &p.moves[i]; m.lo > best {
			best, step = m.lo, m.step
		}
	}
	if best >= beta {
		return best, step, nil
	}
	// The moves of greatest promise come first. A sort of all of them would be wasted where one of
	// the first is enough.
	most := math.MinInt // of what moves are worth that are not tried
	for i := 0; i < len(p.moves); i++ {
		for j := i + 1; j < len(p.moves); j++ {
			if p.moves[j].promise > p.moves[i].promise {
				p.moves[i], p.moves[j] = p.moves[j], p.moves[i]
			}
		}
		m := p.moves[i]
		if m.hi <= max(alpha, best) {
			most = max(most, m.hi)
			continue
		}
		if m.lo == m.hi {
			continue // best has it
		}
		if m.busy && i > 0 && !m.late {
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
			s.praise(m.effect, int(p.steps.Actions[m.step]))
			return best, step, nil
		}
	}
	return max(best, most), step, nil
}

// Promise adds up what is won, as much as for some seeds if the player moves again, and how often a
// move was good enough lately that did the same, or by the same action (the history heuristic of
// J. Schaeffer). Moves do the same if they change the key of the state in the same way: they sow as
// many seeds from the same pit, and capture as many.
const (
	gainShift    = 10
	againShift   = 12
	historyShift = 6
	mostPraise   = 1 << (gainShift + historyShift)
	effectBits   = 14
)

// effect returns the place in the history of a step.
func effect(from, to []uint64) int {
	h := uint64(0)
	for i, w := range to {
		h = (h ^ (w - from[i])) * 0x9E3779B97F4A7C15
		h ^= h >> 32
	}
	return int(h * 0xD6E8FEB86659FD93 >> (64 - effectBits))
}

// praised is what the history says of a move.
func (s *seeker) praised(effect, action int) int {
	return (s.history[effect] + s.history[1<<effectBits+action]/4) >> historyShift
}

// praise notes that a move was good enough. All counts are halved from time to time, so that what
// was good lately counts.
func (s *seeker) praise(effect, action int) {
	for _, place := range [2]int{effect, 1<<effectBits + action} {
		if s.history[place]++; s.history[place] >= mostPraise {
			for i := range s.history {
				s.history[i] /= 2
			}
		}
	}
}

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

// list lists the moves of a position, with what is known of them.
func (s *seeker) list(p *ply, key []uint64, mover, first int) error {
	p.steps.Reset()
	if err := s.stepper.Expand(key, &p.steps); err != nil {
		return err
	}
	if len(p.steps.Actions) == 0 {
		return errStuck
	}
	s.lookUp(p)
	s.nameOpen(p)
	words, name := len(s.mask), 0
	p.moves = p.moves[:0]
	account := s.account(key)
	for i := range p.steps.Actions {
		m, err := s.move(p, i, key, p.steps.Keys[i*words:][:words], name, mover, account)
		if err != nil {
			s.actions = append(s.actions, int(p.steps.Actions[i]))
			return err
		}
		if m.open {
			name += s.table.words
		}
		if i == first {
			m.promise = math.MaxInt
		}
		p.moves = append(p.moves, m)
	}
	return nil
}

// nameOpen names the positions of a ply that the table of positions may know.
func (s *seeker) nameOpen(p *ply) {
	words := len(s.mask)
	p.open = p.open[:0]
	for i := range p.steps.Actions {
		if key := p.steps.Keys[i*words:][:words]; p.futures[i] == NoFuture && !s.over(key) {
			p.open = append(p.open, key...)
		}
	}
	p.names, p.buffer = s.names(p.open, p.names[:0], p.buffer)
	s.fetched = s.table.fetch(p.names)
}

// move says what is known of a step to a state. If it is open, its name is at that place.
func (s *seeker) move(p *ply, step int, from, to []uint64, name, mover, account int) (m move, err error) {
	sign, action := side(mover), int(p.steps.Actions[step])
	m.step, m.name = step, name
	status := to[s.status.Word] >> s.status.Shift & s.status.Mask
	if status >= s.players {
		v, err := s.ended(to, s.flat)
		m.lo, m.over = sign*(v-account), true
		m.hi, m.promise = m.lo, m.lo
		return m, err
	}
	m.same = int(status) == mover
	m.inPlay = s.inPlay(to)
	m.gain = sign * (s.account(to) - account)
	if f := p.futures[step]; f != NoFuture {
		m.lo = m.gain + sign*(s.margin.constant+int(f))
		m.hi = m.lo
	} else {
		m.open = true
		lo, hi := s.futureOf(int(status), m.inPlay)
		k := s.table.find(p.names[name:][:s.table.words], lo, hi)
		if m.lo, m.hi, m.busy = m.gain+k.lo, m.gain+k.hi, k.busy; !m.same {
			m.lo, m.hi = m.gain-k.hi, m.gain-k.lo
		}
	}
	if m.same {
		m.promise = 1 << againShift
	}
	m.effect = effect(from, to)
	m.promise += m.gain<<gainShift + s.praised(m.effect, action)
	return m, nil
}
