package rows

import (
	"context"
	"math"
	"math/bits"
	"slices"

	"github.com/mancheck/mancheck/checker/laws"
	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/checker/residual"
	"github.com/mancheck/mancheck/internal/limit"
)

// sweep is a running exploration.
type sweep struct {
	Result
	ctx     context.Context
	q       *Query
	planner *planner
	words   int
	players int
	status  pack.Field
	control key   // its fields
	side    []int // by player: the territory whose contents are rows
	layered bool  // the territories never gain seeds
	most    int   // the layer in hand: all above are done
	layers  []*layer
	blocks  map[id]*block
	taken   int64    // bytes of blocks
	rows    int64    // that had new states
	moves   int64    // actions of rows so far, the one in hand included
	alone   int64    // actions in one state
	news    []uint64 // the new states of the row in hand
	n       int      // how many there are
	list    []uint32 // their numbers, if they are listed
	listed  bool
	some    []uint64 // some of them
	aims    [most]aim
	counts  [most]int64 // of the states of a row, by result; 0 between moves
	tables  []*table    // of the actions of the row in hand
	batch   pack.Batch
	to      key
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
	if s.words > maxWords {
		return nil, &Unfit{"states are too wide"}
	}
	pits, side := territories(q.System)
	s.side = side
	var t [2]*territory
	for i := range t {
		var ok bool
		if t[i], ok = newTerritory(q.Codec, pits[i], q.Seeds); !ok {
			return nil, &Unfit{"there are no two territories"}
		}
	}
	for w := range s.words {
		s.control[w] = ^(t[0].mask[w] | t[1].mask[w])
	}
	s.planner = newPlanner(ctx, &q, t, s.fits)
	s.layered = true
	for p, grows := range laws.Growing(q.System) {
		f, has := q.Codec.Cell(p)
		inside := has && (t[0].mask[f.Word]|t[1].mask[f.Word])>>f.Shift&1 != 0
		s.layered = s.layered && (inside || grows)
	}
	for _, x := range append(q.Count, q.Never) {
		if x == nil {
			continue
		}
		p, err := q.Stepper.Compile(x)
		if err != nil {
			return nil, &Unfit{err.Error()}
		}
		s.planner.conditions = append(s.planner.conditions, p)
	}
	s.Finished, s.Into = make([]int64, len(q.System.Outcomes)), make([]int64, len(q.System.Outcomes))
	s.Counts, s.Fired = make([]int64, len(q.Count)), make([]bool, len(q.System.Actions))
	return s, nil
}

func (s *sweep) run() error {
	for _, start := range s.q.Starts {
		var k key
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
			s.taken -= b.taken
			delete(s.blocks, b.id)
			*b = gone
		}
		s.layers[n] = nil
	}
	return nil
}

// gone is a block of a layer that is done. It is no block that a table may still refer to.
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
			b.turn()
			for row, dirty := range b.fresh.dirty {
				if !dirty {
					continue
				}
				if err := s.row(b, row); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// add adds one state, and returns its block.
func (s *sweep) add(k key) (*block, error) {
	t := s.planner.territories
	at := id{control: k.masked(&s.control)}
	var number [2]uint32
	for i := range t {
		at.totals[i], number[i] = t[i].total(&k), t[i].number(&k)
	}
	b, err := s.block(at)
	if err == nil {
		b.fresh.add(number[b.side], number[1-b.side])
		b.any = true
	}
	return b, err
}

// mover returns the player to move, or one more than the last player, plus the outcome.
func (s *sweep) mover(control *key) int {
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
		return nil, &Unfit{"a territory gains seeds"}
	}
	rows, columns := s.size(at, b.side), s.size(at, 1-b.side)
	if rows > mostContents || columns > mostContents {
		return nil, errLarge
	}
	if err := s.take(b, 2*matrixBytes(rows, columns)); err != nil {
		return nil, err
	}
	b.fresh = newMatrix(rows, columns)
	b.seen = make([]uint64, len(b.fresh.bits))
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
func (s *sweep) size(at id, side int) int { return s.planner.territories[side].size(at.totals[side]) }

// take notes that a block takes so many more bytes.
func (s *sweep) take(b *block, bytes int64) error {
	b.taken += bytes
	s.taken += bytes
	return s.fits()
}

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
	if s.n, s.listed = b.take(row, s.news), false; s.n == 0 {
		return nil
	}
	s.rows++
	n := int64(s.n)
	if s.States += n; s.q.Bounds.MaxStates > 0 && s.States > s.q.Bounds.MaxStates {
		return &Unfit{"there are more states than the limit"}
	}
	if err := s.pause(); err != nil {
		return err
	}
	all := s.planner.territories[b.side].with(b.totals[b.side])
	if all == nil {
		return errLarge
	}
	held := b.control
	held.or(all.keys[row])
	if err := s.conditions(b, &held); err != nil {
		return err
	}
	mover := s.mover(&b.control)
	if mover >= s.players {
		s.Finished[mover-s.players] += n
		return nil
	}
	return s.actions(b, &held)
}

