package cert

import (
	"context"

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
