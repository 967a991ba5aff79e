package forward

import (
	"context"
	"errors"
	"slices"

	"github.com/mancheck/mancheck/checker/game"
	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/internal/limit"
)

// Termination, if the graph does not fit in memory. The levels are files, and states stay in a
// level even if earlier levels have them. So level n has the states that some play reaches after
// exactly n moves. If every play ends, some level is empty, and the longest play leads to the level
// before it. Otherwise levels repeat at some time, because each determines the next and there are
// finitely many. And if a level that is not empty equals an earlier one, some play never ends.

// repetition is an error that ends the search: level again equals level first.
type repetition struct{ first, again int }

func (*repetition) Error() string { return "a level repeats" }

// lookForRepetition compares the current level with the one whose number is the greatest power of
// two below it. This finds a repetition with few comparisons; see R. P. Brent, "An improved Monte
// Carlo factorization algorithm" (BIT 20, 1980).
func (k *onDisk) lookForRepetition() error {
	s := k.search
	if s.depth < 2 {
		return nil
	}
	first := 1
	for 2*first < s.depth {
		first *= 2
	}
	same, err := k.Same(first, s.depth)
	switch {
	case err != nil && s.ctx.Err() != nil:
		return s.cancelled(s.total.Load())
	case err != nil:
		return err
	case same:
		return &repetition{first, s.depth}
	}
	return nil
}

// terminatesOnDisk is Terminates with the states in files.
func terminatesOnDisk(ctx context.Context, r game.Rules, starts Starts, opts Options) (t *Termination, err error) {
	opts.Whole = true
	res, err := SearchGame(ctx, r, starts, Query{}, opts)
	if err != nil {
		return nil, err
	}
	t = &Termination{End: res.End, Stats: res.Stats}
	if res.Stop != limit.Complete {
		return t, nil
	}
	opts.walks, opts.MaxStates = true, 0 // levels share states, so their sum is no number of states
	s := newSearch(ctx, r, starts, Query{}, opts)
	defer s.close(&err)
	err = s.explore()
	repeats := (*repetition)(nil)
	switch {
	case errors.As(err, &repeats):
		t.Lasso, err = s.lassoFrom(repeats)
	case err == nil && s.end.Stop != limit.Complete:
		t.End = s.end
	case err == nil:
		t.Ends = true
		t.Longest, err = s.longest()
	}
	if err = t.Take(err); t.Stop != limit.Complete {
		return &Termination{End: t.End, Stats: t.Stats}, err
	}
	return t, err
}

// longest returns a play to the first state of the last level that has any.
func (s *search) longest() (*Trace, error) {
	last := len(s.sizes) - 2 // the last one is empty
	if last < 0 {
		return nil, nil
	}
	key, err := s.firstOf(last)
	if err != nil {
		return nil, err
	}
	return s.traceTo(key, last)
}

// firstOf returns the least key of a level.
func (s *search) firstOf(level int) ([]uint64, error) {
	pieces := s.states.Pieces(level)
	if err := s.failure(); err != nil {
		return nil, err
	}
	keys := s.states.Read(0, pieces[0], nil)
	if err := s.failure(); err != nil {
		return nil, err
	}
	return slices.Clone(keys[:s.codec.Words()]), nil
}

// lassoFrom returns an infinite play. From a state of the level that repeats it goes back, again
// and again between the two equal levels, until a state occurs twice, and from there to a start.
func (s *search) lassoFrom(r *repetition) (*Lasso, error) {
	key, err := s.firstOf(r.again)
	if err != nil {
		return nil, err
	}
	path, seen := [][]uint64{key}, map[string]int{}
	level := r.again
	for {
		if level == r.first {
			level = r.again
		}
		name := pack.Text(key)
		if at, again := seen[name]; again {
			cycle := slices.Clone(path[at:])
			slices.Reverse(cycle)
			stem, err := s.keysTo(cycle[0], level)
			if err != nil {
				return nil, err
			}
			return s.lasso(stem, cycle)
		}
		seen[name] = len(path) - 1
		level--
		if key, err = s.before(key, level); err != nil {
			return nil, err
		}
		path = append(path, key)
	}
}
