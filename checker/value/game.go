package value

import (
	"context"
	"slices"

	"github.com/mancheck/mancheck/checker/laws"
	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/checker/slice"
	"github.com/mancheck/mancheck/checker/symmetry"
	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/flow"
)

// game is a game as a search sees it: states are keys, and positions are what of them decides how
// play goes on.
//
// Seeds that have left play do not. A pit is a sink if the course of play does not depend on its
// seeds and none of them ever leaves it, as is a store in most games. If the worth of a play is
// linear in the seeds, then what the seeds in the sinks are worth (the account) may be taken apart
// from what is won from here on, and all states of one position have the same future. Otherwise
// there are no sinks, and all states are positions of their own.
type game struct {
	*judge
	seeds           int
	codec           *pack.Codec  // of states; the fields of the sinks are the last ones
	order           []int        // of the pits, so that most moves give boards of lower ranks; nil: as declared
	descends        bool         // a move that brings no seed to a sink gives a board of lower rank
	position        *pack.Codec  // of positions: the first fields of a state
	words           int          // of a position
	mask            []uint64     // by word of a state: the bits of the position
	ranker          *pack.Ranker // of positions; nil if they have no ranks
	status          pack.Field
	players         int
	sinks           []weighed
	isSink          []bool      // by pit
	inPlayParts     rules.Parts // what of a state decides how play goes on
	linear          bool        // a finished state is worth its margin, and that is linear
	margin          linear
	worth           []weighed          // pits with a weight
	least, greatest int                // what a seed may be worth in the end
	unit            int                // of estimates
	bounded         bool               // no play comes to an open end, and what it is worth is bounded by the seeds in play
	folded          entries            // of positions, after fold: images of each other have one name
	swapped         *symmetry.Symmetry // of folded
}

// weighed is a pit with what a seed in it is worth to the first player.
type weighed struct {
	pack.Field
	weight int
}

// newGame lays out the states with at most the given number of seeds.
func newGame(ctx context.Context, sys *rules.System, seeds int, p Payoff) (*game, error) {
	j, err := newJudge(ctx, sys, p)
	if err != nil {
		return nil, err
	}
	g := &game{judge: j, seeds: seeds, players: len(sys.Players), unit: marginUnit}
	if p.Kind == Result {
		g.unit = resultUnit
	}
	margin, is := linearMargin(sys)
	g.margin, g.linear = margin, is && p.Kind == Margin && KindOf(sys) == Margin && g.seeds < maxWeight
	return g, g.layOut(ctx)
}

// clone returns the same game for another goroutine.
func (g *game) clone(ctx context.Context) (*game, error) {
	j, err := newJudge(ctx, g.sys, g.Payoff)
	if err != nil {
		return nil, err
	}
	c := *g
	c.judge, c.folded.first = j, nil
	return &c, nil
}

// sinksOf finds the sinks. A worth that is the same whatever the score, as that of an endless play
// may be, is not linear.
func (g *game) sinksOf(ctx context.Context) []bool {
	sinks := make([]bool, len(g.sys.Pits))
	if !g.linear || g.Endless == Even && MayLoop(g.sys) {
		return sinks
	}
	course := slice.Keep(ctx, g.sys)
	for pit, w := range g.margin.weights {
		sinks[pit] = w != 0 && !course.Steers[pit] && !course.Loses[pit]
	}
	return sinks
}

// MayLoop reports whether a move may never end.
func MayLoop(sys *rules.System) bool {
	inReaction := func(by rules.ReactionFor) bool { return rules.EffectsOf(by.Body).Loops }
	return slices.ContainsFunc(sys.Actions, func(a rules.Action) bool { return rules.EffectsOf(a.Body).Loops }) ||
		slices.ContainsFunc(sys.Reactions, func(r rules.Reaction) bool { return slices.ContainsFunc(r.By, inReaction) })
}

