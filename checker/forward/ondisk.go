package forward

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mancheck/mancheck/checker/disk"
	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/internal/file"
	"github.com/mancheck/mancheck/rules"
)

// onDisk is states in the files of a folder. What is in memory does not grow with their number.
//
// A search goes on where the one before it ended: after its last checkpoint, which has the figures
// up to a block of a level. There is one from time to time, unless something was found that ends
// the search with the level.
type onDisk struct {
	ctx    context.Context
	folder string
	store  *disk.Store
	memory int64
	// stuckSteps says that the steps into stuck states are to be counted.
	stuckSteps bool
	open       openLevel
	hands      []*disk.Reader // by worker

	saved time.Time     // when the last checkpoint was complete
	took  time.Duration // and how long it took

	mu     sync.Mutex
	failed error
}

// openLevel is the level that is read. There is one at a time.
type openLevel struct {
	number int
	level  *disk.Level
}

const (
	// leastBetween is the least time between checkpoints. It is longer if they take more than a
	// twentieth of the time.
	leastBetween = time.Second
	// betweenPauses is how many blocks for each worker are examined between looks at the clock.
	betweenPauses = 16
)

// openDisk opens the folder. It must belong to this search.
func (s *search) openDisk() error {
	id, err := s.identity()
	if err != nil {
		return err
	}
	d := &onDisk{ctx: s.ctx, folder: s.opts.Disk, memory: (s.opts.MaxMemory - s.bytes()) / 2, hands: make([]*disk.Reader, s.opts.threads()), saved: time.Now()}
	d.open.number = -1
	d.store, err = disk.Open(d.folder, disk.Options{Words: s.codec.Words(), Identity: id, Memory: d.memory, Threads: len(d.hands), Repeat: s.opts.walks})
	if err != nil {
		return d.about(err)
	}
	s.onDisk, s.states = d, d
	d.stuckSteps, s.stuckSteps.wanted = s.stuckSteps.wanted, false
	return nil
}

// closeDisk ends the use of the folder.
func (s *search) closeDisk() error {
	if s == nil || s.onDisk == nil {
		return nil
	}
	return s.onDisk.about(errors.Join(s.onDisk.shut(), s.onDisk.store.Close()))
}

// identity is a text that is different for searches that must not go on in each other's folder:
// those with other rules, starts, kept parts of states, questions, or another depth.
func (s *search) identity() (string, error) {
	h := sha256.New()
	if err := s.identify(h); err != nil {
		return "", err
	}
	fmt.Fprintf(h, "%v\n", s.group.Members)
	return fmt.Sprintf("%s, %x", s.sys.Name, h.Sum(nil)[:16]), nil
}

// identify writes all that identity depends on but the symmetries, which are looked for only when a
// search is long.
func (s *search) identify(h io.Writer) error {
	if _, err := h.Write(s.base.rules.Identity()); err != nil {
		return err
	}
	fmt.Fprintf(h, "%v %d %d %v\n", s.opts.Keep, s.opts.MaxDepth, s.codec.Words(), s.opts.walks)
	s.asked.identify(h, s.sys)
	for i := range s.firsts.Len() {
		fmt.Fprintf(h, "%x\n", s.firsts.At(i))
	}
	return nil
}

// findFolder finds the folder for this search in Options.Spill. If there is one, an earlier search
// was too large for memory, and this one goes on where it ended.
func (s *search) findFolder() error {
	h := sha256.New()
	if err := s.identify(h); err != nil {
		return err
	}
	s.folder = filepath.Join(s.opts.Spill, fmt.Sprintf("%x", h.Sum(nil)[:8]))
	_, err := file.Stat(s.folder)
	if errors.Is(err, fs.ErrNotExist) {
		err = file.MkdirAll(s.opts.Spill, 0o777)
		if !s.opts.walks {
			return err
		}
	}
	if err == nil {
		s.opts.Disk = s.folder
	}
	return err
}

// identify writes what of a query makes a difference to the figures and to what ends the search.
func (q *Query) identify(w io.Writer, sys *rules.System) {
	write := func(name string, x rules.Expr) {
		if x != nil {
			fmt.Fprintf(w, "%s %s\n", name, rules.ExprString(sys, x))
		}
	}
	write("goal", q.Goal)
	if b := q.BadStep; b != nil {
		write("from", b.From)
		fmt.Fprintln(w, "by", b.Actions)
		write("bad", b.Bad)
	}
	for _, x := range q.Count {
		write("count", x)
	}
}

