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

// coder returns the coder for the parts of states that evidence keeps.
func (st *statement) coder(k *Kept) (coder, error) {
	kept, err := keptOf(st.sys, k)
	return coder{st.sys, kept}, err
}

// closedSet is a set of states, given by their kept parts, perhaps with a number for each. Each
// kind of evidence has its own conditions on the states and their numbers.
type closedSet struct {
	coder
	m       *partial.Machine
	reader  *partial.Reader
	states  []rules.State
	numbers []int          // by state; nil if the evidence has none
	member  map[string]int // by key: the index in states plus 1, so that 0 means no member
	key     []byte         // reused by keyOf
}

// lookEvery is the number of states between two checks of the context.
const lookEvery = 256

// newClosedSet returns a set of states, which must be sorted and without duplicates.
func newClosedSet(ctx context.Context, c coder, states []rules.State) (*closedSet, error) {
	if err := increasing(states); err != nil {
		return nil, err
	}
	m := partial.New(ctx, c.sys)
	set := &closedSet{coder: c, m: m, reader: m.Reader(), states: states, member: make(map[string]int, len(states))}
	var key []byte
	for i, s := range states {
		if i%lookEvery == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		key = partial.AppendState(key[:0], s, c.kept)
		set.member[string(key)] = i + 1
	}
	return set, nil
}

// readPacked reads a packed set, with a number for each state if numbered.
func readPacked(ctx context.Context, c coder, p *Packed, numbered bool) (*closedSet, error) {
	states, numbers, err := c.unpack(ctx, p, numbered)
	if err != nil {
		return nil, err
	}
	set, err := newClosedSet(ctx, c, states)
	if err == nil {
		set.numbers = numbers
	}
	return set, err
}

// each calls f with the index of each state and the state itself, whose parts that are not kept are
// unknown. The state is valid until f returns.
func (set *closedSet) each(ctx context.Context, f func(i int, at partial.State) error) error {
	var at partial.State
	for i, s := range set.states {
		if i%lookEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		set.m.BlurInto(&at, s, set.kept)
		if err := f(i, at); err != nil {
			return err
		}
	}
	return nil
}

// place returns the index of the state with the kept parts of s, or -1.
func (set *closedSet) place(s partial.State) (int, error) {
	key, err := set.keyOf(s)
	if err != nil {
		return -1, err
	}
	return set.member[string(key)] - 1, nil
}

// keyOf returns a key for the kept parts of s. It is valid until the next call.
func (set *closedSet) keyOf(s partial.State) ([]byte, error) {
	key, err := set.m.AppendKey(set.key[:0], s, set.kept)
	if err == nil {
		set.key = key
	}
	return key, err
}

// decided evaluates a condition of the claim. If its value depends on an unknown part, the error is
// a *NeedsSolver.
func (set *closedSet) decided(x *exec.Expr, s partial.State, old *partial.State) (bool, error) {
	holds, err := set.reader.Decide(x, s, old)
	if err != nil {
		return false, refuse.LeftOut(err, "the claim in %s", set.m.Text(s))
	}
	return holds, nil
}

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
