// Package hunt looks for a play that shows something, where there are too many states to examine
// all of them: a play to a goal, one with a bad step, one that comes back, one that is too long. A
// play that it finds is legal. That it finds none says nothing.
//
// It plays games, one after another. In each, moves are chosen in one of several ways: evenly, or
// mostly the one that is best for something, such as to come nearer to the goal (see near.go), or
// to leave a player few seeds. States that are good for that are kept, by the number of seeds in
// play, and later games go on from there. After each game all states that follow from some of its
// late positions are searched, since where few seeds are left games tend to go round. Now and then
// a beam is tried: many states at once, of which those that are nearest to the goal go on. For a
// play that comes back, moves that capture and change little are preferred, too.
//
// All choices depend on a seed and on counts of work, never on a clock. There is one thread, so the
// play found is the same on every machine. It is made shorter before it is returned, and need not
// be a shortest one.
//
//	hunt.go     the hunt and what it looks for, and what a position shows
//	near.go     how far a state is from a goal
//	game.go     games and the states from which they go on
//	below.go    searches from late positions, and by many states at once
//	shorten.go  shorter plays
package hunt

import (
	"cmp"
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/checker/residual"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
)

// Aim says what to look for. The first play that shows any of it ends the hunt.
type Aim struct {
	Goal    rules.Expr      // a state that satisfies it; nil: none. It may depend on whether the state is stuck
	BadStep forward.BadStep // such a step; with a nil Bad: none
	Returns bool            // a live state that comes back
	Within  int             // plays of at most so many moves; -1: of any length
	Beyond  int             // a play of more moves; -1: no number is too many
}

// ErrStarts is the error for an aim that depends on which states are starts.
var ErrStarts = errors.New("the hunt does not know which states are starts")

// Options limit a hunt. MaxStates is a number of positions that it may look at.
type Options struct {
	limit.Bounds
	Seed     uint64
	Observer func(limit.Progress) // called a few times a second; may be nil
}

// Result is what a hunt has found.
type Result struct {
	limit.End
	Trace  *forward.Trace // the play, to and including what it shows; nil if there is none
	Cycle  int            // with Aim.Returns: the number of its last moves that lead from a state back to it
	Looked int64          // positions
}

// mostStarts is how many starts are used, if there are more.
const mostStarts = 1 << 10

// Search hunts. An error is one of compiling the System or of the starts, or ErrStarts. Faults of
// the rules end games and not the hunt.
func Search(ctx context.Context, sys *rules.System, starts forward.Starts, aim Aim, opts Options) (*Result, error) {
	h := &hunter{ctx: ctx, sys: sys, opts: opts, random: rand.New(rand.NewPCG(opts.Seed, 0)), began: time.Now()}
	if err := h.prepare(starts, aim); err != nil {
		return nil, err
	}
	err := h.run()
	if err = h.Take(err); err == nil && h.until > 0 {
		h.Stop = limit.Found
		h.shorten()
		h.Trace = &forward.Trace{Start: h.best.start, Actions: lists.Map(h.best.actions, func(a int32) int { return int(a) })}
	}
	return &h.Result, err
}

// hunter is a running hunt.
type hunter struct {
	Result
	ctx    context.Context
	sys    *rules.System
	opts   Options
	random *rand.Rand
	began  time.Time
	told   int64

	aim     aim
	codec   *pack.Codec
	words   int
	stepper *residual.Stepper
	starts  []rules.State
	steps   pack.Batch
	flat    *pack.Flat
	from    []int // the cells of the state in which a move is chosen

	ways     []way
	inHouses way                  // the seeds in all houses
	near     func(*pack.Flat) int // nil: the aim says nothing about distance
	play     line                 // the game under way
	shelves  [][]*post            // by way
	best     line                 // the play that was found
	until    int64                // how many positions are looked at for a better one; 0: none was found
}

// prepare lists the starts and compiles what the hunt asks.
func (h *hunter) prepare(starts forward.Starts, aim Aim) error {
	if slices.ContainsFunc([]rules.Expr{aim.Goal, aim.BadStep.From, aim.BadStep.Bad}, func(x rules.Expr) bool { return rules.AsksFor(x, rules.IsStart) }) {
		return ErrStarts
	}
	seeds, full := 0, errors.New("enough")
	err := starts(h.ctx, func(st rules.State) error {
		h.starts = append(h.starts, st.Clone())
		seeds = max(seeds, st.Total())
		if len(h.starts) == mostStarts {
			return full
		}
		return nil
	})
	if err != nil && !errors.Is(err, full) {
		return err
	}
	if h.codec, err = pack.NewCodec(h.sys, seeds, rules.Parts{}); err != nil {
		return err
	}
	h.stepper = residual.New(h.ctx, h.sys, h.codec)
	h.words, h.flat = h.codec.Words(), pack.NewFlat(h.sys)
	h.steps.Check = h.pause
	h.aim = compile(aim, h.stepper)
	h.near = newNear(h.sys, aim)
	h.ways = h.allWays()
	h.shelves = make([][]*post, len(h.ways))
	return nil
}

