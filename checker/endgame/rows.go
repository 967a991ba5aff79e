package endgame

import (
	"context"
	"errors"
	"math/bits"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/checker/plan"
	"github.com/mancheck/mancheck/checker/residual"
	"github.com/mancheck/mancheck/checker/step"
	"github.com/mancheck/mancheck/checker/value"
	"github.com/mancheck/mancheck/internal/huge"
)

// Where each player sows from one half of the pits, many positions are evaluated at once. The
// positions of a layer with as many seeds in each half, and one control, are a block: a matrix with
// a row for each content of the half that the player to move sows from, and a column for each
// content of the other one. By a plan (package plan) an action takes a row to parts of other rows,
// each at once: no state is packed, ranked or looked up.
//
// For that, futures are needed as rows of either half. The table has those of one content of the
// second half one after another, by the contents of the first; a turned copy has them the other way
// round.
//
// A block is evaluated in two steps. Actions that lead to other blocks come first. Those that lead
// to a block of the same seeds are only noted: they must change nothing but the half that was sown
// from, and give it a lower number. Then all of them are followed, in the order of the numbers of
// both halves. An action of another kind means that the layer is evaluated position by position.
//
// If there is a swap, a block with the second player to move is the image of one with the first.

// halves is the work by rows on a table.
type halves struct {
	*Table
	pits     int       // in the first half
	controls []control // with a swap, that of the image is the second one
	mask     plan.Key  // of controls
	swap     bool
	even     [2]bool // by half: in the end all of its seeds are worth the same
	layers   []*halfLayer
	workers  []*halfWorker
}

// control is what two positions of a block have in common besides the seeds.
type control struct {
	key        plan.Key
	half       int // that the player to move sows from
	maximizing bool
	actions    []int32
}

// halfLayer has the futures of a layer turned: by control, seeds in the first half, content of the
// first half and content of the second one.
type halfLayer struct {
	memory  *huge.Words
	blocks  [][]byte   // by control and seeds in the first half
	starts  [][]uint64 // by seeds in the first half and content of the second one: the rank of the first
	unknown []bool     // by control and seeds: some positions have no future
	done    []atomic.Bool
}

// errBySteps says that a layer is not evaluated by rows.
var errBySteps = errors.New("not evaluated by rows")

// Marks in rows, where values are those for the player to move.
const (
	noMove  = -127 // no move so far
	noValue = 127  // there is no future
)

// newHalves returns nil if the table is not made by rows.
func (b *builder) newHalves() *halves {
	pits := b.positions.Pits()
	h := &halves{Table: b.Table, pits: len(pits) / 2, swap: b.positions.Swap() != nil}
	l := b.Table.layer(0)
	both := [2][]int{pits[:h.pits], pits[h.pits:]}
	sown, side := plan.Divide(b.sys)
	if len(side) != 2 || side[0] == side[1] || h.swap && (l.controls > 1 || !exchangesHalves(b.positions, h.pits)) {
		return nil
	}
	first := 0
	switch {
	case sameSet(sown[0], both[0]) && sameSet(sown[1], both[1]):
	case sameSet(sown[0], both[1]) && sameSet(sown[1], both[0]):
		first = 1
	default:
		return nil
	}
	copy(h.mask[:], b.positions.ControlMask())
	all := l.controls * l.images
	for c := range all {
		var k plan.Key
		if b.positions.Words() > len(k) {
			return nil
		}
		key := k[:b.positions.Words()]
		b.positions.Unrank(c*l.boards, key)
		mover := b.positions.Mover(key)
		h.controls = append(h.controls, control{key: k, half: side[mover] ^ first, maximizing: b.positions.Maximizes(key)})
	}
	for i, list := range both {
		h.even[i] = true
		for _, p := range list {
			h.even[i] = h.even[i] && b.positions.Weight(p) == b.positions.Weight(list[0])
		}
	}
	free := b.memory - 3*int64(b.positions.Entries())
	for range b.opts.Workers() {
		w := h.newWorker(b.ctx, both, free/int64(b.opts.Workers()))
		if w == nil {
			return nil
		}
		h.workers = append(h.workers, w)
	}
	for i := range h.controls {
		c := &h.controls[i]
		list, ok := h.workers[0].stepper.Menu(c.key[:b.positions.Words()])
		if !ok {
			return nil
		}
		c.actions = list
	}
	return h
}

