package endgame

import (
	"fmt"

	"github.com/mancheck/mancheck/checker/value"
)

// Play may go on for ever in a layer. The futures are found by retrograde analysis: moves are
// played once or twice, the steps within the layer are kept backward (steps.go), and everything
// else is done with numbers.
//
// Values are given here for the player to move, who wants them as great as possible. A
// play that stays in the layer wins nothing more, so it is worth 0 if it never ends.
//
// A position is decided as soon as all that its moves lead to is: it is worth the best of that. If
// that goes as far as it can, and nothing is left, then no play comes back to a position. What is
// left are the cyclic positions. For them this is done with win = t for t = T, T-1, ..., 1, each
// time until nothing changes:
//
//   - a position is decided as t when a move is known to be worth t;
//   - a position is decided as the best of its moves when they are all decided.
//
// T is the greatest worth of a move of a cyclic position that is known by then. When all is done
// the others are worth 0.
//
// The reason is that after the round for t all that is not decided is worth less than t and more
// than -t. Let U be these positions. A position of U has no known move worth t or more: after the
// round for t+1 it was none worth more than t, and it would have been decided if it were t. It has
// a move that is not decided, so to a position of U. So each player can always move within U, and
// if the other one leaves it, then with a move that is worth less than t to that one, so more than
// -t to this one. If nobody does, play is worth 0. Both players can therefore force more than -t.
// Before the first round that is so for T+1. In the round for t, if a move is known to be worth t,
// then no other one is worth more: known ones are not, and others lead to U, where nothing is worth
// more than t. Last, after the round for 1 all of U is worth 0.
//
// What is decided in a round does not depend on the order: each decision stays right when more is
// known, and is made sooner or later. So the table is the same for any number of threads.
//
// A position without a future makes all before it positions without a future, whatever else is
// known. That comes first, as they are all found where nothing is cyclic.

// cycles finds the futures of the positions of a layer that are pending.
func (b *builder) cycles(l *layer, out *Layer) error {
	g, err := b.newGraph(l, out)
	if err != nil {
		return err
	}
	defer g.free()
	if err := g.build(); err != nil {
		return err
	}
	if err := g.close(never); err != nil {
		return err
	}
	out.Cyclic = g.remaining.Load() * l.images
	if out.Cyclic > 0 && !b.positions.EndlessWinsNothing() {
		if err := g.finish(mark(pending)); err != nil {
			return err
		}
		return b.refuse(l)
	}
	most, err := g.bestPending()
	for win := most; win > 0 && err == nil && g.remaining.Load() > 0; win-- {
		err = g.close(win)
		g.observe(fmt.Sprintf("%+d", win))
	}
	if err != nil {
		return err
	}
	return g.finish(0)
}

// close decides positions until nothing changes.
func (g *graph) close(win int8) error {
	for {
		if err := g.wins(win); err != nil {
			return err
		}
		if err := g.drain(win); err != nil {
			return err
		}
		if g.again.Load() == 0 || !g.fresh.Swap(false) {
			return nil
		}
		if err := g.replay(win); err != nil {
			return err
		}
		if !g.fresh.Load() {
			return nil
		}
	}
}

// refuse says why there is no table, with a position of the rest.
func (b *builder) refuse(l *layer) error {
	var refusal *CycleError
	l.eachRange(func(first, end uint64) {
		for i := first; i < end && refusal == nil; i++ {
			if b.futures[i] == mark(pending) {
				refusal = Refusal(b.positions, b.payoff, l.seeds, i)
			}
		}
	})
	return refusal
}

// Refusal says why there is no table, with the position of a rank, from which play may go on for
// ever.
func Refusal(positions *value.Positions, p value.Payoff, seeds int, rank uint64) *CycleError {
	e := &CycleError{Seeds: seeds, Reason: "the rules do not say what that is worth"}
	switch {
	case p.Endless == value.Even:
		e.Reason = "that is worth 0 whatever has been won, so what is still won depends on it"
	case p.Endless == value.AsScored:
		e.Reason = "the score counts seeds in play, so it is not clear what that is worth"
	}
	key := make([]uint64, positions.Words())
	positions.Unrank(rank, key)
	e.State = positions.State(key)
	return e
}

// MemoryError says that a table, with what is needed while it is built, is larger than the memory
// allowed.
type MemoryError struct {
	Seeds int
	Need  uint64
	Have  int64
}

func (e *MemoryError) Error() string {
	return fmt.Sprintf("a table of positions with up to %d seeds in play takes %d bytes, and %d are allowed", e.Seeds, e.Need, e.Have)
}
