package rows

import (
	"math/bits"
	"sync/atomic"

	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/checker/plan"
	"github.com/mancheck/mancheck/checker/residual"
)

// worker plays the rows of one block after another. A goroutine needs its own.
type worker struct {
	*sweep
	tally   // since the last report
	stepper *residual.Stepper
	planner *plan.Planner
	planned atomic.Int64            // the memory of its part of the plans
	made    int64                   // the work of the planner, as of the last report
	often   int64                   // the rows between two reports
	news                            // of the row in hand
	some    []uint64                // some of these
	rows    *plan.Rows              // of the block in hand
	aims    [plan.Most][]uint32     // the states that the action in hand leads to, by result; empty between actions
	tables  []*plan.Table           // of the actions of the row in hand
	plan    plan.Plan               // of the action in hand
	recent  [1 << recentBits]*block // by a hash of their ids; there may be others
	batch   pack.Batch
	to      plan.Key
}

func (s *sweep) newWorker(stepper *residual.Stepper) *worker {
	w := &worker{sweep: s, tally: s.q.newTally(), stepper: stepper, often: oftenFirst}
	w.planner = s.plans.Planner(s.ctx, stepper, w.fits)
	for _, x := range append(s.q.Count, s.q.Never) {
		if x != nil {
			w.planner.Conditions = append(w.planner.Conditions, stepper.Compile(x))
		}
	}
	return w
}

func (w *worker) fits() error {
	w.planned.Store(w.planner.OwnBytes())
	return w.sweep.fits()
}

// drain plays blocks until there are none.
func (w *worker) drain() {
	for b := w.queue.pop(); b != nil; b = w.queue.pop() {
		err := w.rowsOf(b)
		if err == nil && b.finish(w.pool) { // after an error there are rows left, and others still play
			w.queue.push(b)
		}
		w.queue.done(err)
	}
}

// rowsOf plays the rows of a block that have new states. Such a row may get some more meanwhile.
func (w *worker) rowsOf(b *block) error {
	b.begin(w.pool)
	if words := b.fresh.words; cap(w.set) < words {
		w.set, w.some = make([]uint64, words), make([]uint64, words)
	}
	w.set = w.set[:b.fresh.words]
	all := w.territories[b.side].With(b.totals[b.side])
	if all == nil {
		return plan.ErrLarge
	}
	live := w.mover(&b.control) < w.players
	if live {
		if err := w.menu(b); err != nil {
			return err
		}
	}
	for row, more := b.take(w.pool, 0, &w.news); more; row, more = b.take(w.pool, row+1, &w.news) {
		if w.n == 0 {
			continue
		}
		held := b.control
		held.Or(all[row])
		if err := w.row(b, row, &held, live); err != nil {
			return err
		}
	}
	return nil
}

// add adds one state, and returns its block.
func (w *worker) add(k plan.Key) (*block, error) {
	t := w.territories
	at := id{control: k.Masked(&w.control)}
	var number [2]uint32
	for i := range t {
		at.totals[i], number[i] = t[i].Total(&k), t[i].Number(&k)
	}
	b, err := w.block(at)
	if err == nil {
		x := number[1-b.side]
		b.Lock()
		b.fresh.row(w.pool, int(number[b.side]))[x>>6] |= 1 << (x & 63)
		w.unlock(b)
	}
	return b, err
}

// unlock ends the addition of states to a block.
func (w *worker) unlock(b *block) {
	isQueued := false
	switch {
	case b.stage == waiting && b.layer == w.most:
		b.stage, isQueued = queued, true
	case b.stage == played:
		b.stage = gaining
	}
	b.Unlock()
	if isQueued {
		w.queue.push(b)
	}
}

// row counts the new states of a row, and plays all their actions.
func (w *worker) row(b *block, row int, held *plan.Key, live bool) error {
	n := int64(w.n)
	w.States += n
	if w.played++; w.played == w.often {
		if err := w.pause(); err != nil {
			return err
		}
	}
	if w.sampled != nil && w.found.Load()+w.States >= w.sampled.most {
		return errSampled
	}
	if err := w.conditions(b, held); err != nil {
		return err
	}
	if !live {
		w.Finished[w.mover(&b.control)-w.players] += n
		return nil
	}
	return w.actions(b, row, held)
}