// conditions evaluates what is asked of states in the new ones of a row.
func (s *sweep) conditions(b *block, held *key) error {
	for i, x := range s.planner.conditions {
		p, err := s.planner.condition(i, held, 1-b.side, b.totals[1-b.side])
		if err != nil {
			return err
		}
		n := int64(0)
		for _, at := range s.states() {
			to, err := s.planner.find(p.table, at)
			switch {
			case err != nil:
				return err
			case to == none:
				continue
			case to == alone:
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
func (s *sweep) actions(b *block, held *key) error {
	if err := s.menu(b); err != nil {
		return err
	}
	tables, before, all := s.tables[:0], s.Transitions, false
	for place, action := range b.actions {
		p, err := s.planner.action(place, held, 1-b.side, b.totals[1-b.side])
		if err != nil {
			return err
		}
		if err := s.move(b, p, held, place, action); err != nil {
			return err
		}
		all = all || s.Transitions-before == int64(s.n)
		tables, before = append(tables, p.table), s.Transitions
	}
	if s.tables = tables; all {
		s.Live += int64(s.n)
		return nil
	}
	for _, x := range s.states() {
		can, err := s.canMove(b, held, x)
		switch {
		case err != nil:
			return err
		case can:
			s.Live++
		default:
			s.Stuck++
		}
	}
	return nil
}

// canMove reports whether some action is legal in a state of the row in hand.
func (s *sweep) canMove(b *block, held *key, x uint32) (bool, error) {
	for place, t := range s.tables {
		switch t.to[x] {
		case none:
		case alone:
			if to, err := s.playAlone(s.state(b, held, x), place, b.actions[place]); err != nil || to != nil {
				return to != nil, err
			}
		default:
			return true, nil
		}
	}
	return false, nil
}

// menu finds the actions of a block.
func (s *sweep) menu(b *block) error {
	if b.actions != nil {
		return nil
	}
	actions, ok := s.q.Stepper.Menu(b.control[:s.words])
	if !ok {
		return &Unfit{"actions have a rank"}
	}
	b.actions = actions
	return nil
}

// state returns the key of a state of a row.
func (s *sweep) state(b *block, held *key, x uint32) []uint64 {
	k := *held
	k.or(s.planner.territories[1-b.side].with(b.totals[1-b.side]).keys[x])
	return k[:s.words]
}

// oftenUsed is how often the contents of a table are moved before all that is not known of it is
// found out.
const oftenUsed = 2

// move plays one action in the new states of a row.
func (s *sweep) move(b *block, p plan, held *key, place int, action int32) error {
	s.moves++
	if p.parts == nil {
		if p.used += s.n; p.used > oftenUsed*len(p.to) {
			if err := s.planner.complete(p.table); err != nil {
				return err
			}
		}
	}
	if p.parts != nil && len(p.parts)*len(s.news) <= s.n {
		return s.moveParts(b, p, held, place, action)
	}
	for _, x := range s.states() {
		to := p.to[x]
		if to >= alone {
			var err error
			if to, err = s.planner.find(p.table, x); err != nil {
				return err
			}
			if to == alone {
				if err := s.moveAlone(s.state(b, held, x), place, action); err != nil {
					return err
				}
			}
			if to >= alone {
				continue
			}
		}
		r := to >> resultAt
		to &= 1<<resultAt - 1
		a := &s.aims[r]
		if a.move != s.moves {
			if err := s.aim(a, b, p, r); err != nil {
				return err
			}
		}
		s.counts[r]++
		a.row[to>>6] |= 1 << (to & 63)
	}
	for r, n := range s.counts[:len(p.results)] {
		if n > 0 {
			s.moved(s.aims[r].to, n, action)
			s.counts[r] = 0
		}
	}
	return nil
}

// moveParts plays an action in the new states of a row, for each part of a plan at once.
func (s *sweep) moveParts(b *block, p plan, held *key, place int, action int32) error {
	for i := range p.parts {
		q := &p.parts[i]
		set, n := s.news, s.n
		if q.mask != nil {
			set, n = s.some[:len(set)], 0
			for i, x := range s.news {
				set[i] = x & q.mask[i]
				n += bits.OnesCount64(set[i])
			}
		}
		switch {
		case n == 0:
			continue
		case q.result == alone>>resultAt:
			for _, x := range numbers(set, nil) {
				if err := s.moveAlone(s.state(b, held, x), place, action); err != nil {
					return err
				}
			}
			continue
		}
		a := &s.aims[q.result]
		if err := s.aim(a, b, p, q.result); err != nil {
			return err
		}
		row := a.row
		switch {
		case q.same:
			for i, x := range set {
				row[i] |= x
			}
		default:
			for i, x := range set {
				from := p.to[i<<6:]
				for ; x != 0; x &= x - 1 {
					to := from[bits.TrailingZeros64(x)] & (1<<resultAt - 1)
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

// aim finds where states of a row go by a result of a plan.
func (s *sweep) aim(a *aim, b *block, p plan, number uint32) error {
	r := &p.results[number]
	k := key(p.ends[r.end])
	for w := range s.words {
		k[w] += r.out[w]
	}
	own := s.planner.territories[b.side]
	at := id{control: k.masked(&s.control)}
	at.totals[b.side], at.totals[1-b.side] = own.total(&k), r.total
	to := r.to
	if to == nil || to.id != at {
		var err error
		if to, err = s.block(at); err != nil {
			return err
		}
		r.to = to
	}
	m := &to.fresh
	if to.side != b.side {
		if m = &to.turned; m.bits == nil {
			rows, columns := s.size(to.id, b.side), s.size(to.id, to.side)
			if err := s.take(to, matrixBytes(rows, columns)); err != nil {
				return err
			}
			*m = newMatrix(rows, columns)
		}
	}
	a.move, a.to, a.row = s.moves, to, m.row(own.number(&k))
	to.any = true
	return nil
}

// playAlone returns the state that an action leads to; nil if it is not legal.
func (s *sweep) playAlone(from []uint64, place int, action int32) ([]uint64, error) {
	s.alone++
	switch s.q.Stepper.PlayOne(from, place, s.to[:s.words]) {
	case residual.Legal:
		return s.to[:s.words], nil
	case residual.Illegal:
		return nil, nil
	}
	s.batch.Keys, s.batch.Actions = s.batch.Keys[:0], s.batch.Actions[:0]
	if err := s.q.Stepper.Expand(from, &s.batch); err != nil {
		return nil, err
	}
	i := slices.Index(s.batch.Actions, action)
	if i < 0 {
		return nil, nil
	}
	return s.batch.Keys[i*s.words:][:s.words], nil
}

// moveAlone plays an action in one state.
func (s *sweep) moveAlone(from []uint64, place int, action int32) error {
	to, err := s.playAlone(from, place, action)
	if err != nil || to == nil {
		return err
	}
	var k key
	copy(k[:], to)
	b, err := s.add(k)
	if err == nil {
		s.moved(b, 1, action)
	}
	return err
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
	t := s.planner.territories
	return s.taken + s.planner.bytes + t[0].bytes + t[1].bytes
}

// fits returns an error if that is more than the limit.
func (s *sweep) fits() error {
	if s.Bytes = max(s.Bytes, s.bytes()); s.Bytes > s.q.Bounds.Memory() {
		return &Unfit{"the rows take too much memory"}
	}
	return nil
}

// What work costs, in units of an operation of a program. A transition by levels costs some five.
const (
	rowCost       = 15 // an action of a row
	aloneCost     = 10 // an action in one state
	mostWork      = 3  // for each transition
	mostInAdvance = 4_000_000
)

// worth returns an error if the transitions so far would have been found faster by levels.
func (s *sweep) worth() error {
	work := rowCost*s.moves + aloneCost*s.alone + s.planner.work
	for _, p := range s.planner.specialists {
		work += p.Work
	}
	if work > mostWork*s.Transitions+mostInAdvance {
		return &Unfit{"rows have too few states, or actions are played alone too often"}
	}
	return nil
}
