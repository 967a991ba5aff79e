package value

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/checker/residual"
	"github.com/mancheck/mancheck/checker/symmetry"
	"github.com/mancheck/mancheck/rules"
)

// NoFuture says that the future of a position is not known.
const NoFuture = -128

// MostFuture bounds futures in tables.
const MostFuture = 126

// NoTablesError says why there are no tables for a game.
type NoTablesError struct{ Reason string }

func (e *NoTablesError) Error() string { return e.Reason }

func noTables(format string, args ...any) error {
	return &NoTablesError{fmt.Sprintf(format, args...)}
}

// Positions are the positions of a game with at most some number of seeds in play, by their ranks.
// What is still won from a position on, for the first player, is its future. The worth of a play
// is the constant part of the margin, what has been won so far and the future.
//
// A position is given by a state in which the sinks are empty. Its entry in a table is its rank, or
// if there is a swap and the second player is to move, that of its image.
type Positions struct {
	Ranker  *pack.Ranker
	game    *game
	seeds   int
	pits    []int
	swap    *symmetry.Symmetry
	entries entries
	packed  []uint64
	flat    *pack.Flat
}

// NewPositions returns the positions with at most the given number of seeds. The error is a
// *NoTablesError if the worth of a play cannot be divided.
func NewPositions(ctx context.Context, sys *rules.System, seeds int, p Payoff) (*Positions, error) {
	g, err := newGame(ctx, sys, seeds, p)
	if err != nil {
		return nil, err
	}
	swap := g.swap(ctx)
	if ctx.Err() != nil {
		return nil, ctx.Err() // the division was given up, or the search for a swap
	}
	if err := g.divides(); err != nil {
		return nil, err
	}
	if weight := max(g.greatest, -g.least); seeds > MostFuture/weight {
		return nil, noTables("futures of %d seeds, each worth up to %d, do not fit a byte: at most %d seeds", seeds, weight, MostFuture/weight)
	}
	r, ok := pack.NewRanker(g.position, seeds, false)
	if !ok {
		return nil, noTables("there are too many positions with %d seeds", seeds)
	}
	positions := &Positions{Ranker: r, game: g, seeds: seeds, swap: swap, flat: pack.NewFlat(sys)}
	positions.pits, positions.entries = g.position.Pits(), newEntries(sys, r, g.position, swap)
	return positions, nil
}

// divides says why the worth of a play is not what has been won and what is still won.
func (g *game) divides() error {
	switch {
	case g.Kind != Margin:
		return noTables("tables are for margins, and the payoff is the result")
	case KindOf(g.sys) != Margin:
		return noTables("an ending of %s does not leave the winner to the score", g.sys.Name)
	case !g.linear:
		return noTables("the score of %s is not a sum of seeds", g.sys.Name)
	case g.Endless == Even && MayLoop(g.sys):
		return noTables("a move of %s may never end, and is then worth 0 whatever the score is", g.sys.Name)
	case len(g.sinks) == 0:
		return noTables("no seeds of %s leave play: no pit with a score keeps its seeds for ever and has no influence on the moves", g.sys.Name)
	}
	return nil
}

// Clone returns the same positions for another goroutine.
func (p *Positions) Clone() *Positions {
	c := *p
	c.packed, c.entries.first, c.flat = nil, nil, pack.NewFlat(p.game.sys)
	return &c
}

// Swap is a symmetry of the rules that exchanges the players and negates futures, or nil.
func (p *Positions) Swap() *symmetry.Symmetry { return p.swap }

// Descends reports whether it is proved that each move to a position with as many seeds in play
// leads to a board of lower rank. The same is so of the images of both.
func (p *Positions) Descends() bool { return p.game.descends }

// Entries is the number of entries of a table. Each has a rank below it.
func (p *Positions) Entries() uint64 { return p.entries.len() }

// Seeds is the greatest number of seeds.
func (p *Positions) Seeds() int { return p.seeds }

// Stepper returns a stepper for the states.
func (p *Positions) Stepper(ctx context.Context) *residual.Stepper {
	return residual.New(ctx, p.game.sys, p.game.codec)
}

// Words is the length of the key of a state.
func (p *Positions) Words() int { return len(p.game.mask) }

// Ranks appends the ranks of the positions of states.
func (p *Positions) Ranks(keys, ranks []uint64) []uint64 {
	return p.numbered(keys, ranks, p.Ranker.Ranks)
}

