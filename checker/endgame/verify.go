package endgame

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
)

// Verification says what of a table was checked.
type Verification struct {
	Positions uint64 // whose futures were derived again
	NoFuture  uint64 // positions among these without a future
	// Followed is the number of positions in layers with moves to boards of equal or higher
	// numbers. There futures were followed to where they come from (reasons). In other layers each
	// is the best that the moves lead to, and no move leads back.
	Followed uint64
	Sampled  bool // not all positions were checked
	Elapsed  time.Duration
}

// Add adds what was found in a layer or a part of it. back says that a move of the layer leads to a
// board of an equal or higher number.
func (v *Verification) Add(c Counts, back bool) {
	v.Positions += c.Positions
	v.NoFuture += c.NoFuture
	if back {
		v.Followed += c.Positions
	}
}

// WrongError is an entry of a table that is not what the rules say.
type WrongError struct {
	State      rules.State
	Have, Want int // futures, or value.NoFuture; the same if moves with this future lead in a circle
}

func (e *WrongError) Error() string {
	if e.Have == e.Want {
		return fmt.Sprintf("the table says %s, and the moves for that lead in a circle", futureWords(e.Have))
	}
	return fmt.Sprintf("the table says %s and the rules %s", futureWords(e.Have), futureWords(e.Want))
}

func futureWords(v int) string {
	switch v {
	case noFuture:
		return "that the future is not known"
	case pending:
		return "that play may go on for ever"
	}
	return fmt.Sprintf("%+d", v)
}

// VerifyOptions bound the work of Verify.
type VerifyOptions struct {
	limit.Bounds        // only Threads applies
	Sample       uint64 // positions drawn; 0: all
	Observer     func(limit.Progress)
}

// Verify derives futures again. The moves are played by the reference interpreter; the search plays
// with other code. What both share is the numbering of positions and the division of states into
// positions and sinks. The error is a *WrongError if an entry is wrong.
//
// All positions are checked, also those that have the entries of their images. So nothing rests on
// the symmetry.
//
// Of a sample each future is compared with the best that the moves lead to, by the table. If play
// may go on for ever that does not prove it.
func Verify(ctx context.Context, t *Table, opts VerifyOptions) (*Verification, error) {
	v := &verifier{Table: t, began: time.Now(), opts: opts, workers: t.checkers(ctx, opts.Workers())}
	var err error
	if opts.Sample > 0 && opts.Sample < t.Positions() {
		err = v.sample(ctx)
	} else {
		err = v.all(ctx)
	}
	v.Elapsed = time.Since(v.began)
	return &v.Verification, err
}

type verifier struct {
	*Table
	Verification
	opts    VerifyOptions
	workers []*checker
	began   time.Time
}

// checker is a worker that plays with the reference interpreter.
type checker struct {
	*worker
	in       *interp.Interp
	ranks    []uint64 // of the positions of the layer that moves lead to
	futures  []int    // of the same positions, by the table
	worth    int      // the best of the other moves; pending if there are none
	claims   []byte   // of the unit, for reasons
	last     uint64   // the place in the last of the claims
	rests    []uint64
	checked  uint64
	unknown  uint64
	backward bool // a move within the layer does not lead to a lower board
}

// checkers returns so many checkers.
func (t *Table) checkers(ctx context.Context, n int) (list []*checker) {
	for range n {
		list = append(list, &checker{worker: newWorker(ctx, t), in: interp.New(t.sys).Within(ctx)})
	}
	return list
}

// all checks layer after layer.
func (v *verifier) all(ctx context.Context) error {
	for s := range v.Seeds() + 1 {
		l := v.whole(s)
		if err := v.layerOf(ctx, l, v.layers[s].Cyclic > 0); err != nil {
			return err
		}
		if v.opts.Observer != nil {
			v.opts.Observer(limit.Progress{Depth: s, States: int64(v.Verification.Positions), Elapsed: time.Since(v.began)})
		}
	}
	return nil
}

// layerOf checks a layer. cyclic says that play probably comes back: moves are played again if that
// turns out to be so although cyclic is false.
func (v *verifier) layerOf(ctx context.Context, l *layer, cyclic bool) error {
	r, a, err := l.derive(ctx, v.workers, 0, l.units(), cyclic)
	if err == nil && a.Backward && r == nil {
		return v.layerOf(ctx, l, true)
	}
	if v.Add(a, a.Backward); !a.Backward || err != nil {
		return err
	}
	if _, err := r.settle(ctx, v.workers, 0, l.units()); err != nil {
		return err
	}
	if wrong := r.circle(v.workers[0]); wrong != nil {
		return wrong
	}
	return nil
}