// run plays until something is found, or a limit is reached.
func (h *hunter) run() error {
	if len(h.starts) == 0 {
		return &limit.Early{End: limit.End{Stop: limit.Undecided, Reason: "there is no start"}}
	}
	for game := 0; ; game++ {
		strays := []int{6, 30, 3}[game/len(h.ways)%3]
		if err := h.gives(h.game(game%len(h.ways), strays)); err != nil {
			return err
		}
		if err := h.gives(h.searchBelow(h.aim.Returns && game%len(h.ways) > 0)); err != nil {
			return err
		}
		if h.near != nil && game%64 == 7 {
			if err := h.gives(h.beam(16 << min(game/64, 6))); err != nil {
				return err
			}
		}
	}
}

// gives returns an error that ends the hunt. A fault of the rules only ends what ran into it.
func (h *hunter) gives(err error) error {
	if err == nil || errors.As(err, new(*limit.Early)) {
		return err
	}
	if h.ctx.Err() != nil {
		return &limit.Early{End: limit.Cancelled(h.ctx)}
	}
	return h.look()
}

// look counts a position, and ends the hunt at a limit.
func (h *hunter) look() error {
	h.Looked++
	switch {
	case h.until > 0 && h.Looked >= h.until:
		return h.finish(&h.best, h.Cycle)
	case h.opts.MaxStates > 0 && h.Looked == h.opts.MaxStates:
		return &limit.Early{End: limit.Reach(limit.Hit{Kind: limit.States, Most: h.opts.MaxStates})}
	case h.Looked%256 == 0:
		return h.pause()
	}
	return nil
}

// pause ends the hunt if it is cancelled, and reports progress.
func (h *hunter) pause() error {
	if h.ctx.Err() != nil {
		return &limit.Early{End: limit.Cancelled(h.ctx)}
	}
	if h.opts.Observer != nil && h.Looked-h.told > 1<<16 {
		h.told = h.Looked
		h.opts.Observer(limit.Progress{Depth: -1, States: h.Looked, Elapsed: time.Since(h.began)})
	}
	return nil
}

// finish ends the hunt with a play. Others may be much shorter, above all those that come back, so
// the hunt goes on for some time and keeps the shortest.
func (h *hunter) finish(p *line, cycle int) error {
	if h.until == 0 || len(p.actions) < len(h.best.actions) {
		h.best, h.Cycle = p.clone(), cycle
		more := h.Looked + 1_000
		if cycle > 0 {
			more = 3*h.Looked + 20_000
		}
		h.until = cmp.Or(h.until, h.Looked+more)
	}
	if h.Looked < h.until {
		return nil
	}
	return &limit.Early{End: limit.End{Stop: limit.Found, Reason: "a play was found"}}
}

// aim is a compiled Aim.
type aim struct {
	Aim
	goal, from, bad *residual.Predicate
}

func compile(a Aim, s *residual.Stepper) aim {
	return aim{a, s.Compile(a.Goal), s.Compile(a.BadStep.From), s.Compile(a.BadStep.Bad)}
}

// expand looks at the last state of a play and lists its steps. It ends the hunt if the play shows
// what is looked for. over says that the play cannot go on.
func (h *hunter) expand(p *line) (over bool, err error) {
	if err := h.look(); err != nil {
		return true, err
	}
	key := p.last(h.words)
	h.codec.Unpack(key, h.flat)
	live := h.flat.Outcome == rules.Live
	h.steps.Reset()
	if live {
		if err := h.stepper.Expand(key, &h.steps); err != nil {
			return true, err
		}
	}
	if h.aim.goal != nil {
		switch is, err := h.stepper.Holds(h.aim.goal, residual.View{Key: key}); {
		case err != nil:
			return true, err
		case is:
			return true, h.finish(p, 0)
		}
	}
	if err := h.badStep(p, key); err != nil {
		return true, err
	}
	n := len(p.actions)
	if h.aim.Beyond >= 0 && n > h.aim.Beyond {
		return true, h.finish(p, 0)
	}
	return len(h.steps.Actions) == 0 || h.aim.Within >= 0 && n == h.aim.Within, nil
}

// badStep looks for a bad step among those that were listed.
func (h *hunter) badStep(p *line, key []uint64) error {
	if h.aim.bad == nil || len(h.steps.Actions) == 0 {
		return nil
	}
	if h.aim.from != nil {
		if is, err := h.stepper.Holds(h.aim.from, residual.View{Key: key}); err != nil || !is {
			return err
		}
	}
	for i, a := range h.steps.Actions {
		if only := h.aim.BadStep.Actions; only != nil && !only[a] {
			continue
		}
		to := h.step(i)
		switch bad, err := h.stepper.Holds(h.aim.bad, residual.View{Key: to, Old: key}); {
		case err != nil:
			return err
		case bad:
			q := p.clone()
			q.add(a, to)
			return h.finish(&q, 0)
		}
	}
	return nil
}

// step is the key of the state that a listed step leads to.
func (h *hunter) step(i int) []uint64 { return h.steps.Keys[i*h.words : (i+1)*h.words] }
