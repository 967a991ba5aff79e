package rows

import (
	"context"
	"math"
	"math/bits"

	"github.com/mancheck/mancheck/checker/laws"
	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/checker/plan"
	"github.com/mancheck/mancheck/checker/residual"
	"github.com/mancheck/mancheck/checker/slice"
	"github.com/mancheck/mancheck/internal/limit"
)

// sweep is a running exploration.
type sweep struct {
	Result
	ctx     context.Context
	q       *Query
	planner *plan.Planner
	words   int
	players int
	status  pack.Field
	control plan.Key // its fields
	side    []int    // by player: the territory whose contents are rows
	layered bool     // the territories never gain seeds
	most    int      // the layer in hand: all above are done
	layers  []*layer
	blocks  map[id]*block
	taken   int64 // bytes of blocks, besides pages
	pool    pool
	rows    int64    // that had new states
	moves   int64    // actions of rows so far, the one in hand included
	alone   int64    // actions in one state
	news    []uint64 // the new states of the row in hand
	n       int      // how many there are
	list    []uint32 // their numbers, if they are listed
	listed  bool
	some    []uint64 // some of them
	aims    [plan.Most]aim
	counts  [plan.Most]int64        // of the states of a row, by result; 0 between moves
	tables  []*plan.Table           // of the actions of the row in hand
	plan    plan.Plan               // of the action in hand
	recent  [1 << recentBits]*block // by a hash of their ids; there may be others
	batch   pack.Batch
	sampled *Sampled // nil: all states are explored
	to      plan.Key
}

// layer is the blocks that have as many seeds in the territories.
type layer struct{ blocks []*block }

// aim is where the states of a row go by one result of a plan.
type aim struct {
	move int64 // of the sweep, that it was found for
	to   *block
	row  []uint64
}

func newSweep(ctx context.Context, q Query) (*sweep, error) {
	s := &sweep{
		ctx: ctx, q: &q, words: q.Codec.Words(), players: len(q.System.Players), status: q.Codec.Status(),
		blocks: map[id]*block{}, most: math.MaxInt,
	}
	if s.words > plan.MaxWords {
		return nil, &Unfit{Why: "states are too wide"}
	}
	pits, side := plan.Divide(q.System)
	s.side = side
	var t [2]*plan.Territory
	for i := range t {
		var ok bool
		if t[i], ok = plan.NewTerritory(q.Codec, pits[i], q.Seeds); !ok {
			return nil, &Unfit{Why: "there are no two territories"}
		}
	}
	for w := range s.words {
		s.control[w] = ^(t[0].Mask[w] | t[1].Mask[w])
	}
	sinks, ranged := s.sinks()
	s.planner = plan.New(ctx, q.Stepper, s.words, q.Seeds, t, sinks, ranged, s.fits)
	s.pool = newPool()
	s.layered = true
	for p, grows := range laws.Growing(q.System) {
		f, has := q.Codec.Cell(p)
		inside := has && (t[0].Mask[f.Word]|t[1].Mask[f.Word])>>f.Shift&1 != 0
		s.layered = s.layered && (inside || grows)
	}
	for _, x := range append(q.Count, q.Never) {
		if x == nil {
			continue
		}
		p, err := q.Stepper.Compile(x)
		if err != nil {
			return nil, &Unfit{Why: err.Error()}
		}
		s.planner.Conditions = append(s.planner.Conditions, p)
	}
	s.Finished, s.Into = make([]int64, len(q.System.Outcomes)), make([]int64, len(q.System.Outcomes))
	s.Counts, s.Fired = make([]int64, len(q.Count)), make([]bool, len(q.System.Actions))
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
		if _, err := s.add(k); err != nil {
			return err
		}
	}
	for n := len(s.layers) - 1; n >= 0; n-- {
		if s.layers[n] == nil {
			continue
		}
		s.most = n
		if err := s.layer(n); err != nil {
			return err
		}
		for _, b := range s.layers[n].blocks {
			s.pool.put(&b.seen, false)
			s.taken -= b.seen.overhead() + b.fresh.overhead() + b.turned.overhead()
			delete(s.blocks, b.id)
			*b = gone
		}
		s.layers[n] = nil
	}
	return nil
}

