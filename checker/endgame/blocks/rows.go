package blocks

import (
	"context"
	"errors"
	"iter"
	"math/bits"
	"slices"
	"unsafe"

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

// Worker returns a worker. fits is called for each new table of a plan, and fails if there is no
// memory for it.
func (d *Division) Worker(ctx context.Context, lower Lower, fits func() error) *Worker {
	p := d.Positions.Clone()
	w := &Worker{Division: d, lower: lower, ctx: ctx, positions: p, stepper: p.Stepper(ctx)}
	w.planner = d.plans.Planner(ctx, w.stepper, fits)
	return w
}

// Within sets the context of the work, and where the futures of lower layers are. Without these
// only moves within the layer are evaluated.
func (w *Worker) Within(ctx context.Context, lower Lower) { w.ctx, w.lower = ctx, lower }

// OwnBytes returns the memory of the worker that is not in PlanBytes of the division.
func (w *Worker) OwnBytes() int64 { return w.planner.OwnBytes() }

// Rows finds, row by row, the best of the moves to other layers of the rows of a part from one on,
// for the player to move, and collects the links. values has room for all rows, or for one row if a
// row is not needed after k.Ended.
func (w *Worker) Rows(p *Part, from int, values []int8, k *Linker) error {
	con, vary := &w.Controls[p.Control], 1-p.Half
	contents, n := w.Territories[p.Half].With(p.Seeds[p.Half]), p.Columns
	r := row{Worker: w, control: p.Control, seeds: p.Seeds, half: p.Half, links: k}
	r.plans = w.planner.Rows(&con.key, vary, p.Seeds[p.Half], p.Seeds[vary], len(con.actions))
	for x := p.First + from; x < p.End; x++ {
		if err := w.ctx.Err(); err != nil {
			return err
		}
		r.number, r.best = uint32(x), values[:n]
		if len(values) > n {
			values = values[n:]
		}
		r.held = con.key
		r.held.Or(contents[x])
		if w.lower != nil {
			for i := range r.best {
				r.best[i] = NoMove
			}
		}
		if err := r.actions(con); err != nil {
			return err
		}
		if err := r.end(); err != nil {
			return err
		}
	}
	return nil
}

// row is the positions of a block with one content of the half that is sown from.
type row struct {
	*Worker
	control int
	seeds   Seeds
	number  uint32
	best    []int8 // the best of the moves so far, or NoValue
	half    int
	plans   *plan.Rows
	held    plan.Key
	plan    plan.Plan // of the current action
	links   *Linker
}

// actions adds the worth of all actions. Last resorts are rare, so each is played position by
// position.
func (r *row) actions(con *Control) error {
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
		moved := r.hasMoved(x)
		for place, action := range con.actions {
			if moved || !con.lasts[place] {
				continue
			}
			if err := r.alone(place, action, x); err != nil {
				return err
			}
		}
	}
	return nil
}

// action adds the worth of an action.
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
		q := &parts[i]
		if q.Result != plan.Alone>>plan.ResultAt {
			r.mark(q.Mask)
			if err := r.part(p, q); err != nil {
				return err
			}
			continue
		}
		for x := range members(q.Mask, len(r.best)) {
			if err := r.alone(place, action, x); err != nil {
				return err
			}
		}
	}
	return nil
}

// hasMoved reports whether a content has a legal action.
func (w *Worker) hasMoved(x int) bool { return w.moved[x>>6]>>(x&63)&1 != 0 }

// mark records that the contents in a set have a legal action; nil: all.
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

// large turns plan.ErrLarge into ErrNotByRows.
func (r *row) large(err error) error {
	if errors.Is(err, plan.ErrLarge) {
		return ErrNotByRows
	}
	return err
}

// members yields the contents in a set, or all if the set is nil.
func members(set []uint64, n int) iter.Seq[int] {
	return func(yield func(x int) bool) {
		if set == nil {
			for x := range n {
				if !yield(x) {
					return
				}
			}
		}
		for i, bit := range set {
			for ; bit != 0; bit &= bit - 1 {
				if !yield(i<<6 + bits.TrailingZeros64(bit)) {
					return
				}
			}
		}
	}
}

// part adds the worth of one result of an action.
func (r *row) part(p *plan.Plan, q *plan.Part) error {
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
	var to Seeds
	to[r.half], to[vary] = t.Own, t.Total
	c, err := r.controlOf(&t.Rest)
	switch n := to.Total(); {
	case err != nil:
		return err
	case n > r.seeds.Total():
		return ErrNotByRows
	case n == r.seeds.Total():
		r.links.add(r, c, to, Link{Known: t.Number, table: p.Table, part: q})
		return nil
	case r.lower == nil:
		return nil
	}
	from, negated, unknown, err := r.line(c, to, vary, t.Number)
	if err == nil {
		r.raise(from, p.Table.To, q, r.positions.Won(t.Rest[:words]), negated, unknown)
	}
	return err
}

// raise adds the worth of a part, with the seeds that the action wins. from has the futures, which
// may have to be negated, and of which some may be unknown.
func (r *row) raise(from []byte, to []uint32, q *plan.Part, won int, negated, unknown bool) {
	if !unknown {
		if !r.Controls[r.control].Maximizing {
			negated, won = !negated, -won
		}
		raisePart(r.best, from, to, q, int32(won), negated)
		return
	}
	for x := range members(q.Mask, len(r.best)) {
		r.best[x] = max(r.best[x], r.worth(from[to[x]&(1<<plan.ResultAt-1)], won, negated))
	}
}