// conditions evaluates what is asked of states in the new ones of a row.
func (w *worker) conditions(b *block, held *plan.Key) error {
	for i, x := range w.planner.Conditions {
		p := &w.plan
		if err := w.planner.Condition(p, i, held, 1-b.side, b.totals[1-b.side]); err != nil {
			return err
		}
		if p.Table == nil {
			continue
		}
		n := int64(0)
		for _, at := range w.states() {
			to, err := w.planner.Find(p.Table, at)
			switch {
			case err != nil:
				return err
			case to == plan.None:
				continue
			case to == plan.Alone:
				w.alone++
				is, err := w.stepper.Holds(x, residual.View{Key: w.state(b, held, at)})
				if err != nil {
					return err
				}
				if !is {
					continue
				}
			}
			n++
		}
		if i < len(w.Counts) {
			w.Counts[i] += n
		} else if n > 0 {
			return errFound
		}
	}
	return nil
}

// actions plays all actions in the new states of a row.
func (w *worker) actions(b *block, row int, held *plan.Key) error {
	tables, before, all := w.tables[:0], w.Transitions, false
	for place, action := range b.actions {
		p, alone := &w.plan, w.alone
		if b.lasts[place] {
			if tables = append(tables, nil); w.sampled != nil {
				w.sampled.note(action, 0, w.n, 0)
			}
			continue
		}
		if err := w.planner.Action(p, w.rows, uint32(row), place, held, b.totals[1-b.side]); err != nil {
			return err
		}
		if p.Table != nil {
			if err := w.move(b, held, place, action); err != nil {
				return err
			}
		}
		if w.sampled != nil {
			w.sampled.note(action, p.Why, w.n, w.alone-alone)
		}
		all = all || w.Transitions-before == int64(w.n)
		tables, before = append(tables, p.Table), w.Transitions
	}
	w.tables = tables
	return w.mobility(b, held, all)
}

// mobility counts the states of the row in hand with a legal action, and those without. Where no
// other action is legal, it plays the last resorts. all says that some other one is legal in all
// states.
func (w *worker) mobility(b *block, held *plan.Key, all bool) error {
	if all {
		w.Live += int64(w.n)
		return nil
	}
	for _, x := range w.states() {
		can, err := w.canMove(b, held, x)
		if err == nil && !can {
			can, err = w.lastResort(b, held, x)
		}
		switch {
		case err != nil:
			return err
		case can:
			w.Live++
		case w.q.NoStuck:
			return errFound
		default:
			w.Stuck++
		}
	}
	return nil
}

