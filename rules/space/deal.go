package space

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"

	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
)

// Spread is how many seeds more than it must have a pit is dealt at most, if nothing bounds it.
const Spread = 8

// Limits of the ways to deal.
const (
	mostListed = 10_000 // starts that are listed
	listLooks  = 200    // looks at the context while listing them
	mostTries  = 2_000  // distributions drawn for one start before a search takes over
	dealLooks  = 2_000  // looks at the context of that search
)

// Dealer deals starts at random. If there are few it lists all of them, and each is as likely. If
// there are many it draws distributions, each as likely, of a set that has all those of the setup,
// until one satisfies the setup. If none of many does it searches for one by random choices, and
// then starts are not equally likely.
type Dealer struct {
	in     *interp.Interp // of the System with all bounds in its setup
	list   []rules.State  // all starts, if they are few
	many   bool           // they are not few
	bounds *box
	heaps  []heap
	rest   []int // the pits in no heap
	most   int
}

// heap is pits that have a number of seeds together, beyond the least that each has. With slack
// they have at most that number. No pit is in two heaps.
type heap struct {
	pits  []int
	seeds int
	slack bool
}

// ErrNoDeal says that no start was found within the limits. There may be one.
var ErrNoDeal = errors.New("no start was found at random")

// NewDealer returns a Dealer for the starts of a System without open parameters. Where nothing
// bounds the seeds of a pit it deals only starts with at most Spread seeds more there than the
// least. The error is the context's, a fault of the rules or a *rules.LimitError.
func NewDealer(ctx context.Context, in *interp.Interp) (*Dealer, error) {
	sys := *in.System()
	c := compiler{sys: &sys, outcome: rules.Live}
	list := lists.Map(rules.Conjuncts(sys.Start.Cond), func(x rules.Expr) constraint { return c.compile(x, true) })
	d := &Dealer{in: in, bounds: newBox(&sys, rules.Parts{Pits: sys.Start.Free})}
	if !narrowAll(list, d.bounds) {
		return d, nil
	}
	for p := range sys.Pits {
		if d.bounds.hi[p] == num.Inf {
			d.bounds.hi[p] = d.bounds.lo[p] + Spread
			bound := rules.Binary{Op: rules.Le, L: rules.PitAt(p), R: rules.Number(d.bounds.hi[p])}
			sys.Start.Cond = rules.Conjunction(sys.Start.Cond, bound)
			d.in = interp.New(&sys).Within(ctx)
		}
	}
	if !narrowAll(list, d.bounds) {
		return d, nil
	}
	d.gather(list)
	return d, d.listAll(ctx)
}

// gather finds the pits that have a total by the setup.
func (d *Dealer) gather(list []constraint) {
	taken := make([]bool, len(d.in.System().Pits))
	for _, x := range list {
		if l, is := x.(*linear); is {
			if h, ok := l.heap(d.bounds, taken); ok {
				d.heaps = append(d.heaps, h)
				d.most = add(d.most, h.seeds)
			}
		}
	}
	for p, is := range taken {
		if is {
			d.most = add(d.most, d.bounds.lo[p])
			continue
		}
		d.rest = append(d.rest, p)
		d.most = add(d.most, d.bounds.hi[p])
	}
}

// heap returns the pits of a total that is given or bounded, and takes them. ok is false for other
// sums, and if one of the pits is taken already.
func (l *linear) heap(b *box, taken []bool) (h heap, ok bool) {
	if len(l.terms) == 0 || len(l.others) > 0 {
		return h, false
	}
	sign := l.terms[0].factor
	for _, t := range l.terms {
		if t.column >= len(taken) || taken[t.column] || t.factor != sign || sign != 1 && sign != -1 {
			return h, false
		}
	}
	h.seeds = -sign * l.constant
	switch op := l.op; {
	case op == rules.Eq:
	case sign == 1 && op == rules.Le, sign == -1 && op == rules.Ge:
		h.slack = true
	case sign == 1 && op == rules.Lt, sign == -1 && op == rules.Gt:
		h.slack = true
		h.seeds--
	default:
		return h, false
	}
	for _, t := range l.terms {
		if h.seeds -= b.lo[t.column]; b.lo[t.column] < b.hi[t.column] {
			h.pits = append(h.pits, t.column)
		}
	}
	if len(h.pits) == 0 || h.seeds < 0 {
		return h, false
	}
	for _, t := range l.terms {
		taken[t.column] = true
	}
	return h, true
}