// gone is a block of a layer that is done. It is none that states go to.
var gone = block{id: id{totals: [2]int{-1, -1}}}

// layer explores all states of a layer.
func (s *sweep) layer(n int) error {
	l := s.layers[n]
	for again := true; again; {
		again = false
		for i := 0; i < len(l.blocks); i++ { // it grows
			b := l.blocks[i]
			if !b.any {
				continue
			}
			b.any, again = false, true
			b.turn(&s.pool)
			if err := s.rowsOf(b); err != nil {
				return err
			}
		}
	}
	return nil
}

// rowsOf goes through the rows of a block that have states. Such a row may get some more meanwhile.
func (s *sweep) rowsOf(b *block) error {
	clean := true
	for i, c := range b.fresh.chunks {
		for row := 0; c != nil && c.dirty>>row != 0; row++ {
			row += bits.TrailingZeros64(c.dirty >> row)
			if err := s.row(b, i<<6+row); err != nil {
				return err
			}
		}
	}
	for _, c := range b.fresh.chunks {
		clean = clean && (c == nil || c.dirty == 0)
	}
	if clean {
		s.pool.put(&b.fresh, true)
	}
	return nil
}

// add adds one state, and returns its block.
func (s *sweep) add(k plan.Key) (*block, error) {
	t := s.planner.Territories
	at := id{control: k.Masked(&s.control)}
	var number [2]uint32
	for i := range t {
		at.totals[i], number[i] = t[i].Total(&k), t[i].Number(&k)
	}
	b, err := s.block(at)
	if err == nil {
		x := number[1-b.side]
		b.fresh.row(&s.pool, int(number[b.side]))[x>>6] |= 1 << (x & 63)
		b.any = true
	}
	return b, err
}

// mover returns the player to move, or one more than the last player, plus the outcome.
func (s *sweep) mover(control *plan.Key) int {
	return int(control[s.status.Word] >> s.status.Shift & s.status.Mask)
}

