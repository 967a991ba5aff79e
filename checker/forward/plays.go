package forward

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/mancheck/mancheck/checker/game"
	"github.com/mancheck/mancheck/checker/graph"
	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/checker/residual"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/rules"
)

// Perft counts the sequences of 1, 2, … depth moves from a start. A finished state ends its
// sequence. It stores no states, so it tests the generation of moves itself. An error is the
// context's or a *PlayError.
func Perft(ctx context.Context, sys *rules.System, start rules.State, depth int) ([]uint64, error) {
	p := &perft{ctx: ctx, sys: sys, depth: depth}
	p.from(start)
	for len(p.counts) < depth && p.err == nil {
		p.counts = append(p.counts, 0)
	}
	return p.counts, p.err
}

// ErrPlays is the error of Plays if a count exceeds its limit.
var ErrPlays = errors.New("the limit on plays is reached")

// MaxPlies bounds the length of the plays that are counted. Each ply has its own list of moves.
const MaxPlies = 10_000

// ErrPlies is the error of Perft and Plays if longer plays than MaxPlies exist and are requested.
var ErrPlies = fmt.Errorf("plays go on after %d moves, and longer ones are not counted", MaxPlies)

// Plays is Perft summed over all starts. It fails with ErrPlays if the total of all counts exceeds
// limit, unless that is 0. The result ends at the length of the longest play.
func Plays(ctx context.Context, sys *rules.System, starts Starts, depth int, limit uint64) ([]uint64, error) {
	p := &perft{ctx: ctx, sys: sys, depth: depth, limit: limit}
	err := starts(ctx, func(s rules.State) error {
		p.from(s)
		return p.err
	})
	return p.counts, err
}

// perft is a running count.
type perft struct {
	ctx     context.Context
	sys     *rules.System
	codec   *pack.Codec
	stepper *residual.Stepper
	depth   int
	start   rules.State
	counts  []uint64 // by ply
	plies   []*ply   // as many as the longest play so far has moves
	work    int      // positions since the context was checked
	plays   uint64   // of any number of moves
	limit   uint64   // 0: none
	err     error
}

// room makes room for states with so many seeds.
func (p *perft) room(seeds int) (err error) {
	if p.codec != nil && p.codec.Seeds() >= seeds {
		return nil
	}
	if p.codec, err = pack.NewCodec(p.sys, seeds, rules.Parts{}); err != nil {
		return err
	}
	p.plies = p.plies[:0]
	p.stepper = residual.New(p.ctx, p.sys, p.codec)
	return nil
}

// from counts the plays from one start.
func (p *perft) from(start rules.State) {
	if p.start = start; p.depth == 0 {
		return
	}
	if p.err = p.room(start.Total()); p.err != nil {
		return
	}
	flat, key := pack.NewFlat(p.sys), make([]uint64, p.codec.Words())
	flat.Set(start)
	if p.err = p.codec.Pack(flat, key); p.err == nil && p.deeper(0) {
		p.play(0, key)
	}
}

// deeper makes sure that there is a ply for this depth.
func (p *perft) deeper(depth int) bool {
	switch {
	case depth < len(p.plies):
	case depth == MaxPlies:
		p.err = ErrPlies
	default:
		p.plies = append(p.plies, &ply{steps: pack.Batch{Check: p.ctx.Err}})
		if depth == len(p.counts) {
			p.counts = append(p.counts, 0)
		}
	}
	return p.err == nil
}

// ply is one depth of the count.
type ply struct {
	steps pack.Batch // of the state there
	taken int
}

// often is how many positions may be visited between two checks of the context.
const often = 1 << 10

// play counts the plays from the state at a depth.
func (p *perft) play(depth int, key []uint64) {
	l, words, status := p.plies[depth], len(key), p.codec.Status()
	if p.work++; p.work%often == 0 && p.ctx.Err() != nil {
		p.err = p.ctx.Err()
		return
	}
	l.steps.Reset()
	if err := p.stepper.Expand(key, &l.steps); err != nil {
		p.fail(depth, err)
		return
	}
	n := uint64(len(l.steps.Actions))
	p.counts[depth] += n
	if p.plays += n; p.limit > 0 && p.plays > p.limit {
		p.err = ErrPlays
		return
	}
	for l.taken = range l.steps.Actions {
		to := l.steps.Keys[l.taken*words : (l.taken+1)*words]
		live := to[status.Word]>>status.Shift&status.Mask < uint64(len(p.sys.Players))
		if depth+1 < p.depth && live && p.deeper(depth+1) {
			p.play(depth+1, to)
		}
		if p.err != nil {
			return
		}
	}
}