// Find appends the entries of the positions of states, with the bit Negated if the future of the
// position is that of the entry, negated. Those of finished states mean nothing.
func (p *Positions) Find(keys, ranks []uint64) []uint64 {
	return p.numbered(keys, ranks, p.entries.find)
}

// numbered appends the numbers of the positions of states.
func (p *Positions) numbered(keys, numbers []uint64, number func(keys, numbers []uint64)) []uint64 {
	n := len(keys) / p.Words()
	to := slices.Grow(numbers, n)[:len(numbers)+n]
	if p.game.words < p.Words() {
		keys = p.positions(keys)
	}
	number(keys, to[len(numbers):])
	return to
}

// positions packs the positions of states.
func (p *Positions) positions(keys []uint64) []uint64 {
	p.packed = p.packed[:0]
	for ; len(keys) > 0; keys = keys[p.Words():] {
		p.packed = append(p.packed, keys[:p.game.words]...)
	}
	return p.packed
}

// Mover is the player to move.
func (p *Positions) Mover(key []uint64) int {
	return p.game.mover(key)
}

// Unrank writes the key of the state with this rank whose sinks are empty.
func (p *Positions) Unrank(rank uint64, key []uint64) {
	clear(key)
	p.Ranker.Unrank(rank, key[:p.game.words])
}

// Maximizes reports whether the player to move wants the future as great as possible.
func (p *Positions) Maximizes(key []uint64) bool {
	return maximizes(p.game.mover(key))
}

// Over reports whether a state is finished.
func (p *Positions) Over(key []uint64) bool { return p.game.over(key) }

// Won is what the seeds in the sinks are worth.
func (p *Positions) Won(key []uint64) int { return p.game.account(key) }

// Ended is what a play is worth that has ended in this state, less the constant part of the
// margin. ok is false if the rules do not say it.
func (p *Positions) Ended(key []uint64) (v int, ok bool, err error) {
	v, err = p.game.ended(key, p.flat)
	if open := (*OpenEndError)(nil); errors.As(err, &open) {
		return 0, false, nil
	}
	return v - p.game.margin.constant, true, err
}

// Constant is the part of the margin that does not depend on the seeds.
func (p *Positions) Constant() int { return p.game.margin.constant }

// EndlessWinsNothing reports whether a play that never ends is worth what has been won, if it stays
// among positions with as many seeds in play.
func (p *Positions) EndlessWinsNothing() bool {
	return p.game.Endless == AsScored && len(p.game.sinks) == len(p.game.worth)
}

// Key packs a state. It fails if there are too many seeds in play.
func (p *Positions) Key(st rules.State) ([]uint64, error) {
	seeds := 0
	for _, pit := range p.pits {
		seeds += st.Seeds[pit]
	}
	if seeds > p.seeds {
		return nil, pack.ErrRange
	}
	return p.game.keyOf(st)
}

// Weight is what a seed in a pit is worth to the first player in the end.
func (p *Positions) Weight(pit int) int { return p.game.margin.weights[pit] }

// Codec packs states.
func (p *Positions) Codec() *pack.Codec { return p.game.codec }

// ControlMask has the bits of a key that are those of the control: the status and the variables.
func (p *Positions) ControlMask() []uint64 {
	mask := slices.Clone(p.game.mask)
	for _, pit := range p.pits {
		f, _ := p.game.codec.Cell(pit)
		mask[f.Word] &^= f.Mask << f.Shift
	}
	return mask
}

// Sink is a pit of which the seeds have left play, with what each is worth to the first player.
type Sink struct{ Pit, Weight int }

// Sinks lists the sinks.
func (p *Positions) Sinks() []Sink {
	var list []Sink
	for pit, w := range p.game.margin.weights {
		f, has := p.game.codec.Cell(pit)
		if has && slices.Contains(p.game.sinks, weighed{f, w}) {
			list = append(list, Sink{pit, w})
		}
	}
	return list
}

// Pits lists the pits of positions, in the order of the prefix sums by which boards are numbered.
func (p *Positions) Pits() []int { return p.pits }

// State returns the state with this key.
func (p *Positions) State(key []uint64) rules.State {
	p.game.codec.Unpack(key, p.flat)
	return p.flat.State(p.game.sys)
}

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
