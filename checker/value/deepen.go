package value

import (
	"context"
	"errors"
	"math"
	"math/bits"

	"github.com/mancheck/mancheck/rules"
)

// deepener searches for what a state is worth where the ends of play are too far away. It looks
// ahead so many moves, and takes the estimate for the rest.
//
// What it returns of a position is in units, for the player to move, and besides the account.
// Beside that it keeps bounds that are proved: from plays to the end, and from tables. They are
// kept in the table of positions, as those of a seeker are; an estimate never comes there.
type deepener struct {
	*seeker
	estimate *estimate
	guesses  *guesses
	began    int64 // nodes before the search in hand
	most     int64 // nodes of it; 0: no limit
}

// errTime says that the time is over.
var errTime = errors.New("the time is over")

// far is above what anything is worth, in units.
const far = math.MaxInt32

func newDeepener(ctx context.Context, g *game, t *team, e *estimate) *deepener {
	d := &deepener{seeker: newSeeker(ctx, g, t), estimate: e, guesses: &guesses{make([]guess, 1<<guessBits)}}
	d.lenient = true
	return d
}

// within makes a context that of the search.
func (d *deepener) within(ctx context.Context) {
	d.ctx = ctx
	d.stepper.Within(ctx)
}

// breathe ends the search if it was cancelled, and makes room in the table.
func (d *deepener) breathe() error {
	switch {
	case d.ctx.Err() != nil, d.most > 0 && d.nodes-d.began >= d.most:
		return errTime
	case d.table.full():
		d.table.grow()
	}
	return nil
}

// forEver is what a play is guessed to be worth that comes back to a position: what the score is,
// or nothing.
func (d *deepener) forEver(key []uint64, mover int) int {
	switch {
	case !d.linear:
		return 0
	case d.Endless == Even:
		return -side(mover) * (d.margin.constant + d.account(key)) * d.unit
	}
	return side(mover) * (total(d.worth, key) - d.account(key)) * d.unit
}

// static estimates a position, within its bounds.
func (d *deepener) static(key []uint64, mover int, b bounds) int {
	return d.clamp(b, side(mover)*d.estimate.of(key))
}

// clamp brings a number of units between bounds.
func (g *game) clamp(b bounds, v int) int { return min(max(v, g.inUnits(b.lo)), g.inUnits(b.hi)) }

// inUnits returns what a bound is in units.
func (g *game) inUnits(v int) int { return min(max(v, -far/g.unit), far/g.unit) * g.unit }

// look returns what a position is worth, by a search of so many moves that are left: an upper bound
// if it is at most alpha, a lower one if it is at least beta, as far as the estimate can be
// trusted. It returns the bounds that are proved, too.
func (d *deepener) look(depth, left int, key, name []uint64, inPlay, alpha, beta int) (int, bounds, error) {
	mover := d.mover(key)
	lo, hi := d.futureOf(mover, inPlay)
	k := d.table.find(name, lo, hi)
	b := k.bounds
	if b.lo == b.hi || d.inUnits(b.lo) >= beta {
		return d.inUnits(b.lo), b, nil
	}
	if d.inUnits(b.hi) <= alpha {
		return d.inUnits(b.hi), b, nil
	}
	first := int(k.step)
	if g, is := d.guesses.find(name); is {
		if v := d.clamp(b, int(g.value)); int(g.depth) >= left && (g.kind != atMost && v >= beta || g.kind != atLeast && v <= alpha || g.kind == about) {
			return v, b, nil
		}
		first = int(g.step)
	}
	if left <= 0 || depth >= deepest {
		return d.static(key, mover, b), b, nil
	}
	if d.nodes++; d.nodes%breath == 0 {
		if err := d.breathe(); err != nil {
			return 0, b, err
		}
	}
	if d.repeats(key, inPlay) {
		return d.clamp(b, d.forEver(key, mover)), bounds{lo, hi}, nil
	}
	d.path = append(d.path, place{key, inPlay})
	v, proved, step, err := d.try(depth, left, key, mover, first, alpha, beta, b)
	if d.path = d.path[:len(d.path)-1]; err != nil {
		return 0, b, err
	}
	proved = bounds{max(b.lo, proved.lo), min(b.hi, proved.hi)}
	if proved != b {
		d.table.store(name, known{proved, int32(step), int32(bits.Len64(uint64(left))), false})
	}
	kind := about
	if v <= alpha {
		kind = atMost
	} else if v >= beta {
		kind = atLeast
	}
	d.guesses.store(name, guess{value: int32(v), depth: int16(left), step: int16(step), kind: kind})
	return d.clamp(proved, v), proved, nil
}

