package blocks

import (
	"context"
	"errors"
	"math/bits"
	"slices"

	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/checker/plan"
	"github.com/mancheck/mancheck/checker/residual"
	"github.com/mancheck/mancheck/checker/value"
	"github.com/mancheck/mancheck/rules/interp"
)

// Marks in rows, where values are those for the player to move.
const (
	NoMove   = -127 // no move so far
	NoValue  = 127  // there is no future
	noFuture = 128  // value.NoFuture as a byte
)

// Lower has the futures of lower layers.
type Lower interface {
	// Line returns the futures of the positions of a kept block with the content known in the half
	// that does not vary, by the contents of the half vary. unknown says that some of them may have
	// no future.
	Line(c int, s Seeds, vary int, known uint32) (line []byte, unknown bool, err error)
}

// Worker evaluates rows. A goroutine needs its own.
type Worker struct {
	*Division
	lower     Lower // nil: only moves within the layer are evaluated
	ctx       context.Context
	planner   *plan.Planner
	positions *value.Positions
	stepper   *residual.Stepper
	moved     []uint64 // contents with a legal action, of the current row
	to        plan.Key
	batch     pack.Batch
}

// Inner gets the actions that lead to positions of the same layer.
type Inner interface {
	// Part is for parts of a row. known says that the futures they lead to are known.
	Part(r *Row, to *Target) (known bool, err error)
	// Single is for the position of a row at x, which leads to another one.
	Single(r *Row, x int, to *Target) error
	// End is called after the last action of a row.
	End(r *Row) error
}

// Target is where an action takes part of a row, or one position.
type Target struct {
	Control int
	Seeds   Seeds
	Known   uint32   // content of the half that was sown from
	Into    uint32   // content of the other half; of one position
	Same    bool     // the content of the other half stays
	Mask    []uint64 // of the contents of the other half; nil: all
	table   *plan.Table
	part    *plan.Part
}

// Worker returns a worker. fits is called for each new table of a plan, and fails if there is no
// memory for it.
func (d *Division) Worker(ctx context.Context, lower Lower, fits func() error) *Worker {
	p := d.Positions.Clone()
	w := &Worker{Division: d, lower: lower, ctx: ctx, positions: p, stepper: p.Stepper(ctx)}
	w.planner = d.plans.Planner(ctx, w.stepper, fits)
	return w
}

// Within sets the context of the work, and where the futures of lower layers are. Without these only
// moves within the layer are evaluated.
func (w *Worker) Within(ctx context.Context, lower Lower) { w.ctx, w.lower = ctx, lower }

// OwnBytes returns the memory of the worker that is not in PlanBytes of the division.
func (w *Worker) OwnBytes() int64 { return w.planner.OwnBytes() }

// Rows finds, row by row, the best of the moves to other layers of some rows of a block, for the
// player to move. values has room for all rows, or for one row if a row is not needed after in.End.
func (w *Worker) Rows(c int, s Seeds, first, end int, values []int8, in Inner) error {
	con := &w.Controls[c]
	t := w.Territories
	contents := t[con.Half].With(s[con.Half])
	n := t[1-con.Half].Size(s[1-con.Half])
	r := Row{Worker: w, Control: c, Seeds: s, half: con.Half, in: in}
	r.plans = w.planner.Rows(&con.key, 1-con.Half, s[con.Half], s[1-con.Half], len(con.actions))
	for x := first; x < end; x++ {
		if err := w.ctx.Err(); err != nil {
			return err
		}
		r.Number, r.Best = uint32(x), values[:n]
		if len(values) > n {
			values = values[n:]
		}
		r.held = con.key
		r.held.Or(contents[x])
		if w.lower != nil {
			r.clear()
		}
		if err := r.actions(con); err != nil {
			return err
		}
		if err := in.End(&r); err != nil {
			return err
		}
	}
	return nil
}

// Row is the positions of a block with one content of the half that is sown from.
type Row struct {
	*Worker
	Control int
	Seeds   Seeds
	Number  uint32
	Best    []int8 // the best of the moves so far, or NoValue
	half    int
	plans   *plan.Rows
	held    plan.Key
	plan    plan.Plan // of the current action
	in      Inner
}