// listAll lists the starts, if they are few.
func (d *Dealer) listAll(ctx context.Context) error {
	err := Starts(limit.WithLooks(ctx, listLooks), d.in, func(st rules.State) error {
		if len(d.list) == mostListed {
			return limit.ErrLooks
		}
		d.list = append(d.list, st.Clone())
		return nil
	})
	if errors.Is(err, limit.ErrLooks) {
		d.list, d.many = nil, true
		return nil
	}
	return err
}

// MostSeeds is at least the number of seeds of every start that may be dealt.
func (d *Dealer) MostSeeds() int {
	if d.many {
		return d.most
	}
	most := 0
	for _, st := range d.list {
		most = max(most, st.Total())
	}
	return most
}

// Random returns the random numbers of a deal. Deals with one seed and different numbers are
// independent.
func Random(seed, deal uint64) *rand.Rand {
	r := rand.New(rand.NewPCG(seed, deal*0x9e3779b97f4a7c15))
	r.Uint64() // the first numbers of sequences with seeds near to each other look alike
	return r
}

// Deal returns a settled start. It may be called by several goroutines. The error is the context's,
// ErrNoDeal or a fault of the rules.
func (d *Dealer) Deal(ctx context.Context, r *rand.Rand) (rules.State, error) {
	switch {
	case !d.many && len(d.list) == 0:
		return rules.State{}, ErrNoDeal
	case !d.many:
		return d.list[r.IntN(len(d.list))].Clone(), nil
	}
	in := interp.New(d.in.System()).Within(ctx)
	for range mostTries {
		raw, inside := d.draw(r)
		if !inside {
			continue
		}
		ok, err := in.SetupHolds(raw)
		if err != nil {
			return raw, err
		}
		if ok {
			return in.Start(raw)
		}
	}
	return d.search(ctx, in, r)
}

// draw draws a distribution. It reports whether each pit is within its bounds.
func (d *Dealer) draw(r *rand.Rand) (st rules.State, inside bool) {
	st = d.in.System().EmptyStart()
	copy(st.Seeds, d.bounds.lo)
	for _, h := range d.heaps {
		h.draw(st.Seeds, r)
	}
	for _, p := range d.rest {
		st.Seeds[p] += r.IntN(d.bounds.hi[p] - d.bounds.lo[p] + 1)
	}
	for p, n := range st.Seeds {
		if n > d.bounds.hi[p] {
			return st, false
		}
	}
	return st, true
}

// draw adds the seeds of a heap. Bars among seeds separate the pits: each choice of the places of
// the bars is a distribution.
func (h heap) draw(seeds []int, r *rand.Rand) {
	bars := len(h.pits) - 1
	if h.slack {
		bars++
	}
	places := h.seeds + bars
	chosen := map[int]bool{}
	var list []int
	for at := places - bars; at < places; at++ { // Floyd's way to draw a subset
		one := r.IntN(at + 1)
		if chosen[one] {
			one = at
		}
		chosen[one] = true
		list = append(list, one)
	}
	slices.Sort(list)
	if !h.slack {
		list = append(list, places)
	}
	before := -1
	for i, bar := range list {
		seeds[h.pits[i]] += bar - before - 1
		before = bar
	}
}

// search looks for a start with the choices of each pit in random order.
func (d *Dealer) search(ctx context.Context, in *interp.Interp, r *rand.Rand) (found rules.State, err error) {
	sys := in.System()
	s := &search{ctx: limit.WithLooks(ctx, dealLooks), in: in, kept: rules.Parts{Pits: sys.Start.Free}, state: sys.EmptyStart(), random: r}
	err = ErrNoDeal
	s.emit = func(raw rules.State) error {
		ok, fault := in.SetupHolds(raw)
		if fault != nil || !ok {
			return fault
		}
		found, err = in.Start(raw)
		return ErrStop
	}
	if ended := stopped(s.pits([]rules.Expr{sys.Start.Cond})); ended != nil && !errors.Is(ended, limit.ErrLooks) {
		return found, ended
	}
	return found, err
}