// canMove reports whether some action is legal in a state of the row in hand.
func (w *worker) canMove(b *block, held *plan.Key, x uint32) (bool, error) {
	for place, t := range w.tables {
		if t == nil {
			continue
		}
		switch t.At(x) {
		case plan.None:
		case plan.Alone:
			if to, err := w.playAlone(w.state(b, held, x), place, b.actions[place]); err != nil || to != nil {
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
func (w *worker) lastResort(b *block, held *plan.Key, x uint32) (can bool, err error) {
	for place, action := range b.actions {
		if !b.lasts[place] {
			continue
		}
		if w.sampled != nil {
			w.sampled.note(action, residual.Resort, 0, 1)
		}
		legal, err := w.moveAlone(w.state(b, held, x), place, action)
		if can = can || legal; err != nil {
			return false, err
		}
	}
	return can, nil
}

// menu finds the actions of a block, and the plans for them.
func (w *worker) menu(b *block) error {
	if b.actions == nil {
		actions, ok := w.stepper.Menu(b.control[:w.words])
		if !ok {
			return &Unfit{Why: "actions have a rank"}
		}
		b.actions, b.lasts = actions, plan.LastResorts(w.q.System, actions)
	}
	w.rows = w.planner.Rows(&b.control, 1-b.side, b.totals[b.side], b.totals[1-b.side], len(b.actions))
	return nil
}

// state returns the key of a state of a row.
func (w *worker) state(b *block, held *plan.Key, x uint32) []uint64 {
	k := *held
	k.Or(w.territories[1-b.side].With(b.totals[1-b.side])[x])
	return k[:w.words]
}

// move plays one action in the new states of a row.
func (w *worker) move(b *block, held *plan.Key, place int, action int32) error {
	p := &w.plan
	w.moves++
	parts := p.Parts()
	if parts == nil && p.Used(w.n) {
		if err := w.planner.Complete(p.Table); err != nil {
			return err
		}
		parts = p.Parts()
	}
	if parts != nil && len(parts)*len(w.set) <= w.n {
		return w.moveParts(b, held, parts, place, action)
	}
	for _, x := range w.states() {
		to := p.At(x)
		if to >= plan.Alone {
			var err error
			if to, err = w.planner.Find(p.Table, x); err != nil {
				return err
			}
			if to == plan.Alone {
				if _, err := w.moveAlone(w.state(b, held, x), place, action); err != nil {
					return err
				}
			}
			if to >= plan.Alone {
				continue
			}
		}
		r := to >> plan.ResultAt
		w.aims[r] = append(w.aims[r], to&(1<<plan.ResultAt-1))
	}
	for r := range p.Results() {
		list := w.aims[r]
		if len(list) == 0 {
			continue
		}
		w.aims[r] = list[:0]
		to, row, err := w.aim(b, uint32(r))
		if err != nil {
			return err
		}
		for _, x := range list {
			row[x>>6] |= 1 << (x & 63)
		}
		w.unlock(to)
		w.moved(to, int64(len(list)), action)
	}
	return nil
}

// moveParts plays an action in the new states of a row, for each part of a plan at once.
func (w *worker) moveParts(b *block, held *plan.Key, parts []plan.Part, place int, action int32) error {
	p := &w.plan
	for i := range parts {
		q := &parts[i]
		set, n := w.set, w.n
		if q.Mask != nil {
			set, n = w.some[:len(set)], 0
			for i, x := range w.set {
				set[i] = x & q.Mask[i]
				n += bits.OnesCount64(set[i])
			}
		}
		switch {
		case n == 0:
			continue
		case q.Result == plan.Alone>>plan.ResultAt:
			for _, x := range numbers(set, nil) {
				if _, err := w.moveAlone(w.state(b, held, x), place, action); err != nil {
					return err
				}
			}
			continue
		}
		to, row, err := w.aim(b, q.Result)
		if err != nil {
			return err
		}
		switch {
		case q.Same:
			for i, x := range set {
				row[i] |= x
			}
		default:
			for i, x := range set {
				from := p.To[i<<6:]
				for ; x != 0; x &= x - 1 {
					y := from[bits.TrailingZeros64(x)] & (1<<plan.ResultAt - 1)
					row[y>>6] |= 1 << (y & 63)
				}
			}
		}
		w.unlock(to)
		w.moved(to, int64(n), action)
	}
	return nil
}

// moved counts transitions into a block.
func (w *worker) moved(to *block, n int64, action int32) {
	w.Transitions += n
	w.Fired[action] = true
	if m := w.mover(&to.control); m >= w.players {
		w.Into[m-w.players] += n
	}
}

// aim finds where states of a row go by a result of the plan in hand. The block is locked.
func (w *worker) aim(b *block, result uint32) (to *block, row []uint64, err error) {
	t, err := w.plan.Target(result)
	if err != nil {
		return nil, nil, err
	}
	at := id{control: t.Rest}
	at.totals[b.side], at.totals[1-b.side] = t.Own, t.Total
	recent := &w.recent[at.hash()]
	to = *recent
	if to == nil || to.id != at {
		if to, err = w.block(at); err != nil {
			return nil, nil, err
		}
		*recent = to
	}
	to.Lock()
	m := &to.fresh
	if to.side != b.side {
		if m = &to.turned; m.chunks == nil {
			*m = newMatrix(w.size(to.id, b.side), w.size(to.id, to.side))
			w.blocks.bytes.Add(m.overhead())
		}
	}
	return to, m.row(w.pool, int(t.Number)), nil
}

// playAlone returns the state that an action leads to; nil if it is not legal.
func (w *worker) playAlone(from []uint64, place int, action int32) ([]uint64, error) {
	w.alone++
	legal, err := w.stepper.Play(from, place, action, w.to[:w.words], &w.batch)
	if err != nil || !legal {
		return nil, err
	}
	return w.to[:w.words], nil
}

// moveAlone plays an action in one state, and reports whether it is legal.
func (w *worker) moveAlone(from []uint64, place int, action int32) (legal bool, err error) {
	to, err := w.playAlone(from, place, action)
	if err != nil || to == nil {
		return false, err
	}
	var k plan.Key
	copy(k[:], to)
	b, err := w.add(k)
	if err == nil {
		w.moved(b, 1, action)
	}
	return true, err
}

// The least and the greatest number of rows between two reports. The first ones come early, to see
// soon what is not worth while.
const (
	oftenFirst = 1 << 6
	oftenLater = 1 << 10
)

// report adds what the worker has found to what all have.
func (w *worker) report() {
	w.reports.Lock()
	defer w.reports.Unlock()
	work := w.planner.Work()
	w.work, w.made = work-w.made, work
	w.found.Add(w.States)
	w.total.take(&w.tally)
}

// pause reports, and ends the exploration if it was cancelled, or has to end.
func (w *worker) pause() error {
	w.report()
	w.often = min(2*w.often, oftenLater)
	if err := w.ctx.Err(); err != nil {
		return err
	}
	if err := w.overMost(); err != nil {
		return err
	}
	if err := w.fits(); err != nil {
		return err
	}
	return w.progress()
}
