package rows

import (
	"context"
	"math"
	"sync"
	"sync/atomic"

	"github.com/mancheck/mancheck/checker/laws"
	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/checker/plan"
	"github.com/mancheck/mancheck/checker/residual"
	"github.com/mancheck/mancheck/checker/slice"
	"github.com/mancheck/mancheck/internal/limit"
)

// sweep is a running exploration. Workers read it, and change only what is atomic or locked.
type sweep struct {
	ctx         context.Context
	q           *Query
	words       int
	players     int
	status      pack.Field
	control     plan.Key // its fields
	sides       []int    // by player: the territory whose contents are rows
	layered     bool     // the territories never gain seeds
	territories [2]*plan.Territory
	workers     []*worker
	most        int // the layer in hand: all above are done
	layers      []*layer
	blocks      blocks
	pool        *pool
	queue       queue
	sampled     *Sampled // nil: all states are explored

	reports sync.Mutex   // held to change total, and by who tells about progress
	total   tally        // of all workers, as of their last reports
	found   atomic.Int64 // states
}

// tally is what was found, and what that took.
type tally struct {
	Result
	rows  int64 // that had new states
	moves int64 // actions of rows
	alone int64 // actions in one state
	work  int64 // operations to make plans
}

func (q *Query) newTally() tally {
	return tally{Result: Result{
		Finished: make([]int64, len(q.System.Outcomes)), Into: make([]int64, len(q.System.Outcomes)),
		Counts: make([]int64, len(q.Count)), Fired: make([]bool, len(q.System.Actions)),
	}}
}

// take adds what another tally has, and empties that.
func (t *tally) take(from *tally) {
	move := func(to, from *int64) { *to, *from = *to+*from, 0 }
	move(&t.States, &from.States)
	move(&t.Live, &from.Live)
	move(&t.Stuck, &from.Stuck)
	move(&t.Transitions, &from.Transitions)
	for i := range t.Finished {
		move(&t.Finished[i], &from.Finished[i])
		move(&t.Into[i], &from.Into[i])
	}
	for i := range t.Counts {
		move(&t.Counts[i], &from.Counts[i])
	}
	for i, fired := range from.Fired {
		t.Fired[i] = t.Fired[i] || fired
	}
	move(&t.rows, &from.rows)
	move(&t.moves, &from.moves)
	move(&t.alone, &from.alone)
	move(&t.work, &from.work)
}

// layer is the blocks that have as many seeds in the territories.
type layer struct{ blocks []*block }

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
	for _, stepper := range q.Steppers {
		w, err := s.newWorker(stepper, sinks, ranged)
		if err != nil {
			return nil, err
		}
		s.workers = append(s.workers, w)
	}
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
		if s.layers[n] == nil {
			continue
		}
		s.most = n
		if err := s.layer(s.layers[n]); err != nil {
			return err
		}
		s.total.Bytes = max(s.total.Bytes, s.blocks.bytes.Load()+s.pool.used.Load())
		s.drop(s.layers[n])
		s.layers[n] = nil
	}
	for _, w := range s.workers {
		w.report()
	}
	return s.overMost()
}

// layer explores all states of a layer.
func (s *sweep) layer(l *layer) error {
	s.queue.fill(l.blocks)
	var group sync.WaitGroup
	for _, w := range s.workers[1:] {
		group.Go(w.drain)
	}
	s.workers[0].drain()
	group.Wait()
	return s.queue.failed
}

// drop gives back the memory of a layer. States go to none of its blocks any more.
func (s *sweep) drop(l *layer) {
	for _, b := range l.blocks {
		s.blocks.bytes.Add(-b.overhead())
		delete(s.blocks.byID, b.id)
		b.clear(s.pool)
	}
}

// mover returns the player to move, or one more than the last player, plus the outcome.
func (s *sweep) mover(control *plan.Key) int {
	return int(control[s.status.Word] >> s.status.Shift & s.status.Mask)
}

// blocks are those of layers that are not done.
type blocks struct {
	sync.Mutex
	byID  map[id]*block
	bytes atomic.Int64 // besides pages
}