// clear resets the row.
func (r *Row) clear() {
	for i := range r.Best {
		r.Best[i] = NoMove
	}
}

// actions adds the worth of all actions. Last resorts are rare, so each is played position by
// position.
func (r *Row) actions(con *Control) error {
	n := plan.WordsFor(len(r.Best))
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
	for i, w := range r.moved {
		unmoved := ^w
		if rest := len(r.Best) - i<<6; rest < 64 {
			unmoved &= 1<<rest - 1
		}
		for ; unmoved != 0; unmoved &= unmoved - 1 {
			if err := r.resort(con, i<<6+bits.TrailingZeros64(unmoved)); err != nil {
				return err
			}
		}
	}
	return nil
}

// resort plays the last resorts in one position.
func (r *Row) resort(con *Control, x int) error {
	for place, action := range con.actions {
		if !con.lasts[place] {
			continue
		}
		if err := r.alone(place, action, x); err != nil {
			return err
		}
	}
	return nil
}

// action adds the worth of an action.
func (r *Row) action(place int, action int32) error {
	vary := 1 - r.half
	p := &r.plan
	if err := r.planner.Action(p, r.plans, r.Number, place, &r.held, r.Seeds[vary]); err != nil || p.Table == nil {
		return r.large(err)
	}
	if err := r.planner.Complete(p.Table); err != nil {
		return err
	}
	parts := p.Parts()
	for i := range parts {
		q, err := &parts[i], error(nil)
		if q.Result == plan.Alone>>plan.ResultAt {
			err = each(q.Mask, len(r.Best), func(x int) error { return r.alone(place, action, x) })
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
func (w *Worker) hasMoved(x int) bool { return w.moved[x>>6]>>(x&63)&1 != 0 }

// mark records that the contents in a set have a legal action; nil: all.
func (r *Row) mark(set []uint64) {
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

// large turns plan.ErrLarge into ErrNotByRows.
func (r *Row) large(err error) error {
	if errors.Is(err, plan.ErrLarge) {
		return ErrNotByRows
	}
	return err
}

// each calls f with the contents in a set, or with all contents if the set is nil.
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

// part adds the worth of one result of an action.
func (r *Row) part(p *plan.Plan, q *plan.Part) error {
	t, err := p.Target(q.Result)
	if err != nil {
		return r.large(err)
	}
	words := r.positions.Words()
	vary := 1 - r.half
	if r.positions.Over(t.Rest[:words]) {
		if r.lower == nil {
			return nil
		}
		return r.over(p, q, &t)
	}
	to := Target{Known: t.Number, Same: q.Same, Mask: q.Mask, table: p.Table, part: q}
	to.Seeds[r.half], to.Seeds[vary] = t.Own, t.Total
	if to.Control, err = r.controlOf(&t.Rest); err != nil {
		return err
	}
	switch s := to.Seeds.Total(); {
	case s > r.Seeds.Total():
		return ErrNotByRows
	case s == r.Seeds.Total():
		if known, err := r.in.Part(r, &to); !known || err != nil {
			return err
		}
	case r.lower == nil:
		return nil
	}
	return r.raise(&to, r.positions.Won(t.Rest[:words]))
}

// raise adds the worth of a part whose futures are known, with the seeds that the action wins.
func (r *Row) raise(to *Target, won int) error {
	from, negated, unknown, err := r.line(to.Control, to.Seeds, 1-r.half, to.Known)
	if err != nil {
		return err
	}
	if !r.Controls[r.Control].Maximizing {
		negated, won = !negated, -won
	}
	if !unknown {
		raisePart(r.Best, from, to.table.To, to.part, int32(won), negated)
		return nil
	}
	return each(to.Mask, len(r.Best), func(x int) error {
		v := int8(from[to.table.To[x]&(1<<plan.ResultAt-1)])
		switch {
		case v == value.NoFuture:
			v = NoValue
		case negated:
			v = int8(won) - v
		default:
			v += int8(won)
		}
		r.Best[x] = max(r.Best[x], v)
		return nil
	})
}

// line returns the futures of the line that a move leads to. negated says that they have to be
// negated.
func (r *Row) line(c int, s Seeds, vary int, known uint32) (line []byte, negated, unknown bool, err error) {
	c, s, vary, negated = r.Kept(c, s, vary)
	line, unknown, err = r.lower.Line(c, s, vary, known)
	return line, negated, unknown, err
}

// controlOf returns the number of the control of a position.
func (r *Row) controlOf(k *plan.Key) (int, error) {
	if len(r.Controls) == 1 {
		return 0, nil
	}
	key := k[:r.positions.Words()]
	if r.Swapped {
		return r.positions.Mover(key), nil
	}
	c := k.Masked(&r.mask)
	for i := range r.Controls {
		if r.Controls[i].key == c {
			return i, nil
		}
	}
	return 0, ErrNotByRows
}

// over adds the worth of an action that ends the game.
func (r *Row) over(p *plan.Plan, q *plan.Part, t *plan.Target) error {
	vary := 1 - r.half
	contents, own := r.Territories[vary].With(t.Total), r.Territories[r.half].With(t.Own)
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
		return each(q.Mask, len(r.Best), func(x int) error {
			r.Best[x] = max(r.Best[x], v)
			return nil
		})
	}
	return each(q.Mask, len(r.Best), func(x int) error {
		v, err := worth(&contents[p.To[x]&(1<<plan.ResultAt-1)])
		r.Best[x] = max(r.Best[x], v)
		return err
	})
}

// ended returns the worth of a finished play to the player to move, or NoValue.
func (r *Row) ended(key []uint64) (int8, error) {
	v, ok, err := r.positions.Ended(key)
	switch {
	case err != nil:
		return 0, err
	case !ok:
		return NoValue, nil
	}
	return r.own(int8(v)), nil
}

// own converts a future to the view of the player to move.
func (r *Row) own(v int8) int8 {
	switch {
	case v == value.NoFuture:
		return NoValue
	case r.Controls[r.Control].Maximizing:
		return v
	}
	return -v
}

// alone adds the worth of an action in one position.
func (r *Row) alone(place int, action int32, x int) error {
	vary := 1 - r.half
	k := r.held
	k.Or(r.Territories[vary].With(r.Seeds[vary])[x])
	words := r.positions.Words()
	to := r.to[:words]
	legal, err := r.stepper.Play(k[:words], place, action, to, &r.batch)
	switch {
	case errors.As(err, new(*interp.RuleError)):
		r.Best[x] = NoValue
		err = nil
	case err == nil && legal:
		err = r.played(x, to)
	default:
		return err
	}
	r.moved[x>>6] |= 1 << (x & 63)
	return err
}

// played adds the worth of an action that leads from one position to the state with a key.
func (r *Row) played(x int, to []uint64) error {
	if r.positions.Over(to) {
		if r.lower == nil {
			return nil
		}
		v, err := r.ended(to)
		r.Best[x] = max(r.Best[x], v)
		return err
	}
	var key plan.Key
	copy(key[:], to)
	t := r.Territories
	s := Target{Seeds: Seeds{t[0].Total(&key), t[1].Total(&key)}}
	var err error
	if s.Control, err = r.controlOf(&key); err != nil {
		return err
	}
	switch n := s.Seeds.Total(); {
	case n > r.Seeds.Total():
		return ErrNotByRows
	case n == r.Seeds.Total():
		s.Known, s.Into = t[r.half].Number(&key), t[1-r.half].Number(&key)
		return r.in.Single(r, x, &s)
	case r.lower == nil:
		return nil
	}
	// Positions with the same content of the second half are consecutive in memory.
	line, negated, _, err := r.line(s.Control, s.Seeds, r.natural(s.Control), t[1-r.natural(s.Control)].Number(&key))
	if err != nil {
		return err
	}
	v := int8(line[t[r.natural(s.Control)].Number(&key)])
	if v != value.NoFuture {
		if negated {
			v = -v
		}
		v += int8(r.positions.Won(to))
	}
	r.Best[x] = max(r.Best[x], r.own(v))
	return nil
}

// natural is the half that varies in the lines that need no transposition.
func (r *Row) natural(c int) int {
	if r.Swapped && c == 1 {
		return 1
	}
	return 0
}
