package sharded

import (
	"context"
	"slices"

	"github.com/mancheck/mancheck/checker/phase"
	"github.com/mancheck/mancheck/internal/lists"
)

// levelBlocks returns the blocks of a level. It caches them.
func (s *Search) levelBlocks(ctx context.Context, st *state, depth int) ([]phase.Block, error) {
	number := st.At[depth]
	s.mu.Lock()
	list, known := s.levels[number]
	s.mu.Unlock()
	if known {
		return list, nil
	}
	p, err := s.history(ctx, number)
	if err != nil {
		return nil, err
	}
	list = news(depth, p.Results)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.levels[number] = list
	return list, nil
}

// allLevels returns the blocks of all levels.
func (s *Search) allLevels(ctx context.Context, st *state) ([][]phase.Block, error) {
	var levels [][]phase.Block
	for depth := range st.Sizes {
		list, err := s.levelBlocks(ctx, st, depth)
		if err != nil {
			return nil, err
		}
		levels = append(levels, list)
	}
	return levels, nil
}

// Keep implements phase.Keeper. The levels stay, since they are the evidence.
func (s *Search) Keep(ctx context.Context, p *phase.Phase) (map[string]bool, error) {
	st := phase.Decode[state](p.State)
	levels, err := s.allLevels(ctx, &st)
	if err != nil {
		return nil, err
	}
	keep := slices.Concat(levels...)
	if p.Name == expandPhase || p.Name == mergePhase {
		keep = append(keep, lists.Flat(st.Known, func(r run) []phase.Block { return r.Blocks })...)
	}
	if p.Name == confirmPhase { // the next phase needs the stuck states
		keep = append(keep, lists.Flat(p.Results, func(r phase.Result) []phase.Block { return r.Outputs })...)
	}
	return phase.Hashes(keep), nil
}

// Checks implements phase.Prover.
func (s *Search) Checks(p *phase.Phase) bool {
	return p.Name == recheckPhase || p.Name == confirmPhase || p.Name == stuckPhase
}