// layOut packs states so that positions are a part of the key.
func (g *game) layOut(ctx context.Context) (err error) {
	kept, sinks := slice.Keep(ctx, g.sys, g.sys.Scores...).Parts, g.sinksOf(ctx)
	ends := false
	if g.linear {
		g.order, ends, g.descends = alwaysEnds(ctx, g.sys, sinks)
	}
	if g.codec, err = pack.NewCodecIn(g.sys, g.seeds, kept, g.order, sinks); err != nil {
		return err
	}
	g.isSink, g.inPlayParts = sinks, rules.Parts{Pits: make([]bool, len(kept.Pits)), Vars: kept.Vars}
	for pit := range kept.Pits {
		g.inPlayParts.Pits[pit] = kept.Pits[pit] && !sinks[pit]
	}
	if g.position, err = pack.NewCodecIn(g.sys, g.seeds, g.inPlayParts, g.order, nil); err != nil {
		return err
	}
	all := pack.NewRoute(g.position, g.position, func(cell int) int { return cell }, true)
	g.status, g.mask = g.codec.Status(), make([]uint64, g.codec.Words())
	all.Mask(g.mask)
	g.words = g.position.Words()
	g.ranker, _ = pack.NewRanker(g.position, g.seeds, false)
	g.folded = newEntries(g.sys, g.ranker, g.position, nil)
	for pit, w := range g.margin.weights {
		f, has := g.codec.Cell(pit)
		if g.least, g.greatest = min(g.least, w), max(g.greatest, w); !has || w == 0 {
			continue
		}
		g.worth = append(g.worth, weighed{f, w})
		if sinks[pit] {
			g.sinks = append(g.sinks, weighed{f, w})
		}
	}
	g.bounded = g.linear && (g.Endless == AsScored || ends && !MayLoop(g.sys)) && flow.AlwaysMoves(g.sys)
	return nil
}

// nameWords is the number of words of a position's name.
func (g *game) nameWords() int {
	if g.ranker != nil {
		return 1
	}
	return g.words
}

// nameLimit is what names of one word are below, or 0 if they may be any words.
func (g *game) nameLimit() uint64 {
	switch {
	case g.folded.image != nil:
		return g.folded.len()
	case g.ranker != nil:
		return g.ranker.Size()
	}
	return 0
}

// fold gives positions and their images by a swap the same names, if there are ranks and a swap. To
// the player to move they are worth the same, unless the rules favor a player by a constant.
func (g *game) fold(ctx context.Context) {
	if g.ranker == nil || g.margin.constant != 0 {
		return
	}
	if s := g.swap(ctx); s != nil {
		g.folded, g.swapped = newEntries(g.sys, g.ranker, g.position, s), s
	}
}

// appendName appends the name of the position of a live state. Positions of different worth to the
// player to move have different names.
func (g *game) appendName(names, key []uint64) []uint64 {
	if g.ranker != nil {
		return append(names, g.folded.of(key))
	}
	for w, mask := range g.mask[:g.words] {
		names = append(names, key[w]&mask)
	}
	return names
}

// nameOf returns the name of the position of a live state.
func (g *game) nameOf(key []uint64) []uint64 { return g.appendName(nil, key) }

// mover returns the player to move, or for a finished state the number of players plus the outcome.
func (g *game) mover(key []uint64) int {
	return int(key[g.status.Word] >> (g.status.Shift & 63) & g.status.Mask)
}

// over reports whether a state is finished.
func (g *game) over(key []uint64) bool {
	return g.mover(key) >= g.players
}

// account is what the seeds in the sinks are worth to the first player.
func (g *game) account(key []uint64) int { return total(g.sinks, key) }

func total(pits []weighed, key []uint64) int {
	n := 0
	for i := range pits {
		p := &pits[i]
		n += p.weight * int(key[p.Word]>>(p.Shift&63)&p.Mask)
	}
	return n
}

// inPlay is an upper bound on the seeds that are not in sinks.
func (g *game) inPlay(key []uint64) int {
	n, _ := g.divide(key)
	return n
}

// divide returns inPlay and account.
func (g *game) divide(key []uint64) (inPlay, account int) {
	inPlay = g.seeds
	for i := range g.sinks {
		p := &g.sinks[i]
		n := int(key[p.Word] >> (p.Shift & 63) & p.Mask)
		inPlay -= n
		account += p.weight * n
	}
	return inPlay, account
}

