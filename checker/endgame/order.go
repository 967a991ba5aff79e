package endgame

import (
	"context"
	"encoding/binary"
	"errors"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mancheck/mancheck/checker/value"
	"github.com/mancheck/mancheck/internal/huge"
)

// Where it is proved that each move within a layer leads to a board of lower number, that is
// because no sum of the seeds of the first pits gets greater, and one gets less. So one sweep is
// enough in any order in which boards with lower sums come first. Here it is that of the seeds in
// the first half of the pits, and then that of the numbers. The boards that differ only in the
// first half, and have as many seeds there, are a row, with consecutive numbers. Similar rows come
// one after another, so that much of what they read is the same.
//
// If there is a swap, the positions of a board and of its image are evaluated together, when the
// later one of the two is reached: a move makes both earlier.
//
// A worker takes a row, or some short ones. Many positions have moves to earlier boards of the same
// row, and to rows that another worker may have at that moment. So workers wait for each other.
// That is seldom long: the board needed is about as far in its row.
//
// A position that leads to one that is not known by then, in spite of the proof, is left pending.

// someBoards is the number of boards that are taken at a time.
const someBoards = 64

// leastBoards is the least number of boards that a worker takes.
const leastBoards = 512

// descent is the state of such a sweep.
//
// Workers write to neighboring entries at the same time. So the futures of the layer are in words
// of their own until all are known.
type descent struct {
	*layer
	workers []*worker
	mutex   sync.Mutex
	rest    rest
	pits    int      // in which the boards of a row differ
	halves  bool     // the swap exchanges the first half of the pits with the second one, in this order
	pitch   uint64   // entries of a control, in futures: a multiple of 4
	futures []uint32 // four entries each, exclusive or with the mark of pending ones
}

// descend finds the futures of all positions of a layer, and returns how many are pending.
func (b *builder) descend(l *layer) (left uint64, err error) {
	if b.ordered == nil {
		b.ordered = b.bareWorkers()
	}
	d := &descent{layer: l, workers: b.ordered, pitch: (l.size + 3) &^ 3, pits: len(b.positions.Pits()) / 2}
	d.halves = d.exchangesHalves()
	d.rest = d.all()
	memory := huge.New(int((l.controls*d.pitch + 7) / 8))
	defer memory.Free()
	d.futures = memory.Halves()
	ctx, cancel := context.WithCancelCause(b.ctx)
	defer cancel(nil)
	for _, w := range d.workers {
		w.undecided = 0
		w.turn.Store(0)
	}
	var group sync.WaitGroup
	for _, w := range d.workers {
		group.Go(func() {
			defer w.turn.Store(math.MaxUint64)
			for ctx.Err() == nil {
				some, ok := d.take()
				if !ok {
					return
				}
				if err := d.rows(ctx, w, some); err != nil {
					cancel(err)
				}
			}
		})
	}
	group.Wait()
	for _, w := range d.workers {
		left += w.undecided
		if w.bare != nil {
			w.bare.whole.reset()
			w.bare.of = 0
		}
	}
	d.copy()
	return left, context.Cause(ctx)
}

// exchangesHalves reports whether the swap exchanges the halves of the pits, in their order. Then
// the image of a row with some seeds in the first half has these in the second one; and where both
// have as many, the images of the boards of a row come in the order of the boards.
func (d *descent) exchangesHalves() bool {
	list, s := d.positions.Pits(), d.positions.Swap()
	for i, p := range list[:d.pits] {
		if s == nil || s.Pits[p] != list[i+d.pits] {
			return false
		}
	}
	return s != nil && len(list) == 2*d.pits
}

// copy copies the futures to the table.
func (d *descent) copy() {
	for c := range d.controls {
		from := d.futures[c*d.pitch/4:]
		to := d.layer.futures[c*d.boards+d.first:][:d.size]
		for ; len(to) >= 4; from, to = from[1:], to[4:] {
			binary.LittleEndian.PutUint32(to, from[0]^allPending)
		}
		for i := range to {
			to[i] = byte(from[0]>>(8*i)) ^ mark(pending)
		}
	}
}

// allPending is the mark of four pending entries.
const allPending = (1<<8 + pending) * (1 + 1<<8 + 1<<16 + 1<<24)

