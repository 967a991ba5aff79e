package endgame

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"time"

	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
)

// Verification says what of a table was checked.
type Verification struct {
	Positions uint64 // whose futures were derived again
	NoFuture  uint64 // of these
	// Iterated is the number of positions in layers with moves to boards of equal or higher
	// numbers. All futures of such a layer were derived again from those of lower layers alone. In
	// other layers each is the best that the moves lead to, and no move leads back.
	Iterated uint64
	Sampled  bool // not all positions were checked
	Elapsed  time.Duration
}

// WrongError is an entry of a table that is not what the rules say.
type WrongError struct {
	State      rules.State
	Have, Want int // futures, or value.NoFuture
}

func (e *WrongError) Error() string {
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
	Sample   uint64 // positions drawn; 0: all
	Threads  int    // 0: as many as there are processors
	Observer func(Progress)
}

// Verify derives futures again. The moves are played by the reference interpreter; the search plays
// with other code. What both share is the numbering of positions and the division of states into
// positions and sinks. The error is a *WrongError if an entry is wrong.
//
// Of a sample each future is compared with the best that the moves lead to, by the table. If play
// may go on for ever that does not prove it.
func Verify(ctx context.Context, t *Table, opts VerifyOptions) (*Verification, error) {
	v := &verifier{Table: t, began: time.Now(), opts: opts}
	for range cmp.Or(opts.Threads, runtime.GOMAXPROCS(0)) {
		w := newWorker(ctx, t)
		v.workers = append(v.workers, &checker{worker: w, in: interp.New(t.sys).Within(ctx)})
	}
	var err error
	if opts.Sample > 0 && opts.Sample < t.Len() {
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
	worth    int      // the best of the other moves; pending if there are none
	checked  uint64
	unknown  uint64
	backward bool // a move within the layer does not lead to a lower board
}

// all checks layer after layer.
func (v *verifier) all(ctx context.Context) error {
	var workers []*worker
	of := map[*worker]*checker{}
	for _, c := range v.workers {
		workers, of[c.worker] = append(workers, c.worker), c
	}
	for s := range v.Seeds() + 1 {
		l := v.layer(s)
		err := l.sweep(ctx, workers, func(w *worker, unit int) error {
			return w.each(l, unit, func(rank uint64, key []uint64) error { return of[w].check(l, rank, key) })
		})
		if err != nil {
			return err
		}
		if v.count() {
			if err := v.iterated(ctx, l); err != nil {
				return err
			}
		}
		if v.opts.Observer != nil {
			v.opts.Observer(Progress{Seeds: s, Positions: v.Positions, Elapsed: time.Since(v.began)})
		}
	}
	return nil
}

// count adds up what the workers did, and reports whether a move was not to a lower board.
func (v *verifier) count() bool {
	backward := false
	for _, c := range v.workers {
		v.Positions += c.checked
		v.NoFuture += c.unknown
		backward = backward || c.backward
		c.checked, c.unknown, c.backward = 0, 0, false
	}
	return backward
}

// sample checks some positions.
func (v *verifier) sample(ctx context.Context) error {
	v.Sampled = true
	random := rand.New(rand.NewPCG(1, v.Len()))
	c := v.workers[0]
	for range v.opts.Sample {
		rank := random.Uint64N(v.Len())
		c.positions.Unrank(rank, c.key)
		l := v.layer(c.positions.State(c.key).Total())
		if err := cmp.Or(ctx.Err(), c.check(l, rank, c.key)); err != nil {
			return err
		}
	}
	v.count()
	return nil
}

// check compares the future of a position with the best that its moves lead to.
func (c *checker) check(l *layer, rank uint64, key []uint64) error {
	if err := c.play(l, key); err != nil {
		return err
	}
	maximizing := c.positions.Maximizes(key)
	want := c.worth
	for _, r := range c.ranks {
		want = better(maximizing, want, int(int8(l.futures[r])))
		c.backward = c.backward || l.board(r) >= l.board(rank)
	}
	c.checked++
	if want == noFuture {
		c.unknown++
	}
	if have := int(int8(l.futures[rank])); have != want {
		return &WrongError{c.positions.State(key), have, want}
	}
	return nil
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
	c.ranks, c.worth = c.ranks[:0], pending
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
		c.ranks = c.ranks[:0]
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
	if l.board(rank) >= l.first {
		c.ranks = append(c.ranks, rank)
		return 0, true, nil
	}
	if v = int(int8(l.futures[rank])); v != noFuture {
		v += c.positions.Won(key)
	}
	return v, false, nil
}

// iterated derives the futures of a layer again from those of lower ones.
func (v *verifier) iterated(ctx context.Context, l *layer) error {
	g := &graph{layer: l, at: []uint64{0}}
	c := v.workers[0]
	for unit := range l.units() {
		err := c.each(l, unit, func(rank uint64, key []uint64) error { return g.add(c, rank, key) })
		if err := cmp.Or(err, ctx.Err()); err != nil {
			return err
		}
	}
	v.Iterated += uint64(len(g.ranks))
	g.resolve()
	if d, ok := v.positions.EndlessFuture(); ok {
		g.iterate(d)
	}
	for i, rank := range g.ranks {
		if have := int(int8(l.futures[rank])); have != g.future[i] {
			c.positions.Unrank(rank, c.key)
			return &WrongError{c.positions.State(c.key), have, g.future[i]}
		}
	}
	return nil
}

// graph is the moves within a layer. Positions are numbered in the order in which they are added.
type graph struct {
	*layer
	ranks      []uint64
	maximizing []bool
	worth      []int // of the best move that leads elsewhere; pending if there is none
	future     []int
	at         []uint64 // by position: where its moves end in to
	to         []uint64 // ranks
}

func (g *graph) add(c *checker, rank uint64, key []uint64) error {
	if err := c.play(g.layer, key); err != nil {
		return err
	}
	g.ranks = append(g.ranks, rank)
	g.maximizing = append(g.maximizing, c.positions.Maximizes(key))
	g.worth, g.future = append(g.worth, c.worth), append(g.future, pending)
	g.to = append(g.to, c.ranks...)
	g.at = append(g.at, uint64(len(g.to)))
	return nil
}

// place is the number of a position: they were added board by board.
func (g *graph) place(rank uint64) uint64 {
	return (g.board(rank)-g.first)*g.controls + rank/g.boards
}

// best is the best that the moves of a position lead to; pending if waits is set and that is so of
// one of them.
func (g *graph) best(i int, waits bool) int {
	best := g.worth[i]
	wait := false
	for _, r := range g.to[g.at[i]:g.at[i+1]] {
		v := g.future[g.place(r)]
		wait = wait || v == pending
		best = better(g.maximizing[i], best, v)
	}
	if wait && waits && best != noFuture {
		return pending
	}
	return best
}

// resolve gives futures to positions of which all moves lead to such, until nothing changes.
func (g *graph) resolve() { g.repeat(func(i int) bool { return g.future[i] == pending }, true) }

// iterate gives the others, from which play may go on for ever, the future d, and improves that
// until nothing changes: see cycle.go.
func (g *graph) iterate(d int) {
	rest := make([]bool, len(g.ranks))
	for i := range rest {
		if g.future[i] == pending {
			rest[i], g.future[i] = true, d
		}
	}
	g.repeat(func(i int) bool { return rest[i] }, false)
}

func (g *graph) repeat(open func(i int) bool, waits bool) {
	for changed := true; changed; {
		changed = false
		for i := range g.ranks {
			if open(i) {
				v := g.best(i, waits)
				changed = changed || v != g.future[i]
				g.future[i] = v
			}
		}
	}
}