// block returns the block of states, which may be new.
func (s *sweep) block(at id) (*block, error) {
	if b := s.blocks[at]; b != nil {
		return b, nil
	}
	b := &block{id: at}
	if m := s.mover(&at.control); m < s.players {
		b.side = s.side[m]
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
	s.taken += b.fresh.overhead() + b.seen.overhead()
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
	s.blocks[at] = b
	return b, nil
}

// size returns how many contents a territory has in the states of a block.
func (s *sweep) size(at id, side int) int { return s.planner.Territories[side].Size(at.totals[side]) }

// states lists the new states of the row in hand.
func (s *sweep) states() []uint32 {
	if !s.listed {
		s.list, s.listed = numbers(s.news, s.list[:0]), true
	}
	return s.list
}

// numbers appends the numbers of the bits that are set.
func numbers(set []uint64, list []uint32) []uint32 {
	for i, x := range set {
		for ; x != 0; x &= x - 1 {
			list = append(list, uint32(i<<6+bits.TrailingZeros64(x)))
		}
	}
	return list
}

// row counts the new states of a row, and plays all their actions.
func (s *sweep) row(b *block, row int) error {
	words := b.fresh.words
	if len(s.some) < words {
		s.news, s.some = make([]uint64, words), make([]uint64, words)
	}
	s.news = s.news[:words]
	if s.n, s.listed = b.take(&s.pool, row, s.news), false; s.n == 0 {
		return nil
	}
	s.rows++
	n := int64(s.n)
	if s.States += n; s.q.Bounds.MaxStates > 0 && s.States > s.q.Bounds.MaxStates {
		return &Unfit{Why: "there are more states than the limit"}
	}
	if err := s.pause(); err != nil {
		return err
	}
	if s.sampled != nil && s.States >= s.sampled.most {
		return errSampled
	}
	all := s.planner.Territories[b.side].With(b.totals[b.side])
	if all == nil {
		return plan.ErrLarge
	}
	held := b.control
	held.Or(all[row])
	if err := s.conditions(b, &held); err != nil {
		return err
	}
	mover := s.mover(&b.control)
	if mover >= s.players {
		s.Finished[mover-s.players] += n
		return nil
	}
	return s.actions(b, row, &held)
}

// conditions evaluates what is asked of states in the new ones of a row.
func (s *sweep) conditions(b *block, held *plan.Key) error {
	for i, x := range s.planner.Conditions {
		p := &s.plan
		if err := s.planner.Condition(p, i, held, 1-b.side, b.totals[1-b.side]); err != nil {
			return err
		}
		if p.Table == nil {
			continue
		}
		n := int64(0)
		for _, at := range s.states() {
			to, err := s.planner.Find(p.Table, at)
			switch {
			case err != nil:
				return err
			case to == plan.None:
				continue
			case to == plan.Alone:
				s.alone++
				is, err := s.q.Stepper.Holds(x, residual.View{Key: s.state(b, held, at)})
				if err != nil {
					return err
				}
				if !is {
					continue
				}
			}
			n++
		}
		if i < len(s.Counts) {
			s.Counts[i] += n
		} else if n > 0 {
			return errFound
		}
	}
	return nil
}

// actions plays all actions in the new states of a row.
func (s *sweep) actions(b *block, row int, held *plan.Key) error {
	if err := s.menu(b); err != nil {
		return err
	}
	tables, before, all := s.tables[:0], s.Transitions, false
	for place, action := range b.actions {
		p, alone := &s.plan, s.alone
		if b.lasts[place] {
			if tables = append(tables, nil); s.sampled != nil {
				s.sampled.note(action, 0, s.n, 0)
			}
			continue
		}
		if err := s.planner.Action(p, b.plans, uint32(row), place, held, b.totals[1-b.side]); err != nil {
			return err
		}
		if p.Table != nil {
			if err := s.move(b, held, place, action); err != nil {
				return err
			}
		}
		if s.sampled != nil {
			s.sampled.note(action, p.Why, s.n, s.alone-alone)
		}
		all = all || s.Transitions-before == int64(s.n)
		tables, before = append(tables, p.Table), s.Transitions
	}
	s.tables = tables
	return s.mobility(b, held, all)
}

// mobility counts the states of the row in hand with a legal action, and those without. Where no
// other action is legal, it plays the last resorts. all says that some other one is legal in all
// states.
func (s *sweep) mobility(b *block, held *plan.Key, all bool) error {
	if all {
		s.Live += int64(s.n)
		return nil
	}
	for _, x := range s.states() {
		can, err := s.canMove(b, held, x)
		if err == nil && !can {
			can, err = s.lastResort(b, held, x)
		}
		switch {
		case err != nil:
			return err
		case can:
			s.Live++
		case s.q.NoStuck:
			return errFound
		default:
			s.Stuck++
		}
	}
	return nil
}

// canMove reports whether some action is legal in a state of the row in hand.
func (s *sweep) canMove(b *block, held *plan.Key, x uint32) (bool, error) {
	for place, t := range s.tables {
		if t == nil {
			continue
		}
		switch t.To[x] {
		case plan.None:
		case plan.Alone:
			if to, err := s.playAlone(s.state(b, held, x), place, b.actions[place]); err != nil || to != nil {
				return to != nil, err
			}
		default:
			return true, nil
		}
	}
	return false, nil
}

// lastResort plays the last resorts in a state of the row in hand, and reports whether one is
// legal.
func (s *sweep) lastResort(b *block, held *plan.Key, x uint32) (can bool, err error) {
	for place, action := range b.actions {
		if !b.lasts[place] {
			continue
		}
		if s.sampled != nil {
			s.sampled.note(action, residual.Resort, 0, 1)
		}
		legal, err := s.moveAlone(s.state(b, held, x), place, action)
		if can = can || legal; err != nil {
			return false, err
		}
	}
	return can, nil
}

// menu finds the actions of a block.
func (s *sweep) menu(b *block) error {
	if b.actions != nil {
		return nil
	}
	actions, ok := s.q.Stepper.Menu(b.control[:s.words])
	if !ok {
		return &Unfit{Why: "actions have a rank"}
	}
	b.actions, b.lasts = actions, plan.LastResorts(s.q.System, actions)
	b.plans = s.planner.Rows(&b.control, 1-b.side, b.totals[b.side], b.totals[1-b.side], len(actions))
	return nil
}

// state returns the key of a state of a row.
func (s *sweep) state(b *block, held *plan.Key, x uint32) []uint64 {
	k := *held
	k.Or(s.planner.Territories[1-b.side].With(b.totals[1-b.side])[x])
	return k[:s.words]
}

// oftenUsed is how often the contents of a table are moved before all that is not known of it is
// found out.
const oftenUsed = 2

// move plays one action in the new states of a row.
func (s *sweep) move(b *block, held *plan.Key, place int, action int32) error {
	p := &s.plan
	s.moves++
	if p.Parts == nil {
		if p.Used += s.n; p.Used > oftenUsed*len(p.To) {
			if err := s.planner.Complete(p.Table); err != nil {
				return err
			}
		}
	}
	if p.Parts != nil && len(p.Parts)*len(s.news) <= s.n {
		return s.moveParts(b, held, place, action)
	}
	for _, x := range s.states() {
		to := p.To[x]
		if to >= plan.Alone {
			var err error
			if to, err = s.planner.Find(p.Table, x); err != nil {
				return err
			}
			if to == plan.Alone {
				if _, err := s.moveAlone(s.state(b, held, x), place, action); err != nil {
					return err
				}
			}
			if to >= plan.Alone {
				continue
			}
		}
		r := to >> plan.ResultAt
		to &= 1<<plan.ResultAt - 1
		a := &s.aims[r]
		if a.move != s.moves {
			if err := s.aim(a, b, r); err != nil {
				return err
			}
		}
		s.counts[r]++
		a.row[to>>6] |= 1 << (to & 63)
	}
	for r, n := range s.counts[:len(p.Results)] {
		if n > 0 {
			s.moved(s.aims[r].to, n, action)
			s.counts[r] = 0
		}
	}
	return nil
}

// moveParts plays an action in the new states of a row, for each part of a plan at once.
func (s *sweep) moveParts(b *block, held *plan.Key, place int, action int32) error {
	p := &s.plan
	for i := range p.Parts {
		q := &p.Parts[i]
		set, n := s.news, s.n
		if q.Mask != nil {
			set, n = s.some[:len(set)], 0
			for i, x := range s.news {
				set[i] = x & q.Mask[i]
				n += bits.OnesCount64(set[i])
			}
		}
		switch {
		case n == 0:
			continue
		case q.Result == plan.Alone>>plan.ResultAt:
			for _, x := range numbers(set, nil) {
				if _, err := s.moveAlone(s.state(b, held, x), place, action); err != nil {
					return err
				}
			}
			continue
		}
		a := &s.aims[q.Result]
		if err := s.aim(a, b, q.Result); err != nil {
			return err
		}
		row := a.row
		switch {
		case q.Same:
			for i, x := range set {
				row[i] |= x
			}
		default:
			for i, x := range set {
				from := p.To[i<<6:]
				for ; x != 0; x &= x - 1 {
					to := from[bits.TrailingZeros64(x)] & (1<<plan.ResultAt - 1)
					row[to>>6] |= 1 << (to & 63)
				}
			}
		}
		s.moved(a.to, int64(n), action)
	}
	return nil
}

// moved counts transitions into a block.
func (s *sweep) moved(to *block, n int64, action int32) {
	s.Transitions += n
	s.Fired[action] = true
	if m := s.mover(&to.control); m >= s.players {
		s.Into[m-s.players] += n
	}
}

// aim finds where states of a row go by a result of the plan in hand.
func (s *sweep) aim(a *aim, b *block, number uint32) error {
	t, err := s.plan.Target(number)
	if err != nil {
		return err
	}
	at := id{control: t.Rest}
	at.totals[b.side], at.totals[1-b.side] = t.Own, t.Total
	recent := &s.recent[at.hash()]
	to := *recent
	if to == nil || to.id != at {
		if to, err = s.block(at); err != nil {
			return err
		}
		*recent = to
	}
	m := &to.fresh
	if to.side != b.side {
		if m = &to.turned; m.chunks == nil {
			*m = newMatrix(s.size(to.id, b.side), s.size(to.id, to.side))
			s.taken += m.overhead()
		}
	}
	a.move, a.to, a.row = s.moves, to, m.row(&s.pool, int(t.Number))
	to.any = true
	return nil
}

// playAlone returns the state that an action leads to; nil if it is not legal.
func (s *sweep) playAlone(from []uint64, place int, action int32) ([]uint64, error) {
	s.alone++
	legal, err := s.q.Stepper.Play(from, place, action, s.to[:s.words], &s.batch)
	if err != nil || !legal {
		return nil, err
	}
	return s.to[:s.words], nil
}

// moveAlone plays an action in one state, and reports whether it is legal.
func (s *sweep) moveAlone(from []uint64, place int, action int32) (legal bool, err error) {
	to, err := s.playAlone(from, place, action)
	if err != nil || to == nil {
		return false, err
	}
	var k plan.Key
	copy(k[:], to)
	b, err := s.add(k)
	if err == nil {
		s.moved(b, 1, action)
	}
	return true, err
}

// often is the number of rows between two looks at the context and the clock.
const often = 1 << 10

// pause ends the exploration if it was cancelled, or if it is not worth while, and tells about its
// progress.
func (s *sweep) pause() error {
	if s.rows%often != 0 {
		return nil
	}
	if err := s.ctx.Err(); err != nil {
		return err
	}
	if s.q.Observer != nil {
		s.q.Observer(limit.Progress{Depth: -1, States: s.States, Steps: s.Transitions, Bytes: s.bytes()})
	}
	if err := s.fits(); err != nil {
		return err
	}
	return s.worth()
}

// bytes is the memory of blocks, tables and contents.
func (s *sweep) bytes() int64 {
	return s.taken + s.pool.bytes + s.planner.Bytes()
}

// fits returns an error if that is more than the limit.
func (s *sweep) fits() error {
	if s.Bytes = max(s.Bytes, s.bytes()); s.Bytes > s.q.Bounds.Memory() {
		return &Unfit{Why: "the rows take too much memory"}
	}
	if s.sampled == nil && (s.planner.Bytes() > plansInAdvance+memoryOfState*s.States || s.bytes() > allInAdvance+memoryOfState*s.States) {
		return errFew
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

// The memory that rows may take, in bytes: of plans and of all, besides what as many states take by
// levels. The first states are far apart.
const (
	plansInAdvance = 256 << 20
	allInAdvance   = 512 << 20
	memoryOfState  = 16
)

var errFew = &Unfit{"rows have too few states", true}

// worth returns an error if the transitions so far would have been found faster by levels.
func (s *sweep) worth() error {
	most := int64(mostWork)
	if s.States > 2*s.q.Found {
		most = mostWorkLater
	}
	alone := aloneCost * s.alone
	if s.sampled == nil && alone > mostWork*s.Transitions {
		return &Unfit{Why: "actions are played alone too often"}
	}
	work := rowCost*s.moves + alone + s.planner.Work()
	if s.sampled == nil && work > most*s.Transitions+s.q.Advance {
		return errFew
	}
	return nil
}