// place returns where the future of an entry of the layer is: the word, and the shift in it.
func (d *descent) place(rank uint64) (word, shift uint64) {
	n := rank - d.first
	if d.controls > 1 {
		n = rank/d.boards*d.pitch + rank%d.boards - d.first
	}
	return n / 4, n % 4 * 8
}

// load returns the future of an entry of the layer.
func (d *descent) load(rank uint64) int8 {
	word, shift := d.place(rank)
	return int8(byte(atomic.LoadUint32(&d.futures[word])>>shift) ^ mark(pending))
}

// store sets the future of a pending entry of the layer.
func (d *descent) store(rank uint64, f int8) {
	word, shift := d.place(rank)
	atomic.OrUint32(&d.futures[word], uint32(mark(f)^mark(pending))<<shift)
}

// rows are some rows, one after another, with as many seeds in the first half.
type rows struct {
	key   []uint64 // with the first board of the first row
	seeds int      // in the first half
	count int
}

// rest is what no worker has taken.
type rest struct {
	key   []uint64 // with the first board of the next row
	seeds int      // in the first half, of the rows that are being given away
	last  int      // of the last rows
	more  bool     // there are more rows with as many
}

// all is the rest if nothing has been taken.
func (d *descent) all() rest {
	n := rest{key: make([]uint64, len(d.workers[0].key)), seeds: -1}
	if d.pits > 0 {
		n.last = d.layer.seeds
	}
	if d.halves { // boards with fewer seeds in the first half have images that come later
		n.seeds += (d.layer.seeds + 1) / 2
	}
	return n
}

// take returns the next rows; ok is false if none are left.
func (d *descent) take() (some rows, ok bool) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	r, n := d.positions.Ranker, &d.rest
	if !n.more {
		if n.seeds == n.last {
			return rows{}, false
		}
		n.seeds++
		r.FirstRow(n.key, d.pits, n.seeds, d.layer.seeds-n.seeds)
		n.more = true
	}
	some = rows{key: slices.Clone(n.key), seeds: n.seeds}
	for size := r.RowSize(d.pits, n.seeds); n.more && uint64(some.count)*size < leastBoards; some.count++ {
		n.more = r.NextRow(n.key, d.pits)
	}
	return some, true
}

// rows evaluates the positions of some rows, and of their images.
func (d *descent) rows(ctx context.Context, w *worker, some rows) error {
	r := d.positions.Ranker
	size := r.RowSize(d.pits, some.seeds)
	w.boards, w.list, w.second = w.boards[:0], w.list[:0], w.second[:0]
	for range some.count {
		board := w.positions.Ranks(some.key, w.entries[:0])[0]
		d.begin(w, board)
		for end := board + size; board < end; board++ {
			d.list(w, board)
			if len(w.boards) < someBoards {
				continue
			}
			later, err := d.evaluateHalf(ctx, w, some.seeds)
			if err != nil {
				return err
			}
			if later && d.halves {
				break // so are all further ones of the row
			}
		}
		r.NextRow(some.key, d.pits)
	}
	_, err := d.evaluateHalf(ctx, w, some.seeds)
	return err
}

// begin lets a worker begin at a board.
func (d *descent) begin(w *worker, board uint64) {
	w.place(d.layer, board)
	for at := len(w.key); at < len(w.keys); at += len(w.key) { // controls, without the board
		for i := range w.key {
			w.keys[at+i] ^= w.keys[i]
		}
	}
}

// list lists the keys of the next board: those that have entries of their own, and the others.
func (d *descent) list(w *worker, board uint64) {
	words := len(w.key)
	key := w.keys[:words]
	w.boards = append(w.boards, board)
	w.list = append(w.list, key...)
	for c := words; c < len(w.keys); c += words {
		list := &w.list
		if c >= int(d.controls)*words {
			list = &w.second
		}
		for i := range words {
			*list = append(*list, key[i]^w.keys[c+i])
		}
	}
	d.positions.Ranker.NextBoard(key)
}

// turnOf numbers boards in the order in which they are evaluated.
func turnOf(seeds int, board uint64) uint64 { return uint64(seeds)<<48 | board }

// evaluateHalf evaluates the positions of the listed boards, with seeds seeds in the first half,
// and of their images. It reports whether the last one is left out.
func (d *descent) evaluateHalf(ctx context.Context, w *worker, seeds int) (later bool, err error) {
	if len(w.boards) == 0 {
		return false, nil
	}
	w.turn.Store(turnOf(seeds, w.boards[0]))
	if later, err = d.add(w, seeds); err != nil {
		return false, err
	}
	d.look(w)
	w.boards, w.list, w.second = w.boards[:0], w.list[:0], w.second[:0]
	return later, d.evaluate(ctx, w)
}

