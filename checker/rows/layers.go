package rows

import (
	"context"
	"math"
	"sync"

	"github.com/mancheck/mancheck/checker/laws"
	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/checker/plan"
	"github.com/mancheck/mancheck/checker/residual"
	"github.com/mancheck/mancheck/checker/slice"
	"github.com/mancheck/mancheck/internal/lists"
)

func newSweep(ctx context.Context, q Query) (*sweep, error) {
	s := &sweep{
		ctx: ctx, q: &q, words: q.Codec.Words(), players: len(q.System.Players), status: q.Codec.Status(),
		most: math.MaxInt, total: q.newTally(),
	}
	if s.words > plan.MaxWords {
		return nil, &Unfit{Why: "states are too wide"}
	}
	s.blocks.byID, s.queue.wake.L, s.pool = map[id]*block{}, &s.queue.Mutex, newPool()
	pits, sides := plan.Divide(q.System)
	s.sides = sides
	t := &s.territories
	for i := range t {
		var ok bool
		if t[i], ok = plan.NewTerritory(q.Codec, pits[i], q.Seeds); !ok {
			return nil, &Unfit{Why: "there are no two territories"}
		}
	}
	for w := range s.words {
		s.control[w] = ^(t[0].Mask[w] | t[1].Mask[w])
	}
	s.layered = true
	for p, grows := range laws.Growing(q.System) {
		f, has := q.Codec.Cell(p)
		inside := has && (t[0].Mask[f.Word]|t[1].Mask[f.Word])>>f.Shift&1 != 0
		s.layered = s.layered && (inside || grows)
	}
	sinks, ranged := s.sinks()
	s.plans = plan.NewCache(s.words, q.Seeds, *t, sinks, ranged)
	s.workers = lists.Map(q.Steppers, s.newWorker)
	return s, nil
}

// sinks has the fields of pits that lose no seeds, as stores. Those that have an influence on the
// course of play are listed, if they are few.
func (s *sweep) sinks() (k plan.Key, ranged []pack.Field) {
	course := slice.Keep(s.ctx, s.q.System)
	for p := range s.q.System.Pits {
		f, has := s.q.Codec.Cell(p)
		switch {
		case !has || course.Loses[p] || s.control[f.Word]>>f.Shift&f.Mask == 0:
		case course.Steers[p]:
			ranged = append(ranged, f)
		default:
			k[f.Word] |= f.Mask << f.Shift
		}
	}
	if len(ranged) > residual.MostRanged || s.q.Seeds > math.MaxUint8 {
		ranged = nil
	}
	return k, ranged
}

func (s *sweep) run() error {
	for _, start := range s.q.Starts {
		var k plan.Key
		copy(k[:], start)
		if _, err := s.workers[0].add(k); err != nil {
			return err
		}
	}
	for n := len(s.layers) - 1; n >= 0; n-- {
		if len(s.layers[n]) == 0 {
			continue
		}
		s.most = n
		if err := s.layer(s.layers[n]); err != nil {
			return err
		}
		s.total.Bytes = max(s.total.Bytes, s.blocks.bytes.Load()+s.pool.used.Load())
		for _, b := range s.layers[n] { // states go to none of them any more
			s.blocks.bytes.Add(-b.overhead())
			delete(s.blocks.byID, b.id)
			b.clear(s.pool)
		}
		s.layers[n] = nil
	}
	for _, w := range s.workers {
		w.report()
	}
	return s.overMost()
}

// layer explores all states of a layer.
func (s *sweep) layer(blocks []*block) error {
	s.queue.fill(blocks)
	var group sync.WaitGroup
	for _, w := range s.workers[1:] {
		group.Go(w.drain)
	}
	s.workers[0].drain()
	group.Wait()
	return s.queue.failed
}