// ended is what a play is worth to the first player that has ended in the state with this key, or
// an *OpenEndError. flat is overwritten.
func (g *game) ended(key []uint64, flat *pack.Flat) (int, error) {
	outcome := g.mover(key) - g.players
	if g.linear && outcome != g.sys.Endless() {
		return g.margin.constant + total(g.worth, key), nil
	}
	g.codec.Unpack(key, flat)
	p, err := g.of(flat.View(g.sys))
	if err != nil {
		return 0, err
	}
	return p.value()
}

// future returns bounds on what a play is worth to the first player besides the account, where at
// most inPlay seeds are in play. Each of them is in some pit when the play ends. A play that comes
// to an open end may be worth anything, so the seeds are no bounds where one may.
func (g *game) future(inPlay int) (lo, hi int) {
	if g.bounded {
		return g.margin.constant + inPlay*g.least, g.margin.constant + inPlay*g.greatest
	}
	return g.unbounded()
}

// greatestFuture is the greatest future that is worth being stored, or 0 if nothing is known.
func (g *game) greatestFuture() int {
	switch {
	case g.linear: // at most g.seeds are in play, and at most as many have been won
		return max(-g.margin.constant, g.margin.constant) + 2*g.seeds*max(g.greatest, -g.least, 1)
	case g.Kind == Result:
		return 1
	}
	return 0
}

// keyOf packs a state.
func (g *game) keyOf(st rules.State) ([]uint64, error) {
	flat, key := pack.NewFlat(g.sys), make([]uint64, g.codec.Words())
	flat.Set(st)
	return key, g.codec.Pack(flat, key)
}

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

// endless play is ruled out by a measure that every move makes smaller: first the seeds that are
// not in sinks, which never grow more, then the sum of the heights of the pits that they are in. A
// sowing that passes a sink drops a seed there. One that does not drops all its seeds before it. So
// it is enough that there are heights such that those pits are lower than the one sown from, and
// that other seeds are never moved to a higher pit.

// alwaysEnds reports whether it is proved that every play ends. The order is of the pits, from the
// highest to the lowest: every move that brings no seed to a sink brings seeds to later pits. If it
// descends, it brings none to earlier ones.
func alwaysEnds(ctx context.Context, sys *rules.System, sinks []bool) (order []int, ends, descends bool) {
	if ctx.Err() != nil || slices.ContainsFunc(sys.Actions, func(a rules.Action) bool { return !sows(a.Body) }) {
		return nil, false, false
	}
	edges, ok := laws.Ways(sys, sinks)
	group, left := laws.Groups(len(sys.Pits), edges)
	if !ok || left > 0 {
		return nil, false, false
	}
	order = num.Run(0, len(sys.Pits))
	slices.SortStableFunc(order, func(p, q int) int { return group[q] - group[p] })
	stays := func(e laws.Edge) bool { return group[e.From] == group[e.Into] }
	return order, true, !slices.ContainsFunc(edges, stays)
}

// sows reports whether a body sows whatever happens, unless it ends the game or is illegal.
func sows(body []rules.Stmt) bool {
	return slices.ContainsFunc(body, func(s rules.Stmt) bool { _, is := s.(rules.Sow); return is })
}

// mostNear bounds nearness. It is less than the promise of a seed that is won.
const mostNear = 1 << (gainShift - 2)

// nearness says for each action how near the pit that it sows from is to where seeds leave the
// pits of the player, as to the store: the fewer steps along the lap that takes, the greater it is.
// Sowings from near pits are better tried first. In Kalah, where such a sowing is more often one
// that ends in the store, the other order takes up to ten times as many positions.
func nearness(sys *rules.System) []int {
	list := make([]int, len(sys.Actions))
	own := make([][]bool, len(sys.Players)) // pits that are sown from
	for p := range own {
		own[p] = make([]bool, len(sys.Pits))
	}
	for i := range sys.Actions {
		if sow, pit := rules.FirstSow(sys.Actions[i].Body); sow != nil {
			own[sys.Actions[i].Mover][pit] = true
		}
	}
	for i := range sys.Actions {
		sow, pit := rules.FirstSow(sys.Actions[i].Body)
		if sow == nil {
			continue
		}
		lap, steps := &sys.Laps[sow.Lap], 0
		for at := pit; at != rules.None && own[sys.Actions[i].Mover][at] && steps < mostNear; steps++ {
			at = lap.Next[at]
		}
		list[i] = mostNear - steps
	}
	return list
}