// add adds the positions of the listed boards, unless those of the image come later; and those of
// the images. It reports whether the last one comes later.
func (d *descent) add(w *worker, seeds int) (later bool, err error) {
	words := len(w.key)
	own := int(d.controls) * words
	w.entries = w.entries[:0]
	var images []uint64
	if d.images > 1 {
		images, w.entries = w.positions.Images(w.second, w.entries)
	}
	for i, board := range w.boards {
		at, now := i*own, turnOf(seeds, board)
		image := now
		if d.images > 1 {
			image = d.turnOfImage(images[at:at+words], d.board(w.entries[at/words]), seeds)
		}
		later = image > now
		for c := uint64(0); c < d.controls && image <= now; c++ {
			if err := w.addAt(now, c*d.boards+board, w.list[at+int(c)*words:][:words]); err != nil {
				return false, err
			}
		}
		for c := uint64(0); c < d.controls && image < now; c++ {
			if err := w.addAt(now, w.entries[at/words+int(c)], images[at+int(c)*words:][:words]); err != nil {
				return false, err
			}
		}
	}
	return later, nil
}

// turnOfImage returns the turn of the image of a board with seeds seeds in the first half.
func (d *descent) turnOfImage(image []uint64, board uint64, seeds int) uint64 {
	if d.halves {
		return turnOf(d.layer.seeds-seeds, board)
	}
	return turnOf(d.positions.Ranker.SeedsIn(image, d.pits), board)
}

// addAt is add for a position that is evaluated at some turn.
func (w *worker) addAt(turn, rank uint64, key []uint64) error {
	err := w.add(rank, key)
	w.spare[len(w.spare)-1].turn = turn
	return err
}

// look finds the futures of the positions that steps lead to, as far as they are known. Those of
// many positions are fetched at the same time, as nothing here depends on them; and so are the
// words that will be written to.
func (d *descent) look(w *worker) {
	w.entries = w.positions.Find(w.batch.Keys, w.entries[:0])
	n := len(w.entries)
	w.found = slices.Grow(w.found[:0], n)[:n]
	w.spots = slices.Grow(w.spots[:0], n)[:n]
	all := uint64(len(d.layer.futures))
	for i, e := range w.entries {
		rank := e &^ value.Negated
		if rank >= all {
			rank = 0 // of a finished state
		}
		is := uint64(int64(d.board(rank)-d.first) >> 63) // all ones in a lower layer, or 0
		word, shift := d.place(rank&^is | d.first&is)
		w.spots[i] = spot{lower: rank & is, word: word, shift: uint8(shift), is: byte(is)}
	}
	// Little is done here, so that the processor waits for many bytes at the same time.
	lower, layer, found := d.layer.futures, d.futures, w.found[:n]
	for i := range w.spots[:n] {
		found[i] = lower[w.spots[i].lower]
	}
	for i := range w.spots[:n] {
		s := &w.spots[i]
		within := byte(atomic.LoadUint32(&layer[s.word])>>(s.shift&31)) ^ mark(pending)
		found[i] = found[i]&s.is | within&^s.is
	}
	for i := range w.spare {
		word, _ := d.place(w.spare[i].rank)
		w.touched += atomic.LoadUint32(&d.futures[word])
	}
	if w.bare == nil {
		w.won = w.positions.WonAll(w.batch.Keys, w.won[:0])
		return
	}
	w.won = d.positions.Ranker.Seeds(w.batch.Keys, w.won[:0])
	for i := range w.won {
		w.won[i] = int16(d.layer.seeds) - w.won[i]
	}
}

// evaluate evaluates positions in their order.
func (d *descent) evaluate(ctx context.Context, w *worker) error {
	from := 0
	for i := range w.spare {
		p := &w.spare[i]
		v, err := d.best(ctx, w, p, from)
		if err != nil {
			return err
		}
		if v == pending {
			w.undecided++
		}
		d.store(p.rank, v)
		from = p.end
	}
	w.reset()
	return nil
}

