package cert

import (
	"context"

	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/proofs/cert/internal/listing"
	"github.com/mancheck/mancheck/proofs/cert/internal/partial"
	"github.com/mancheck/mancheck/proofs/cert/internal/refuse"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/exec"
)

// Layouts calls yield for the boards that may satisfy the setup of a System without open
// parameters, before reactions settle them. It tries at most limit possibilities. It is the
// checker's own listing, independent of rules/space, and also serves as a second opinion on the
// starts. The error is a *NeedsSolver if there seem to be infinitely many boards, the context's, or
// that of yield.
func Layouts(ctx context.Context, sys *rules.System, limit int, yield func(rules.State) error) error {
	return layouts(ctx, partial.New(ctx, sys), limit, func(raw partial.State) error {
		return yield(raw.Numbers())
	})
}

// eachStart calls yield for each start, and for some starts more than once.
func eachStart(ctx context.Context, m *partial.Machine, limit int, yield func(partial.State) error) error {
	return eachSettled(ctx, m, limit, func(_, s partial.State) error { return yield(s) })
}

// eachSettled calls yield for each board that the setup lays out, with the start that it becomes.
func eachSettled(ctx context.Context, m *partial.Machine, limit int, yield func(raw, s partial.State) error) error {
	reader, setup := m.Reader(), exec.ReadExpr(m.System().Start.Cond)
	return layouts(ctx, m, limit, func(raw partial.State) error {
		switch is, err := reader.Decide(setup, raw, nil); {
		case err != nil:
			return refuse.LeftOut(err, "the setup for the board %s", m.Text(raw))
		case !is:
			return nil
		}
		s, err := m.Settle(raw)
		if err != nil {
			return refuse.LeftOut(err, "the start %s", m.Text(raw))
		}
		return yield(raw, s)
	})
}

// layouts lists the boards with any number of seeds in the free pits, narrowed by the setup's
// conditions.
func layouts(ctx context.Context, m *partial.Machine, limit int, yield func(partial.State) error) error {
	return boards(ctx, m, m.System().Start.Free, m.Empty(), limit, yield)
}

// boards lists those that are as base but for the open pits, which have any number of seeds.
func boards(ctx context.Context, m *partial.Machine, open []bool, base partial.State, limit int, yield func(partial.State) error) error {
	sys := m.System()
	for p := range lists.Marked(open) {
		base.Seeds[p] = partial.AtLeast(0, partial.PartName(sys.Pits[p].Name))
	}
	l := listing.Listing{
		Machine: m, Base: base, Pits: open, Vars: make([]bool, len(sys.Vars)), Limit: limit,
		Conditions: []listing.Condition{{X: sys.Start.Cond, Mover: base.Mover, Outcome: rules.Live}},
	}
	return refuse.Unlisted(l.Each(ctx, yield), "starts")
}