// try returns what the best move is worth, the bounds that follow from those of all moves, and the
// move.
func (d *deepener) try(depth, left int, key []uint64, mover, first, alpha, beta int, b bounds) (best int, proved bounds, step int, err error) {
	p := d.ply(depth)
	p.name = nil
	switch err := d.prospects(p, left, key, mover, first, d.floorUnits(alpha), d.ceilUnits(beta)); {
	case err == errStuck, beyondLimits(err): // nobody knows what that is worth
		return d.static(key, mover, b), b, -1, nil
	case err != nil:
		return 0, b, 0, err
	}
	if d.inUnits(p.best) >= beta {
		return d.inUnits(p.best), bounds{p.best, math.MaxInt}, p.step, nil
	}
	best, step = -far, -1
	tried := 0
	for m := p.next(); m != nil && best < beta; m = p.next() {
		m.done = true
		v := 0
		switch {
		case m.lo == m.hi, m.over:
			v = d.clamp(m.bounds, 0)
		case d.inUnits(m.hi) <= max(alpha, best):
			v = d.inUnits(m.hi)
		default:
			if v, err = d.followTo(depth, left, tried, p, m, max(alpha, best), beta); err != nil {
				return 0, b, 0, err
			}
			tried++
		}
		if v > best {
			best, step = v, int(m.step)
		}
	}
	proved = bounds{math.MinInt, math.MinInt}
	for i := range p.moves {
		proved.lo, proved.hi = max(proved.lo, p.moves[i].lo), max(proved.hi, p.moves[i].hi)
	}
	return best, proved, step, nil
}

// beyondLimits reports whether a move exceeds a limit of play, as a lap does that goes round for
// too long. That is no fault of the rules.
func beyondLimits(err error) bool { return errors.As(err, new(*rules.LimitError)) }

// prospects lists the moves of a position. Where they lead to the end of the search, they are not
// looked up in the table of positions.
func (d *deepener) prospects(p *ply, left int, key []uint64, mover, first, alpha, beta int) error {
	if left > 1 || d.tables != nil {
		return d.list(p, key, mover, first, alpha, beta)
	}
	return d.expand(p, key, mover, first)
}

// followTo searches what a move leads to: first whether it is worth more than alpha at all, if it
// is not the first one that is searched.
func (d *deepener) followTo(depth, left, tried int, p *ply, m *move, alpha, beta int) (int, error) {
	next := left - 1
	if tried > 0 && beta-alpha > 1 {
		v, err := d.step(depth, next, p, m, alpha, alpha+1)
		if err != nil || v <= alpha || v >= beta {
			return v, err
		}
	}
	return d.step(depth, next, p, m, alpha, beta)
}

// step is look for what a move leads to, for the player who makes it. It notes what is proved.
func (d *deepener) step(depth, left int, p *ply, m *move, alpha, beta int) (int, error) {
	gain, key, name := m.gain*d.unit, d.stepKey(p, m), d.moveName(p, m)
	if name == nil {
		v := side(d.mover(key)) * d.estimate.of(key)
		if !m.same {
			v = -v
		}
		return d.clamp(m.bounds, gain+v), nil
	}
	if m.same {
		v, b, err := d.look(depth+1, left, key, name, m.inPlay, alpha-gain, beta-gain)
		m.bounds = bounds{max(m.lo, m.gain+b.lo), min(m.hi, m.gain+b.hi)}
		return gain + v, err
	}
	v, b, err := d.look(depth+1, left, key, name, m.inPlay, gain-beta, gain-alpha)
	m.bounds = bounds{max(m.lo, m.gain-b.hi), min(m.hi, m.gain-b.lo)}
	return gain - v, err
}

// floorUnits returns the greatest number that is worth at most so many units.
func (g *game) floorUnits(v int) int { return v >> bits.TrailingZeros(uint(g.unit)) }

// ceilUnits returns the least number that is worth at least so many units.
func (g *game) ceilUnits(v int) int { return -g.floorUnits(-v) }

// guesses keeps what searches of limited depth have found of positions. It is a table of a fixed
// size that forgets what it has no room for. It may take one position for another, so nothing in it
// is proved.
type guesses struct{ slots []guess }

// guess is what a search of some depth has found.
type guess struct {
	hash  uint64
	value int32 // in units, for the player to move and besides the account
	depth int16 // moves
	step  int16 // the best one, or -1
	kind  kindOf
}

// kindOf says how a value is meant.
type kindOf uint8

const (
	none kindOf = iota // the slot is free
	about
	atLeast
	atMost
)

const guessBits = 19

func (g *guesses) slot(name []uint64) (*guess, uint64) {
	h := hash(name)
	return &g.slots[h>>(64-guessBits)], h
}

func (g *guesses) find(name []uint64) (guess, bool) {
	s, h := g.slot(name)
	return *s, s.hash == h && s.kind != none
}

func (g *guesses) store(name []uint64, x guess) {
	s, h := g.slot(name)
	if s.hash == h && s.depth > x.depth && s.kind == about {
		return
	}
	x.hash = h
	*s = x
}
