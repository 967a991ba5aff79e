package rows

import (
	"context"
	"errors"

	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/checker/plan"
	"github.com/mancheck/mancheck/checker/residual"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/rules"
)

// Sample explores about so many states by rows, those with most seeds in the territories first,
// whether that is fast or not. The error is as that of Explore.
func Sample(ctx context.Context, sys *rules.System, starts []rules.State, most int64, b limit.Bounds) (*Sampled, error) {
	q := Query{System: sys, Bounds: b}
	for _, st := range starts {
		q.Seeds = max(q.Seeds, st.Total())
	}
	var err error
	if q.Codec, err = pack.NewCodec(sys, q.Seeds, rules.Parts{}); err != nil {
		return nil, err
	}
	q.Steppers = []*residual.Stepper{residual.New(ctx, sys, q.Codec)}
	flat := pack.NewFlat(sys)
	for _, st := range starts {
		flat.Set(st)
		key := make([]uint64, q.Codec.Words())
		if err := q.Codec.Pack(flat, key); err != nil {
			return nil, err
		}
		q.Starts = append(q.Starts, key)
	}
	s, err := newSweep(ctx, q)
	if err != nil {
		return nil, err
	}
	s.sampled = &Sampled{most: most, Actions: make([]Played, len(sys.Actions))}
	if err := s.run(); err != nil && !errors.Is(err, errSampled) {
		return nil, s.unfit(err)
	}
	s.sampled.Territories, _ = plan.Divide(sys)
	s.workers[0].report()
	s.sampled.States, s.sampled.Rows = s.total.States, s.total.played
	return s.sampled, nil
}
