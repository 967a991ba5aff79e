package forward

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/mancheck/mancheck/checker/game"
	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/checker/store"
	"github.com/mancheck/mancheck/internal/file"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/rules"
)

// Search explores the states that are reachable from the starts. Reaching a limit or the goal is a
// result. An error is a *PlayError for a fault of the rules, or an error of starts.
func Search(ctx context.Context, sys *rules.System, starts Starts, q Query, opts Options) (*Result, error) {
	return SearchGame(ctx, game.Of(ctx, sys), starts, q, opts)
}

// SearchGame is Search for any game. The starts are states of its shape.
func SearchGame(ctx context.Context, rules game.Rules, starts Starts, q Query, opts Options) (*Result, error) {
	begin := func(opts Options) *search {
		s := newSearch(ctx, rules, starts, q, opts)
		s.reducible, s.tryRows = q.BadStep == nil && !opts.Whole, someStates
		return s
	}
	s := begin(opts)
	began, full := s.began, (*Result)(nil)
	for {
		r, err := s.once()
		again, all := (*reducible)(nil), (*swept)(nil)
		switch {
		case errors.As(err, &all):
			return all.result, nil
		case errors.As(err, &again):
			s = begin(s.opts)
			s.looked, s.quotient = true, again.quotient
		case err == nil && r.Hits(limit.Memory) && s.folder != "" && s.keeper == nil:
			full = r
			opts.Disk = s.folder
			s = begin(opts)
		case errors.Is(err, file.ErrLocked) && full != nil: // another search uses the folder
			return full, nil
		default:
			return r, err
		}
		s.began = began
	}
}

// once runs the search. It fails with a *reducible if the search can begin anew with fewer states.
func (s *search) once() (r *Result, err error) {
	defer s.close(&err)
	if err = s.explore(); err != nil {
		return nil, err
	}
	if r, err = s.result(); err != nil {
		return nil, err
	}
	if q := s.asked; q.States && s.end.Stop == limit.Complete && (q.MostListed == 0 || r.Stats.States <= q.MostListed) {
		r.States, r.Moves = s.allStates()
	}
	return r, nil
}

// explore runs the search level by level. It leaves the reason for its end in s.end, or returns an
// error.
func (s *search) explore() error {
	err := s.addStarts()
	for err == nil {
		if err = s.nextLevel(); err != nil || s.size() == 0 {
			break
		}
		if s.opts.walks {
			if err = s.keeper.lookForRepetition(); err != nil {
				break
			}
		}
		if err = s.lookForSymmetries(s.total.Load()); err == nil {
			err = byRows{s}.try()
		}
		if err == nil {
			err = s.level()
		}
	}
	if err == nil && s.stuckSteps.recording {
		s.stuckSteps.resolve()
	}
	if err = s.end.Take(err); err == nil && s.keeper != nil {
		err = s.end.Take(s.keeper.stuckOnDisk())
	}
	return err
}

// nextLevel makes the next level the current one, unless the search was resumed within a level.
func (s *search) nextLevel() error {
	if s.resumed {
		s.resumed = false
		return nil
	}
	s.blocks = s.states.Level()
	s.closed += s.size()
	s.depth = len(s.sizes)
	s.sizes = append(s.sizes, s.total.Load()-s.closed)
	s.taken = s.bytes()
	switch {
	case s.keeper == nil:
		return nil
	case s.size() == 0:
		return s.keeper.checkpoint(0)
	}
	return s.keeper.checkpointSometimes(0)
}

