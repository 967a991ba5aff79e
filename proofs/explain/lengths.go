package explain

import (
	"context"
	"errors"

	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/resolve"
	"github.com/mancheck/mancheck/rules/space"
)

// maxPlays is how many plays are counted again to tell them by their lengths.
const maxPlays = 1_000_000

// byLength counts plays again, by their numbers of moves.
func (b *builder) byLength(ctx context.Context, r *proofs.Result, p *resolve.Count) ([]Block, error) {
	if r.Inconclusive() || p.Moves < 1 {
		return nil, nil
	}
	if r.Stats.Transitions > maxPlays {
		return []Block{Para("Looked at: " + count(int(r.Stats.Transitions), "play") + " of this many moves or fewer.")}, nil
	}
	w := b.world(r.System)
	starts := func(ctx context.Context, yield func(rules.State) error) error { return space.Starts(ctx, w.in, yield) }
	counts, err := forward.Plays(ctx, r.System, starts, p.Moves, maxPlays)
	if errors.Is(err, forward.ErrPlays) {
		return nil, nil
	}
	return []Block{&Lengths{Counts: counts}}, err
}