// about gives an error the folder, if it lacks one.
func (d *onDisk) about(err error) error {
	var damaged *disk.CorruptError
	var other *disk.IdentityError
	if errors.As(err, &damaged) || errors.As(err, &other) || errors.Is(err, file.ErrLocked) {
		return fmt.Errorf("%s: %w", d.folder, err)
	}
	return err
}

// fail records the first error.
func (d *onDisk) fail(err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.failed == nil {
		d.failed = d.about(err)
	}
}

func (d *onDisk) free() {}

func (d *onDisk) err() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.failed
}

func (d *onDisk) add(worker int, keys []uint64, _ bool) ([]uint64, int) {
	if err := d.store.Adder(worker).Add(keys); err != nil {
		d.fail(err)
	}
	return nil, 0
}

func (d *onDisk) settle(int64) (int64, error) {
	if _, err := d.store.EndLevel(d.ctx); err != nil {
		return 0, d.about(err)
	}
	found := int64(0)
	for i := range d.store.Levels() {
		found += d.store.Len(i)
	}
	return found, nil
}

func (d *onDisk) level() int {
	if err := d.enter(d.store.Levels() - 1); err != nil {
		d.fail(err)
		return 0
	}
	return d.open.level.Blocks()
}

// enter opens a level instead of the one that is open.
func (d *onDisk) enter(number int) error {
	if d.open.number == number {
		return nil
	}
	if err := d.shut(); err != nil {
		return err
	}
	l, err := d.store.Level(number)
	if err == nil {
		d.open = openLevel{number, l}
	}
	return err
}

// shut closes the level that is open.
func (d *onDisk) shut() error {
	for i, r := range d.hands {
		if r != nil {
			r.Close()
		}
		d.hands[i] = nil
	}
	if d.open.level == nil {
		return nil
	}
	err := d.open.level.Close()
	d.open = openLevel{number: -1}
	return err
}

func (d *onDisk) current(worker, i int) []uint64 {
	if d.hands[worker] == nil {
		d.hands[worker] = d.open.level.Reader()
	}
	keys, err := d.hands[worker].Block(i)
	if err != nil {
		d.fail(err)
	}
	return keys
}

func (d *onDisk) release(int, []uint64) {}

// pieces makes the level the one that is read.
func (d *onDisk) pieces(level int) []piece {
	if err := d.enter(level); err != nil {
		d.fail(err)
		return nil
	}
	var list []piece
	for i := range d.open.level.Blocks() {
		list = append(list, piece{level, i, i + 1})
	}
	return list
}

func (d *onDisk) read(worker int, p piece, _ []uint64) []uint64 { return d.current(worker, p.lo) }

func (d *onDisk) names(int, []uint64) []uint64 { return nil }

func (d *onDisk) nameBits() int { return 1 }

func (d *onDisk) bytes(int64, int64) int64 { return d.memory }

// figures is the state of a search at a checkpoint, as far as it is not in the files.
type figures struct {
	Block       int // the first block of the last level that has not been expanded
	Live        int64
	Stuck       int64
	Finished    []int64
	Transitions int64
	Into        []int64
	Fired       []bool
	Counts      []int64
	Checked     int64
	Seen        int64
	Elapsed     time.Duration
}

// pauseAfter returns the block before which workers stop for a moment, after they begin with this
// one.
func (s *search) pauseAfter(block int) int {
	if s.onDisk == nil {
		return s.blocks
	}
	if s.opts.tiny {
		return block + 1
	}
	return min(s.blocks, block+betweenPauses*len(s.workers))
}

// checkpointSometimes makes a checkpoint before a block of the current level, if it is time for
// one, and if nothing was found that ends the search with the level: that would be forgotten.
func (s *search) checkpointSometimes(block int) error {
	d := s.onDisk
	if s.quit.Load() || s.full.Load() != 0 {
		return nil
	}
	if time.Since(d.saved) < max(leastBetween, 20*d.took) && !s.opts.tiny {
		return nil
	}
	for _, w := range s.workers {
		if w.hit != nil || w.fault != nil {
			return nil
		}
	}
	return s.checkpoint(block)
}

// checkpoint saves what was done. No worker may run.
func (s *search) checkpoint(block int) error {
	t := newTally(s.sys, len(s.asked.Count), s.codec.Status())
	for _, w := range s.workers {
		t.add(&w.tally)
	}
	text, err := json.Marshal(figures{block, t.live, t.stuck, t.finished, t.transitions, t.into, t.fired, t.counts, t.checked, t.seen, time.Since(s.base.began)})
	if err != nil {
		return err
	}
	d, began := s.onDisk, time.Now()
	if err := d.store.Checkpoint(text); err != nil {
		return d.about(err)
	}
	d.saved, d.took = time.Now(), time.Since(began)
	return nil
}