// derive checks the positions of some units. If follow is set, it also collects their claims.
func (l *layer) derive(ctx context.Context, workers []*checker, from, to int, follow bool) (r *reasons, _ Counts, err error) {
	if follow {
		r = newReasons(l)
	}
	err = share(ctx, workers, to-from, func(_ context.Context, c *checker, i int) error { return c.checkUnit(l, r, from+i) })
	return r, checked(workers), err
}

// checked adds up what checkers have done.
func checked(workers []*checker) (n Counts) {
	for _, c := range workers {
		n.Positions += c.checked
		n.NoFuture += c.unknown
		n.Backward = n.Backward || c.backward
		c.checked, c.unknown, c.backward = 0, 0, false
	}
	return n
}

// sample checks some positions.
func (v *verifier) sample(ctx context.Context) error {
	v.Sampled = true
	random := rand.New(rand.NewPCG(1, v.Table.Positions()))
	c := v.workers[0]
	for range v.opts.Sample {
		rank := random.Uint64N(v.Table.Positions())
		c.positions.Unrank(rank, c.key)
		l := v.whole(c.positions.State(c.key).Total())
		if err := cmp.Or(ctx.Err(), c.check(l, nil, rank, c.key)); err != nil {
			return err
		}
	}
	v.Add(checked(v.workers), false)
	return nil
}

// checkUnit checks the positions of a unit.
func (c *checker) checkUnit(l *layer, r *reasons, unit int) error {
	c.claims, c.last = c.claims[:0], 0
	err := c.each(l, unit, func(rank uint64, key []uint64) error { return c.check(l, r, rank, key) })
	if r != nil {
		r.open[unit] = slices.Clone(c.claims)
	}
	return err
}

// check compares the future of a position with the best that its moves lead to.
func (c *checker) check(l *layer, r *reasons, rank uint64, key []uint64) error {
	if err := c.play(l, key); err != nil {
		return err
	}
	maximizing := c.positions.Maximizes(key)
	want := c.worth
	for i, to := range c.ranks {
		want = better(maximizing, want, c.futures[i])
		c.backward = c.backward || l.board(to) >= l.board(rank)
	}
	c.checked++
	if want == noFuture {
		c.unknown++
	}
	if have := l.futureOf(c.worker, key); have != want || have == pending {
		return &WrongError{c.positions.State(key), have, want}
	}
	if r != nil {
		r.add(c, l.number(rank), maximizing, want)
	}
	return nil
}

// futureOf returns the future of a position by the table.
func (l *layer) futureOf(w *worker, key []uint64) int {
	w.entries = w.positions.Find(key, w.entries[:0])
	return int(l.future(w.entries[0]))
}

// better is the better of two futures: none if one is noFuture, and otherwise the other one if one
// is pending.
func better(maximizing bool, a, b int) int {
	switch {
	case a == noFuture || b == noFuture:
		return noFuture
	case a == pending:
		return b
	case b == pending:
		return a
	case maximizing:
		return max(a, b)
	}
	return min(a, b)
}

// play finds what the moves of a position lead to.
func (c *checker) play(l *layer, key []uint64) error {
	st := c.positions.State(key)
	c.ranks, c.futures, c.worth = c.ranks[:0], c.futures[:0], pending
	steps, err := c.in.Steps(st)
	if errors.As(err, new(*interp.RuleError)) || err == nil && len(steps) == 0 {
		c.worth = noFuture
		return nil
	}
	if err != nil {
		return err
	}
	maximizing := c.positions.Maximizes(key)
	for _, s := range steps {
		v, in, err := c.worthOf(l, s.To)
		if err != nil {
			return err
		}
		if !in {
			c.worth = better(maximizing, c.worth, v)
		}
	}
	if c.worth == noFuture {
		c.ranks, c.futures = c.ranks[:0], c.futures[:0]
	}
	return nil
}

// worthOf returns what a move to a state is worth, or notes its rank if it is in the layer.
func (c *checker) worthOf(l *layer, to rules.State) (v int, in bool, err error) {
	key, err := c.positions.Key(to)
	if err != nil {
		return 0, false, err
	}
	if !to.Live() {
		v, ok, err := c.positions.Ended(key)
		if !ok {
			v = noFuture
		}
		return v, false, err
	}
	rank := c.positions.Ranks(key, nil)[0]
	v = l.futureOf(c.worker, key)
	if l.board(rank) >= l.first {
		c.ranks, c.futures = append(c.ranks, rank), append(c.futures, v)
		return 0, true, nil
	}
	if v != noFuture {
		v += c.positions.Won(key)
	}
	return v, false, nil
}