// block returns the block of states, which may be new.
func (s *sweep) block(at id) (*block, error) {
	s.blocks.Lock()
	defer s.blocks.Unlock()
	if b := s.blocks.byID[at]; b != nil {
		return b, nil
	}
	b := &block{id: at}
	if m := s.mover(&at.control); m < s.players {
		b.side = s.sides[m]
	}
	if s.layered {
		b.layer = at.totals[0] + at.totals[1]
	}
	if b.layer > s.most {
		return nil, &Unfit{Why: "a territory gains seeds"}
	}
	rows, columns := s.size(at, b.side), s.size(at, 1-b.side)
	if rows > plan.MostContents || columns > plan.MostContents {
		return nil, plan.ErrLarge
	}
	b.fresh, b.seen = newMatrix(rows, columns), newMatrix(rows, columns)
	s.blocks.bytes.Add(b.overhead())
	if err := s.fits(); err != nil {
		return nil, err
	}
	for len(s.layers) <= b.layer {
		s.layers = append(s.layers, nil)
	}
	if s.layers[b.layer] == nil {
		s.layers[b.layer] = &layer{}
	}
	s.layers[b.layer].blocks = append(s.layers[b.layer].blocks, b)
	s.blocks.byID[at] = b
	return b, nil
}

// size returns how many contents a territory has in the states of a block.
func (s *sweep) size(at id, side int) int { return s.territories[side].Size(at.totals[side]) }

// bytes is the memory of blocks, tables and contents.
func (s *sweep) bytes() int64 { return s.blocks.bytes.Load() + s.pool.bytes.Load() + s.planBytes() }

func (s *sweep) planBytes() int64 {
	n := s.territories[0].Bytes() + s.territories[1].Bytes()
	for _, w := range s.workers {
		n += w.planned.Load()
	}
	return n
}

// fits returns an error if that is more than the limit.
func (s *sweep) fits() error {
	all, states := s.bytes(), s.found.Load()
	if all > s.q.Bounds.Memory() {
		return &Unfit{Why: "the rows take too much memory"}
	}
	if s.sampled == nil && (s.planBytes() > plansInAdvance+memoryOfState*states || all > allInAdvance+memoryOfState*states) {
		return errFew
	}
	return nil
}

// The memory that rows may take, in bytes: of plans and of all, besides what as many states take by
// levels. The first states are far apart.
const (
	plansInAdvance = 256 << 20
	allInAdvance   = 512 << 20
	memoryOfState  = 16
)

var errFew = &Unfit{"rows have too few states", true}

// progress ends the exploration if it is not worth while, and tells about it.
func (s *sweep) progress() error {
	s.reports.Lock()
	defer s.reports.Unlock()
	if s.q.Observer != nil {
		s.q.Observer(limit.Progress{Depth: -1, States: s.total.States, Steps: s.total.Transitions, Bytes: s.bytes()})
	}
	if s.sampled == nil {
		return s.worth()
	}
	return nil
}

// overMost returns an error if there are more states than the limit.
func (s *sweep) overMost() error {
	if s.q.Bounds.MaxStates > 0 && s.found.Load() > s.q.Bounds.MaxStates {
		return &Unfit{Why: "there are more states than the limit"}
	}
	return nil
}

// What work costs, in units of an operation of a program. A transition by levels costs some five.
const (
	rowCost       = 15 // an action of a row
	aloneCost     = 10 // an action in one state
	mostWork      = 3  // for each transition
	mostWorkLater = 6  // so much is lost by giving up then
)

// worth returns an error if the transitions so far would have been found faster by levels.
func (s *sweep) worth() error {
	t := &s.total
	alone := aloneCost * t.alone
	if alone > mostWork*t.Transitions {
		return &Unfit{Why: "actions are played alone too often"}
	}
	most := int64(mostWork)
	if t.States > 2*s.q.Found {
		most = mostWorkLater
	}
	if rowCost*t.moves+alone+t.work > most*t.Transitions+s.q.Advance {
		return errFew
	}
	return nil
}
