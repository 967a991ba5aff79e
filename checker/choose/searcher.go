package choose

import (
	"context"
	"fmt"

	"github.com/mancheck/mancheck/checker/value"
	"github.com/mancheck/mancheck/rules"
)

// Searcher chooses moves by looking ahead, as estimates and bounds tell. It serves one game after
// another, and one goroutine.
type Searcher struct {
	analyst *value.Analyst
	study   value.Study
}

// NewSearcher makes a Searcher for games with at most as many seeds as a start has. It learns to
// estimate first. Each move takes as much work as study says; with a limit on nodes alone, what it
// chooses depends on nothing else.
func NewSearcher(ctx context.Context, sys *rules.System, start rules.State, p value.Payoff, study value.Study, opts value.Options) (*Searcher, error) {
	a, err := value.NewAnalyst(ctx, sys, start, p, 0, opts)
	if err != nil {
		return nil, err
	}
	if err := a.Learn(ctx); err != nil {
		a.Close()
		return nil, err
	}
	return &Searcher{a, study}, nil
}

// Begin forgets what was found in the game before.
func (s *Searcher) Begin() { s.analyst.Forget() }

// Choose returns the action that is best by what it finds.
func (s *Searcher) Choose(ctx context.Context, st rules.State) (action int, err error) {
	found, err := s.analyst.Analyse(ctx, st, s.study)
	if err != nil {
		return 0, fmt.Errorf("looking ahead: %w", err)
	}
	return found.Line[0], ctx.Err()
}

// Close gives memory back.
func (s *Searcher) Close() { s.analyst.Close() }