// resume goes on from the last checkpoint.
func (s *search) resume() error {
	d := s.onDisk
	var f figures
	if err := json.Unmarshal(d.store.State(), &f); err != nil {
		return d.about(err)
	}
	s.base.began = s.base.began.Add(-f.Elapsed)
	w := s.workers[0]
	w.tally = tally{
		live: f.Live, stuck: f.Stuck, finished: f.Finished, transitions: f.Transitions, into: f.Into,
		fired: f.Fired, counts: f.Counts, checked: f.Checked, seen: f.Seen,
	}
	w.told = told{examined: w.seen, transitions: w.transitions}
	s.sofar.examined.Store(w.told.examined)
	s.sofar.transitions.Store(w.told.transitions)
	for i := range d.store.Levels() {
		s.closed += s.size()
		s.sizes = append(s.sizes, d.store.Len(i))
	}
	total := s.closed + s.size()
	if most := s.opts.MaxStates; most > 0 && total > most {
		return fmt.Errorf("%s has %d states, which is more than the limit of %d", d.folder, total, most)
	}
	s.total.Store(total)
	s.depth = len(s.sizes) - 1
	s.done, s.begin, s.resumed = s.depth, f.Block, true
	if err := d.enter(s.depth); err != nil {
		return d.about(err)
	}
	s.blocks = d.open.level.Blocks()
	s.taken = s.bytes()
	return nil
}

// stuckOnDisk counts the steps into stuck states, if there are such states, when all levels have
// been examined: it expands them once to list the stuck states, and once more to count the steps.
func (s *search) stuckOnDisk() error {
	if !s.onDisk.stuckSteps || s.stop != nil && s.stop.stop != DepthLimit || s.examinedStuck() == 0 {
		return nil
	}
	set := pack.NewSet(s.codec.Words(), pack.Limits{Bytes: s.opts.MaxMemory / 4})
	expanded := s.sizes
	if s.stop != nil {
		expanded = s.sizes[:s.depth]
	}
	for depth := range s.sizes {
		examine := (*worker).stuckAgain
		if depth >= len(expanded) {
			examine = (*worker).immobile // what its steps lead to is none of the search's business
		}
		if err := s.examineAgain(depth, examine); err != nil {
			return err
		}
		for _, w := range s.workers {
			for ; len(w.stuckKeys) > 0; w.stuckKeys = w.stuckKeys[w.words:] {
				if _, _, err := set.Insert(w.stuckKeys[:w.words]); err != nil {
					return s.limit(err, s.total.Load())
				}
			}
		}
	}
	var steps atomic.Int64
	for depth := range expanded {
		err := s.examineAgain(depth, func(w *worker, key []uint64) error {
			if err := w.game.Expand(key, &w.steps); err != nil {
				return err
			}
			if w.reducer != nil {
				w.reducer.LeastAll(w.steps.Keys)
			}
			for keys := w.steps.Keys; len(keys) > 0; keys = keys[w.words:] {
				if _, stuck := set.Find(keys[:w.words]); stuck {
					steps.Add(w.weight(key))
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	s.stuckSteps.steps = steps.Load()
	return nil
}

func (s *search) examinedStuck() (n int64) {
	for _, w := range s.workers {
		n += w.stuck
	}
	return n
}

// stuckAgain notes a state if it has no steps.
func (w *worker) stuckAgain(key []uint64) error {
	err := w.game.Expand(key, &w.steps)
	if err == nil && len(w.steps.Actions) == 0 {
		w.stuckKeys = append(w.stuckKeys, key...)
	}
	return err
}

// immobile notes a state of a level that was not expanded, if it has no legal moves.
func (w *worker) immobile(key []uint64) error {
	can, err := w.game.CanMove(key)
	if err == nil && !can {
		w.stuckKeys = append(w.stuckKeys, key...)
	}
	return err
}

// examineAgain calls do with the states of a level in which the game goes on, and no steps in the
// batch.
func (s *search) examineAgain(depth int, do func(w *worker, key []uint64) error) error {
	status, players := s.codec.Status(), uint64(len(s.sys.Players))
	pieces := s.states.pieces(depth)
	s.run(len(pieces), s.sizes[depth], func(w *worker, i int) {
		for keys := s.states.read(w.number, pieces[i], nil); len(keys) > 0; keys = keys[w.words:] {
			key := keys[:w.words]
			if key[status.Word]>>(status.Shift&63)&status.Mask >= players {
				continue
			}
			w.steps.Reset()
			w.before = 0
			if err := do(w, key); err != nil {
				w.failed(key, err, 0)
			}
		}
		w.steps.Reset()
	})
	return s.ended()
}
