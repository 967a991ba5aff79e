package rows

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/checker/plan"
	"github.com/mancheck/mancheck/checker/residual"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/internal/lists"
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
	plans       *plan.Cache
	workers     []*worker
	most        int        // the layer in hand: all above are done
	layers      [][]*block // by seeds in the territories
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
	played int64 // rows with new states
	moves  int64 // actions of rows
	alone  int64 // actions in one state
	work   int64 // operations to make plans
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
	move(&t.played, &from.played)
	move(&t.moves, &from.moves)
	move(&t.alone, &from.alone)
	move(&t.work, &from.work)
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
	s.layers[b.layer] = append(s.layers[b.layer], b)
	s.blocks.byID[at] = b
	return b, nil
}

// size returns how many contents a territory has in the states of a block.
func (s *sweep) size(at id, side int) int { return s.territories[side].Size(at.totals[side]) }

// bytes is the memory of blocks, tables and contents.
func (s *sweep) bytes() int64 { return s.blocks.bytes.Load() + s.pool.bytes.Load() + s.planBytes() }

func (s *sweep) planBytes() int64 {
	return s.plans.Bytes() + lists.Sum(s.workers, func(w *worker) int64 { return w.planned.Load() })
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
	planCost      = 2  // an operation to make plans
	aloneCost     = 10 // an action in one state
	mostWork      = 3  // for each transition
	mostWorkLater = 6  // so much is lost by giving up then
	hopeful       = 20 // for each transition: it becomes less
)

// worth returns an error if the transitions so far would have been found faster by levels.
func (s *sweep) worth() error {
	t := &s.total
	alone := aloneCost * t.alone
	if alone > mostWork*t.Transitions {
		return &Unfit{"actions are played alone too often", t.played < oftenLater}
	}
	most := int64(mostWork)
	if t.States > 2*s.q.Found {
		most = mostWorkLater
	}
	lost := rowCost*t.moves + alone + planCost*t.work - most*t.Transitions
	if lost > s.q.Most || lost > s.q.Advance+hopeful*t.Transitions {
		return errFew
	}
	return nil
}

// Sampled says how states are explored by rows.
type Sampled struct {
	Territories [2][]int // pits
	States      int64
	Rows        int64 // that these are in
	Actions     []Played
	most        int64 // states
}

// Played says how an action was played.
type Played struct {
	States int64           // in which it was tried
	Alone  int64           // of these, in which it was not played by rows
	Why    residual.Causes // why not
}

// errSampled says that there are enough states.
var errSampled = errors.New("there are enough states")

// note counts how an action was played in the states of a row.
func (s *Sampled) note(action int32, why residual.Causes, states int, alone int64) {
	a := &s.Actions[action]
	a.States += int64(states)
	if a.Alone += alone; alone > 0 {
		a.Why |= why
	}
}