// fail ends the count with an error in the state at a depth.
func (p *perft) fail(depth int, err error) {
	if p.err = p.ctx.Err(); p.err != nil {
		return
	}
	t := Trace{Start: p.start.Clone()}
	for _, before := range p.plies[:depth] {
		t.Actions = append(t.Actions, int(before.steps.Actions[before.taken]))
	}
	p.err = &PlayError{Fault: err, Trace: t}
}

// Winning lists the starts from which some play wins.
type Winning struct {
	limit.End // Complete if the list is; otherwise there is no list
	Stats     Stats
	Starts    []WinningStart // in the order of the starts
}

// WinningStart is a start from which some play wins, with the least number of moves.
type WinningStart struct {
	State rules.State
	Moves int
}

// WinningStarts finds the starts from which a won state can be reached. It explores the graph of
// all reachable states, and then goes back breadth first from all won states at once.
func WinningStarts(ctx context.Context, sys *rules.System, starts Starts, won rules.Expr, opts Options) (*Winning, error) {
	g, r, err := Explore(ctx, game.Of(ctx, sys), starts, opts)
	if err != nil {
		return nil, err
	}
	w := &Winning{End: r.End, Stats: r.Stats}
	if r.Stop != limit.Complete {
		return w, nil
	}
	targets, err := g.finishedIn(ctx, won)
	if err != nil {
		return nil, err
	}
	moves := graph.Attract(g.Len(), g.Of, nil, targets)
	err = g.eachStart(func(st rules.State, i int) error {
		if moves[i] != graph.Never && !w.lists(st) {
			w.Starts = append(w.Starts, WinningStart{State: st.Clone(), Moves: int(moves[i])})
		}
		return nil
	})
	if err != nil && ctx.Err() != nil {
		w.Starts = nil
		return w, w.Take(g.cancelled(int64(g.Len())))
	}
	return w, err
}

// lists reports whether a start is in the list already. Only finished starts can be, since several
// distributions may settle to the same finished state.
func (w *Winning) lists(st rules.State) bool {
	return !st.Live() && slices.ContainsFunc(w.Starts, func(o WinningStart) bool { return o.State.Equal(st) })
}

// finishedIn lists the finished states that satisfy a condition.
func (g *Graph) finishedIn(ctx context.Context, cond rules.Expr) ([]uint32, error) {
	list, at, err := g.Holding(ctx, cond, func(_ int, s *pack.Flat) bool { return s.Outcome != rules.Live })
	if at < 0 {
		return list, err
	}
	t, failed := g.PlayTo(at)
	if failed != nil {
		return nil, failed
	}
	return nil, &PlayError{Fault: err, Trace: *t}
}

// Holding lists the states that satisfy a condition, of those that are of interest. If it has no
// value in a state, at is the number of that, or else -1.
func (g *Graph) Holding(ctx context.Context, cond rules.Expr, of func(i int, s *pack.Flat) bool) (list []uint32, at int, err error) {
	s := residual.New(ctx, g.sys, g.codec)
	holds, flat := s.Compile(cond), pack.NewFlat(g.sys)
	for i := range g.Len() {
		if g.State(i, flat); !of(i, flat) {
			continue
		}
		can := residual.No
		if len(g.Of(i)) > 0 {
			can = residual.Yes
		}
		is, err := s.Holds(holds, residual.View{Key: g.set.At(i), Start: i < g.starts, CanMove: can})
		if err != nil {
			return nil, i, err
		}
		if is {
			list = append(list, uint32(i))
		}
	}
	return list, -1, nil
}

// eachStart calls f for every start, with the number of the state that it is stored as. It ends
// when f fails.
func (g *Graph) eachStart(f func(st rules.State, i int) error) error {
	flat, key := pack.NewFlat(g.sys), make([]uint64, g.codec.Words())
	return g.search.starts(g.ctx, func(st rules.State) error {
		flat.Set(st)
		if err := g.codec.Pack(flat, key); err != nil {
			return err
		}
		if i, ok := g.set.Find(key); ok {
			return f(st, i)
		}
		return nil
	})
}
