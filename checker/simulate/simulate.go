// Package simulate plays many games at random, or by strategies, and counts what happens in them.
//
// Each game has its own sequence of random numbers, which depends on the seed and on the number of
// the game alone. So the counts do not depend on how many threads play, and a single game can be
// played again.
//
//	simulate.go  the threads
//	game.go      one game, and who chooses the moves in it
//	counts.go    what is counted
package simulate

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mancheck/mancheck/checker/coverage"
	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/rules"
)

// Options say how many games are played, and how.
type Options struct {
	limit.Bounds // only Threads applies
	Games        int64
	MaxMoves     int // after this many moves a game that has not ended is given up
	Seed         uint64
	// Followed are the Systems that the players follow, by player: the System of a strategy, in
	// which only its moves are legal. Otherwise they are Systems of the same game. Without one,
	// which is nil, a player chooses among all moves. Moves that are left are chosen at random, all
	// of them as often.
	Followed []*rules.System
	// Choosers make what chooses the moves of a player, by player. Each thread makes its own. Where
	// there is none, the moves are chosen as above.
	Choosers []func() (Chooser, error)
	// Opening is how many moves of a game are made before players begin to choose: all moves until
	// then are chosen at random, so that games differ.
	Opening int
	// Deal returns the start of a game, with at most Seeds seeds, from its number; nil: all games
	// begin at the same. It is called by several goroutines.
	Deal     func(game int64) (rules.State, error)
	Seeds    int
	Coverage *coverage.Rules      // counts what the moves carry out; may be nil
	Observer func(limit.Progress) // called a few times a second; may be nil
}

// Result is what was counted.
type Result struct {
	Counts
	Complete bool // all games were played; otherwise the context has ended the work
	Seconds  float64
}

// batch is how many games a thread takes at a time.
const batch = 16

// Run plays games from a state, unless starts are dealt. An error is a *forward.PlayError, of the
// first game that meets one, or a *rules.LimitError, or one of Deal.
func Run(ctx context.Context, sys *rules.System, start rules.State, opts Options) (*Result, error) {
	r := &run{ctx: ctx, opts: opts, began: time.Now()}
	r.stop.Store(opts.Games)
	threads := int(min(int64(opts.Workers()), (opts.Games+batch-1)/batch))
	var players []*player
	for range threads {
		p, err := newPlayer(ctx, sys, start, opts)
		if err != nil {
			return nil, err
		}
		players = append(players, p)
		defer p.close()
	}
	var all sync.WaitGroup
	for _, p := range players {
		all.Go(func() { r.work(p) })
	}
	all.Wait()
	if err := r.failure(); err != nil {
		return nil, err
	}
	out := &Result{Counts: newCounts(sys)}
	for _, p := range players {
		out.add(&p.counts)
	}
	out.Complete = out.Games == opts.Games
	out.Seconds = time.Since(r.began).Seconds()
	return out, nil
}

// run is a simulation under way.
type run struct {
	ctx   context.Context
	opts  Options
	began time.Time
	next  atomic.Int64 // the first game that nobody has taken
	done  atomic.Int64
	stop  atomic.Int64 // no game from this one on is needed

	mu       sync.Mutex
	reported time.Time
	failed   []failure
}

// failure is an error in a game.
type failure struct {
	game int64
	err  error
}

// work plays batches of games until none is left.
func (r *run) work(p *player) {
	p.check = r.ctx.Err
	for {
		first := r.next.Add(batch) - batch
		for game := first; game < first+batch; game++ {
			if game >= r.stop.Load() || r.ctx.Err() != nil {
				return
			}
			if err := p.play(game); err != nil {
				r.fail(p, game, err)
				return
			}
		}
		r.report(r.done.Add(batch))
	}
}

// dealError says why there is no start for a game.
type dealError struct{ error }

// fail notes an error. The games before may still meet one, those after are not needed.
func (r *run) fail(p *player, game int64, err error) {
	if r.ctx.Err() != nil {
		return // which is why the game ended
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.stop.Store(min(r.stop.Load(), game))
	if undealt := (dealError{}); errors.As(err, &undealt) {
		r.failed = append(r.failed, failure{game, undealt.error})
		return
	}
	r.failed = append(r.failed, failure{game, &forward.PlayError{Fault: err, Trace: forward.Trace{Start: p.from, Actions: p.actions}}})
}

// failure returns the error of the first game with one.
func (r *run) failure() error {
	if len(r.failed) == 0 {
		return nil
	}
	return slices.MinFunc(r.failed, func(a, b failure) int { return int(a.game - b.game) }).err
}

// report informs the observer of how far the work has got.
func (r *run) report(games int64) {
	if r.opts.Observer == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if now := time.Now(); now.Sub(r.reported) >= time.Second/10 {
		r.reported = now
		r.opts.Observer(limit.Progress{States: games, Elapsed: now.Sub(r.began)})
	}
}
