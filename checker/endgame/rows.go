package endgame

import (
	"context"
	"errors"
	"math/bits"
	"slices"

	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/checker/plan"
	"github.com/mancheck/mancheck/checker/residual"
	"github.com/mancheck/mancheck/checker/step"
	"github.com/mancheck/mancheck/checker/value"
)

// Marks in rows, where values are those for the player to move.
const (
	noMove  = -127 // no move so far
	noValue = 127  // there is no future
)

// halfWorker evaluates rows. A goroutine needs its own.
type halfWorker struct {
	*halves
	ctx       context.Context
	planner   *plan.Planner
	positions *value.Positions
	stepper   *residual.Stepper
	memory    int64 // for plans and links
	ordered   *ordered
	moved     []uint64 // contents with a legal action, of the row in hand
	to        plan.Key
	batch     pack.Batch
	entries   []uint64
}

// inner is what is done with actions that lead to positions of the same layer.
type inner interface {
	// part is for parts of a row. known says that the futures they lead to are known.
	part(r *row, to *target) (known bool, err error)
	// single is for the position of a row at x, which leads to another one.
	single(r *row, x int, to []uint64) error
	// end is called when all actions of a row are there.
	end(r *row) error
}

// target is where part of a row is taken to.
type target struct {
	control int
	seeds   seeds
	known   uint32 // content of the half that was sown from
	table   *plan.Table
	part    *plan.Part
}

func (h *halves) newWorker(ctx context.Context, plans *plan.Cache, memory int64) *halfWorker {
	p := h.positions.Clone()
	w := &halfWorker{halves: h, ctx: ctx, positions: p, stepper: p.Stepper(ctx), memory: memory}
	fits := func() error {
		if w.planBytes() > memory {
			return errBySteps
		}
		return nil
	}
	w.planner = plans.Planner(ctx, w.stepper, fits)
	w.ordered = &ordered{halfWorker: w, values: make([][]int8, len(h.controls)), moves: make([][][]move, len(h.controls))}
	return w
}

// planBytes is the memory of the worker's plans, and its share of what workers have together.
func (w *halfWorker) planBytes() int64 {
	return w.planner.OwnBytes() + w.planner.Bytes()/int64(len(w.workers))
}

// rows finds what the moves of a block to other layers are worth, for the player to move, one row
// after another.
func (w *halfWorker) rows(c int, s seeds, values []int8, in inner) error {
	con := &w.controls[c]
	t := w.planner.Territories
	contents := t[con.half].With(s[con.half])
	n := t[1-con.half].Size(s[1-con.half])
	r := row{halfWorker: w, control: c, seeds: s, half: con.half, in: in}
	r.plans = w.planner.Rows(&con.key, 1-con.half, s[con.half], s[1-con.half], len(con.actions))
	for x := range contents {
		if err := w.ctx.Err(); err != nil {
			return err
		}
		r.number, r.best = uint32(x), values[x*n:][:n]
		r.held = con.key
		r.held.Or(contents[x])
		for i := range r.best {
			r.best[i] = noMove
		}
		if err := r.actions(con); err != nil {
			return err
		}
		if err := in.end(&r); err != nil {
			return err
		}
	}
	return nil
}

// row is the positions of a block with one content of the half that is sown from.
type row struct {
	*halfWorker
	control int
	seeds   seeds
	half    int
	plans   *plan.Rows
	number  uint32
	held    plan.Key
	plan    plan.Plan // of the action in hand
	best    []int8
	in      inner
}

// actions adds what all actions are worth. The last resorts are few: each is played alone.
func (r *row) actions(con *control) error {
	n := plan.WordsFor(len(r.best))
	r.moved = slices.Grow(r.moved[:0], n)[:n]
	clear(r.moved)
	resorts := 0
	for place, action := range con.actions {
		if con.lasts[place] {
			resorts++
			continue
		}
		if err := r.action(place, action); err != nil {
			return err
		}
	}
	if resorts == 0 {
		return nil
	}
	for x := range r.best {
		if r.hasMoved(x) {
			continue
		}
		for place, action := range con.actions {
			if !con.lasts[place] {
				continue
			}
			if err := r.alone(place, action, x); err != nil {
				return err
			}
		}
	}
	return nil
}

