package cert

import (
	"context"

	"github.com/mancheck/mancheck/proofs/cert/internal/listing"
	"github.com/mancheck/mancheck/proofs/cert/internal/partial"
	"github.com/mancheck/mancheck/rules"
)

// Layouts lists the boards that may satisfy the setup of a System without open parameters, before
// the endings are looked at, as long as no more than so many possibilities have to be tried. It is
// the checker's own listing, and not that of rules/space: who needs a second opinion on the starts
// may use it, too. The error is a *NeedsSolver if the boards are not finitely many, as far as can
// be seen, the context's, or that of yield.
func Layouts(ctx context.Context, sys *rules.System, limit int, yield func(rules.State) error) error {
	return layouts(ctx, partial.New(sys), limit, func(raw partial.State) error {
		s := sys.EmptyStart()
		for p, v := range raw.Seeds {
			s.Seeds[p], _ = v.Is()
		}
		return yield(s)
	})
}

func layouts(ctx context.Context, m *partial.Machine, limit int, yield func(partial.State) error) error {
	sys := m.System()
	start := m.Empty()
	for p, free := range sys.Start.Free {
		if free {
			start.Seeds[p] = partial.AtLeast(0, "`"+sys.Pits[p].Name+"`")
		}
	}
	l := listing.Listing{
		Machine: m, Base: start, Pits: sys.Start.Free, Vars: make([]bool, len(sys.Vars)), Limit: limit,
		Conditions: []listing.Condition{{X: sys.Start.Cond, Mover: start.Mover, Outcome: rules.Live}},
	}
	return unlisted(l.Each(ctx, yield), "starts")
}