// worth returns what a move is worth to the player to move that wins so much and leads to a
// position with a future, which may have to be negated.
func (r *row) worth(future byte, won int, negated bool) int8 {
	v := int8(future)
	if v == value.NoFuture {
		return NoValue
	}
	if negated {
		v = -v
	}
	return r.own(v + int8(won))
}

// line returns the futures of the line that a move leads to. negated says that they have to be
// negated.
func (r *row) line(c int, s Seeds, vary int, known uint32) (line []byte, negated, unknown bool, err error) {
	c, s, vary, negated = r.Kept(c, s, vary)
	line, unknown, err = r.lower.Line(c, s, vary, known)
	return line, negated, unknown, err
}

// controlOf returns the number of the control of a position.
func (r *row) controlOf(k *plan.Key) (int, error) {
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
func (r *row) over(p *plan.Plan, q *plan.Part, t *plan.Target) error {
	vary := 1 - r.half
	contents, own := r.Territories[vary].With(t.Total), r.Territories[r.half].With(t.Own)
	known := t.Rest
	known.Or(own[t.Number])
	worth := func(content *plan.Key) (int8, error) {
		end := known
		end.Or(*content)
		return r.ended(end[:r.positions.Words()])
	}
	var v int8
	var err error
	if r.even[vary] {
		v, err = worth(&contents[0])
	}
	for x := range members(q.Mask, len(r.best)) {
		if !r.even[vary] {
			v, err = worth(&contents[p.To[x]&(1<<plan.ResultAt-1)])
		}
		if err != nil {
			return err
		}
		r.best[x] = max(r.best[x], v)
	}
	return err
}

// ended returns the worth of a finished play to the player to move, or NoValue.
func (r *row) ended(key []uint64) (int8, error) {
	v, ok, err := r.positions.Ended(key)
	if !ok {
		return NoValue, err
	}
	return r.own(int8(v)), err
}

// own converts a future to the view of the player to move.
func (r *row) own(v int8) int8 {
	switch {
	case v == value.NoFuture:
		return NoValue
	case r.Controls[r.control].Maximizing:
		return v
	}
	return -v
}

// alone adds the worth of an action in one position.
func (r *row) alone(place int, action int32, x int) error {
	vary := 1 - r.half
	k := r.held
	k.Or(r.Territories[vary].With(r.seeds[vary])[x])
	words := r.positions.Words()
	to := r.to[:words]
	legal, err := r.stepper.Play(k[:words], place, action, to, &r.batch)
	switch {
	case errors.As(err, new(*interp.RuleError)):
		r.best[x] = NoValue
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
func (r *row) played(x int, to []uint64) error {
	if r.positions.Over(to) {
		if r.lower == nil {
			return nil
		}
		v, err := r.ended(to)
		r.best[x] = max(r.best[x], v)
		return err
	}
	var key plan.Key
	copy(key[:], to)
	t := r.Territories
	s := Seeds{t[0].Total(&key), t[1].Total(&key)}
	c, err := r.controlOf(&key)
	switch n := s.Total(); {
	case err != nil:
		return err
	case n > r.seeds.Total():
		return ErrNotByRows
	case n == r.seeds.Total():
		r.links.add(r, c, s, Link{Known: t[r.half].Number(&key), column: uint32(x), into: t[1-r.half].Number(&key)})
		r.links.Singles++
		return nil
	case r.lower == nil:
		return nil
	}
	// Positions with the same content of the second half are consecutive in memory.
	vary := r.natural(c)
	line, negated, _, err := r.line(c, s, vary, t[1-vary].Number(&key))
	if err != nil {
		return err
	}
	r.best[x] = max(r.best[x], r.worth(line[t[vary].Number(&key)], r.positions.Won(to), negated))
	return nil
}

// natural is the half that varies in the lines that need no transposition.
func (r *row) natural(c int) int {
	if r.Swapped && c == 1 {
		return 1
	}
	return 0
}

// end ends a row. Positions without a move have no future.
func (r *row) end() error {
	k := r.links
	k.Ends = append(k.Ends, len(k.Links))
	if r.lower != nil {
		for x, v := range r.best {
			if v == NoMove && !r.hasMoved(x) {
				r.best[x] = NoValue
			}
		}
		k.Unknown = k.Unknown || slices.Contains(r.best, NoValue)
	}
	return k.Ended(r.best)
}

// Link is the moves of a part of a row to a line of the same layer.
type Link struct {
	To      int32 // block
	Half    uint8 // of which the line has one content
	negated bool  // the other player is to move then
	Known   uint32
	column  uint32     // of the one position
	into    uint32     // where it leads to in the line
	part    *plan.Part // nil: of one position
	table   *plan.Table
}

// LinkBytes is the memory of a Link.
const LinkBytes = int64(unsafe.Sizeof(Link{}))

// Linker collects the links of rows.
type Linker struct {
	Links   []Link
	Ends    []int // by row: the end of its links
	Singles int64 // number of links of one position, so far
	Unknown bool  // some positions have no future
	// Ended is called after the last action of a row, with the best of the moves.
	Ended func(row []int8) error
}

// add adds a link to positions with a content of the half that was sown from.
func (k *Linker) add(r *row, c int, s Seeds, l Link) {
	c, s, half, negated := r.Kept(c, s, r.half)
	l.To, l.Half = int32(r.At(c, s)), uint8(half)
	l.negated = negated == r.Controls[r.control].Maximizing
	k.Links = append(k.Links, l)
}
