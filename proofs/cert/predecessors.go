package cert

import (
	"context"

	"github.com/mancheck/mancheck/proofs/cert/internal/partial"
	"github.com/mancheck/mancheck/proofs/cert/internal/preimage"
	"github.com/mancheck/mancheck/proofs/cert/internal/refuse"
)

// allPredecessors shows that every step into the set begins in the set or in an excluded state: the
// other states in which it might begin are played forward, and must not lead into the set.
func (b *backwardSet) allPredecessors(ctx context.Context) error {
	back := b.Search()
	back.Each = func(s partial.State, key []byte) error {
		if err := b.isClosed(back, s, key); err != nil {
			return err
		}
		return ctx.Err()
	}
	if err := b.intoAll(back); err != nil {
		return err
	}
	b.report.checked("states from which a step into the set might begin, all in the set or without such a step", back.Tried)
	return nil
}

// intoAll goes back from all states of the set.
func (b *backwardSet) intoAll(back *preimage.Search) error {
	for i, t := range b.states {
		back.Number = i + 1
		if err := back.Into(t); err != nil {
			return err
		}
	}
	return nil
}

// isClosed fails if s is not in the set, not excluded, and has a step to the state.
func (b *backwardSet) isClosed(back *preimage.Search, s partial.State, key []byte) error {
	if b.member[string(key)] > 0 {
		return nil
	}
	if b.excluded(s) {
		if b.spared != nil {
			b.spared(s, back.Action)
		}
		return nil
	}
	to, may, err := back.Leads(s)
	if err != nil || !may {
		return err
	}
	if _, err := b.m.Key(to, b.kept); err != nil {
		return refuse.LeftOut(err, "the move `%s` from %s", b.sys.ActionName(back.Action), b.m.Text(s))
	}
	return reject("the set is not closed: the move `%s` leads from %s, which is not in it, to its state %d %s",
		b.sys.ActionName(back.Action), b.m.Text(s), back.Number, b.m.Text(to))
}