// best returns the best that the steps of a position are worth, those of the worker from one on:
// pending if one leads to a pending position, and noFuture if one has no worth.
func (d *descent) best(ctx context.Context, w *worker, p *position, from int) (int8, error) {
	if p.faulty || p.end == from {
		return noFuture, nil
	}
	words, waits := len(w.key), false
	lo, hi, gain := math.MaxInt, math.MinInt, 1 // what a seed that was won is worth
	if w.bare != nil {
		gain = int(w.bare.gains[p.mover])
	}
	for s := from; s < p.end; s++ {
		if to := w.batch.Keys[s*words:][:words:words]; w.positions.Over(to) {
			v, ok, err := w.ended(p, s-from, s)
			if !ok || err != nil {
				return noFuture, err
			}
			lo, hi = min(lo, v), max(hi, v)
			continue
		}
		f := int8(w.found[s])
		if f == pending {
			f = d.await(ctx, w, s, p.turn)
		}
		if f == noFuture {
			return noFuture, nil
		}
		v := int(negated(w.entries[s], f)) + gain*int(w.won[s])
		if f == pending {
			waits = true
			continue
		}
		lo, hi = min(lo, v), max(hi, v)
	}
	switch {
	case waits:
		return pending, nil
	case p.maximizing:
		return int8(hi), nil
	}
	return int8(lo), nil
}

// bareWork is what a worker needs that plays without sinks.
type bareWork struct {
	gains []int16 // by player
	whole *worker // with sinks
	of    uint64  // whose steps whole has: rank+1, or 0
}

// bareWorkers returns workers that play without sinks if that is enough and states are shorter
// then, or the usual ones. Steps that end the game have to be played again with sinks.
func (b *builder) bareWorkers() []*worker {
	positions, gains, ok := b.positions.Bare()
	if !ok || positions.Words() == b.positions.Words() && !b.opts.bare {
		return b.workers
	}
	var list []*worker
	for _, whole := range b.workers {
		w := newWorkerOf(b.ctx, positions)
		w.bare = &bareWork{gains: gains, whole: whole}
		list = append(list, w)
	}
	return list
}

// errBare says that play without sinks is not the same, which cannot be.
var errBare = errors.New("a position has other moves if the seeds that left play are not counted")

// ended is what play is worth after step number i of a position, the step s of the worker, if that
// ends it.
func (w *worker) ended(p *position, i, s int) (v int, ok bool, err error) {
	words := len(w.key)
	if w.bare == nil {
		return w.positions.Ended(w.batch.Keys[s*words:][:words])
	}
	whole := w.bare.whole
	if w.bare.of != p.rank+1 {
		whole.reset()
		whole.positions.Unrank(p.rank, whole.key)
		if err := whole.add(p.rank, whole.key); err != nil {
			return 0, false, err
		}
		w.bare.of = p.rank + 1
	}
	words = len(whole.key)
	if i >= len(whole.batch.Actions) || whole.batch.Actions[i] != w.batch.Actions[s] {
		return 0, false, errBare
	}
	return whole.positions.Ended(whole.batch.Keys[i*words:][:words])
}

// patience is how often a worker looks at a position before it sleeps.
const patience = 1 << 10

// await waits for the future of a position of the layer that a step leads to. It is left pending if
// its turn is not before now, or has passed.
func (d *descent) await(ctx context.Context, w *worker, step int, now uint64) int8 {
	rank := w.entries[step] &^ value.Negated
	f := d.load(rank)
	if f != pending {
		return f
	}
	at := d.evaluatedAt(w, step)
	for n := 0; at < now && f == pending && ctx.Err() == nil; n++ {
		passed := true
		for _, other := range d.workers {
			passed = passed && (other == w || other.turn.Load() > at)
		}
		if f = d.load(rank); passed {
			break
		}
		if n < patience {
			runtime.Gosched()
		} else {
			time.Sleep(50 * time.Microsecond)
		}
	}
	return f
}

// evaluatedAt returns the turn of the position that a step leads to.
func (d *descent) evaluatedAt(w *worker, step int) uint64 {
	words, r := len(w.key), d.positions.Ranker
	key := w.batch.Keys[step*words:][:words]
	at := turnOf(r.SeedsIn(key, d.pits), d.board(w.positions.Ranks(key, nil)[0]))
	if d.images > 1 {
		image := w.positions.Image(key)
		at = max(at, turnOf(r.SeedsIn(image, d.pits), d.board(w.positions.Ranks(image, nil)[0])))
	}
	return at
}