// action adds what an action is worth.
func (r *row) action(place int, action int32) error {
	vary := 1 - r.half
	p := &r.plan
	if err := r.planner.Action(p, r.plans, r.number, place, &r.held, r.seeds[vary]); err != nil || p.Table == nil {
		return r.large(err)
	}
	if err := r.planner.Complete(p.Table); err != nil {
		return err
	}
	parts := p.Parts()
	for i := range parts {
		q, err := &parts[i], error(nil)
		if q.Result == plan.Alone>>plan.ResultAt {
			err = each(q.Mask, len(r.best), func(x int) error { return r.alone(place, action, x) })
		} else {
			r.mark(q.Mask)
			err = r.part(p, q)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// hasMoved reports whether a content has a legal action.
func (w *halfWorker) hasMoved(x int) bool { return w.moved[x>>6]>>(x&63)&1 != 0 }

// mark notes that some contents have a legal action; nil: all.
func (r *row) mark(set []uint64) {
	if set == nil {
		for i := range r.moved {
			r.moved[i] = ^uint64(0)
		}
		return
	}
	for i, w := range set {
		r.moved[i] |= w
	}
}

// large makes errBySteps of plan.ErrLarge.
func (r *row) large(err error) error {
	if errors.Is(err, plan.ErrLarge) {
		return errBySteps
	}
	return err
}

// each calls f with the contents in a set; all of so many if it is nil.
func each(set []uint64, n int, f func(x int) error) error {
	if set == nil {
		for x := range n {
			if err := f(x); err != nil {
				return err
			}
		}
		return nil
	}
	for i, bit := range set {
		for ; bit != 0; bit &= bit - 1 {
			if err := f(i<<6 + bits.TrailingZeros64(bit)); err != nil {
				return err
			}
		}
	}
	return nil
}

// part adds what one result of an action is worth.
func (r *row) part(p *plan.Plan, q *plan.Part) error {
	t, err := p.Target(q.Result)
	if err != nil {
		return r.large(err)
	}
	words := r.positions.Words()
	vary := 1 - r.half
	if r.positions.Over(t.Rest[:words]) {
		return r.over(p, q, &t)
	}
	to := target{known: t.Number, table: p.Table, part: q}
	to.seeds[r.half], to.seeds[vary] = t.Own, t.Total
	if to.control, err = r.controlOf(&t.Rest); err != nil {
		return err
	}
	won := r.positions.Won(t.Rest[:words])
	switch s := to.seeds.total(); {
	case s > r.seeds.total():
		return errBySteps
	case s == r.seeds.total():
		if known, err := r.in.part(r, &to); !known || err != nil {
			return err
		}
	}
	from, negated, unknown := r.row(to.control, to.seeds, vary, to.known)
	if !r.controls[r.control].maximizing {
		negated, won = !negated, -won
	}
	if unknown {
		return each(q.Mask, len(r.best), func(x int) error {
			v := int8(from[p.To[x]&(1<<plan.ResultAt-1)])
			switch {
			case v == noFuture:
				v = noValue
			case negated:
				v = int8(won) - v
			default:
				v += int8(won)
			}
			r.best[x] = max(r.best[x], v)
			return nil
		})
	}
	raisePart(r.best, from, p.To, q, int32(won), negated)
	return nil
}

// controlOf returns the number of the control of a position.
func (r *row) controlOf(k *plan.Key) (int, error) {
	if len(r.controls) == 1 {
		return 0, nil
	}
	key := k[:r.positions.Words()]
	if r.swap {
		return r.positions.Mover(key), nil
	}
	c := k.Masked(&r.mask)
	for i := range r.controls {
		if r.controls[i].key == c {
			return i, nil
		}
	}
	return 0, errBySteps
}

// over adds what an action is worth that ends the game.
func (r *row) over(p *plan.Plan, q *plan.Part, t *plan.Target) error {
	vary := 1 - r.half
	contents, own := r.planner.Territories[vary].With(t.Total), r.planner.Territories[r.half].With(t.Own)
	known := t.Rest
	known.Or(own[t.Number])
	worth := func(content *plan.Key) (int8, error) {
		end := known
		end.Or(*content)
		return r.ended(end[:r.positions.Words()])
	}
	if r.even[vary] {
		v, err := worth(&contents[0])
		if err != nil {
			return err
		}
		return each(q.Mask, len(r.best), func(x int) error {
			r.best[x] = max(r.best[x], v)
			return nil
		})
	}
	return each(q.Mask, len(r.best), func(x int) error {
		v, err := worth(&contents[p.To[x]&(1<<plan.ResultAt-1)])
		r.best[x] = max(r.best[x], v)
		return err
	})
}

// ended is what a finished play is worth to the player to move, or noValue.
func (r *row) ended(key []uint64) (int8, error) {
	v, ok, err := r.positions.Ended(key)
	switch {
	case err != nil:
		return 0, err
	case !ok:
		return noValue, nil
	}
	return r.own(int8(v)), nil
}

// own is a future for the player to move.
func (r *row) own(v int8) int8 {
	switch {
	case v == noFuture:
		return noValue
	case r.controls[r.control].maximizing:
		return v
	}
	return -v
}

// alone adds what an action is worth in one position.
func (r *row) alone(place int, action int32, x int) error {
	vary := 1 - r.half
	k := r.held
	k.Or(r.planner.Territories[vary].With(r.seeds[vary])[x])
	words := r.positions.Words()
	to := r.to[:words]
	legal, err := r.stepper.Play(k[:words], place, action, to, &r.batch)
	switch {
	case errors.As(err, new(*step.Fault)):
		r.best[x] = noValue
		err = nil
	case err == nil && legal:
		err = r.played(x, to)
	default:
		return err
	}
	r.moved[x>>6] |= 1 << (x & 63)
	return err
}

// played adds what an action is worth that leads from one position to the state with a key.
func (r *row) played(x int, to []uint64) error {
	if r.positions.Over(to) {
		v, err := r.ended(to)
		r.best[x] = max(r.best[x], v)
		return err
	}
	r.entries = r.positions.Find(to, r.entries[:0])
	l := r.Table.layer(r.seeds.total())
	switch board := l.board(r.entries[0] &^ value.Negated); {
	case board >= l.first+l.size:
		return errBySteps
	case board >= l.first:
		return r.in.single(r, x, to)
	default:
		v := r.future(r.entries[0])
		if v != noFuture {
			v += int8(r.positions.Won(to))
		}
		r.best[x] = max(r.best[x], r.own(v))
	}
	return nil
}