// addStarts stores the starts, which are the first level. What depends on them is made here: the
// codec, the store, and the workers.
func (s *search) addStarts() error {
	g := &gathered{base: &s.base, minSeeds: -1, fixed: true, flat: pack.NewFlat(s.sys)}
	if err := g.widen(0); err != nil {
		return err
	}
	err := g.addAll(func() error {
		if s.total.Store(int64(g.set.Len())); s.ctx.Err() != nil {
			return s.cancelled(s.total.Load())
		}
		s.reportSometimes()
		return nil
	})
	n := g.set.Len()
	s.codec, s.firsts, s.listed, s.maxSeeds = g.codec, g.set, int64(n), g.maxSeeds
	if err == nil && s.opts.Spill != "" && s.opts.Disk == "" {
		err = s.findFolder()
	}
	if err == nil {
		err = s.lookForSymmetries(s.listed)
	}
	if err == nil && s.ctx.Err() != nil { // possibly before all symmetries were found
		err = s.cancelled(s.listed)
	}
	if err == nil && s.opts.Disk != "" {
		err = s.openDisk()
	}
	if s.keeper == nil {
		fixed := s.rules.Keeps().All() && g.fixed && g.minSeeds == g.maxSeeds
		s.states = store.New(s.codec, g.maxSeeds, fixed, store.Options{
			Workers: s.opts.Workers(), MaxMemory: s.opts.MaxMemory, Kind: s.opts.set, Tiny: s.opts.tiny,
		})
	}
	p, failed := newPlayer(&s.base, s.played(), s.codec)
	if failed != nil {
		return failed
	}
	s.player = p
	for i := range s.opts.Workers() {
		w, err := newWorker(s, i, s.codec)
		if err != nil {
			return err
		}
		s.workers = append(s.workers, w)
	}
	s.total.Store(int64(n))
	if err != nil {
		return err
	}
	firsts := s.firsts
	if !s.asked.fromStart {
		s.firsts = nil
	}
	if s.keeper != nil && s.keeper.Levels() > 0 {
		return s.keeper.resume()
	}
	var added int64
	for i := 0; i < n; {
		keys := firsts.From(i, min(n, i+store.BlockStates))
		i += len(keys) / s.codec.Words()
		if c := s.workers[0].classes; c != nil {
			keys = slices.Clone(keys)
			c.Represent(keys)
		}
		_, fresh := s.states.Add(0, keys, false)
		added += int64(fresh)
	}
	s.total.Store(added)
	if err := s.settle(); err != nil {
		return err
	}
	s.workers[0].tell()
	return s.ended()
}

// level examines all states of the current level and finds those of the next one. At the limit on
// moves it finds no next level.
func (s *search) level() error {
	size := s.size()
	if s.asked.Goal != nil && !s.asked.goalStuck && s.begin == 0 {
		s.run(s.blocks, size, func(w *worker, i int) { w.checkGoal(s.states.Current(w.number, i)) })
		if err := s.ended(); err != nil {
			return err
		}
	}
	last, before := s.opts.MaxDepth > 0 && s.depth == s.opts.MaxDepth, s.figures().Live
	for s.begin < s.blocks && !s.quit.Load() {
		from := s.begin
		s.begin = s.blocks
		if s.keeper != nil {
			s.begin = s.keeper.pauseAfter(from)
		}
		s.run(s.begin-from, size, func(w *worker, i int) {
			block := s.states.Current(w.number, from+i)
			w.expand(block, last)
			s.states.Release(w.number, block)
		})
		if s.keeper != nil && s.begin < s.blocks && !last {
			if err := s.keeper.checkpointSometimes(s.begin); err != nil {
				return err
			}
		}
	}
	s.begin = 0
	if !s.quit.Load() {
		if err := s.settle(); err != nil {
			return err
		}
	}
	if !s.quit.Load() && !s.wideState.Load() {
		s.done++
	}
	s.stuckSteps.count(s.depth, !last)
	s.earlier = [2]int64{s.sofar.transitions.Load(), s.earlier[0]}
	if err := s.ended(); err != nil {
		return err
	}
	s.report()
	if last && s.figures().Live > before {
		why := fmt.Sprintf("plays of more than %d moves were not examined", s.depth)
		return &limit.Early{End: limit.End{Stop: limit.DepthLimit, Reason: why}}
	}
	return nil
}
