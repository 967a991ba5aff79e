package forward

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/mancheck/mancheck/checker/disk"
	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/internal/file"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/rules"
)

// keeper is what keeps a search, so that it can continue after its last checkpoint. A search in
// memory has none. It is an interface so that a program without folders, as in a browser, is
// without this code.
type keeper interface {
	io.Closer
	Levels() int
	resume() error
	pauseAfter(block int) int
	checkpoint(block int) error
	checkpointSometimes(block int) error
	stuckOnDisk() error
	lookForRepetition() error
}

// onDisk keeps a search in a folder. A checkpoint has the figures up to a block of a level. There
// is one from time to time, except after something was found that ends the search with the level.
type onDisk struct {
	*disk.Store
	search *search
	saved  time.Time     // when the last checkpoint was complete
	took   time.Duration // how long it took
}

const (
	// leastBetween is the least time between checkpoints. It is longer if they take more than a
	// twentieth of the time.
	leastBetween = time.Second
	// betweenPauses is how many blocks each worker examines between two looks at the clock.
	betweenPauses = 16
)

// openDisk opens the folder, which must belong to this search.
func (s *search) openDisk() error {
	if runtime.GOOS == "js" {
		return errors.ErrUnsupported
	}
	id, err := s.identity()
	if err != nil {
		return err
	}
	d, err := disk.Open(s.ctx, s.opts.Disk, disk.Options{
		Words: s.codec.Words(), Identity: id, Memory: (s.opts.MaxMemory - s.bytes()) / 2, Threads: s.opts.Workers(), Repeat: s.opts.walks,
	})
	if err != nil {
		return err
	}
	s.keeper = &onDisk{Store: d, search: s, saved: time.Now()}
	s.states = d
	return nil
}

// identity returns a text that differs for searches that must not continue in each other's folder:
// those with other rules, starts, kept parts, questions or limits on moves.
func (s *search) identity() (string, error) {
	h := sha256.New()
	if err := s.identify(h); err != nil {
		return "", err
	}
	if s.quotient != nil {
		h.Write(s.quotient.Identity())
	}
	return fmt.Sprintf("%s, %x", s.sys.Name, h.Sum(nil)[:16]), nil
}

// identify writes everything that identity depends on, except symmetries, which are not known from
// the beginning.
func (s *search) identify(h io.Writer) error {
	if _, err := h.Write(s.base.rules.Identity()); err != nil {
		return err
	}
	fmt.Fprintf(h, "%d %d %v\n", s.opts.MaxDepth, s.codec.Words(), s.opts.walks)
	s.asked.identify(h, s.sys)
	for i := range s.firsts.Len() {
		fmt.Fprintf(h, "%x\n", s.firsts.At(i))
	}
	return nil
}

// findFolder finds the folder for this search in Options.Spill. If it exists, an earlier search was
// too large for memory, and this one continues there.
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

// identify writes the parts of a query that affect the figures, or what ends the search.
func (q *Query) identify(w io.Writer, sys *rules.System) {
	write := func(name string, x rules.Expr) {
		if x != nil {
			fmt.Fprintf(w, "%s %s %q\n", name, rules.ExactString(sys, x), rules.OwnTables(sys, x))
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

// figures is the state of a search at a checkpoint, except for what is in the files.
type figures struct {
	Block int // the first block of the last level that was not expanded
	Figures
	Checked int64 // these two are no part of the text of Figures
	Seen    int64
	Elapsed time.Duration
}

// pauseAfter returns the block before which workers pause, if they begin with this one.
func (k *onDisk) pauseAfter(block int) int {
	s := k.search
	if s.opts.tiny {
		return block + 1
	}
	return min(s.blocks, block+betweenPauses*len(s.workers))
}

// checkpointSometimes makes a checkpoint before a block of the current level, if it is time for
// one. If something was found that ends the search with the level, there is none, because it does
// not record that.
func (k *onDisk) checkpointSometimes(block int) error {
	s := k.search
	if s.quit.Load() || s.full.reached() != limit.None {
		return nil
	}
	if time.Since(k.saved) < max(leastBetween, 20*k.took) && !s.opts.tiny {
		return nil
	}
	for _, w := range s.workers {
		if w.Hit != nil || w.Fault != nil {
			return nil
		}
	}
	return k.checkpoint(block)
}

// checkpoint saves what was done. No worker may be running.
func (k *onDisk) checkpoint(block int) error {
	s := k.search
	f := s.figures()
	text, err := json.Marshal(figures{block, *f, f.Checked, f.Seen, time.Since(s.base.began)})
	if err != nil {
		return err
	}
	began := time.Now()
	if err := k.Checkpoint(text); err != nil {
		return err
	}
	k.saved, k.took = time.Now(), time.Since(began)
	return nil
}

// resume continues from the last checkpoint.
func (k *onDisk) resume() error {
	s := k.search
	var f figures
	if err := json.Unmarshal(k.State(), &f); err != nil {
		return err
	}
	s.base.began = s.base.began.Add(-f.Elapsed)
	w := s.workers[0]
	w.Figures = f.Figures
	w.Checked, w.Seen = f.Checked, f.Seen
	w.reported = reported{examined: w.Seen, transitions: w.Transitions}
	s.sofar.examined.Store(w.reported.examined)
	s.sofar.transitions.Store(w.reported.transitions)
	for i := range k.Levels() {
		s.closed += s.size()
		s.sizes = append(s.sizes, k.Len(i))
	}
	total := s.closed + s.size()
	if most := s.opts.MaxStates; most > 0 && total > most {
		return fmt.Errorf("%s has %d states, which is more than the limit of %d", s.opts.Disk, total, most)
	}
	s.total.Store(total)
	s.depth = len(s.sizes) - 1
	s.done, s.begin, s.resumed = s.depth, f.Block, true
	s.blocks, s.taken = k.Level(), s.bytes()
	return k.Err()
}

// stuckOnDisk counts the steps into stuck states when all levels were examined: memory may be too
// small for the set that searches in memory use. If there are such states, it goes through all
// levels once to list them, and once more to count the steps.
func (k *onDisk) stuckOnDisk() error {
	s := k.search
	if !s.stuckSteps.wanted || s.endedEarly() || s.figures().Stuck == 0 {
		return nil
	}
	set := pack.NewSet(s.codec.Words(), pack.Limits{Bytes: s.opts.MaxMemory / 4})
	expanded := s.sizes
	if s.end.Stop == limit.DepthLimit { // the states after the last level are beyond the limit
		expanded = s.sizes[:s.depth]
	}
	for depth := range s.sizes {
		s.again(depth, (*worker).immobile)
		if err := s.ended(); err != nil {
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
		s.again(depth, func(w *worker, key []uint64) error {
			if err := w.game.Expand(key, &w.steps); err != nil {
				return err
			}
			for keys := w.steps.Keys; len(keys) > 0; keys = keys[w.words:] {
				if _, stuck := set.Find(keys[:w.words]); stuck {
					steps.Add(w.weight(key))
				}
			}
			return nil
		})
		if err := s.ended(); err != nil {
			return err
		}
	}
	s.stuckSteps.steps = steps.Load()
	return nil
}

// immobile notes a state if it has no legal move.
func (w *worker) immobile(key []uint64) error {
	can, err := w.game.CanMove(key)
	if err == nil && !can {
		w.stuckKeys = append(w.stuckKeys, key...)
	}
	return err
}
