package forward

import (
	"context"
	"errors"
	"time"

	"github.com/mancheck/mancheck/checker/game"
	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/rules"
)

// base is what all searches of this package share: the game, its starts and the limits.
type base struct {
	ctx    context.Context
	rules  game.Rules
	sys    *rules.System // their shape
	starts Starts
	opts   Options

	began    time.Time
	reported time.Time
}

func newBase(ctx context.Context, r game.Rules, starts Starts, opts Options) base {
	opts.MaxMemory = opts.Memory()
	return base{ctx: ctx, rules: r, sys: r.Shape(), starts: starts, opts: opts, began: time.Now()}
}

// gathered has packed states with numbers, beginning with all starts in the order in which they are
// listed. The most seeds of a start are known only after the last one, and listing them twice may
// take too long. So if a start has more seeds than all before, the earlier ones are packed again.
type gathered struct {
	*base
	codec    *pack.Codec
	set      *pack.Set
	room     int  // the codec has room for this many seeds in a pit
	minSeeds int  // the fewest seeds of states reached from a start
	maxSeeds int  // the most
	fixed    bool // no step changes the number of seeds in the packed state
	flat     *pack.Flat
	key      []uint64
}

// widen makes room in the packed states for this many seeds in a pit.
func (g *gathered) widen(seeds int) error {
	old, codec := g.set, g.codec
	wider, err := pack.NewCodec(g.sys, seeds, g.rules.Keeps())
	if err != nil {
		return err
	}
	g.room, g.codec = seeds, wider
	g.set = pack.NewSet(g.codec.Words(), pack.Limits{Bytes: g.opts.MaxMemory, Keys: g.opts.MaxStates})
	g.key = make([]uint64, g.codec.Words())
	if old == nil {
		return nil
	}
	flat := pack.NewFlat(g.sys)
	for i := range old.Len() {
		codec.Unpack(old.At(i), flat)
		if _, err := g.store(flat); err != nil {
			return err
		}
	}
	return nil
}

// store packs and stores a state, and returns its number.
func (g *gathered) store(flat *pack.Flat) (int, error) {
	if err := g.codec.Pack(flat, g.key); err != nil {
		return 0, err
	}
	i, _, err := g.set.Insert(g.key)
	return i, g.limit(err, int64(g.set.Len()))
}

// add stores a start and returns its number.
func (g *gathered) add(st rules.State) (int, error) {
	pit, total, fixed := g.rules.Seeds(st)
	g.fixed = g.fixed && fixed
	if g.maxSeeds = max(g.maxSeeds, total); total < g.minSeeds || g.minSeeds < 0 {
		g.minSeeds = total
	}
	if pit > g.room {
		if err := g.widen(roundUp(pit)); err != nil {
			return 0, err
		}
	}
	g.flat.Set(st)
	return g.store(g.flat)
}

// addAll stores all starts. It calls pause from time to time, to check for cancellation.
func (g *gathered) addAll(pause func() error) error {
	seen := 0
	err := g.starts(g.ctx, func(st rules.State) error {
		if seen++; seen%1024 == 0 {
			if err := pause(); err != nil {
				return err
			}
		}
		_, err := g.add(st)
		return err
	})
	if err != nil && g.ctx.Err() != nil && errors.Is(err, g.ctx.Err()) {
		return g.cancelled(int64(g.set.Len()))
	}
	return err
}

// roundUp returns the greatest number of seeds that needs no more bits than n, to avoid widening
// often.
func roundUp(n int) int {
	for n&(n+1) != 0 {
		n |= n >> 1
	}
	return n
}

// limit turns the error of a full set into the end of the search. Other errors are returned as they
// are.
func (b *base) limit(err error, states int64) error {
	switch {
	case errors.Is(err, pack.ErrMany):
		return b.stateLimit()
	case errors.Is(err, pack.ErrFull):
		return b.memoryLimit(states)
	}
	return err
}

func (b *base) stateLimit() error {
	return reach(limit.Hit{Kind: limit.States, Most: b.opts.MaxStates})
}

func (b *base) memoryLimit(states int64) error {
	return reach(limit.Hit{Kind: limit.Memory, Most: b.opts.MaxMemory, Found: states})
}

func (b *base) cancelled(states int64) error { return reach(limit.Ending(b.ctx).With(states)) }

// reach returns the error that ends a search at a limit.
func reach(h limit.Hit) error { return &limit.Early{End: limit.Reach(h)} }

// due reports whether it is time to report progress again.
func (b *base) due() bool {
	return b.opts.Observer != nil && time.Since(b.reported) > 200*time.Millisecond
}

func (b *base) report(p limit.Progress) {
	if b.opts.Observer == nil {
		return
	}
	b.reported = time.Now()
	p.Elapsed = time.Since(b.began)
	b.opts.Observer(p)
}