func sameSet(a, b []int) bool {
	a, b = slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b))
	return slices.Equal(a, b)
}

// exchangesHalves reports whether the swap exchanges the halves of the pits, in their order: the
// numbers of contents are the same then.
func exchangesHalves(p *value.Positions, half int) bool {
	list, s := p.Pits(), p.Swap()
	if len(list) != 2*half {
		return false
	}
	for i, pit := range list[:half] {
		if s.Pits[pit] != list[i+half] {
			return false
		}
	}
	return true
}

// seeds are those of each half.
type seeds [2]int

func (s seeds) total() int  { return s[0] + s[1] }
func (s seeds) swap() seeds { return seeds{s[1], s[0]} }

// free gives the memory back.
func (h *halves) free() {
	for _, l := range h.layers {
		l.memory.Free()
	}
	h.layers = nil
}

// layer evaluates a layer. The error is errBySteps if another way has to do it.
func (h *halves) layer(ctx context.Context, l *layer) error {
	for len(h.layers) <= l.seeds {
		n := len(h.layers)
		h.layers = append(h.layers, h.newLayer(n))
		if n < l.seeds { // it was there before
			h.turnAll(n)
		}
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var next atomic.Int64
	first := 0
	if h.swap {
		first = (l.seeds + 1) / 2
	}
	var group sync.WaitGroup
	for _, w := range h.workers {
		w.ctx = ctx
		group.Go(func() {
			for ctx.Err() == nil {
				s := first + int(next.Add(1)-1)
				if s > l.seeds {
					return
				}
				if err := w.blocks(seeds{s, l.seeds - s}); err != nil {
					cancel(err)
				}
			}
		})
	}
	group.Wait()
	return context.Cause(ctx)
}

// stored is the number of controls that have entries.
func (h *halves) stored() int {
	if h.swap {
		return 1
	}
	return len(h.controls)
}

// newLayer makes room for a layer with so many seeds.
func (h *halves) newLayer(n int) *halfLayer {
	l := h.Table.layer(n)
	t := h.workers[0].planner.Territories
	f := &halfLayer{memory: huge.New(int((l.size*l.controls + 7) / 8)), done: make([]atomic.Bool, n+1)}
	left := f.memory.Bytes()[:l.size*l.controls]
	for range h.stored() {
		for s := range n + 1 {
			size := t[0].Size(s) * t[1].Size(n-s)
			f.blocks, left = append(f.blocks, left[:size]), left[size:]
		}
	}
	f.unknown = make([]bool, len(f.blocks))
	words := h.positions.Words()
	var keys []uint64
	for s := range n + 1 {
		own := t[0].With(s)[0]
		keys = keys[:0]
		for _, k := range t[1].With(n - s) {
			k.Or(own)
			k.Or(h.controls[0].key)
			keys = append(keys, k[:words]...)
		}
		f.starts = append(f.starts, h.workers[0].positions.Ranks(keys, nil))
	}
	return f
}

// at is the number of a block with entries.
func (h *halves) at(c int, s seeds) int { return c*(s.total()+1) + s[0] }

// row returns the futures of the positions of a block that have a content in one half, by the
// contents of the other half, which varies. negated says that they have to be negated.
func (h *halves) row(c int, s seeds, vary int, known uint32) (row []byte, negated, unknown bool) {
	if h.swap && c == 1 {
		c, s, vary, negated = 0, s.swap(), 1-vary, true
	}
	l := h.layers[s.total()]
	t := h.workers[0].planner.Territories
	at := h.at(c, s)
	if vary == 0 {
		return h.natural(c, s, int(known), t[0].Size(s[0])), negated, l.unknown[at]
	}
	n := t[1].Size(s[1])
	return l.blocks[at][int(known)*n:][:n], negated, l.unknown[at]
}

// put stores the values of a block, given by contents of the first half.
func (h *halves) put(c int, s seeds, values []int8) {
	l, at := h.layers[s.total()], h.at(c, s)
	block := l.blocks[at][:len(values)]
	sign := int8(1)
	if !h.controls[c].maximizing {
		sign = -1
	}
	for i, v := range values {
		if block[i] = byte(sign * v); v == noValue {
			block[i], l.unknown[at] = mark(noFuture), true
		}
	}
	rows, columns := h.shape(s)
	transposeInto(block, rows, columns, func(y int) []byte { return h.natural(c, s, y, rows) })
}

// shape is how many contents each half of a block has.
func (h *halves) shape(s seeds) (first, second int) {
	t := h.workers[0].planner.Territories
	return t[0].Size(s[0]), t[1].Size(s[1])
}

// natural is a row of the table.
func (h *halves) natural(c int, s seeds, y, rows int) []byte {
	start := uint64(c)*h.positions.Ranker.Boards() + h.layers[s.total()].starts[s[0]][y]
	return h.futures[start:][:rows]
}

// turnAll makes the turned copy of a layer that is in the table.
func (h *halves) turnAll(n int) {
	l := h.layers[n]
	for c := range h.stored() {
		for s := range n + 1 {
			x := seeds{s, n - s}
			block := l.blocks[h.at(c, x)]
			rows, columns := h.shape(x)
			for y := range columns {
				for i, v := range h.natural(c, x, y, rows) {
					block[i*columns+y] = v
					l.unknown[h.at(c, x)] = l.unknown[h.at(c, x)] || v == mark(noFuture)
				}
			}
		}
	}
}

// tile is the side of the squares by which matrices are turned.
const tile = 32

// transposeInto writes the columns of a matrix of so many rows and columns.
func transposeInto[E int8 | byte](from []E, rows, columns int, column func(y int) []E) {
	for y0 := 0; y0 < columns; y0 += tile {
		y1 := min(y0+tile, columns)
		for x0 := 0; x0 < rows; x0 += tile {
			x1 := min(x0+tile, rows)
			for y := y0; y < y1; y++ {
				to := column(y)[x0:x1]
				at := x0*columns + y
				for i := range to {
					to[i] = from[at]
					at += columns
				}
			}
		}
	}
}

// halfWorker evaluates blocks. A goroutine needs its own.
type halfWorker struct {
	*halves
	ctx       context.Context
	planner   *plan.Planner
	positions *value.Positions
	stepper   *residual.Stepper
	values    [][]int8   // by control, of the blocks in hand: by contents of the first half
	moves     [][][]move // by control and content of the half that is sown from: moves to blocks in hand
	spare     []int8
	to        plan.Key
	batch     pack.Batch
	entries   []uint64
}

// move is an action that leads from a row to a block with as many seeds.
type move struct {
	control int
	known   uint32   // content of the half that was sown from
	negated bool     // the other player is to move then
	mask    []uint64 // of the contents of the other half, which stay; nil: all
}

func (h *halves) newWorker(ctx context.Context, both [2][]int, memory int64) *halfWorker {
	p := h.positions.Clone()
	w := &halfWorker{halves: h, ctx: ctx, positions: p, stepper: p.Stepper(ctx)}
	var t [2]*plan.Territory
	for i := range t {
		var ok bool
		if t[i], ok = plan.NewTerritory(p.Codec(), both[i], h.Seeds()); !ok || t[i].With(h.Seeds()) == nil {
			return nil
		}
	}
	fits := func() error {
		if w.planner.Bytes() > memory {
			return errBySteps
		}
		return nil
	}
	w.planner = plan.New(ctx, w.stepper, p.Words(), h.Seeds(), t, plan.Key{}, nil, fits)
	w.values, w.moves = make([][]int8, len(h.controls)), make([][][]move, len(h.controls))
	return w
}

// blocks evaluates the blocks with so many seeds in each half, and their images.
func (w *halfWorker) blocks(s seeds) error {
	rows, columns := w.shape(s)
	for c := range w.values {
		w.values[c] = slices.Grow(w.values[c][:0], rows*columns)[:rows*columns]
	}
	if w.swap {
		if err := w.withImage(s, rows, columns); err != nil {
			return err
		}
	} else {
		for c := range w.controls {
			if err := w.block(c, s, c); err != nil {
				return err
			}
		}
	}
	if err := w.follow(rows, columns); err != nil {
		return err
	}
	w.put(0, s, w.values[0])
	switch {
	case !w.swap:
		for c := 1; c < len(w.controls); c++ {
			w.put(c, s, w.values[c])
		}
	case s[0] != s[1]:
		w.put(0, s.swap(), w.turned(w.values[1], rows, columns))
	}
	w.layers[s.total()].done[s[0]].Store(true)
	return nil
}

// withImage begins the blocks with the first player to move, and that with the second player, which
// is the image of one with the first.
func (w *halfWorker) withImage(s seeds, rows, columns int) error {
	if err := w.block(0, s.swap(), 1); err != nil {
		return err
	}
	for _, list := range w.moves[1] {
		for i := range list {
			list[i].control ^= 1
		}
	}
	copy(w.values[1], w.turned(w.values[1], columns, rows))
	return w.block(0, s, 0)
}

// turned returns a matrix with rows and columns exchanged, until it is called again.
func (w *halfWorker) turned(values []int8, rows, columns int) []int8 {
	w.spare = slices.Grow(w.spare[:0], len(values))[:len(values)]
	transposeInto(values, rows, columns, func(y int) []int8 { return w.spare[y*rows:][:rows] })
	return w.spare
}

// block finds what the moves of a block to other blocks are worth, for the player to move, and
// notes the others. Both are stored for the control number to.
func (w *halfWorker) block(c int, s seeds, to int) error {
	con := &w.controls[c]
	t := w.planner.Territories
	contents := t[con.half].With(s[con.half])
	n := t[1-con.half].Size(s[1-con.half])
	for len(w.moves[to]) < len(contents) {
		w.moves[to] = append(w.moves[to], nil)
	}
	w.moves[to] = w.moves[to][:len(contents)]
	e := row{halfWorker: w, control: c, seeds: s, half: con.half}
	e.plans = w.planner.Rows(&con.key, 1-con.half, s[con.half], s[1-con.half], len(con.actions))
	for x := range contents {
		if err := w.ctx.Err(); err != nil {
			return err
		}
		e.number, e.best = uint32(x), w.values[to][x*n:][:n]
		e.moves = w.moves[to][x][:0]
		e.held = con.key
		e.held.Or(contents[x])
		for i := range e.best {
			e.best[i] = noMove
		}
		for place, action := range con.actions {
			if err := e.action(place, action); err != nil {
				return err
			}
		}
		w.moves[to][x] = e.moves
	}
	if con.half == 1 {
		copy(w.values[to], w.turned(w.values[to], len(contents), n))
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
	moves   []move
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
	for i := range p.Parts {
		q, err := &p.Parts[i], error(nil)
		if q.Result == plan.Alone>>plan.ResultAt {
			err = each(q.Mask, len(r.best), func(x int) error { return r.alone(place, action, x) })
		} else {
			err = r.part(p, q)
		}
		if err != nil {
			return err
		}
	}
	return nil
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
	var s seeds
	s[r.half], s[vary] = t.Own, t.Total
	known := t.Number
	c, err := r.controlOf(&t.Rest)
	if err != nil {
		return err
	}
	won := r.positions.Won(t.Rest[:words])
	if s.total() == r.seeds.total() {
		switch {
		case won != 0:
			return errBySteps
		case s == r.seeds:
			if !q.Same || known >= r.number {
				return errBySteps
			}
			negated := r.controls[c].maximizing != r.controls[r.control].maximizing
			r.moves = append(r.moves, move{c, known, negated, q.Mask})
			return nil
		case r.swap || s[0] > r.seeds[0]:
			return errBySteps
		}
		for !r.layers[s.total()].done[s[0]].Load() { // another worker has it
			if err := r.ctx.Err(); err != nil {
				return err
			}
			runtime.Gosched()
		}
	}
	if s.total() > r.seeds.total() {
		return errBySteps
	}
	from, negated, unknown := r.row(c, s, vary, known)
	if !r.controls[r.control].maximizing {
		negated, won = !negated, -won
	}
	switch {
	case unknown:
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
	case q.Mask != nil:
		raiseSome(r.best, from, p.To, q.Mask, int32(won), negated)
	case q.Same:
		raiseSame(r.best, from, int32(won), negated)
	default:
		raise(r.best, from, p.To, int32(won), negated)
	}
	return nil
}

// raise makes the values of a row at least what play is worth that leads to others.
func raise(best []int8, from []byte, to []uint32, won int32, negated bool) {
	to = to[:len(best)]
	if negated {
		for i, b := range best {
			best[i] = int8(max(int32(b), won-int32(int8(from[to[i]&(1<<plan.ResultAt-1)]))))
		}
		return
	}
	for i, b := range best {
		best[i] = int8(max(int32(b), won+int32(int8(from[to[i]&(1<<plan.ResultAt-1)]))))
	}
}

// raiseSame is raise if the contents stay as they are.
func raiseSame(best []int8, from []byte, won int32, negated bool) {
	from = from[:len(best)]
	if negated {
		for i, b := range best {
			best[i] = int8(max(int32(b), won-int32(int8(from[i]))))
		}
		return
	}
	for i, b := range best {
		best[i] = int8(max(int32(b), won+int32(int8(from[i]))))
	}
}

// raiseSome is raise for some of the values.
func raiseSome(best []int8, from []byte, to []uint32, mask []uint64, won int32, negated bool) {
	sign := int32(1)
	if negated {
		sign = -1
	}
	for i, set := range mask {
		for ; set != 0; set &= set - 1 {
			x := i<<6 + bits.TrailingZeros64(set)
			best[x] = int8(max(int32(best[x]), won+sign*int32(int8(from[to[x]&(1<<plan.ResultAt-1)]))))
		}
	}
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
		return nil
	case err != nil || !legal:
		return err
	}
	var v int8
	if r.positions.Over(to) {
		if v, err = r.ended(to); err != nil {
			return err
		}
	} else {
		r.entries = r.positions.Find(to, r.entries[:0])
		l := r.Table.layer(r.seeds.total())
		if l.board(r.entries[0]&^value.Negated) >= l.first {
			return errBySteps
		}
		if v = r.future(r.entries[0]); v != noFuture {
			v += int8(r.positions.Won(to))
		}
		v = r.own(v)
	}
	r.best[x] = max(r.best[x], v)
	return nil
}

// follow follows the moves within the blocks in hand. Each leads to a lower number of one half, and
// leaves that of the other one.
func (w *halfWorker) follow(rows, columns int) error {
	at := make([][]int8, len(w.controls)) // the rows in hand
	for x := range rows {
		if err := w.ctx.Err(); err != nil {
			return err
		}
		for c := range w.controls {
			at[c] = w.values[c][x*columns:][:columns]
		}
		for c := range w.controls {
			if w.controls[c].half == 0 {
				w.followRow(c, x, at[c])
			}
		}
		for y := range columns {
			for c := range w.controls {
				if w.controls[c].half == 1 {
					w.followOne(c, x, y, at)
				}
			}
		}
	}
	return nil
}

// followRow follows moves of a player who sows from the first half, and makes the row final.
func (w *halfWorker) followRow(c, x int, best []int8) {
	n := len(best)
	for i := range w.moves[c][x] {
		m := &w.moves[c][x][i]
		from := w.values[m.control][int(m.known)*n:][:n]
		if m.mask == nil {
			for y, v := range from {
				best[y] = max(best[y], after(v, m.negated))
			}
			continue
		}
		for i, set := range m.mask {
			for ; set != 0; set &= set - 1 {
				y := i<<6 + bits.TrailingZeros64(set)
				best[y] = max(best[y], after(from[y], m.negated))
			}
		}
	}
	for y, b := range best {
		best[y] = final(b)
	}
}

// followOne follows moves of a position of a player who sows from the second half.
func (w *halfWorker) followOne(c, x, y int, at [][]int8) {
	best, list := at[c][y], w.moves[c][y]
	for i := range list {
		m := &list[i]
		if m.mask == nil || m.mask[x>>6]>>(x&63)&1 != 0 {
			best = max(best, after(at[m.control][m.known], m.negated))
		}
	}
	at[c][y] = final(best)
}

// after is what a position is worth to the player who moved to it.
func after(v int8, negated bool) int8 {
	if negated && v != noValue {
		return -v
	}
	return v
}

// final is the value of a position all of whose moves are known.
func final(best int8) int8 {
	if best == noMove {
		return noValue
	}
	return best
}
