package rows

import (
	"context"
	"math"
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
	taken   int64 // bytes of blocks
	rows    int64 // that had new states
	moves   int64 // actions of rows so far, the one in hand included
	alone   int64 // actions in one state
	list    []uint32
	aims    [most]aim
	counts  [most]int64 // of the states of a row, by result; 0 between moves
	plans   []*plan     // of the actions of the row in hand
	batch   pack.Batch
	to      key
}

// layer is the blocks that have as many seeds in the territories.
type layer struct{ blocks []*block }

// aim is where the states of a row go by one result of a plan.
type aim struct {
	move  int64 // of the sweep, that it was found for
	to    *block
	fresh []uint64
	dirty []bool
	words int    // of a row
	word  int    // of the same side: the first word of the row; else the word in each row
	bit   uint64 // in that word; 0: of the same side
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
	s.planner = newPlanner(ctx, &q, t)
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
			s.taken -= b.bytes()
			delete(s.blocks, b.id)
			*b = block{}
		}
		s.layers[n] = nil
	}
	return nil
}

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
			for row := range b.dirty {
				if !b.dirty[row] {
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
		content := k.masked(&t[i].mask)
		at.totals[i], number[i] = t[i].total(&content), t[i].number(&content)
	}
	b, err := s.block(at)
	if err == nil {
		b.add(number[b.side], number[1-b.side])
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
	b.rows = s.planner.territories[b.side].size(at.totals[b.side])
	n := s.planner.territories[1-b.side].size(at.totals[1-b.side])
	if b.rows > mostContents || n > mostContents {
		return nil, errLarge
	}
	b.words = (n + 63) / 64
	s.taken += b.bytes()
	if err := s.fits(); err != nil {
		return nil, err
	}
	words := b.rows * b.words
	bits := make([]uint64, 2*words)
	b.seen, b.fresh, b.dirty = bits[:words:words], bits[words:], make([]bool, b.rows)
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

// row counts the new states of a row, and plays all their actions.
func (s *sweep) row(b *block, row int) error {
	s.list = b.take(row, s.list[:0])
	if len(s.list) == 0 {
		return nil
	}
	s.rows++
	n := int64(len(s.list))
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
	for i := range s.planner.conditions {
		p, err := s.planner.find(s.planner.tree(planned{-1, i, 1 - b.side, b.totals[1-b.side]}), held, s.list)
		if err != nil {
			return err
		}
		n := int64(0)
		for _, x := range s.list {
			if p.to[x] == unknown {
				if err := s.planner.fill(p, held, x); err != nil {
					return err
				}
			}
			switch p.to[x] {
			case none:
			case alone:
				is, err := s.q.Stepper.Holds(s.planner.conditions[i], residual.View{Key: s.state(b, held, x)})
				if err != nil {
					return err
				}
				if is {
					n++
				}
			default:
				n++
			}
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
	plans, before, all := s.plans[:0], s.Transitions, false
	for place, action := range b.actions {
		p, err := s.planner.find(b.trees[place], held, s.list)
		if err != nil {
			return err
		}
		if err := s.move(b, p, held, place, action); err != nil {
			return err
		}
		all = all || s.Transitions-before == int64(len(s.list))
		plans, before = append(plans, p), s.Transitions
	}
	if s.plans = plans; all {
		s.Live += int64(len(s.list))
		return nil
	}
	for _, x := range s.list {
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

// canMove reports whether some action is legal in a state, whose plans are known.
func (s *sweep) canMove(b *block, held *key, x uint32) (bool, error) {
	for place, p := range s.plans {
		switch p.to[x] {
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
	if b.trees != nil {
		return nil
	}
	number, actions, ok := s.q.Stepper.Menu(b.control[:s.words])
	if !ok {
		return &Unfit{"actions have a rank"}
	}
	b.actions, b.trees = actions, make([]*tree, len(actions))
	for place := range actions {
		b.trees[place] = s.planner.tree(planned{number, place, 1 - b.side, b.totals[1-b.side]})
	}
	return nil
}

// state returns the key of a state of a row.
func (s *sweep) state(b *block, held *key, x uint32) []uint64 {
	k := *held
	k.or(s.planner.territories[1-b.side].with(b.totals[1-b.side]).keys[x])
	return k[:s.words]
}

// move plays one action in the new states of a row.
func (s *sweep) move(b *block, p *plan, held *key, place int, action int32) error {
	s.moves++
	if p.sole {
		return s.moveAll(b, p, held, action)
	}
	for _, x := range s.list {
		to := p.to[x]
		if to >= alone {
			if to == unknown {
				if err := s.planner.fill(p, held, x); err != nil {
					return err
				}
				to = p.to[x]
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
			if err := s.aim(a, b, held, &p.results[r]); err != nil {
				return err
			}
		}
		s.counts[r]++
		if a.bit == 0 {
			a.fresh[a.word+int(to>>6)] |= 1 << (to & 63)
		} else {
			a.fresh[int(to)*a.words+a.word] |= a.bit
			a.dirty[to] = true
		}
	}
	for r, n := range s.counts[:len(p.results)] {
		if n > 0 {
			s.moved(s.aims[r].to, n, action)
			s.counts[r] = 0
		}
	}
	return nil
}

// moveAll plays an action that has the same result in all states of a row.
func (s *sweep) moveAll(b *block, p *plan, held *key, action int32) error {
	a := &s.aims[0]
	if err := s.aim(a, b, held, &p.results[0]); err != nil {
		return err
	}
	if a.bit == 0 {
		fresh := a.fresh[a.word : a.word+a.words]
		for _, x := range s.list {
			to := p.to[x]
			fresh[to>>6] |= 1 << (to & 63)
		}
	} else {
		fresh, dirty, word, words, bit := a.fresh, a.dirty, a.word, a.words, a.bit
		for _, x := range s.list {
			to := p.to[x]
			fresh[int(to)*words+word] |= bit
			dirty[to] = true
		}
	}
	s.moved(a.to, int64(len(s.list)), action)
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

// aim finds where states of a row go by a result.
func (s *sweep) aim(a *aim, b *block, held *key, r *result) error {
	k := *held
	carry(r.carried, &k)
	for w := range s.words {
		k[w] += r.delta[w]
	}
	own := s.planner.territories[b.side]
	content := k.masked(&own.mask)
	to := r.to
	if r.from != b || len(r.carried) > 0 { // what is carried is another number of seeds
		at := id{control: k.masked(&s.control)}
		at.totals[b.side], at.totals[1-b.side] = own.total(&content), r.total
		var err error
		if to, err = s.block(at); err != nil {
			return err
		}
		r.from, r.to = b, to
	}
	n := own.number(&content)
	*a = aim{move: s.moves, to: to, fresh: to.fresh, dirty: to.dirty, words: to.words}
	to.any = true
	if to.side == b.side {
		a.word = int(n) * to.words
		to.dirty[n] = true
	} else {
		a.word, a.bit = int(n>>6), 1<<(n&63)
	}
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

// bytes is the memory of blocks, plans and contents.
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
	rowCost       = 15  // an action of a row
	aloneCost     = 10  // an action in one state
	planCost      = 100 // a new plan, besides what is played for it
	mostWork      = 3   // for each transition
	mostInAdvance = 4_000_000
)

// worth returns an error if the transitions so far would have been found faster by levels.
func (s *sweep) worth() error {
	work := rowCost*s.moves + aloneCost*s.alone + planCost*s.planner.made
	for _, t := range s.planner.tracers {
		work += t.Work
	}
	if work > mostWork*s.Transitions+mostInAdvance {
		return &Unfit{"rows have too few states, or plans are used too seldom"}
	}
	return nil
}
